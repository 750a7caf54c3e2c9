"""A small package that keeps every rule, in which tests plant what breaks one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from shop_files import FILES, TARGETS, manifest

from boundaries.configuration import Configuration, read_configuration
from boundaries.findings import Finding
from boundaries.rules import RULES
from boundaries.sources import SwiftFile, read_sources
from boundaries.subject import subject_of
from buildspeed.package_graph import Package, Target
from buildspeed.toolchain import Toolchain

CONFIGURATION = Path(__file__).resolve().parent.parent / "check.toml"


@dataclass(frozen=True)
class Shop:
    """The package in a folder. Files that no test has touched are read once for all tests."""

    folder: Path
    toolchain: Toolchain
    clean: Mapping[Path, SwiftFile]

    def write(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def append(self, path: str, text: str) -> None:
        """Adds to a file, or writes a new one."""
        file = self.folder / path
        self.write(path, (file.read_text(encoding="utf-8") if file.exists() else "") + text)

    def replace(self, path: str, old: str, new: str) -> None:
        text = (self.folder / path).read_text(encoding="utf-8")
        assert old in text
        self.write(path, text.replace(old, new, 1))

    def remove(self, path: str) -> None:
        (self.folder / path).unlink()

    def findings(
        self,
        edges: Mapping[str, tuple[str, ...]] | None = None,
        targets: Mapping[str, tuple[str, tuple[str, ...]]] | None = None,
        configuration: Configuration | None = None,
    ) -> list[Finding]:
        """What the rules find, with more edges and targets than the package has, without asking SwiftPM."""
        package = package_of(self.folder, edges or {}, targets or {})
        options = {path: package.parser_options(target) for target in package.targets for path in target.sources}
        kept = {
            path: file
            for path, file in self.clean.items()
            if path in options and (self.folder / path).read_bytes() == file.text
        }
        changed = {path: words for path, words in options.items() if path not in kept}
        read = read_sources(self.folder, changed, self.toolchain) if changed else {}
        subject = subject_of(self.folder, configuration or read_configuration(CONFIGURATION), package, {**kept, **read})
        return sorted(finding for rule in RULES for finding in rule.check(subject))


def write_shop(folder: Path) -> None:
    """Writes the clean package into a folder."""
    for path, text in {**FILES, "Package.swift": manifest()}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (folder / "scripts/stock").chmod(0o755)


def package_of(
    folder: Path,
    edges: Mapping[str, tuple[str, ...]],
    targets: Mapping[str, tuple[str, tuple[str, ...]]],
) -> Package:
    """What SwiftPM would say of the package."""
    return Package(
        name="Shop",
        tools_version="6.0",
        platforms=(),
        language_versions=("6",),
        targets=tuple(
            Target(
                name=name,
                is_executable=name == "App",
                folder=Path(path),
                sources=tuple(sorted(each.relative_to(folder) for each in (folder / path).rglob("*.swift"))),
                dependencies=(*dependencies, *edges.get(name, ())),
                settings=(),
            )
            for name, (path, dependencies) in sorted({**TARGETS, **targets}.items())
        ),
    )


@dataclass(frozen=True)
class Plant:
    """A file whose text is changed: what is added to its end, and the rule and line that are found then."""

    rule: str
    path: str
    line: int
    text: str


def places(findings: list[Finding]) -> list[tuple[str, str, int]]:
    return [(each.rule, each.path.as_posix(), each.line) for each in findings]
