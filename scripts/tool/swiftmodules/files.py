"""Files that are written as a whole or not at all, and the folder of this program in the user's cache."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from swiftmodules.errors import DiskFullError, ToolError
from swiftmodules.interrupts import deferred


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


def content_of(folder: Path, path: Path) -> bytes:
    """The bytes of a source in a folder. Raises `ToolError` where SwiftPM names what is no file, such as a pipe, or
    cannot print the name."""
    file = folder / path
    if "\ufffd" in path.name or (os.path.lexists(file) and not file.is_file()):
        raise ToolError(
            f"{path} cannot be read: SwiftPM lists it as a source, and no file has that name. Remove it, or "
            "rename it: names in another encoding than UTF-8 are not supported."
        )
    return file.read_bytes()


def remove_folder(folder: str | Path) -> None:
    """Removes a folder with all that can be removed in it, before an interrupt that comes meanwhile."""
    with deferred():
        shutil.rmtree(folder, ignore_errors=True)


def cache_folder() -> Path:
    """The folder that `SWIFTMODULES_CACHE` names, or one in the user's cache, for work that has no place in a
    package."""
    user = Path.home() / "Library/Caches" if sys.platform == "darwin" else Path.home() / ".cache"
    usual = Path(os.environ.get("XDG_CACHE_HOME") or user) / "swiftmodules"
    return Path(os.environ.get("SWIFTMODULES_CACHE") or usual)


def failed_write(path: Path, error: OSError) -> ToolError:
    kind = DiskFullError if error.errno in (errno.ENOSPC, errno.EDQUOT) else ToolError
    return kind(f"cannot write {path}: {error.strerror}. Make space there, or make it writable.")
