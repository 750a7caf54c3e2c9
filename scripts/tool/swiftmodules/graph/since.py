"""What has changed in a package since a revision, and what that reaches: the targets that a cache rebuilds, the test
targets to run, and the files that an incremental build compiles at most."""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import msgspec

from swiftmodules.errors import UsageError
from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.reach import Reach
from swiftmodules.swiftpm.copy import files_below, git_output
from swiftmodules.swiftpm.outlines import outlines, public_changes
from swiftmodules.swiftpm.package import LEFT_OUT, MANIFEST, RESOLVED, Package, Target, read_package
from swiftmodules.swiftpm.reader import SourceFile, read_sources, require_readable
from swiftmodules.swiftpm.toolchain import Toolchain

# The widest of what changed in a target.
How = Literal["bodies", "inside", "interface", "settings", "new"]


@dataclass(frozen=True)
class ChangedTarget:
    """A target with its module, where it belongs to one: `interface` where declarations changed that others may use
    (`added`, `removed`, `changed`), `inside` where others did, and `bodies` where none did."""

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
    """The reach of all that changed, also of what is not committed. Names are sorted."""

    revision: str
    changed: tuple[ChangedTarget, ...]
    rebuilt: tuple[str, ...]
    rebuilt_files: int
    tests: tuple[str, ...]
    compiled_at_most: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        if not self.changed:
            return f"Nothing that is built has changed since {self.revision}.\ntests:"
        lines = [f"Changed since {self.revision}:", *(f"  {each}" for each in self.changed)]
        lines.append(f"A cache of targets rebuilds these {len(self.rebuilt)}, of {self.rebuilt_files} files:")
        lines.append(f"  {', '.join(self.rebuilt)}")
        lines.append(f"An incremental build compiles at most {len(self.compiled_at_most)} files.")
        return "\n".join([*lines, f"tests: {' '.join(self.tests)}".rstrip()])


def since(architecture: Architecture, revision: str, folder: Path, toolchain: Toolchain) -> Since:
    """Compares the package in a folder with that of a revision. Raises `UsageError` where git does not know it."""
    with tempfile.TemporaryDirectory(prefix="swiftmodules-") as name:
        written = _written(folder, revision, Path(name).resolve())
        old = _State.read(written, read_package(written, toolchain), toolchain)
    new = _State.read(folder, architecture.package, toolchain)
    require_readable(new.sources.values())
    changed = []
    for target in sorted((*new.package.targets, *new.package.others), key=lambda each: each.name):
        if found := _change(target, old, new):
            owner = architecture.owners[target.name]
            changed.append(replace(found, module=owner if owner in architecture.modules else None))
    return _reach(architecture, revision, changed, new.sources)


@dataclass(frozen=True)
class _State:
    """A package with the bytes of each file that a build reads, by target, and of the packages beside it."""

    package: Package
    sources: Mapping[Path, SourceFile]
    files: Mapping[str, Mapping[Path, bytes]]
    others: Mapping[Path, bytes]

    @classmethod
    def read(cls, folder: Path, package: Package, toolchain: Toolchain) -> _State:
        files = {
            target.name: {path: (folder / path).read_bytes() for path in _files(target, folder)}
            for target in (*package.targets, *package.others)
        }
        return cls(package, read_sources(folder, package, toolchain), files, dict(_others(folder, package)))

    @property
    def whole(self) -> tuple[object, ...]:
        """What is the same for all targets."""
        package = self.package
        return package.tools_version, package.platforms, package.language_modes, package.traits


def _files(target: Target, folder: Path) -> Iterator[Path]:
    """The sources and resources of a target, and the headers of one in C."""
    yield from target.sources
    places = [target.folder / each.path for each in target.resources]
    places += [] if target.sources and target.sources[0].suffix == ".swift" else [target.folder]
    for place in places:
        yield from files_below(folder / place, folder, LEFT_OUT) if (folder / place).is_dir() else [place]


def _others(folder: Path, package: Package) -> Iterator[tuple[Path, bytes]]:
    """The versions of other packages, and the files of those that are in folders."""
    if (folder / RESOLVED).is_file():
        yield Path(RESOLVED), (folder / RESOLVED).read_bytes()
    for place in (
        Path(each["path"]) for dependency in package.dependencies for each in dependency.get("fileSystem", ())
    ):
        for path in files_below(place, place, LEFT_OUT):
            yield Path(place.name, path), (place / path).read_bytes()


def _written(folder: Path, revision: str, into: Path) -> Path:
    """Writes the repository of a package as it was, and returns the folder of the package."""
    top = (git_output(folder, "rev-parse", "--show-toplevel") or "").strip("\n")
    if not top:
        raise UsageError(f"{folder} is in no git repository, so nothing is known of an earlier state.")
    if git_output(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}") is None:
        raise UsageError(f"{top} has no revision '{revision}'. Name a commit, a branch or a tag.")
    archive = subprocess.run(["git", "-C", top, "archive", revision], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as file:
        # It comes from the user's own repository.
        file.extractall(into, filter="fully_trusted")
    package = into / folder.resolve().relative_to(Path(top).resolve())
    if not (package / MANIFEST).is_file():
        raise UsageError(f"At {revision}, there was no package in {folder}.")
    return package


def _change(target: Target, old: _State, new: _State) -> ChangedTarget | None:
    """How a target has changed; None where it has not."""
    before = old.package.target(target.name)
    was, now = old.files.get(target.name, {}), new.files[target.name]
    files = sorted(path for path in was.keys() | now.keys() if was.get(path) != now.get(path))
    names = tuple(path.as_posix() for path in files)
    if before is None:
        return ChangedTarget(target.name, None, "new", names)
    is_other = old.whole != new.whole or (bool(target.products) and old.others != new.others)
    if is_other or msgspec.structs.replace(before, sources=target.sources, folder=target.folder) != target:
        return ChangedTarget(target.name, None, "settings", names)
    if not files:
        return None
    added, removed, changed = public_changes(
        *([own[path] for path in files if path in own] for own in (old.sources, new.sources))
    )
    how: How = "inside"
    if added or removed or changed:
        how = "interface"
    elif all(
        path in old.sources and path in new.sources and outlines(old.sources[path]) == outlines(new.sources[path])
        for path in files
    ):
        how = "bodies"
    return ChangedTarget(target.name, None, how, names, added, removed, changed)


def _reach(
    architecture: Architecture, revision: str, changed: list[ChangedTarget], sources: Mapping[Path, SourceFile]
) -> Since:
    reach = Reach(architecture, sources)
    rebuilt = reach.above(each.target for each in changed)
    files: set[Path] = set()
    for each in changed:
        target = reach.targets[each.target]
        if each.how == "bodies":
            files |= {Path(file) for file in each.files}
        else:
            files |= {*target.sources, *chain(*reach.compiling(target).values())}
    return Since(
        revision=revision,
        changed=tuple(changed),
        rebuilt=tuple(sorted(rebuilt)),
        rebuilt_files=sum(len(reach.targets[name].sources) for name in rebuilt),
        tests=tuple(sorted(name for name in rebuilt if reach.targets[name].is_test)),
        compiled_at_most=tuple(sorted(path.as_posix() for path in files)),
    )
