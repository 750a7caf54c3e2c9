"""The targets of any package and what they depend on, as its manifest lists them: tests, macros and plugins too."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from buildspeed import processes
from buildspeed.failures import MeasurementError, UsageError
from buildspeed.toolchain import Toolchain

_SOURCE_FOLDERS = ("Sources", "Source", "src", "srcs")
# Where SwiftPM looks for a target that names no path.
_FOLDERS = {"test": ("Tests", *_SOURCE_FOLDERS), "plugin": ("Plugins",)}


@dataclass(frozen=True)
class PackageTarget:
    """A target. Folders are relative to the package; `folder` is None for what is not built from sources here.

    `dependencies` are targets of the same package, `products` what comes from other packages.
    """

    name: str
    type: str
    folder: Path | None
    excluded: tuple[Path, ...] = ()
    dependencies: tuple[str, ...] = ()
    products: tuple[str, ...] = ()

    @property
    def is_test(self) -> bool:
        return self.type == "test"

    def compiles(self, file: Path) -> bool:
        """Whether a file, relative to the package, lies where the target's sources are."""
        if self.folder is None or not file.is_relative_to(self.folder):
            return False
        return not any(file.is_relative_to(each) for each in self.excluded)


@dataclass(frozen=True)
class PackageTargets:
    """A package's name, folder and targets, in the order of the manifest."""

    name: str
    folder: Path
    targets: tuple[PackageTarget, ...]

    @property
    def products(self) -> tuple[str, ...]:
        """What the targets take from other packages."""
        return tuple(dict.fromkeys(product for target in self.targets for product in target.products))

    def target(self, name: str) -> PackageTarget | None:
        return self._by_name.get(name)

    @cached_property
    def _by_name(self) -> dict[str, PackageTarget]:
        return {target.name: target for target in self.targets}

    def target_of(self, file: Path) -> PackageTarget | None:
        """The target that compiles a file: the one whose folder is nearest to it."""
        candidates = [target for target in self.targets if target.compiles(file)]
        return max(candidates, key=lambda target: len(target.folder.parts) if target.folder else 0, default=None)


def read_targets(package: Path, toolchain: Toolchain) -> PackageTargets:
    """Reads a package's manifest. Only evaluates it, so nothing is fetched and nothing is written there."""
    if not (package / "Package.swift").is_file():
        raise UsageError(f"{package} is no Swift package: it has no Package.swift.")
    with tempfile.TemporaryDirectory() as scratch:
        command = [toolchain.swift, "package", "--package-path", package, "--scratch-path", scratch, "dump-package"]
        dump = json.loads(processes.read(command, toolchain.environment, package))
    return targets_from(dump, package)


def targets_from(dump: Mapping[str, Any], package: Path) -> PackageTargets:
    """Builds the targets from the output of `swift package dump-package`."""
    dumped: Sequence[Mapping[str, Any]] = dump["targets"]
    names = {target["name"] for target in dumped}
    targets = tuple(_target(target, dumped, names, package) for target in dumped)
    _refuse_cycles(targets)
    return PackageTargets(dump["name"], package, targets)


def _target(
    target: Mapping[str, Any], all_targets: Sequence[Mapping[str, Any]], names: set[str], package: Path
) -> PackageTarget:
    needed = dict.fromkeys(_needed(target))
    folder = _folder(target, all_targets, package)
    return PackageTarget(
        name=target["name"],
        type=target["type"],
        folder=folder,
        excluded=tuple(folder / each for each in target.get("exclude", ())) if folder else (),
        dependencies=tuple(name for name, is_product in needed if name in names and not is_product),
        products=tuple(name for name, is_product in needed if name not in names or is_product),
    )


def _needed(target: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """What a target names, and whether it names it as a product of another package."""
    for needed in [*target.get("dependencies", ()), *(target.get("pluginUsages") or ())]:
        match needed:
            case {"byName": [str(name), *_]} | {"target": [str(name), *_]} | {"plugin": [str(name), None]}:
                yield name, False
            case {"product": [str(name), *_]} | {"plugin": [str(name), *_]}:
                yield name, True


def _folder(target: Mapping[str, Any], all_targets: Sequence[Mapping[str, Any]], package: Path) -> Path | None:
    if target["type"] == "binary":
        return None
    if target.get("path") is not None:
        return Path(target["path"])
    roots = _FOLDERS.get(target["type"], _SOURCE_FOLDERS)
    folders = [Path(root) / target["name"] for root in roots]
    if sum(each["type"] not in _FOLDERS for each in all_targets) == 1 and target["type"] not in _FOLDERS:
        # The only target may keep its sources in `Sources` itself.
        folders += [Path(root) for root in roots]
    return next((folder for folder in folders if (package / folder).is_dir()), None)


def _refuse_cycles(targets: Sequence[PackageTarget]) -> None:
    """SwiftPM refuses cycles when it builds, but prints manifests that have them."""
    dependencies = {target.name: target.dependencies for target in targets}
    finished: set[str] = set()
    for start in dependencies:
        path: list[str] = []
        # Of each target on the path, the dependencies that are still to be visited.
        pending = [iter((start,))]
        while pending:
            name = next(pending[-1], None)
            if name is None:
                pending.pop()
                if path:
                    finished.add(path.pop())
            elif name in path:
                cycle = " → ".join([*path[path.index(name) :], name])
                raise MeasurementError(f"the targets need one another: {cycle}. SwiftPM builds no such package.")
            elif name not in finished:
                path.append(name)
                pending.append(iter(dependencies[name]))
