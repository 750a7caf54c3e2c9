"""What an edit reaches: as measured where it was, and by the rule of the graph for all else."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from buildspeed.edits import NEW_FILE
from buildspeed.failures import MeasurementError, UsageError
from modulegraph.adjacency import distances, inverted
from modulegraph.architecture import Architecture
from modulegraph.measured_reach import MeasuredEdit, measured_edits
from modulegraph.names import suggestion, targets_named
from modulegraph.package_targets import PackageTargets
from modulegraph.why import target_adjacency


@dataclass(frozen=True)
class TargetImpact:
    """What edits in one target reach. By the rule they reach its own files, those of `direct` that use what
    changed, and those of `further` only where the direct ones pass it on in their own API."""

    target: str
    role: str
    measured: tuple[MeasuredEdit, ...]
    direct: tuple[str, ...]
    further: tuple[str, ...]


@dataclass(frozen=True)
class Impact:
    """What edits in a file, target or module reach, for each target that is meant."""

    subject: str
    targets: tuple[TargetImpact, ...]
    package: PackageTargets

    def by_target(self, files: Sequence[Path]) -> dict[str, list[Path]]:
        """Files by the target that compiles them today."""
        found: dict[str, list[Path]] = {}
        for file in files:
            owner = self.package.target_of(file)
            is_there = owner is not None and ((self.package.folder / file).is_file() or file.name == NEW_FILE)
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
                "source": each.source.as_posix(),
                "commit": each.commit,
                "compiled": {
                    target: [file.as_posix() for file in files]
                    for target, files in self.by_target(each.compiled).items()
                },
                "reasons": {file.as_posix(): reason for file, reason in each.reasons.items()},
            }
            for each in impact.measured
        ]
        rule = {"direct": list(impact.direct), "further": list(impact.further)}
        return {"target": impact.target, "role": impact.role, "measured": measured, "rule": rule}


def impact(architecture: Architecture, subject: str) -> Impact:
    """What an edit reaches in a module, a target or a file."""
    package = architecture.package
    names = _targets_of(architecture, subject)
    edits = measured_edits(package.folder, package.name)
    edited = {edit: package.target_of(edit.file) for edit in edits}
    users = inverted(target_adjacency(architecture))
    targets = []
    for name in names:
        reached = distances(users, name)
        targets.append(
            TargetImpact(
                target=name,
                role=architecture.roles[name].value,
                measured=tuple(edit for edit, target in edited.items() if target is not None and target.name == name),
                direct=tuple(sorted(each for each, distance in reached.items() if distance == 1)),
                further=tuple(sorted(each for each, distance in reached.items() if distance > 1)),
            )
        )
    return Impact(subject, tuple(targets), package)


def _targets_of(architecture: Architecture, subject: str) -> list[str]:
    package = architecture.package
    if os.sep not in subject and not subject.endswith(".swift"):
        return targets_named(architecture, subject)
    path = _inside(package.folder, subject)
    if path is None:
        sources = [
            file.relative_to(package.folder).as_posix()
            for target in package.targets
            if target.folder is not None
            for file in (package.folder / target.folder).rglob("*.swift")
        ]
        raise UsageError(f"there is no file '{subject}' in {package.folder}.{suggestion(subject, sources)}")
    if path == Path("Package.swift"):
        raise MeasurementError("Package.swift is the graph itself: after an edit SwiftPM plans every target anew.")
    target = package.target_of(path)
    if target is None:
        raise MeasurementError(f"no target compiles {path}, so an edit there reaches nothing.")
    return [target.name]


def _inside(folder: Path, subject: str) -> Path | None:
    """The path from the package's folder of a file that is named from there or from the working directory."""
    root = folder.resolve()
    for base in (Path.cwd(), root):
        file = (base / subject).resolve()
        if file.is_file() and file.is_relative_to(root):
            return file.relative_to(root)
    return None
