"""Tells modules by the names of their targets: `XInterface`, `XImplementation` (or what the person says that they are
called), and others that begin with X."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from buildspeed.package_graph import Package, Target


@dataclass(frozen=True)
class ModuleTargets:
    """A module: a target with the API, one with the code behind it, and others of the same prefix (fakes,
    second implementations)."""

    name: str
    interface: Target
    implementation: Target
    others: tuple[Target, ...]

    @property
    def names(self) -> set[str]:
        return {self.interface.name, self.implementation.name, *(target.name for target in self.others)}


def modules_of(package: Package) -> dict[str, ModuleTargets]:
    """The modules of a package by name."""
    pairs = package.naming.modules(target.name for target in package.targets)
    modules = {}
    for name, pair in pairs.items():
        interface, implementation = map(package.target, pair)
        if interface is None or implementation is None:
            continue
        others = [
            target
            for target in package.targets
            if module_of(target.name, pairs) == name and target not in (interface, implementation)
        ]
        modules[name] = ModuleTargets(name, interface, implementation, tuple(others))
    return modules


def edited_modules(package: Package) -> dict[str, ModuleTargets]:
    """The modules in which edits can be made: in a package that has none by the names of its targets, each library
    target is one, with its API and the code behind it."""
    libraries = [target for target in package.targets if not target.is_executable]
    return modules_of(package) or {each.name: ModuleTargets(each.name, each, each, ()) for each in libraries}


def application_of(package: Package) -> Target | None:
    """The only executable, or None where there are none or several."""
    executables = [target for target in package.targets if target.is_executable]
    return executables[0] if len(executables) == 1 else None


def tests_of(package: Package, module: str | None) -> Target | None:
    """The test target `XTests` of a module X, where the package was read with its tests."""
    return next((target for target in package.tests if target.name == f"{module}Tests"), None)


def module_of(target: str, names: Iterable[str]) -> str | None:
    """Of the modules of these names, the one with the longest name that the target's name begins with."""
    return max((name for name in names if target.startswith(name)), key=len, default=None)
