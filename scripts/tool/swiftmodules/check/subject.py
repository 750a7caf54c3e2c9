"""The package that is checked: its targets with their roles, and their sources; and what a rule is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from swiftmodules.swiftpm.config import Config, Kind
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import VISIBLE, Declaration, Owners, SourceFile, is_api
from swiftmodules.swiftpm.target import Target

_PRODUCT = re.compile(r"\.(?:library|executable)\(")
# The group of rules that hold in every package, and that of budgets, which is on where the configuration sets one. The
# configuration switches the others on.
BOUNDARIES, BUDGETS = "boundaries", "budgets"


@dataclass(frozen=True, order=True)
class Finding:
    """A place that breaks a rule, what is wrong there, and what to do. The path is relative to the package; lines count
    from 1. Each is given its rule when it is found."""

    path: Path
    line: int
    message: str
    fix: str
    rule: str = ""


@dataclass(frozen=True)
class Rule:
    """A named check. One that `needs_build` runs the package's own program."""

    name: str
    group: str
    summary: str
    check: Callable[[Subject], Iterator[Finding]]
    needs_build: bool

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """What breaks it, each in the file that has it, also where a link leads there."""
        for each in self.check(subject):
            yield replace(each, path=subject.real(each.path), rule=self.name)


def rule(
    name: str, summary: str, group: str = BOUNDARIES, *, needs_build: bool = False
) -> Callable[[Callable[[Subject], Iterator[Finding]]], Rule]:
    """Makes a rule of a function that yields what breaks it."""
    return lambda check: Rule(name, group, summary, check, needs_build)


@dataclass(frozen=True)
class Subject:
    """A package with all that the rules look at. Paths are relative to its folder."""

    folder: Path
    config: Config
    package: Package
    sources: dict[Path, SourceFile]
    # Files outside of all targets that the configuration names.
    also: dict[Path, SourceFile]

    def of_kind(self, *kinds: Kind) -> list[Target]:
        return [target for target in self.package.targets if self.package.kind(target.name) in kinds]

    def is_vocabulary(self, target: str) -> bool:
        """Whether a target is an interface that holds the vocabulary of all others."""
        role = self.package.roles.get(target)
        return role is not None and target in role.rule.vocabulary

    def is_test(self, target: Target) -> bool:
        return target.is_test or self.package.kind(target.name) == "tests"

    def files(self, target: Target) -> list[SourceFile]:
        return [self.sources[path] for path in target.sources]

    def files_by_target(self) -> Iterator[tuple[Target, SourceFile]]:
        for target in self.package.targets:
            for file in self.files(target):
                yield target, file

    def declarations(self, targets: Iterable[Target]) -> Iterator[tuple[SourceFile, Declaration, Owners]]:
        """All declarations of some targets with the types and extensions around them."""
        for target in targets:
            for file in self.files(target):
                for declaration, owners in file.walk():
                    yield file, declaration, owners

    def visible(self, target: Target) -> Iterator[tuple[SourceFile, Declaration, Owners]]:
        """The declarations of a target that other modules can use. A member of a hidden type is hidden wherever the
        type is extended."""
        found = list(self.declarations([target]))
        types = {
            own_path(target, each, owners): is_api(each, owners, VISIBLE) for _, each, owners in found if each.is_type
        }
        for file, declaration, owners in found:
            parts = own_path(target, owners[-1], owners[:-1]).split(".") if owners else []
            around = [types.get(".".join(parts[:count]), True) for count in range(1, len(parts) + 1)]
            if all(around) and is_api(declaration, owners, VISIBLE):
                yield file, declaration, owners

    def real(self, path: Path) -> Path:
        """The path behind symbolic links, where it is in the package."""
        found = (self.folder / path).resolve()
        return found.relative_to(self.folder) if found.is_relative_to(self.folder) else path

    @cached_property
    def manifest(self) -> list[str]:
        """The lines of the manifest."""
        return (self.folder / self.package.manifest).read_text(encoding="utf-8", errors="replace").splitlines()

    def manifest_line(self, target: str, dependency: str | None = None) -> int:
        """The line of the manifest on which a target depends on another one, or else the one that declares the target.

        Where a helper creates the targets, it is the line that names the module, or the first one.
        """
        name, module = re.escape(target), re.escape(self.package.module(target) or target)
        literals = [rf'\bname:\s*"{name}"', f'"{name}"', f'"{module}"']
        lines = list(enumerate(self.manifest, start=1))
        # Products have the names of targets, too; most stand before these.
        products = [number for number, line in lines if _PRODUCT.search(line)]
        places = [number for each in literals for number, line in lines if re.search(each, line)]
        first = next((each for each in places if not products or each > products[-1]), next(iter(places), None))
        if first is None:
            return 1
        names = "|".join(re.escape(each.name) for each in self.package.targets)
        for number, line in lines[first - 1 :]:
            # More arguments follow the name of a target that is declared; `.target(name: "A")` is a dependency.
            if number > first and re.search(rf'\bname:\s*"(?:{names})"\s*,', line):
                break
            if f'"{dependency}"' in line:
                return number
        return first

    def in_manifest(self, target: str, dependency: str | None, message: str, fix: str) -> Finding:
        """A finding on the line of the manifest for a target, or for one of its dependencies."""
        return Finding(self.package.manifest, self.manifest_line(target, dependency), message, fix)


def own_path(target: Target, declaration: Declaration, owners: Owners = ()) -> str:
    """The name of a type with those around it, without the target's, generic arguments and backquotes."""
    return ".".join(plain_name(each, target) for each in (*owners, declaration))


def plain_name(declaration: Declaration, target: Target) -> str:
    """The name of a type, or of the one that is extended, without the target's, generic arguments and backquotes."""
    return re.sub(r"<.*?>+|`", "", declaration.name).removeprefix(f"{target.imported_as}.")
