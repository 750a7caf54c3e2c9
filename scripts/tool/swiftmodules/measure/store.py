"""Files of records: written as a whole, read with precise errors; and the samples of a run that has not ended."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from swiftmodules.errors import RecordError
from swiftmodules.files import failed_write, write_atomically
from swiftmodules.measure.record import FORMAT, Record, Sample
from swiftmodules.options import MeasureChoices

RESULTS, SAMPLES = "results.json", "samples.jsonl"


def record_bytes(record: Record) -> bytes:
    """A record as its file holds it."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def write_record(record: Record, path: Path) -> None:
    """Writes a record as a whole or not at all."""
    write_atomically(path, record_bytes(record))


def read_record(path: Path) -> Record:
    """Reads a record: its file, a folder with one, or the samples of a run that has not ended.

    Raises `RecordError` with the place and the reason of what is wrong.
    """
    if path.is_dir():
        found = [path / name for name in (RESULTS, SAMPLES) if (path / name).is_file()]
        if not found:
            raise RecordError(f"{path} holds no record: neither {RESULTS} nor {SAMPLES}.")
        path = found[0]
    if path.suffix == ".jsonl":
        return read_samples(path)
    content = _content(path)
    with _decoding(path):
        _require_format(msgspec.json.decode(content, type=_Version), path)
        return msgspec.json.decode(content, type=Record)


class Origin(Struct, frozen=True):
    """What an interrupted run is resumed with: the folder of its package, and its options."""

    package: str
    choices: MeasureChoices


class _Line(Struct, omit_defaults=True):
    """A line of `samples.jsonl`, which has one of these."""

    origin: Origin | None = None
    # Without its samples; a later one replaces an earlier one.
    record: Record | None = None
    sample: Sample | None = None


class SampleLog:
    """The file `samples.jsonl` of an unfinished run: a line for each sample, written at once.

    It lies beside the complete record, so that no complete record is ever replaced by a part of another.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / SAMPLES

    def begin(self, record: Record, origin: Origin) -> None:
        """Writes the record with its samples, as when a run begins, or is resumed."""
        samples = [_encoded(sample=sample) for sample in record.samples]
        write_atomically(self.path, b"".join([_encoded(origin=origin), _header(record), *samples]))

    def append(self, *samples: Sample) -> None:
        """Keeps samples."""
        self._write(b"".join(_encoded(sample=sample) for sample in samples))

    def keep(self, record: Record) -> None:
        """Keeps all of a record but its samples, where something else in it has changed."""
        self._write(_header(record))

    def finish(self, record: Record) -> None:
        """Writes the complete record, and removes this file."""
        write_record(record, self.path.with_name(RESULTS))
        self.path.unlink(missing_ok=True)

    def _write(self, lines: bytes) -> None:
        try:
            # Opened each time: a run lasts hours, and nothing is held when it is killed.
            with self.path.open("ab") as file:
                file.write(lines)
        except OSError as error:
            raise failed_write(self.path, error) from error


def read_samples(path: Path) -> Record:
    """Reads `samples.jsonl`. `incomplete` of its record gives why the run ended, or that it was killed."""
    record: Record | None = None
    samples: list[Sample] = []
    for line in _lines(path):
        record = line.record or record
        samples += [line.sample] if line.sample else []
    if record is None:
        raise _no_record(path, "it has no line with a record")
    record.samples = samples
    record.incomplete = record.incomplete or f"the run was killed after sample {len(samples)} or later."
    return record


def read_origin(folder: Path) -> Origin:
    """Reads what the interrupted run in a folder is resumed with."""
    if not (folder / SAMPLES).is_file():
        raise RecordError(f"{folder} holds no {SAMPLES}, so no run can be resumed there.")
    found = next((line.origin for line in _lines(folder / SAMPLES) if line.origin), None)
    if found is None:
        raise _no_record(folder / SAMPLES, "it has no line with the options of its run")
    return found


def _lines(path: Path) -> Iterator[_Line]:
    # After the last line break follows a line that was cut off.
    for number, line in enumerate(_content(path).split(b"\n")[:-1], start=1):
        with _decoding(path, f"line {number}: "):
            if line.startswith(b'{"record"'):
                _require_format(msgspec.json.decode(line, type=dict[str, _Version])["record"], path)
            yield msgspec.json.decode(line, type=_Line, dec_hook=lambda kind, value: kind(value))


class _Version(Struct):
    format: int | None = None


def _require_format(found: _Version, path: Path) -> None:
    if found.format is None:
        raise _no_record(path, "it has no 'format'")
    if found.format != FORMAT:
        raise RecordError(
            f"{path} has format {found.format}, and this program reads {FORMAT}. Measure again, or use the version "
            "that wrote it."
        )


def _header(record: Record) -> bytes:
    return _encoded(record=msgspec.structs.replace(record, samples=[]))


def _encoded(**entry: object) -> bytes:
    return msgspec.json.encode(entry, enc_hook=str) + b"\n"


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
