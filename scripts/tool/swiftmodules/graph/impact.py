"""The reach of an edit: as measured in the records of a package, and by the rule of the graph for all else."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from swiftmodules.errors import RecordError, ToolError, UsageError
from swiftmodules.graph.architecture import Architecture, suggestion
from swiftmodules.graph.paths import distances, inverted
from swiftmodules.records.files import kind_of, read_record
from swiftmodules.records.kinds import FloorRecord, MatrixRecord, RunRecord
from swiftmodules.records.model import BASELINE, Sample, place_name
from swiftmodules.swiftpm.package import Package

# Where the records of a package are looked for.
RECORDS = "docs/**/*.json"
# The end of the description of an edit's place: "a private function at the end of Modules/….swift".
_FILE = re.compile(r".*\b(?:in|of|beside|to) (?P<file>\S.*\.swift)")
# The most exact kind first: of several records of an edit, the first counts.
_RecordWithFiles = MatrixRecord | RunRecord | FloorRecord
_WITH_FILES = (MatrixRecord, RunRecord, FloorRecord)


@dataclass(frozen=True)
class MeasuredEdit:
    """An edit that was made in a file, and the files that the build compiled for it.

    `source` is the record, and `commit` that of the measured code, if it is known. `reasons` are those for which each
    file was compiled, where they were recorded.
    """

    edit: str
    file: Path
    description: str
    compiled: tuple[Path, ...]
    source: Path
    commit: str | None
    reasons: Mapping[Path, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class TargetImpact:
    """The reach of edits in one target. By the rule they reach its own files, those of `direct` that use what changed,
    and those of `further` only where the direct ones pass it on in their own API. `file` is the edited one, where one
    was named."""

    target: str
    role: str
    file: Path | None
    measured: tuple[MeasuredEdit, ...]
    direct: tuple[str, ...]
    further: tuple[str, ...]


@dataclass(frozen=True)
class Impact:
    """The reach of edits in a file, target or module, for each target that is meant."""

    subject: str
    targets: tuple[TargetImpact, ...]
    package: Package
    folder: Path

    def _by_target(self, edit: MeasuredEdit) -> dict[str, list[Path]]:
        """The compiled files by the target that compiles them today."""
        found: dict[str, list[Path]] = {}
        for file in edit.compiled:
            owner = self.package.target_of(file)
            # The file that the edit `new-file` adds is gone.
            is_there = (self.folder / file).is_file() or edit.edit == "new-file"
            found.setdefault(owner.name if owner and is_there else "no longer there", []).append(file)
        return found

    def as_json(self) -> dict[str, Any]:
        return {
            "subject": self.subject,
            "targets": [
                {
                    "target": each.target,
                    "role": each.role,
                    "measured": [self._edit_as_json(edit, each) for edit in each.measured],
                    "rule": {"direct": each.direct, "further": each.further},
                }
                for each in self.targets
            ],
        }

    def _edit_as_json(self, edit: MeasuredEdit, target: TargetImpact) -> dict[str, Any]:
        return {
            "edit": edit.edit,
            "description": edit.description,
            "file": edit.file.as_posix(),
            "is_in_another_file": target.file not in (None, edit.file),
            "source": edit.source.as_posix(),
            "commit": edit.commit,
            "compiled": {name: [file.as_posix() for file in files] for name, files in self._by_target(edit).items()},
            "reasons": {file.as_posix(): reason for file, reason in edit.reasons.items()},
        }

    def __str__(self) -> str:
        """A paragraph for each target: what was measured with the files, and what the rule of the graph implies."""
        return "\n\n".join("\n".join(self._lines(each)) for each in self.targets)

    def _lines(self, target: TargetImpact) -> Iterator[str]:
        kind = f"{target.target}, {target.role}" if target.file else target.role
        yield f"An edit in {target.file or target.target} ({kind}) reaches"
        for edit in target.measured:
            commit = f" at {edit.commit[:7]}" if edit.commit else ""
            count = f"{len(edit.compiled)} file{'' if len(edit.compiled) == 1 else 's'}"
            elsewhere = "" if target.file in (None, edit.file) else f" in another file of {target.target}"
            yield f"  {count}, as measured{elsewhere} ({edit.source}{commit}): {edit.edit}, {edit.description}"
            for owner, files in self._by_target(edit).items():
                by_reason: dict[str, list[str]] = {}
                for file in files:
                    by_reason.setdefault(edit.reasons.get(file, ""), []).append(file.name)
                for reason, names in by_reason.items():
                    yield f"    {owner}: {', '.join(names)}" + (f" ({reason})" if reason else "")
        if target.file and not any(edit.file == target.file for edit in target.measured):
            which = "no edit in this file was measured"
        else:
            which = "any other edit" if target.measured else "no edit here was measured"
        yield f"  by the rule of the graph ({which}), at most\n    {target.target}"
        if target.direct:
            yield f"    the files that use what changed in: {', '.join(target.direct)}"
        else:
            yield "    and nothing else, as no target depends on it"
        if target.further:
            yield f"    and, where those pass it on in their own API: {', '.join(target.further)}"


def impact(architecture: Architecture, subject: str, folder: Path, records: Sequence[Path] = ()) -> Impact:
    """Finds the reach of an edit in a module, a target or a file of the package in a folder.

    Without `records`, those of the package in its folder `docs` are read.
    """
    package = architecture.package
    names, file = _meant(architecture, subject, folder)
    edits = measured_edits(folder, package.name, records)
    edits.sort(key=lambda edit: edit.file != file)
    owners = {edit.file: package.target_of(edit.file) for edit in edits}
    users = inverted(architecture.dependencies)
    targets = []
    for name in names:
        reached = distances(users, name)
        targets.append(
            TargetImpact(
                target=name,
                role=architecture.roles[name].value,
                file=file,
                measured=tuple(edit for edit in edits if owners[edit.file] == package.target(name)),
                direct=tuple(sorted(each for each, distance in reached.items() if distance == 1)),
                further=tuple(sorted(each for each, distance in reached.items() if distance > 1)),
            )
        )
    return Impact(subject, tuple(targets), package, folder)


def measured_edits(folder: Path, name: str, records: Sequence[Path] = ()) -> list[MeasuredEdit]:
    """The measured edits of a package of a name. Where several records have the same edit of the same file, the most
    exact one counts. Raises `RecordError` where a record that was asked for has none."""
    read = sorted(_records(folder, name, records), key=lambda each: _WITH_FILES.index(type(each[1])))
    edits: dict[tuple[str, Path], MeasuredEdit] = {}
    for source, record in read:
        for edit in _edits(record, source):
            edits.setdefault((edit.edit, edit.file), edit)
    return list(edits.values())


def edited_file(description: str) -> Path | None:
    """The file that the description of the place of an edit names; None where that is not a source."""
    place = _FILE.fullmatch(description)
    return Path(place["file"]) if place else None


def _records(folder: Path, name: str, asked: Sequence[Path]) -> Iterator[tuple[Path, _RecordWithFiles]]:
    for path in asked or sorted(folder.glob(RECORDS)):
        try:
            record = read_record(path)
        except RecordError:
            # Other files are JSON too.
            if asked:
                raise
            continue
        if isinstance(record, _WITH_FILES) and record.package == name:
            yield path if asked else path.relative_to(folder), record
        elif asked and isinstance(record, _WITH_FILES):
            raise RecordError(f"{path} is a record of the package {record.package}, and this is {name}.")
        elif asked:
            kinds = ", ".join(f"'{kind_of(kind)}'" for kind in _WITH_FILES)
            raise RecordError(
                f"{path} is a record of '{kind_of(record)}', which does not list what each edit compiled. Name one of "
                f"{kinds}."
            )


def _edits(record: _RecordWithFiles, source: Path) -> Iterator[MeasuredEdit]:
    """The edits of the package as it stands, and not of other layouts or settings."""
    match record:
        case MatrixRecord():
            for cell in record.cells:
                description = record.placements.get(place_name(cell.edit, cell.module), "")
                file = edited_file(description)
                if cell.layout == BASELINE and file is not None:
                    reasons = {Path(path): reason for path, reason in cell.compiled.items()}
                    yield MeasuredEdit(cell.edit, file, description, tuple(reasons), source, None, reasons)
        case RunRecord():
            samples = [sample for sample in record.samples if sample.layout == BASELINE]
            yield from _timed(samples, record.placements, source, record.revision.commit)
        case FloorRecord():
            samples = [sample for sample in record.edit_samples if sample.layout == record.options.settings[0]]
            yield from _timed(samples, record.places, source, record.revision.commit)


def _timed(
    samples: Iterable[Sample], placements: Mapping[str, str], source: Path, commit: str | None
) -> Iterator[MeasuredEdit]:
    """The files that were compiled in any of the samples."""
    compiled: dict[tuple[str, str | None], set[str]] = {}
    for sample in samples:
        if sample.edit is not None and isinstance(sample.compiled, tuple):
            compiled.setdefault((sample.edit, sample.module), set()).update(sample.compiled)
    for (edit, module), files in compiled.items():
        description = placements.get(place_name(edit, module), "")
        file = edited_file(description)
        if file is not None:
            yield MeasuredEdit(edit, file, description, tuple(map(Path, sorted(files))), source, commit)


def _meant(architecture: Architecture, subject: str, folder: Path) -> tuple[list[str], Path | None]:
    """The targets that a subject means, and the file where it is one."""
    package = architecture.package
    if os.sep not in subject and not subject.endswith(".swift"):
        return architecture.targets_named(subject), None
    path = _inside(folder.resolve(), subject)
    if path is None:
        sources = [source.as_posix() for target in package.targets for source in target.sources]
        raise UsageError(f"There is no file '{subject}' in {folder}.{suggestion(subject, sources)}")
    if path == package.manifest:
        raise ToolError(f"{path} is the graph itself: after an edit SwiftPM plans every target again.")
    target = package.target_of(path)
    # Headers of C are in no list of sources, and compiled with those that include them.
    if target is None or (target in package.targets and path not in target.sources):
        raise ToolError(f"No target compiles {path}, so an edit there reaches nothing.")
    return [target.name], path


def _inside(root: Path, subject: str) -> Path | None:
    """The path from the package's folder of a file that is named from there or from the working directory."""
    for base in (Path.cwd(), root):
        file = (base / subject).resolve()
        if file.is_file() and file.is_relative_to(root):
            return file.relative_to(root)
    return None
