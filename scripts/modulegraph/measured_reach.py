"""What edits reached when they were measured, from the committed results."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from buildspeed.matrix import RECORD, Matrix, MatrixCell, place_name, read_matrix
from buildspeed.record import read_record

# The layout that is the package as it stands.
LAYOUT = "interface"
# What a record says of an edit's place ends with the file: "a private function at the end of Modules/….swift".
_FILE = re.compile(r".*\b(?:in|of|beside|to) (?P<file>\S.*\.swift)")


@dataclass(frozen=True)
class MeasuredEdit:
    """An edit that was made in a file, and the files that the build compiled for it.

    `source` is the file of results, and `commit` that of the measured code, if it was known. `reasons` tells why each
    file was compiled, where that was recorded.
    """

    edit: str
    file: Path
    description: str
    compiled: tuple[Path, ...]
    source: Path
    commit: str | None
    reasons: Mapping[Path, str] = field(hash=False)


def measured_edits(package: Path, name: str) -> list[MeasuredEdit]:
    """The measured edits of a package. Where several results have the same edit of the same file, the first of
    `_READERS` counts."""
    edits: dict[tuple[str, Path], MeasuredEdit] = {}
    for source, read in _READERS.items():
        if (package / source).is_file():
            for edit in read(package, source, name):
                edits.setdefault((edit.edit, edit.file), edit)
    return list(edits.values())


def edited_file(matrix: Matrix, cell: MatrixCell) -> Path | None:
    """The file in which the edit of a cell was made; None where that is no source."""
    return _file_in(matrix.placements.get(place_name(cell.edit, cell.module), ""))


def _from_matrix(package: Path, source: Path, name: str) -> list[MeasuredEdit]:
    """From a record of `scripts/measure matrix`: the files that are compiled each time, with the reasons."""
    matrix = read_matrix(package / source)
    edits = []
    for cell in matrix.cells if matrix.package == name else ():
        file = edited_file(matrix, cell)
        if cell.layout == LAYOUT and file is not None:
            description = matrix.placements[place_name(cell.edit, cell.module)]
            reasons = {Path(path): reason for path, reason in cell.compiled.items()}
            edits.append(MeasuredEdit(cell.edit, file, description, tuple(reasons), source, None, reasons))
    return edits


def _from_layouts(package: Path, source: Path, name: str) -> list[MeasuredEdit]:
    """From a record of `scripts/measure`: the files that were compiled in any of the samples."""
    record = read_record(package / source)
    if record.package != name:
        return []
    compiled: dict[tuple[str, str | None], set[str]] = {}
    for sample in record.samples:
        if sample.layout == LAYOUT:
            compiled.setdefault((sample.edit, sample.module), set()).update(sample.compiled)
    edits = []
    for (edit, module), files in compiled.items():
        description = record.placements.get(place_name(edit, module), "")
        file = _file_in(description)
        if file is not None:
            paths = tuple(Path(path) for path in sorted(files))
            edits.append(MeasuredEdit(edit, file, description, paths, source, record.revision.commit, {}))
    return edits


def _file_in(description: str) -> Path | None:
    place = _FILE.fullmatch(description)
    return Path(place["file"]) if place else None


# The more exact results come first.
_READERS: Mapping[Path, Callable[[Path, Path, str], list[MeasuredEdit]]] = {
    RECORD: _from_matrix,
    Path("docs/results/layouts/results.json"): _from_layouts,
}
