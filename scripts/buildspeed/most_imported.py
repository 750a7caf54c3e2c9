"""Chooses what of a package is edited: what most other files import."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from buildspeed.conventions import ModuleTargets, modules_of
from buildspeed.package_graph import Package
from buildspeed.swift_source import SourceFile

# As many as the repository itself is measured in.
DEFAULT_COUNT = 3


def most_imported(
    package: Package, sources: Mapping[Path, SourceFile], count: int = DEFAULT_COUNT
) -> dict[str, ModuleTargets]:
    """The modules that most files outside of them import, by name; the largest target where nothing is imported.

    A target that belongs to no module with an interface counts as one by itself.
    """
    modules = modules_of(package)
    in_modules = {name for module in modules.values() for name in module.names}
    for target in package.targets:
        if target.name not in in_modules:
            modules.setdefault(target.name, ModuleTargets(target.name, target, target, ()))
    importing = {name: importing_files(module, package, sources) for name, module in modules.items()}
    ranked = sorted(modules, key=lambda name: (-importing[name], name))
    chosen = [name for name in ranked if importing[name]][:count]
    chosen = chosen or sorted(modules, key=lambda name: (-len(modules[name].implementation.sources), name))[:1]
    return {name: modules[name] for name in chosen}


def importing_files(module: ModuleTargets, package: Package, sources: Mapping[Path, SourceFile]) -> int:
    """How many files outside of a module import its interface."""
    return sum(
        module.interface.name in {each.module for each in sources[path].imports}
        for target in package.targets
        if target.name not in module.names
        for path in target.sources
    )
