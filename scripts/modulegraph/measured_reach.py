"""What edits reached when they were measured, from the committed results."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from buildspeed.record import read_record

# The layout that is the package as it stands.
_LAYOUT = "interface"
# What a record says of an edit's place ends with the file: "a private function at the end of Modules/….swift".
_FILE = re.compile(r".*\b(?:in|of|beside|to) (?P<file>\S.*\.swift)")


@dataclass(frozen=True)
class MeasuredEdit:
    """An edit that was made in a file, and the files that the build compiled for it.

    `source` is the file of results, and `commit` that of the measured code, if it was known.
    """

    edit: str
    file: Path
    description: str
    compiled: tuple[Path, ...]
    source: Path
    commit: str | None


def measured_edits(package: Path, name: str) -> list[MeasuredEdit]:
    """The measured edits of a package. Where several results have the same edit of the same file, the first of
    `_READERS` counts."""
    edits: dict[tuple[str, Path], MeasuredEdit] = {}
    for source, read in _READERS.items():
        if (package / source).is_file():
            for edit in read(package, source, name):
                edits.setdefault((edit.edit, edit.file), edit)
    return list(edits.values())


def _from_layouts(package: Path, source: Path, name: str) -> list[MeasuredEdit]:
    """From a record of `scripts/measure`: the files that were compiled in any of the samples."""
    record = read_record(package / source)
    if record.package != name:
        return []
    compiled: dict[tuple[str, str | None], set[str]] = {}
    for sample in record.samples:
        if sample.layout == _LAYOUT:
            compiled.setdefault((sample.edit, sample.module), set()).update(sample.compiled)
    edits = []
    for (edit, module), files in compiled.items():
        description = record.placements.get(f"{edit} {module}" if module else edit, "")
        place = _FILE.fullmatch(description)
        if place:
            paths = tuple(Path(file) for file in sorted(files))
            edits.append(MeasuredEdit(edit, Path(place["file"]), description, paths, source, record.revision.commit))
    return edits


# The more exact results come first.
_READERS: Mapping[Path, Callable[[Path, Path, str], list[MeasuredEdit]]] = {
    Path("docs/results/layouts/results.json"): _from_layouts,
}
