"""What the edits are placed in: the package's targets and files, and the module that is edited."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from buildspeed.conventions import ModuleTargets
from buildspeed.declarations import ParameterList, TypeDeclaration
from buildspeed.edits.placement import ChangedDeclaration, NoPlaceError
from buildspeed.package_graph import Package, Target
from buildspeed.swift_source import Function, SourceFile


@dataclass(frozen=True)
class Site:
    """A package, its files by path, and the module to edit, which is None for an edit of the whole package."""

    package: Package
    sources: Mapping[Path, SourceFile]
    module: ModuleTargets | None = None

    @property
    def interface(self) -> Target:
        return self._edited.interface

    @property
    def implementation(self) -> Target:
        return self._edited.implementation

    @property
    def module_name(self) -> str | None:
        return self.module.name if self.module else None

    def files(self, target: Target) -> list[SourceFile]:
        return [self.sources[path] for path in target.sources]

    @property
    def _edited(self) -> ModuleTargets:
        if self.module is None:
            raise NoPlaceError("this edit is made in a module, and none is given.")
        return self.module


def after_last_line(file: SourceFile) -> str:
    """What must stand between the end of a file and a new declaration: an empty line."""
    return "\n" if file.text.endswith(b"\n") or not file.text else "\n\n"


def function_in(files: Sequence[SourceFile], fits: Callable[[Function], bool]) -> tuple[SourceFile, Function] | None:
    """The first function that fits, in the file that has the most of them (the first by name of several)."""
    fitting = [(file, [function for function in file.functions if fits(function)]) for file in files]
    file, functions = max(fitting, key=lambda entry: len(entry[1]), default=(None, []))
    return (file, functions[0]) if file is not None and functions else None


def largest_type(
    files: Sequence[SourceFile], fits: Callable[[TypeDeclaration], bool]
) -> tuple[SourceFile, TypeDeclaration] | None:
    """The type with the most members of those that fit (the first of several)."""
    fitting = [(file, type) for file in files for type in file.types if fits(type)]
    return max(fitting, key=lambda entry: len(entry[1].members), default=None)


def changed(file: SourceFile, declaration: TypeDeclaration | ParameterList) -> ChangedDeclaration:
    """A declaration of a file that an edit changes."""
    line = file.text.count(b"\n", 0, declaration.name_start) + 1
    return ChangedDeclaration(file.path, line, declaration.name, isinstance(declaration, TypeDeclaration))
