"""Two questions about a graph: why one module or target depends on another, and what an edit reaches at most."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from swiftmodules.closure import reached
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.graph.architecture import Architecture, suggestion
from swiftmodules.graph.reach import Reach
from swiftmodules.swiftpm.reader import SourceFile
from swiftmodules.swiftpm.target import Target


@dataclass(frozen=True)
class Explanation:
    """The reason why one target depends on another: the shortest path, empty if none exists. `is_reversed` where
    there is only one in the other direction."""

    source: str
    target: str
    path: tuple[str, ...]
    is_reversed: bool

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        text = " → ".join(self.path) or f"{self.source} does not depend on {self.target}."
        reverse = f" It is the other way round: {self.target} depends on {self.source}." if self.is_reversed else ""
        return text + reverse


def why(architecture: Architecture, source: str, target: str) -> Explanation:
    """Explains by targets, also where modules are named: where Login uses Display in its implementation, users of
    Login's interface do not depend on Display."""
    if source == target:
        raise UsageError(f"'{source}' is named twice. Name what depends, then what it depends on.")
    starts, ends = architecture.targets_named(source), architecture.targets_named(target)
    # A module and one of its own targets: the others of the module are meant.
    if len(starts) > len(ends):
        starts = [each for each in starts if each not in ends]
    else:
        ends = [each for each in ends if each not in starts]
    path = _path(architecture, starts, ends)
    return Explanation(source, target, path, is_reversed=not path and bool(_path(architecture, ends, starts)))


def _path(architecture: Architecture, starts: Sequence[str], ends: Sequence[str]) -> tuple[str, ...]:
    """The shortest path from one of the starts to one of the ends."""
    found = reached(starts, lambda name: architecture.dependencies.get(name, ()))
    name = next((each for each in found if each in ends), None)
    path: list[str] = []
    while name is not None:
        path.insert(0, name)
        name = found[name]
    return tuple(path)


@dataclass(frozen=True)
class TargetImpact:
    """The reach of edits in one target, besides its own files: the files of the targets above it."""

    target: str
    role: str
    files: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Impact:
    """The reach of edits in a file, target or module, for each target that is meant."""

    subject: str
    targets: tuple[TargetImpact, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        return "\n\n".join("\n".join(self._lines(each)) for each in self.targets)

    def _lines(self, reach: TargetImpact) -> Iterator[str]:
        name = reach.role if reach.target == self.subject else f"{reach.target}, {reach.role}"
        yield f"An edit in {self.subject} ({name}) reaches at most"
        yield f"  {reach.target}" if reach.files else f"  {reach.target}, and no other target"
        for user, files in reach.files.items():
            yield f"  {user}: {', '.join(Path(file).name for file in files)}"


def impact(architecture: Architecture, subject: str, folder: Path, sources: Mapping[Path, SourceFile]) -> Impact:
    """Finds the reach of an edit in a module, a target or a file of the package in a folder."""
    reach, targets = Reach(architecture, sources), []
    for target in _meant(architecture, subject, folder):
        found = {name: tuple(map(str, files)) for name, files in sorted(reach.compiling(target).items())}
        targets.append(TargetImpact(target.name, architecture.roles[target.name].value, found))
    return Impact(subject, tuple(targets))


def _meant(architecture: Architecture, subject: str, folder: Path) -> list[Target]:
    """The targets that a subject means."""
    package = architecture.package
    if os.sep not in subject and not subject.endswith(".swift"):
        return [each for name in architecture.targets_named(subject) if (each := package.target(name))]
    root = folder.resolve()
    # Sources may be behind symbolic links.
    compiled: dict[Path, dict[str, Target]] = {}
    for target in (*package.targets, *package.others):
        for path in target.sources:
            compiled.setdefault((root / path).resolve(), {})[target.name] = target
    places = [(base / subject).resolve() for base in (Path.cwd(), root)]
    file = next((each for each in places if each in compiled or (each.is_file() and each.is_relative_to(root))), None)
    if file is None:
        known = [path.as_posix() for target in package.targets for path in target.sources]
        raise UsageError(f"There is no file '{subject}' in {folder}.{suggestion(subject, known)}")
    if file == root / package.manifest:
        raise ToolError(f"{package.manifest} is the graph itself: after an edit SwiftPM plans every target again.")
    # Headers of C are in no list of sources, and compiled with those that include them.
    headers = [each for each in package.others if file.is_relative_to((root / each.folder).resolve())]
    if file not in compiled and not headers:
        raise ToolError(f"No target compiles {subject}, so an edit there reaches nothing.")
    return [*compiled[file].values()] if file in compiled else headers
