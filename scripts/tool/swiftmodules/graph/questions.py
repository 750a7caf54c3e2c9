"""Why one module or target depends on another, and which file a name means."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from swiftmodules.closure import reached
from swiftmodules.errors import UsageError
from swiftmodules.graph.architecture import Architecture, suggestion


@dataclass(frozen=True)
class Explanation:
    """The reason why one target depends on another: the shortest path, empty if none exists."""

    source: str
    target: str
    path: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        return " → ".join(self.path) or f"{self.source} does not depend on {self.target}."


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
    found = reached(starts, lambda name: architecture.dependencies.get(name, ()))
    name = next((each for each in found if each in ends), None)
    path: list[str] = []
    while name is not None:
        path.insert(0, name)
        name = found[name]
    return Explanation(source, target, tuple(path))


def edited_file(architecture: Architecture, subject: str, folder: Path) -> Path | None:
    """The file that is meant, from the working folder or from that of the package; None where a module or a target is
    meant. Raises `UsageError` where there is no such file."""
    if os.sep not in subject and not subject.endswith(".swift") and not (folder / subject).is_file():
        return None
    found = next((each for base in (Path.cwd(), folder) if (each := (base / subject).resolve()).is_file()), None)
    if found is None:
        known = [path.as_posix() for target in architecture.package.targets for path in target.sources]
        raise UsageError(f"There is no file '{subject}' in {folder}.{suggestion(subject, known)}")
    return found
