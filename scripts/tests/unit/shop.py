"""A small package that keeps every rule, `fixtures/Shop`, in which tests plant what breaks one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from made_files import FIXTURES, files
from msgspec.structs import replace
from swiftmodules.check.command import RULES, find, read_also
from swiftmodules.check.subject import Finding, Subject
from swiftmodules.swiftpm.config import Config, Routes, read_config
from swiftmodules.swiftpm.package import Package, read_package
from swiftmodules.swiftpm.reader import SourceFile, read_files, read_sources
from swiftmodules.swiftpm.target import Target
from swiftmodules.swiftpm.toolchain import Toolchain

SHOP = FIXTURES / "Shop"
# Files that break its rules, on the lines whose comments say "found", and files that break none.
PLANTED, CORRECT = FIXTURES / "Planted", FIXTURES / "Correct"
CONFIG = FIXTURES.parent.parent / "swiftmodules.toml"


def shop_config() -> Config:
    """The configuration of this repository, with a file in place of the program that lists the routes."""
    config = read_config(CONFIG)
    code = replace(config.code, also=("Package.swift", "Benchmarks/**/*.swift"))
    return replace(config, code=code, routes=Routes("Route", ("cat", "routes.json")))


@dataclass(frozen=True)
class Shop:
    """The package in a folder. Files that no test has touched are read once for all tests."""

    folder: Path
    toolchain: Toolchain

    def write(self, path: str, text: str) -> None:
        files(self.folder, {path: text})

    def append(self, path: str, text: str) -> None:
        """Adds to a file, or writes a new one."""
        file = self.folder / path
        self.write(path, (file.read_text() if file.exists() else "") + text)

    def replace(self, path: str, old: str, new: str) -> None:
        text = (self.folder / path).read_text()
        assert old in text
        self.write(path, text.replace(old, new, 1))

    def findings(
        self,
        edges: Mapping[str, tuple[str, ...]] | None = None,
        targets: Sequence[Target] = (),
        config: Config | None = None,
        package: Package | None = None,
    ) -> list[Finding]:
        """Returns what the rules find, with more edges and targets than the package has, without asking SwiftPM."""
        package = package or package_of(self.folder, edges or {}, targets)
        subject = self.subject(package, config or shop_config())
        return sorted(find(subject, RULES))

    def subject(self, package: Package, config: Config) -> Subject:
        paths = [path for target in package.targets for path in target.sources]
        kept = {
            path: file
            for path, file in _clean_files().items()
            if path in paths and (self.folder / path).read_bytes() == file.text
        }
        changed = read_files(self.folder, set(paths) - kept.keys(), self.toolchain)
        also = read_also(self.folder, config, self.toolchain)
        return Subject(self.folder, config, replace(package, names=config.names), kept | changed, also)


@cache
def _clean() -> Package:
    return read_package(SHOP, Toolchain.find())


@cache
def _clean_files() -> dict[Path, SourceFile]:
    return read_sources(SHOP, _clean(), Toolchain.find())


def package_of(
    folder: Path, edges: Mapping[str, tuple[str, ...]] | None = None, targets: Sequence[Target] = ()
) -> Package:
    """Returns the package in a folder as SwiftPM would describe it, with more edges and targets."""
    return replace(
        _clean(),
        targets=tuple(
            replace(
                each,
                sources=tuple(sorted(file.relative_to(folder) for file in (folder / each.folder).rglob("*.swift"))),
                dependencies=(*each.dependencies, *(edges or {}).get(each.name, ())),
            )
            for each in sorted([*_clean().targets, *targets], key=lambda target: target.name)
        ),
    )


def changed_target(package: Package, name: str, **changes: object) -> Package:
    """The package with other fields of a target, or of all where its name is empty."""
    chosen = (replace(each, **changes) if name in ("", each.name) else each for each in package.targets)
    return replace(package, targets=tuple(chosen))


def places(findings: Sequence[Finding]) -> list[tuple[str, str, int]]:
    return [(each.rule, each.path.as_posix(), each.line) for each in findings]
