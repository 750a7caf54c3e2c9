"""The plan after a change of the sources: modules are replaced, or the program is built and restarted."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.live.watch import Change
from swiftmodules.swiftpm.package import Package

# The files that changed, by the targets that are compiled and replaced together.
Replaced = Mapping[str, frozenset[Path]]


@dataclass(frozen=True)
class Restart:
    """A build and a restart, with the reason."""

    reason: str


def plan(change: Change, package: Package, fixed: Collection[str]) -> Replaced | Restart:
    """Decides how a change reaches the program. A change outside the targets of the package, which has the targets of
    the program only, replaces nothing. `fixed` names modules that are never replaced."""
    replaced: dict[str, frozenset[Path]] = {}
    for file in sorted(change.files):
        target = package.target_of(file)
        if len(file.parts) == 1:
            return Restart(f"{file} changed")
        if target is None:
            continue
        if file in change.added:
            return Restart(f"{file.name} was added to {target.name}")
        if file in change.removed:
            return Restart(f"{file.name} was removed from {target.name}")
        naming = package.naming(target.name)
        if naming.kind != "implementation":
            what = ", an interface" if naming.kind == "interface" else ""
            return Restart(f"{file.name} belongs to {target.name}{what}")
        if naming.module is None or naming.module in fixed:
            return Restart(f"{file.name} belongs to {target.name}, which a running program keeps")
        replaced[target.name] = replaced.get(target.name, frozenset()) | {file}
    return replaced
