"""What has changed in a package since a revision, or an edit would change, and what that reaches: the targets that a
cache rebuilds, the test targets to run, and the files that an incremental build compiles at most."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.questions import meant
from swiftmodules.graph.reach import Reach
from swiftmodules.swiftpm.copy import git_output, written_at
from swiftmodules.swiftpm.outlines import outlines, public_changes
from swiftmodules.swiftpm.package import read_package
from swiftmodules.swiftpm.reader import SourceFile, read_sources, require_readable
from swiftmodules.swiftpm.states import Difference, State
from swiftmodules.swiftpm.toolchain import Toolchain

# The widest of what changed in a target.
How = Literal["bodies", "inside", "interface", "manifest", "new", "removed", "edited"]
Sources = Mapping[Path, SourceFile]


@dataclass(frozen=True)
class ChangedTarget:
    """A target with its module, where it belongs to one: `interface` where declarations changed that others may use
    (`added`, `removed`, `changed`), `inside` where others did, `bodies` where none did, and `manifest` where what
    manifests say of it has changed."""

    target: str
    module: str | None
    how: How
    files: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = {"added": self.added, "removed": self.removed, "changed": self.changed}
        named = "; ".join(f"{what} {', '.join(names)}" for what, names in parts.items() if names)
        return f"{self.target}, {self.how}: {named or ', '.join(Path(file).name for file in self.files)}".rstrip(": ")


@dataclass(frozen=True)
class Since:
    """The reach of all that changed, also of what is not committed; `title` says since when. Names are sorted."""

    title: str
    changed: tuple[ChangedTarget, ...]
    rebuilt: tuple[str, ...]
    rebuilt_files: int
    tests: tuple[str, ...]
    compiled_at_most: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        if not self.changed:
            return f"{self.title}: nothing that is built\ntests:"
        lines = [f"{self.title}:", *(f"  {each}" for each in self.changed)]
        lines.append(f"Targets that a cache rebuilds: {len(self.rebuilt)}, files in them: {self.rebuilt_files}")
        lines += [f"  {', '.join(self.rebuilt)}"] if self.rebuilt else []
        lines.append(f"Files that an incremental build compiles at most: {len(self.compiled_at_most)}")
        return "\n".join([*lines, f"tests: {' '.join(self.tests)}".rstrip()])


def since(architecture: Architecture, revision: str, folder: Path, toolchain: Toolchain) -> Since:
    """Compares the package in a folder with that of a revision; where both have gone on, with what they have in common.
    Raises `UsageError` where git does not know the revision."""
    new = State.read(folder, architecture.package)
    sources = read_sources(folder, architecture.package, toolchain)
    require_readable(sources.values())
    with tempfile.TemporaryDirectory(prefix="swiftmodules-") as name:
        written = written_at(_common(revision, folder), folder, Path(name).resolve())
        old = State.read(written, read_package(written, toolchain, architecture.package.names))
        former = read_sources(written, old.package, toolchain)
    changed = []
    for name, difference in new.differences(old).items():
        is_new = old.package.target(name) is None
        changed.append(_change(name, _module(architecture, name), difference, former, sources, is_new))
    known = (*old.package.targets, *old.package.others)
    gone = sorted(each.name for each in known if new.package.target(each.name) is None)
    removed = (ChangedTarget(name, None, "removed") for name in gone)
    found = _reach(architecture, f"Changed since {revision}", changed, sources)
    return replace(found, changed=(*changed, *removed))


def impact(architecture: Architecture, subject: str, folder: Path, sources: Sources) -> Since:
    """What an edit in a module, a target or a file would reach, outside of a function body."""
    targets = [each.name for each in meant(architecture, subject, folder)]
    edited = [ChangedTarget(name, _module(architecture, name), "edited") for name in targets]
    return _reach(architecture, f"An edit in {subject}", edited, sources)


def _module(architecture: Architecture, target: str) -> str | None:
    owner = architecture.owners[target]
    return owner if owner in architecture.modules else None


def _common(revision: str, folder: Path) -> str:
    return (git_output(folder, "merge-base", revision, "HEAD") or "").strip() or revision


def _change(
    name: str, module: str | None, difference: Difference, former: Sources, sources: Sources, is_new: bool
) -> ChangedTarget:
    """How a target has changed."""
    files, names = difference.files, tuple(path.as_posix() for path in difference.files)
    if difference.is_of_manifest:
        return ChangedTarget(name, module, "new" if is_new else "manifest", names)
    added, removed, changed = public_changes(
        *([own[path] for path in files if path in own] for own in (former, sources))
    )
    how: How = "inside"
    if added or removed or changed:
        how = "interface"
    elif all(
        path in former and path in sources and outlines(former[path]) == outlines(sources[path]) for path in files
    ):
        how = "bodies"
    return ChangedTarget(name, module, how, names, added, removed, changed)


def _reach(architecture: Architecture, title: str, changed: list[ChangedTarget], sources: Sources) -> Since:
    reach = Reach(architecture.package, sources)
    rebuilt = architecture.package.above(each.target for each in changed)
    files: set[Path] = set()
    for each in changed:
        target = architecture.package.by_name[each.target]
        if each.how == "bodies":
            files |= {Path(file) for file in each.files}
        else:
            files |= {*target.sources, *chain(*reach.compiling(target).values())}
    return Since(
        title=title,
        changed=tuple(changed),
        rebuilt=tuple(sorted(each.name for each in rebuilt)),
        rebuilt_files=sum(len(each.sources) for each in rebuilt),
        tests=tuple(sorted(each.name for each in rebuilt if each.is_test)),
        compiled_at_most=tuple(sorted(path.as_posix() for path in files)),
    )
