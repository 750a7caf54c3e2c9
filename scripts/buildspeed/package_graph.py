"""The targets of a package, their sources, settings and dependencies, as SwiftPM describes them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from buildspeed import processes
from buildspeed.failures import MeasurementError
from buildspeed.toolchain import Toolchain


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

    def has_upcoming_feature(self, name: str) -> bool:
        return {"enableUpcomingFeature": {"_0": name}} in [setting["kind"] for setting in self.settings]


@dataclass(frozen=True)
class Package:
    """A package. `targets` are those that plain `swift build` compiles; `tests` are there where they were asked
    for."""

    name: str
    tools_version: str
    # Pairs of a platform (`macos`) and the lowest version (`14.0`).
    platforms: tuple[tuple[str, str], ...]
    language_versions: tuple[str, ...]
    targets: tuple[Target, ...]
    tests: tuple[Target, ...] = ()

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
    dump = _ask("dump-package", folder, toolchain, scratch)
    description = _ask("describe", folder, toolchain, scratch)
    return package_from(dump, description, with_tests)


def package_from(dump: dict[str, Any], description: dict[str, Any], with_tests: bool = False) -> Package:
    """Builds the graph from the output of `swift package dump-package` and `… describe --type json`."""
    if dump["dependencies"]:
        raise MeasurementError(f"{dump['name']} depends on other packages, which cannot be merged into its targets.")
    dumped = {target["name"]: target for target in dump["targets"]}
    targets = [
        _target(dumped[described["name"]], described)
        for described in sorted(description["targets"], key=lambda target: target["name"])
        if with_tests or described["type"] != "test"
    ]
    return Package(
        name=dump["name"],
        tools_version=dump["toolsVersion"]["_version"],
        platforms=tuple((each["platformName"], each["version"]) for each in dump["platforms"]),
        language_versions=tuple(dump["swiftLanguageVersions"] or ()),
        targets=tuple(target for target in targets if not target.is_test),
        tests=tuple(target for target in targets if target.is_test),
    )


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


def _target(dumped: dict[str, Any], described: dict[str, Any]) -> Target:
    name = described["name"]
    if described["module_type"] != "SwiftTarget" or described["type"] not in ("library", "executable", "test"):
        raise MeasurementError(
            f"target {name} is a {described['type']} of type {described['module_type']}; only libraries and "
            "executables in Swift can be measured."
        )
    for part in ("resources", "pluginUsages"):
        if dumped.get(part):
            raise MeasurementError(f"target {name} has {part}, which the generated layouts cannot carry.")
    folder = Path(described["path"])
    return Target(
        name=name,
        is_executable=described["type"] == "executable",
        folder=folder,
        sources=tuple(folder / source for source in sorted(described["sources"])),
        dependencies=tuple(described.get("target_dependencies", ())),
        settings=tuple(dumped["settings"]),
        is_test=described["type"] == "test",
    )
