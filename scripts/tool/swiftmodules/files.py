"""Files that are written as a whole or not at all."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from swiftmodules.errors import DiskFullError, ToolError


def write_atomically(path: Path, text: str | bytes) -> None:
    """Writes a file as a whole or not at all. Raises a `ToolError` where that fails."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(text.encode() if isinstance(text, str) else text)
        unfinished.replace(path)
    except OSError as error:
        raise failed_write(path, error) from error
    finally:
        with suppress(OSError):
            unfinished.unlink()


def failed_write(path: Path, error: OSError) -> ToolError:
    """The error of a file that could not be written."""
    kind = DiskFullError if error.errno in (errno.ENOSPC, errno.EDQUOT) else ToolError
    return kind(f"cannot write {path}: {error.strerror}. Make space, or name a folder that can be written.")
