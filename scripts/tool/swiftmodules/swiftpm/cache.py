"""Keeps what was read of a package between two commands, outside of the package."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

# Part of every key: counted up when what is kept means something else.
FORMAT = b"3"

_Kept = TypeVar("_Kept")


def cache_folder() -> Path:
    """The folder that `SWIFTMODULES_CACHE` names, or one in the user's cache."""
    named = os.environ.get("SWIFTMODULES_CACHE")
    if named:
        return Path(named)
    user = Path.home() / "Library/Caches" if sys.platform == "darwin" else Path.home() / ".cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or user) / "swiftmodules"


def key(parts: Iterable[bytes]) -> str:
    """A name for parts, which differs where one of them does."""
    digest = hashlib.sha256(FORMAT)
    for part in parts:
        digest.update(b"%d:" % len(part) + part)
    return digest.hexdigest()


def load(file: Path, kind: type[_Kept]) -> _Kept | None:
    """What a file of the cache holds, or None where it is missing, or damaged."""
    try:
        return msgspec.msgpack.decode(file.read_bytes(), type=kind, dec_hook=_decoded)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def store(file: Path, value: object) -> None:
    """Writes a file of the cache, whole or not at all. A cache that cannot be written is none."""
    temporary: Path | None = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=".")
        temporary = Path(name)
        with os.fdopen(descriptor, "wb") as output:
            output.write(msgspec.msgpack.encode(value, enc_hook=_encoded))
        temporary.replace(file)
    except OSError:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _encoded(value: Any) -> str:  # noqa: ANN401
    if isinstance(value, Path):
        return os.fspath(value)
    raise NotImplementedError(f"{type(value)} cannot be kept")


def _decoded(kind: type[Any], value: Any) -> Path:  # noqa: ANN401
    if issubclass(kind, Path):
        return Path(value)
    raise NotImplementedError(f"{kind} cannot be kept")
