"""Files of records: written as a whole, read with precise errors; and the samples of a run that has not ended."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec
from msgspec import Struct

from swiftmodules.errors import DiskFullError, RecordError, ToolError, UsageError
from swiftmodules.records.kinds import AnyRecord, SampledRecord
from swiftmodules.records.model import FORMAT, Record, Sample

RESULTS, SAMPLES = "results.json", "samples.jsonl"

_Record = TypeVar("_Record", bound=Record)


def write_atomically(path: Path, text: str | bytes) -> None:
    """Writes a file as a whole or not at all. Raises a `ToolError` where that fails."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(text.encode() if isinstance(text, str) else text)
        unfinished.replace(path)
    except OSError as error:
        raise _failed_write(path, error) from error
    finally:
        with suppress(OSError):
            unfinished.unlink()


def record_bytes(record: Record) -> bytes:
    """A record as its file holds it."""
    encoded = msgspec.json.encode(msgspec.structs.replace(record, format=FORMAT))
    return msgspec.json.format(encoded, indent=1) + b"\n"


def write_record(record: Record, path: Path) -> None:
    """Writes a record as a whole or not at all."""
    write_atomically(path, record_bytes(record))


def read_record(path: Path) -> AnyRecord:
    """Reads a record of any kind: the file of one, a folder with one, or the samples of a run that has not ended.

    Raises `RecordError` with the place and the reason of what is wrong.
    """
    if path.is_dir():
        found = [path / name for name in (RESULTS, SAMPLES) if (path / name).is_file()]
        if not found:
            raise RecordError(f"{path} holds no record: neither {RESULTS} nor {SAMPLES}.")
        path = found[0]
    if path.suffix == ".jsonl":
        return read_log(path).record
    content = _content(path)
    _require_format(content, path)
    with _decoding(path):
        record: AnyRecord = msgspec.json.decode(content, type=AnyRecord)
    return record


def read_kind(path: Path, kind: type[_Record]) -> _Record:
    """Reads a record of one kind. Raises `RecordError` for any other."""
    record = read_record(path)
    if not isinstance(record, kind):
        raise RecordError(f"{path} is a record of '{kind_of(record)}'; one of '{kind_of(kind)}' is needed here.")
    return record


def kind_of(record: Record | type[Record]) -> str:
    """The name of the experiment that makes such records."""
    return str(record.__struct_config__.tag)


class LogEntry(Struct, omit_defaults=True):
    """A line of `samples.jsonl`, which has one of these."""

    sample: Sample | None = None  #: A sample, in the order in which they were taken.
    part: Mapping[str, Any] | None = None  #: What an experiment without samples found, as its record holds it.
    record: AnyRecord | None = None  #: The record without its samples; a later one replaces an earlier one.


class Log(Struct):
    """What `samples.jsonl` holds: the record with its samples, and the parts that belong to no sample."""

    record: AnyRecord
    parts: list[Mapping[str, Any]]


class SampleLog:
    """The file `samples.jsonl` of an unfinished run: a line for each sample, written at once.

    It lies beside the complete record, so that no complete record is ever replaced by a part of another.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def begin(cls, path: Path, record: AnyRecord) -> SampleLog:
        """Begins the file with the record as known so far. Raises `UsageError` where another run has left one."""
        if path.exists():
            raise UsageError(
                f"{path} holds the samples of an unfinished run. Resume it with --resume "
                f"{path.parent}, show them with `measure report {path}`, or remove the file to start over."
            )
        write_atomically(path, _header(record))
        return cls(path)

    @classmethod
    def resume(cls, path: Path) -> tuple[SampleLog, Log]:
        """The file of an interrupted run, and what it holds. `path` is the file or its folder.

        A line that was cut off when the run was killed is removed.
        """
        file = path / SAMPLES if path.is_dir() else path
        if path.is_dir() and not file.is_file():
            raise RecordError(f"{path} holds no {SAMPLES}, so no run can be resumed there.")
        log = read_log(file)
        content = file.read_bytes()
        write_atomically(file, content[: content.rfind(b"\n") + 1])
        return cls(file), log

    def append(self, sample: Sample) -> None:
        """Keeps a sample."""
        self._write(_line(sample=sample))

    def append_part(self, part: Struct) -> None:
        """Keeps what an experiment without samples found."""
        self._write(_line(part=part))

    def keep(self, record: AnyRecord) -> None:
        """Keeps all of a record but its samples, where something else in it has changed."""
        self._write(_header(record))

    def replace(self, record: AnyRecord) -> None:
        """Rewrites the file with a record and its samples, as when a resumed run reruns the interrupted round."""
        samples = [_line(sample=sample) for sample in getattr(record, "samples", ())]
        write_atomically(self.path, b"".join([_header(record), *samples]))

    def finish(self, record: AnyRecord, path: Path) -> None:
        """Writes the complete record, and removes this file."""
        write_record(record, path)
        self.path.unlink(missing_ok=True)

    def _write(self, line: bytes) -> None:
        try:
            # Opened for each line: a run lasts hours, and nothing is held when it is killed.
            with self.path.open("ab") as file:
                file.write(line)
        except OSError as error:
            raise _failed_write(self.path, error) from error


def read_log(path: Path) -> Log:
    """Reads `samples.jsonl`. `incomplete` of its record gives why the run ended, or that it was killed."""
    lines = _content(path).split(b"\n")
    record: AnyRecord | None = None
    samples: list[Sample] = []
    parts: list[Mapping[str, Any]] = []
    # After the last line break follows a line that was cut off.
    for number, line in enumerate(lines[:-1], start=1):
        with _decoding(path, f"line {number}: "):
            entry = msgspec.json.decode(line, type=LogEntry)
        record = entry.record or record
        samples += [entry.sample] if entry.sample else []
        parts += [entry.part] if entry.part is not None else []
    if record is None:
        raise _no_record(path, "it has no line with a record")
    _require_version(record.format, path)
    count = f"{len(samples or parts)} {'samples' if samples or not parts else 'parts'}"
    record.incomplete = record.incomplete or f"the run was killed after {count} or later."
    if isinstance(record, SampledRecord):
        record.samples = samples
    return Log(record, parts)


class _Version(Struct):
    format: int | None = None
    schema_version: int | None = None
    kind: str | None = None


def _require_format(content: bytes, path: Path) -> None:
    with _decoding(path):
        found = msgspec.json.decode(content, type=_Version)
    if found.format is None and found.schema_version is not None:
        raise RecordError(
            f"{path} was written by an earlier version of this program (schema_version {found.schema_version}), and "
            f"this one reads format {FORMAT}. Measure again."
        )
    if found.format is None or found.kind is None:
        raise _no_record(path, "it has no 'format' and 'kind'")
    _require_version(found.format, path)
    known = [kind_of(kind) for kind in get_args(AnyRecord)]
    if found.kind not in known:
        raise _no_record(path, f"its kind is '{found.kind}', and this program reads {', '.join(known)}")


def _require_version(version: int, path: Path) -> None:
    if version != FORMAT:
        raise RecordError(
            f"{path} has format {version}, and this program reads {FORMAT}. Use the version that wrote it."
        )


def _header(record: AnyRecord) -> bytes:
    """The line of a record without its samples."""
    header = msgspec.structs.replace(record, format=FORMAT)
    if isinstance(header, SampledRecord):
        header.samples = []
    return _line(record=header)


def _line(**entry: object) -> bytes:
    return msgspec.json.encode(entry) + b"\n"


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}.") from error


@contextmanager
def _decoding(path: Path, place: str = "") -> Iterator[None]:
    try:
        yield
    except msgspec.DecodeError as error:
        raise _no_record(path, f"{place}{error}") from error


def _no_record(path: Path, reason: object) -> RecordError:
    return RecordError(f"{path} is not a record of this program: {str(reason).rstrip('.')}.")


def _failed_write(path: Path, error: OSError) -> ToolError:
    kind = DiskFullError if error.errno in (errno.ENOSPC, errno.EDQUOT) else ToolError
    return kind(f"cannot write {path}: {error.strerror}.")
