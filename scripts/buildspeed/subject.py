"""What is measured: a package as read from a private copy, and the modules in which edits are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from buildspeed.conventions import ModuleTargets, edited_modules, modules_of
from buildspeed.failures import UsageError
from buildspeed.package_graph import Package, read_package
from buildspeed.private_copy import copy_package
from buildspeed.record import ModuleFacts
from buildspeed.swift_source import SourceFile, parse_package
from buildspeed.toolchain import Toolchain


@dataclass(frozen=True)
class Subject:
    """A package, its parsed files by path, and the chosen modules by name."""

    package: Package
    sources: Mapping[Path, SourceFile]
    modules: Mapping[str, ModuleTargets]


def read_subject(
    package: Path,
    folder: Path,
    toolchain: Toolchain,
    modules: Sequence[str] = (),
    preferred: Sequence[str] = (),
    with_tests: bool = False,
) -> Subject:
    """Copies a package to `original` in a folder, and reads the copy.

    `modules` are those to choose; where none are named, those of `preferred` that the package has, else all.
    """
    copy = folder / "original"
    copy_package(package, copy)
    read = read_package(copy, toolchain, folder / "package-scratch", with_tests)
    known = edited_modules(read)
    chosen = modules or [name for name in preferred if name in known] or list(known)
    for name in chosen:
        if name not in known:
            raise UsageError(f"no module is called '{name}'. Choose from: {', '.join(known) or 'none'}.")
    return Subject(read, parse_package(copy, read, toolchain), {name: known[name] for name in chosen})


def users_of(module: ModuleTargets, subject: Subject) -> ModuleFacts:
    """Counts the files and modules that import the interface of a module."""
    owners = {name: each.name for each in modules_of(subject.package).values() for name in each.names}
    importing = [
        owners.get(target.name, target.name)
        for target in subject.package.targets
        for source in target.sources
        if target.name not in module.names
        and module.interface.name in {each.module for each in subject.sources[source].imports}
    ]
    is_module = module.name in modules_of(subject.package)
    return ModuleFacts(len(importing), len(set(importing)), None if is_module else module.interface.name)
