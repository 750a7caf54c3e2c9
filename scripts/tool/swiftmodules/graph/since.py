"""What has changed in a package since a revision, or an edit would change, and what that reaches: the targets that a
cache rebuilds, and the test targets to run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

from swiftmodules.errors import UsageError
from swiftmodules.graph.architecture import Architecture, suggestion
from swiftmodules.swiftpm.config import Patterns
from swiftmodules.swiftpm.differences import Difference, Differences, is_manifest
from swiftmodules.swiftpm.git import Checkout
from swiftmodules.swiftpm.package import BUILDS, RESOLVED
from swiftmodules.swiftpm.reader import read_sources, require_readable
from swiftmodules.swiftpm.state import State
from swiftmodules.swiftpm.toolchain import Toolchain

# No target can depend on a command of SwiftPM or on a snippet.
_UNDECLARABLE = ("command", "snippet")
# The expressions of `swift test --filter` that match each test, and none.
_ALL, _NONE = ".", "^$"


@dataclass(frozen=True)
class Since:
    """The reach of all that changed, also of what is not committed; `title` says since when. Names are sorted.

    `changed` has the targets that differ themselves, each with its files and with the fields of manifests about it.
    `everything` has the reasons why all targets are reached. `tests` and `skipped` have the names that `swift test
    --filter` knows, and `reasons` the way from a changed path to each test that runs. `undeclared` are the targets
    whose modules, headers or programs others use although the manifest does not say so.
    """

    title: str
    changed: dict[str, tuple[str, ...]]
    everything: tuple[str, ...]
    rebuilt: tuple[str, ...]
    rebuilt_files: int
    skipped: tuple[str, ...]
    reasons: dict[str, tuple[str, ...]]
    undeclared: dict[str, tuple[str, ...]]

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"tests": self.tests, "test_filter": self.test_filter}

    @property
    def tests(self) -> tuple[str, ...]:
        return tuple(self.reasons)

    @property
    def test_filter(self) -> str:
        if not self.skipped:
            return _ALL
        return rf"^({'|'.join(self.tests)})\." if self.tests else _NONE

    @property
    def warnings(self) -> list[str]:
        return [
            f"{name} uses, or may run, {', '.join(used)}, which the manifest does not declare."
            for name, used in sorted(self.undeclared.items())
        ]

    def text(self, with_skipped: bool = False) -> str:
        """The whole in lines; the last names the tests."""
        last = f"tests: {' '.join(self.tests)}".rstrip()
        lines = [f"Warning: {each}" for each in self.warnings]
        if not (self.rebuilt or self.changed or self.tests):
            lines.append(f"{self.title}: nothing that is built")
        else:
            lines.append(f"{self.title}:")
            lines += [f"  {name}: {', '.join(Path(each).name for each in what)}" for name, what in self.changed.items()]
            more = f" (and {len(self.everything) - 1} more)" if len(self.everything) > 1 else ""
            lines += [f"Everything is reached by {each}{more}" for each in self.everything[:1]]
            files = f"files in them: {self.rebuilt_files}"
            lines.append(f"Targets that a cache by source rebuilds: {len(self.rebuilt)}, {files}")
            lines += [f"  {', '.join(self.rebuilt)}"] if self.rebuilt else []
        lines += [f"  {test}: {' → '.join(way)}" for test, way in self.reasons.items()]
        lines += [f"  {test}: skipped" for test in self.skipped if with_skipped]
        return "\n".join([*lines, last])

    def __str__(self) -> str:
        return self.text()


def since(
    architecture: Architecture,
    revision: str,
    folder: Path,
    toolchain: Toolchain,
    patterns: Patterns = Patterns(),
    traits: tuple[str, ...] = (),
) -> Since:
    """Compares the package in a folder with that of a revision; where both have gone on, with what they have in common.
    Raises `UsageError` where git does not know the revision."""
    known = {each.name for each in architecture.package.tests}
    for test in (test for tests in patterns.tests.values() for test in tests):
        if test not in known:
            raise UsageError(f"'{test}', which changes.tests in the configuration names, is no test target.")
    sources = read_sources(folder, architecture.package, toolchain)
    require_readable(sources.values())
    new = State.read(architecture.package, sources, toolchain)
    checkout = Checkout(folder)
    commit, moment = checkout.common(revision)
    old, unknown = State.at(commit, checkout, new.package, toolchain, traits)
    unknown = (*unknown, *_edited(folder))
    paths = _changed(checkout, commit, moment, new)
    differences = Differences(old, new, paths, patterns, checkout.aliases, unknown)
    changed = {name: (*map(Path.as_posix, each.files), *each.fields) for name, each in differences.own.items()}
    return _reach(f"Changed since {revision}", differences, changed)


def _edited(folder: Path) -> list[str]:
    """The packages in whose place 'swift package edit' has put a folder, which no manifest names."""
    file = folder / BUILDS / "workspace-state.json"
    if not file.is_file():
        return []
    try:
        known = msgspec.json.decode(file.read_bytes())["object"]["dependencies"]
        edited = (each["packageRef"]["identity"] for each in known if each["state"]["name"] == "edited")
        return [f"the package {name}, which 'swift package edit' has replaced" for name in edited]
    except (msgspec.DecodeError, LookupError, TypeError):
        return [f"{BUILDS}/{file.name}, which cannot be read"]


def _changed(checkout: Checkout, commit: str, moment: int, new: State) -> set[Path]:
    """The paths that have changed since a commit, or were written after its moment where git does not know them."""
    found = checkout.changed(commit) | checkout.changed_behind_links(moment)
    places = [new.package.folder / RESOLVED]
    for folder, package in new.folders.items():
        targets = [folder / each.folder for each in package.by_name.values()]
        if checkout.holds(folder):
            places += [folder / package.manifest, *targets]
        else:
            # Git names a checkout inside of this one by its folder.
            found = {each for each in found if not folder.is_relative_to(each)}
            found |= checkout.changed_outside(moment, folder, targets)
    return found | checkout.changed_unseen(moment, places)


def impact(
    architecture: Architecture, subject: str, folder: Path, toolchain: Toolchain, patterns: Patterns = Patterns()
) -> Since:
    """What an edit in a module, a target or a file would reach."""
    sources = read_sources(folder, architecture.package, toolchain)
    new = State.read(architecture.package, sources, toolchain)
    file = _edited_file(architecture, subject, folder)
    if file is None:
        differences = Differences(None, new, ())
        for name in architecture.targets_named(subject):
            differences.own[name] = Difference(fields=[subject])
    else:
        unknown = [f"{file.name}, of which any field may change"] if is_manifest(file) else []
        # Sources may be behind symbolic links.
        known = (one.folder / path for one in new.packages for each in one.by_name.values() for path in each.sources)
        aliases = [path for path in known if path.resolve() == file]
        differences = Differences(None, new, [file], patterns, lambda path: aliases, unknown)
        if differences.everything and not file.is_relative_to(new.package.folder):
            raise UsageError(f"{file} is a file of no package that {architecture.package.name} reaches.")
    return _reach(f"An edit in {subject}", differences, dict.fromkeys(differences.targets, (subject,)))


def _edited_file(architecture: Architecture, subject: str, folder: Path) -> Path | None:
    """The file that is meant, from the working folder or from that of the package; None where a module or a target is
    meant. Raises `UsageError` where there is no such file."""
    if os.sep not in subject and not subject.endswith(".swift") and not (folder / subject).is_file():
        return None
    found = next((each for base in (Path.cwd(), folder) if (each := (base / subject).resolve()).is_file()), None)
    if found is None:
        known = [path.as_posix() for target in architecture.package.targets for path in target.sources]
        raise UsageError(f"There is no file '{subject}' in {folder}.{suggestion(subject, known)}")
    return found


def _reach(title: str, differences: Differences, changed: Mapping[str, tuple[str, ...]]) -> Since:
    ways = {**differences.declared, **differences.ways}
    new = differences.new
    tests = {each.imported_as: ways.get(each.name) for each in new.package.tests}
    undeclared = {
        name: tuple(each for each in used if new.targets[each][1].kind not in _UNDECLARABLE)
        for package in new.packages
        for name, used in package.undeclared.items()
    }
    return Since(
        title=title,
        changed=dict(sorted(changed.items())),
        everything=tuple(differences.everything),
        rebuilt=tuple(sorted(differences.reached)),
        rebuilt_files=sum(len(each.sources) for each in differences.reached.values()),
        skipped=tuple(sorted(name for name, way in tests.items() if not way)),
        reasons={name: way for name, way in sorted(tests.items()) if way},
        undeclared={name: used for name, used in undeclared.items() if used},
    )
