"""What each target of a package is for, and which module it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path

from buildspeed import package_graph
from buildspeed.conventions import ModuleTargets, modules_of
from modulegraph.package_targets import PackageTarget, PackageTargets

# How the names of targets end that hold fakes.
_FAKES = ("Testing", "Fakes", "Mocks")


class Role(Enum):
    """What a target, or a module, is in the graph."""

    MODULE = "module"
    INTERFACE = "interface"
    IMPLEMENTATION = "implementation"
    FAKES = "fakes"
    TESTS = "tests"
    PROGRAM = "program"
    OTHER = "target"
    PRODUCT = "product of another package"


@dataclass(frozen=True)
class Architecture:
    """A package's targets with their roles, and its modules by name.

    An owner is a module, or a target that belongs to none: a program, or any target of a package that does not
    name its targets as modules do.
    """

    package: PackageTargets
    modules: Mapping[str, ModuleTargets]
    roles: Mapping[str, Role]
    owners: Mapping[str, str]

    @cached_property
    def owned(self) -> dict[str, list[PackageTarget]]:
        """The targets of each owner."""
        owned: dict[str, list[PackageTarget]] = {}
        for target in self.package.targets:
            owned.setdefault(self.owners[target.name], []).append(target)
        return owned

    @cached_property
    def vocabulary(self) -> set[str]:
        """The modules whose interface every other interface depends on, where there are at least two others."""
        found = set()
        for name, module in self.modules.items():
            others = [other.interface for other in self.modules.values() if other is not module]
            if len(others) > 1 and all(module.interface.name in other.dependencies for other in others):
                found.add(name)
        return found

    def is_production(self, name: str) -> bool:
        """Whether a target is neither a test nor a fake."""
        return self.roles[name] not in (Role.TESTS, Role.FAKES)


def architecture_of(package: PackageTargets) -> Architecture:
    """Finds the modules of a package by the names of its targets."""
    modules = modules_of(_for_conventions(package))
    module_of = {target: name for name, module in modules.items() for target in module.names}
    return Architecture(
        package=package,
        modules=modules,
        roles={target.name: _role(target, modules.get(module_of.get(target.name, ""))) for target in package.targets}
        | {product: Role.PRODUCT for product in package.products if package.target(product) is None},
        owners={target.name: module_of.get(target.name) or _tested(target, package) for target in package.targets},
    )


def _role(target: PackageTarget, module: ModuleTargets | None) -> Role:
    if target.is_test:
        return Role.TESTS
    if target.type == "executable":
        return Role.PROGRAM
    if module is None:
        return Role.OTHER
    if target.name == module.interface.name:
        return Role.INTERFACE
    return Role.FAKES if target.name.endswith(_FAKES) else Role.IMPLEMENTATION


def _tested(target: PackageTarget, package: PackageTargets) -> str:
    """The target that a test target is named after, else the target itself."""
    name = target.name.removesuffix("Tests")
    return name if target.is_test and package.target(name) else target.name


def _for_conventions(package: PackageTargets) -> package_graph.Package:
    """The part of the package that its naming conventions are read from."""
    return package_graph.Package(
        name=package.name,
        tools_version="",
        platforms=(),
        language_versions=(),
        targets=tuple(
            package_graph.Target(
                name=target.name,
                is_executable=target.type == "executable",
                folder=target.folder or Path(),
                sources=(),
                dependencies=target.dependencies,
                settings=(),
            )
            for target in package.targets
        ),
    )
