"""The role of each target of a package, the module that it belongs to, and why one depends on another."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import chain

from swiftmodules.closure import reached
from swiftmodules.errors import UsageError
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.target import Target


class Role(Enum):
    MODULE = "module"
    INTERFACE = "interface"
    IMPLEMENTATION = "implementation"
    FAKES = "fakes"
    TESTS = "tests"
    PROGRAM = "program"
    SNIPPET = "snippet"
    COMMAND = "command"
    OTHER = "target"
    PRODUCT = "product of another package"


# Targets that no code depends on.
_EXTRAS = (Role.SNIPPET, Role.COMMAND)


class Architecture:
    """A package's targets with their roles and owners.

    An owner is a module, or a target that belongs to none: a program, or any target of a package that does not name its
    targets as modules do. Targets are in the order of their owners, the interface of a module first.
    """

    def __init__(self, package: Package) -> None:
        self.package = package
        targets = [*package.targets, *package.others]
        module_of = {
            target.name: module for module in package.modules.values() for target in (*module.targets, *module.tests)
        }
        roles = {target.name: _role(target, module_of.get(target.name)) for target in targets}
        self.owners = {
            target.name: module_of[target.name].name if target.name in module_of else _tested(target, package)
            for target in targets
        }
        order = list(Role)
        self.targets = sorted(
            targets, key=lambda each: (self.owners[each.name], order.index(roles[each.name]), each.name)
        )
        products = dict.fromkeys(name for target in self.targets for name, _ in target.products if name not in roles)
        self.roles = roles | dict.fromkeys(products, Role.PRODUCT)

    @cached_property
    def owned(self) -> dict[str, list[Target]]:
        owned: dict[str, list[Target]] = {}
        for target in self.targets:
            owned.setdefault(self.owners[target.name], []).append(target)
        return owned

    @cached_property
    def dependencies(self) -> dict[str, list[str]]:
        """The dependencies of each target, products of other packages included."""
        return {
            target.name: list(dict.fromkeys([*target.dependencies, *(name for name, _ in target.products)]))
            for target in self.targets
        }

    @cached_property
    def vocabulary(self) -> set[str]:
        """The modules whose interface every other interface depends on, where there are at least two others."""
        interfaces = {name: module.interface for name, module in self.package.modules.items()}
        return {
            name
            for name, interface in interfaces.items()
            if len(interfaces) > 2
            and all(interface.name in other.dependencies or other is interface for other in interfaces.values())
        }

    def is_production(self, name: str) -> bool:
        """Whether a target is neither a test nor a fake, an example in documentation or a command of SwiftPM."""
        return self.roles[name] not in (Role.TESTS, Role.FAKES, *_EXTRAS)

    def targets_named(self, name: str) -> list[str]:
        """The target of a name, or the targets of the module of that name without its tests and fakes."""
        if name in self.roles:
            return [name]
        self.require_owner(name, "module or target", self.roles)
        return [target.name for target in self.owned[name] if self.is_production(target.name)]

    def require_owner(self, name: str, wanted: str = "module", others: Iterable[str] = ()) -> None:
        """Raises `UsageError` where no module, and no target outside of all modules, has the name."""
        if name not in self.owned:
            known = (each for each in chain(self.owned, others) if self.roles.get(each) not in _EXTRAS)
            raise UsageError(f"No {wanted} is called '{name}'.{suggestion(name, known)}")


@dataclass(frozen=True)
class Explanation:
    """The reason why one target depends on another: the shortest path, empty if none exists."""

    source: str
    target: str
    path: tuple[str, ...]

    def __str__(self) -> str:
        return " → ".join(self.path) or f"{self.source} does not depend on {self.target}."


def why(architecture: Architecture, source: str, target: str) -> Explanation:
    """Explains by targets, also where modules are named: where Login uses Display in its implementation, users of
    Login's interface do not depend on Display."""
    if source == target:
        raise UsageError(f"'{source}' is named twice. Name what depends, then what it depends on.")
    starts, ends = architecture.targets_named(source), architecture.targets_named(target)
    # A module and one of its own targets: the others of the module are meant.
    if len(starts) > len(ends):
        starts = [each for each in starts if each not in ends]
    else:
        ends = [each for each in ends if each not in starts]
    found = reached(starts, lambda name: architecture.dependencies.get(name, ()))
    name = next((each for each in found if each in ends), None)
    path: list[str] = []
    while name is not None:
        path.insert(0, name)
        name = found[name]
    return Explanation(source, target, tuple(path))


def suggestion(name: str, known: Iterable[str]) -> str:
    """A sentence with the nearest known name, or with all of them where none is near and they are few."""
    names = sorted(set(known))
    by_lowercase = {each.lower(): each for each in names}
    near = difflib.get_close_matches(name.lower(), by_lowercase, n=1)
    if near:
        return f" Did you mean '{by_lowercase[near[0]]}'?"
    return f" Choose from: {', '.join(names)}." if 0 < len(names) <= 12 else ""


def _role(target: Target, module: Module | None) -> Role:
    if target.is_test:
        return Role.TESTS
    if target.is_executable:
        return Role.PROGRAM
    if target.kind == "snippet":
        return Role.SNIPPET
    if target.kind == "command":
        return Role.COMMAND
    if module is None:
        return Role.OTHER
    if target.name == module.interface.name or target in module.parts:
        return Role.INTERFACE
    return Role.FAKES if target in module.testing else Role.IMPLEMENTATION


def _tested(target: Target, package: Package) -> str:
    """The target that a test target is named after, else the target itself."""
    name = target.name.removesuffix("Tests")
    return name if target.is_test and package.target(name) else target.name
