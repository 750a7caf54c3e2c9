"""Files of results: JSON with a version, written as a whole, and read with errors that say what is wrong."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import cattrs

from buildspeed.failures import RecordError

_Record = TypeVar("_Record")


def write_atomically(path: Path, text: str) -> None:
    """Writes a file as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def json_text(fields: Mapping[str, Any]) -> str:
    """A record as it stands in its file."""
    return json.dumps(fields, indent=1, ensure_ascii=False) + "\n"


def read_versioned(path: Path, kind: type[_Record], versions: Sequence[int], program: str) -> _Record:
    """Reads a record of one of these versions, as `program` writes it. Raises `RecordError`."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        version = fields.get("schema_version")
        if version not in versions:
            known = " and ".join(map(str, versions))
            raise RecordError(f"{path} has the schema version {version}; this program reads {known}.")
        return cattrs.structure(fields, kind)
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}.") from error
    except (ValueError, AttributeError, cattrs.BaseValidationError) as error:
        raise RecordError(f"{path} is no record of {program}: {error}.") from error
