"""What an edit reaches: as measured in the records of a package, and by the rule of the graph for all else."""

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
from swiftmodules.records.kinds import AnyRecord, FloorRecord, MatrixRecord, RunRecord
from swiftmodules.records.model import BASELINE, Sample, place_name
from swiftmodules.swiftpm.package import Package

# Where the records of a package are looked for.
RECORDS = "docs/**/*.json"
# The end of the words for an edit's place: "a private function at the end of Modules/….swift".
_FILE = re.compile(r".*\b(?:in|of|beside|to) (?P<file>\S.*\.swift)")
# The more exact ones first: of several records of an edit, the first counts.
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
    """What edits in one target reach. By the rule they reach its own files, those of `direct` that use what changed,
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
    """What edits in a file, target or module reach, for each target that is meant."""

    subject: str
    targets: tuple[TargetImpact, ...]
    package: Package
    folder: Path

    def by_target(self, edit: MeasuredEdit) -> dict[str, list[Path]]:
        """The compiled files by the target that compiles them today."""
        found: dict[str, list[Path]] = {}
        for file in edit.compiled:
            owner = self.package.target_of(file)
            # The file that the edit `new-file` adds is gone.
            is_there = (self.folder / file).is_file() or edit.edit == "new-file"
            found.setdefault(owner.name if owner and is_there else "no longer there", []).append(file)
        return found

    def as_json(self) -> dict[str, Any]:
        return {"subject": self.subject, "targets": [self._target_as_json(each) for each in self.targets]}

    def _target_as_json(self, impact: TargetImpact) -> dict[str, Any]:
        measured = [
            {
                "edit": each.edit,
                "description": each.description,
                "file": each.file.as_posix(),
                "is_in_another_file": impact.file not in (None, each.file),
                "source": each.source.as_posix(),
                "commit": each.commit,
                "compiled": {name: [file.as_posix() for file in files] for name, files in self.by_target(each).items()},
                "reasons": {file.as_posix(): reason for file, reason in each.reasons.items()},
            }
            for each in impact.measured
        ]
        rule = {"direct": list(impact.direct), "further": list(impact.further)}
        return {"target": impact.target, "role": impact.role, "measured": measured, "rule": rule}

    def __str__(self) -> str:
        """A paragraph for each target: what was measured with the files, and what the rule of the graph says."""
        return "\n\n".join("\n".join(self._lines(each)) for each in self.targets)

    def _lines(self, target: TargetImpact) -> list[str]:
        lines = [f"An edit in {target.file or target.target} ({_kind(target)}) reaches"]
        for edit in target.measured:
            lines += self._measured_lines(edit, target)
        if target.file and not any(edit.file == target.file for edit in target.measured):
            which = "no edit in this file was measured"
        else:
            which = "any other edit" if target.measured else "no edit here was measured"
        lines += [f"  by the rule of the graph ({which}), at most", f"    {target.target}"]
        if target.direct:
            lines.append(f"    the files that use what changed in: {', '.join(target.direct)}")
        if target.further:
            lines.append(f"    and, where those pass it on in their own API: {', '.join(target.further)}")
        if not target.direct:
            lines.append("    and nothing else, as no target depends on it")
        return lines

    def _measured_lines(self, edit: MeasuredEdit, target: TargetImpact) -> Iterator[str]:
        commit = f" at {edit.commit[:7]}" if edit.commit else ""
        count = f"{len(edit.compiled)} file{'' if len(edit.compiled) == 1 else 's'}"
        elsewhere = "" if target.file in (None, edit.file) else f" in another file of {target.target}"
        yield f"  {count}, as measured{elsewhere} ({edit.source}{commit}): {edit.edit}, {edit.description}"
        for owner, files in self.by_target(edit).items():
            by_reason: dict[str | None, list[str]] = {}
            for file in files:
                by_reason.setdefault(edit.reasons.get(file), []).append(file.name)
            for reason, names in by_reason.items():
                yield f"    {owner}: {', '.join(names)}" + (f" ({reason})" if reason else "")


def impact(architecture: Architecture, subject: str, folder: Path, records: Sequence[Path] = ()) -> Impact:
    """What an edit reaches in a module, a target or a file of the package in a folder.

    Without `records`, those of the package in its folder `docs` are read.
    """
    package = architecture.package
    names, file = _meant(architecture, subject, folder)
    edits = measured_edits(folder, package.name, records)
    edits.sort(key=lambda edit: edit.file != file)
    users = inverted(architecture.dependencies)
    targets = []
    for name in names:
        reached = distances(users, name)
        targets.append(
            TargetImpact(
                target=name,
                role=architecture.roles[name].value,
                file=file,
                measured=tuple(edit for edit in edits if _is_in(edit.file, name, package)),
                direct=tuple(sorted(each for each, distance in reached.items() if distance == 1)),
                further=tuple(sorted(each for each, distance in reached.items() if distance > 1)),
            )
        )
    return Impact(subject, tuple(targets), package, folder)


def measured_edits(folder: Path, name: str, records: Sequence[Path] = ()) -> list[MeasuredEdit]:
    """The measured edits of a package of a name. Where several records have the same edit of the same file, the most
    exact one counts. Raises `RecordError` where a record that was asked for has none."""
    read = list(_asked(records, name) if records else _found(folder, name))
    edits: dict[tuple[str, Path], MeasuredEdit] = {}
    for kind in _WITH_FILES:
        for source, record in read:
            if isinstance(record, kind):
                for edit in _edits(record, source):
                    edits.setdefault((edit.edit, edit.file), edit)
    return list(edits.values())


def edited_file(description: str) -> Path | None:
    """The file that the words for the place of an edit name; None where that is no source."""
    place = _FILE.fullmatch(description)
    return Path(place["file"]) if place else None


def _asked(paths: Iterable[Path], name: str) -> Iterator[tuple[Path, AnyRecord]]:
    for path in paths:
        record = read_record(path)
        if not isinstance(record, _WITH_FILES):
            kinds = ", ".join(f"'{kind_of(kind)}'" for kind in _WITH_FILES)
            raise RecordError(
                f"{path} is a record of '{kind_of(record)}', which does not list what each edit compiled. Name one of "
                f"{kinds}."
            )
        if record.package != name:
            raise RecordError(f"{path} is a record of the package {record.package}, and this is {name}.")
        yield path, record


def _found(folder: Path, name: str) -> Iterator[tuple[Path, AnyRecord]]:
    for path in sorted(folder.glob(RECORDS)):
        try:
            record = read_record(path)
        except RecordError:
            # Other files are JSON too.
            continue
        if record.package == name:
            yield path.relative_to(folder), record


def _edits(record: MatrixRecord | RunRecord | FloorRecord, source: Path) -> Iterator[MeasuredEdit]:
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
            placements = {place_name(record.options.edit, record.options.module): record.placement}
            yield from _timed(samples, placements, source, record.revision.commit)


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
        raise ToolError(f"{path} is the graph itself: after an edit SwiftPM plans every target anew.")
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


def _is_in(file: Path, target: str, package: Package) -> bool:
    owner = package.target_of(file)
    return owner is not None and owner.name == target


def _kind(target: TargetImpact) -> str:
    return f"{target.target}, {target.role}" if target.file else target.role
