"""The targets of a package, their sources, settings and dependencies, as SwiftPM describes them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from buildspeed import processes
from buildspeed.naming import CONVENTION, Naming
from buildspeed.toolchain import Toolchain

_KINDS = {
    "ClangTarget": "in C, C++ or Objective-C",
    "PluginTarget": "a plugin",
    "BinaryTarget": "binary",
    "SystemLibraryTarget": "a system library",
}


@dataclass(frozen=True)
class Resource:
    """A file or folder that a target takes along. The path is relative to the target's folder, `rule` is as
    `swift package dump-package` prints it, and `names` are those that it has in the bundle."""

    path: Path
    rule: dict[str, Any]
    names: tuple[str, ...]


@dataclass(frozen=True)
class Target:
    """A target with its sources, relative to the package."""

    name: str
    is_executable: bool
    folder: Path
    sources: tuple[Path, ...]
    dependencies: tuple[str, ...]
    # As `swift package dump-package` prints them.
    settings: tuple[dict[str, Any], ...]
    is_test: bool = False
    resources: tuple[Resource, ...] = ()
    # Products of other packages, each with its package (None where the manifest does not name it).
    products: tuple[tuple[str, str | None], ...] = ()

    def has_upcoming_feature(self, name: str) -> bool:
        return {"enableUpcomingFeature": {"_0": name}} in [setting["kind"] for setting in self.settings]


@dataclass(frozen=True)
class Library:
    """A library product: its name, its kind (`automatic`, `static`, `dynamic`), and its targets."""

    name: str
    kind: str
    targets: tuple[str, ...]


@dataclass(frozen=True)
class Package:
    """A package. `targets` are those in Swift that plain `swift build` compiles; `tests` are there where they were
    asked for."""

    name: str
    tools_version: str
    # Pairs of a platform (`macos`) and the lowest version (`14.0`).
    platforms: tuple[tuple[str, str], ...]
    language_versions: tuple[str, ...]
    targets: tuple[Target, ...]
    tests: tuple[Target, ...] = ()
    libraries: tuple[Library, ...] = ()
    # Other packages, as `swift package dump-package` prints them.
    dependencies: tuple[dict[str, Any], ...] = ()
    default_localization: str | None = None
    # Why no package can be generated that holds the same: `CLib is in C`.
    obstacles: tuple[str, ...] = ()
    naming: Naming = CONVENTION

    @property
    def all_targets(self) -> tuple[Target, ...]:
        return (*self.targets, *self.tests)

    def target(self, name: str) -> Target | None:
        return next((target for target in self.targets if target.name == name), None)

    def parser_options(self, target: Target) -> list[str]:
        """The compiler's options that decide how the target's files are read, regular expressions for one."""
        mode = self.language_versions[-1] if self.language_versions else self.tools_version.partition(".")[0]
        options = []
        for setting in target.settings:
            match setting["kind"]:
                case {"swiftLanguageMode": {"_0": value}}:
                    mode = value
                case {"enableUpcomingFeature": {"_0": value}}:
                    options += ["-enable-upcoming-feature", value]
                case {"enableExperimentalFeature": {"_0": value}}:
                    options += ["-enable-experimental-feature", value]
        return ["-swift-version", mode, *options]


def read_package(folder: Path, toolchain: Toolchain, scratch: Path, with_tests: bool = False) -> Package:
    """Reads the package in a folder, which must be a private copy: SwiftPM may write beside the manifest."""
    dump = read_manifest(folder, toolchain, scratch)
    return package_from(dump, describe(folder, toolchain, scratch), with_tests)


def read_manifest(folder: Path, toolchain: Toolchain, scratch: Path) -> dict[str, Any]:
    """What the manifest says, without looking for the packages that it names."""
    return _ask("dump-package", folder, toolchain, scratch)


def describe(folder: Path, toolchain: Toolchain, scratch: Path) -> dict[str, Any]:
    """What SwiftPM makes of the manifest, with the packages that it names."""
    return _ask("describe", folder, toolchain, scratch)


def _ask(question: str, folder: Path, toolchain: Toolchain, scratch: Path) -> dict[str, Any]:
    arguments: list[str | Path] = [
        toolchain.swift,
        "package",
        "--package-path",
        folder,
        "--scratch-path",
        scratch,
    ]
    arguments += ["describe", "--type", "json"] if question == "describe" else [question]
    return json.loads(processes.read(arguments, toolchain.environment, folder))


def package_from(dump: dict[str, Any], description: dict[str, Any], with_tests: bool = False) -> Package:
    """Builds the graph from the output of `swift package dump-package` and `… describe --type json`."""
    dumped = {target["name"]: target for target in dump["targets"]}
    described = sorted(
        (each for each in description["targets"] if with_tests or each["type"] != "test"), key=lambda each: each["name"]
    )
    targets = [
        _target(dumped[each["name"]], each, Path(description["path"])) for each in described if _kind(each) is None
    ]
    names = {target.name for target in targets}
    return Package(
        name=dump["name"],
        tools_version=dump["toolsVersion"]["_version"],
        platforms=tuple((each["platformName"], each["version"]) for each in dump["platforms"]),
        language_versions=tuple(dump["swiftLanguageVersions"] or ()),
        targets=tuple(target for target in targets if not target.is_test),
        tests=tuple(target for target in targets if target.is_test),
        libraries=tuple(
            Library(product["name"], product["type"]["library"][0], tuple(product["targets"]))
            for product in dump.get("products", ())
            if "library" in product["type"]
        ),
        dependencies=tuple(dump["dependencies"]),
        default_localization=dump.get("defaultLocalization"),
        obstacles=(
            *(f"{each['name']} is {kind}" for each in described if (kind := _kind(each))),
            *(obstacle for each in described if each["name"] in names for obstacle in _obstacles(dumped[each["name"]])),
            *(["the package has traits"] if dump.get("traits") else []),
        ),
    )


def _kind(described: dict[str, Any]) -> str | None:
    """What a target is that is no library, executable or test in Swift."""
    if described["module_type"] != "SwiftTarget":
        return _KINDS.get(described["module_type"], f"of type {described['module_type']}")
    return None if described["type"] in ("library", "executable", "test") else f"a {described['type']}"


def _obstacles(dumped: dict[str, Any]) -> list[str]:
    """What of a target the generated manifests cannot carry, but for its settings."""
    name = dumped["name"]
    plugins = [usage["plugin"][0] for usage in dumped.get("pluginUsages") or ()]
    found = [f"{name} uses the plugin {plugin}" for plugin in plugins]
    for dependency in dumped["dependencies"]:
        (values,) = dependency.values()
        if values[-1] is not None:
            found.append(f"{name} depends on {values[0]} under a condition")
        if "product" in dependency and values[2]:
            found.append(f"{name} gives modules of {values[0]} other names")
    return found


def _target(dumped: dict[str, Any], described: dict[str, Any], package: Path) -> Target:
    folder = Path(described["path"])
    return Target(
        name=described["name"],
        is_executable=described["type"] == "executable",
        folder=folder,
        sources=tuple(folder / source for source in sorted(described["sources"])),
        dependencies=tuple(described.get("target_dependencies", ())),
        settings=tuple(dumped["settings"]),
        is_test=described["type"] == "test",
        resources=tuple(
            _resource(each, described.get("resources", ()), package / folder) for each in dumped.get("resources") or ()
        ),
        products=tuple(_products(dumped, described.get("product_dependencies", ()))),
    )


def _resource(declared: dict[str, Any], described: Sequence[dict[str, Any]], folder: Path) -> Resource:
    """A file that is processed goes to the top of the bundle, or into the folder of its language."""
    path = Path(declared["path"])
    files = [Path(each["path"]) for each in described if Path(each["path"]).is_relative_to(folder / path)]
    names = [
        "/".join(file.parts[-2:]) if file.parent.suffix == ".lproj" else file.name
        for file in ([folder / path] if "copy" in declared["rule"] else files)
    ]
    return Resource(path, declared["rule"], tuple(names))


def _products(dumped: dict[str, Any], described: Sequence[str]) -> list[tuple[str, str | None]]:
    packages = {values[0]: values[1] for each in dumped["dependencies"] for values in [each.get("product")] if values}
    return [(name, packages.get(name)) for name in described]
