"""Keeps what was read of a package between two commands, outside of the package."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from swiftmodules.errors import ToolError
from swiftmodules.files import write_atomically

# Part of every key: counted up when what is kept means something else.
FORMAT = b"6"

_Kept = TypeVar("_Kept")


def cache_folder() -> Path:
    """The folder that `SWIFTMODULES_CACHE` names, or one in the user's cache."""
    named = os.environ.get("SWIFTMODULES_CACHE")
    return Path(named) if named else user_folder()


def user_folder() -> Path:
    """The folder of this program in the user's cache."""
    user = Path.home() / "Library/Caches" if sys.platform == "darwin" else Path.home() / ".cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or user) / "swiftmodules"


def key(parts: Iterable[bytes]) -> str:
    """A name for parts, which differs where one of them does."""
    digest = hashlib.sha256(FORMAT)
    for part in parts:
        digest.update(b"%d:" % len(part) + part)
    return digest.hexdigest()


def load(file: Path, kind: type[_Kept]) -> _Kept | None:
    """Reads a file of the cache; None where it is missing, or damaged."""
    try:
        return msgspec.msgpack.decode(file.read_bytes(), type=kind, dec_hook=lambda kind, value: kind(value))
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def store(file: Path, value: object) -> None:
    """Writes a file of the cache. A cache that cannot be written is ignored."""
    with suppress(ToolError):
        write_atomically(file, msgspec.msgpack.encode(value, enc_hook=os.fspath))
