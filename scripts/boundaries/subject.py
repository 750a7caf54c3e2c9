"""The package that is checked: its targets with their roles, and their sources."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from boundaries.configuration import Configuration, Kind
from boundaries.sources import SwiftFile, read_sources
from boundaries.target_kinds import Role, roles
from buildspeed import processes
from buildspeed.failures import UsageError
from buildspeed.package_graph import Package, Target
from buildspeed.private_copy import package_files
from buildspeed.toolchain import Toolchain

MANIFEST = Path("Package.swift")


@dataclass(frozen=True)
class Subject:
    """A package with all that the rules look at. Paths are relative to its folder."""

    folder: Path
    configuration: Configuration
    package: Package
    roles: Mapping[str, Role]
    sources: Mapping[Path, SwiftFile]

    def of_kind(self, *kinds: Kind) -> list[Target]:
        return [target for target in self.package.targets if self.kind(target.name) in kinds]

    def kind(self, target: str) -> Kind | None:
        role = self.roles.get(target)
        return role.rule.kind if role else None

    def files(self, target: Target) -> list[SwiftFile]:
        return [self.sources[path] for path in target.sources]

    def module(self, target: Target) -> str | None:
        role = self.roles.get(target.name)
        return role.module if role else None

    def files_by_target(self) -> Iterator[tuple[Target, SwiftFile]]:
        for target in self.package.targets:
            for file in self.files(target):
                yield target, file

    @cached_property
    def tracked(self) -> frozenset[Path]:
        """The files that git tracks or would track, or all where there is no git."""
        return frozenset(path for path in package_files(self.folder) if (self.folder / path).exists())

    @cached_property
    def folders(self) -> frozenset[Path]:
        """The folders of those files, with the package's own."""
        return frozenset(parent for path in self.tracked for parent in path.parents)

    @cached_property
    def manifest(self) -> list[str]:
        """The lines of the manifest."""
        return (self.folder / MANIFEST).read_text(encoding="utf-8", errors="replace").splitlines()

    def manifest_line(self, target: str, dependency: str | None = None) -> int:
        """The line of the manifest that says that a target depends on another one, or else that declares the target.

        Where a helper makes up the targets, it is the line that names the module, or the first one.
        """
        role = self.roles.get(target)
        literals = [rf'\bname:\s*"{re.escape(target)}"', f'"{re.escape(target)}"']
        literals += [f'"{re.escape(role.module)}"'] if role and role.module else []
        lines = [number for literal in literals for number, line in self._lines_with(literal, 1)]
        if not lines:
            return 1
        names = "|".join(re.escape(each.name) for each in self.package.targets)
        for number, line in self._lines_with("", lines[0]):
            # More arguments follow the name of a target that is declared; `.target(name: "A")` is a dependency.
            if number > lines[0] and re.search(rf'\bname:\s*"(?:{names})"\s*,', line):
                break
            if f'"{dependency}"' in line:
                return number
        return lines[0]

    def _lines_with(self, literal: str, first: int) -> Iterator[tuple[int, str]]:
        for number, line in enumerate(self.manifest[first - 1 :], start=first):
            if re.search(literal, line):
                yield number, line


def read_subject(folder: Path, configuration: Configuration, toolchain: Toolchain) -> Subject:
    """Reads a package without writing into its folder."""
    package = _read_package(folder, toolchain)
    options = {source: package.parser_options(target) for target in package.targets for source in target.sources}
    return subject_of(folder, configuration, package, read_sources(folder, options, toolchain))


def subject_of(
    folder: Path, configuration: Configuration, package: Package, sources: Mapping[Path, SwiftFile]
) -> Subject:
    """Puts together what the rules look at; raises `UsageError` where the configuration does not fit the package."""
    known = roles([target.name for target in package.targets], configuration)
    if not any(role.rule.kind == "interface" for role in known.values()):
        raise UsageError(
            f"no target of {package.name} is an interface by the rules given. Say in a file how its targets are "
            "named, and pass it with --config; 'scripts/check --help' tells how."
        )
    return Subject(folder, configuration, package, known, sources)


def _read_package(folder: Path, toolchain: Toolchain) -> Package:
    with tempfile.TemporaryDirectory(prefix="boundaries-") as scratch:
        describe = [toolchain.swift, "package", "--package-path", folder, "--scratch-path", scratch]
        dump = processes.read([*describe, "dump-package"], toolchain.environment, folder)
        description = processes.read([*describe, "describe", "--type", "json"], toolchain.environment, folder)
    return package_with_tests(json.loads(dump), json.loads(description))


def package_with_tests(dump: dict[str, Any], description: dict[str, Any]) -> Package:
    """The package's targets in Swift, with those for tests, from the output of `swift package dump-package` and
    `… describe --type json`."""
    settings = {target["name"]: target["settings"] for target in dump["targets"]}
    return Package(
        name=dump["name"],
        tools_version=re.split(r"[^\d.]", dump["toolsVersion"]["_version"])[0],
        platforms=tuple((each["platformName"], each["version"]) for each in dump["platforms"]),
        language_versions=tuple(dump["swiftLanguageVersions"] or ()),
        targets=tuple(
            _target(each, settings.get(each["name"], []))
            for each in sorted(description["targets"], key=lambda each: each["name"])
            if each["module_type"] == "SwiftTarget" and each["type"] in ("library", "executable", "test")
        ),
    )


def _target(described: dict[str, Any], settings: list[dict[str, Any]]) -> Target:
    folder = Path(described["path"])
    return Target(
        name=described["name"],
        is_executable=described["type"] == "executable",
        folder=folder,
        sources=tuple(folder / source for source in sorted(described["sources"])),
        dependencies=tuple(described.get("target_dependencies", ())),
        settings=tuple(settings),
    )


def require_package(folder: Path) -> Path:
    """The folder with its symbolic links resolved; raises `UsageError` where it holds no package."""
    if not (folder / MANIFEST).is_file():
        raise UsageError(f"{folder} is no Swift package: it has no Package.swift.")
    return folder.resolve()
