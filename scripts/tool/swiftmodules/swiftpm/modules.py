"""The modules of a package, by the names of the targets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from swiftmodules.swiftpm.config import PART_KINDS, PartKind, TargetRule
from swiftmodules.swiftpm.target import Target

_PLACE = "{module}"


@dataclass(frozen=True)
class Module:
    """A module: a target with the API, the code behind it, fakes, and tests. The first implementation is the one that
    is named after the interface, the others are alternatives. `parts` are further interfaces, of later names."""

    name: str
    interface: Target
    implementations: tuple[Target, ...]
    testing: tuple[Target, ...] = ()
    tests: tuple[Target, ...] = ()
    parts: tuple[Target, ...] = ()

    @classmethod
    def of(cls, target: Target) -> Module:
        """A target as a module of its own."""
        return cls(target.name, target, (target,))

    @property
    def implementation(self) -> Target:
        return self.implementations[0]

    @property
    def targets(self) -> tuple[Target, ...]:
        """The targets without the tests; one that is both interface and implementation counts once."""
        targets = (self.interface, *self.parts, *self.implementations, *self.testing)
        return tuple({each.name: each for each in targets}.values())

    @property
    def names(self) -> set[str]:
        return {each.name for each in self.targets}


@dataclass(frozen=True)
class Naming:
    """What the name of a target says: the kind of the entry that it matches, and its module, if there are any."""

    kind: PartKind | None = None
    module: str | None = None


def find_modules(
    targets: Iterable[Target], known: Mapping[str, Naming], rules: Sequence[TargetRule]
) -> dict[str, Module]:
    """The modules that have an interface and the implementation that is named after it, by their names."""
    interfaces, implementations = (
        [pattern for rule in rules if rule.kind == kind for pattern in rule.names if _PLACE in pattern]
        for kind in ("interface", "implementation")
    )
    grouped: dict[str, dict[PartKind, tuple[Target, ...]]] = {}
    for target in targets:
        naming = known.get(target.name)
        # A test is one of the module's tests only by a name for tests; others of its prefix are tests of more.
        if naming and naming.kind and naming.module and target.is_test == (naming.kind == "tests"):
            grouped.setdefault(naming.module, dict.fromkeys(PART_KINDS, ()))[naming.kind] += (target,)
    modules: dict[str, Module] = {}
    for name, of_kind in sorted(grouped.items()):
        named = {pattern.replace(_PLACE, name) for pattern in implementations if "*" not in pattern}
        code = tuple(sorted(of_kind["implementation"], key=lambda each: (each.name not in named, each.name)))
        order = [pattern.replace(_PLACE, name) for pattern in interfaces]
        own = sorted(of_kind["interface"], key=lambda each: [*order, each.name].index(each.name))
        if own and code and code[0].name in named:
            first, *parts = own
            modules[name] = Module(name, first, code, of_kind["testing"], of_kind["tests"], tuple(parts))
    return modules


def namings(targets: Iterable[str], rules: Sequence[TargetRule]) -> dict[str, Naming]:
    """What the name of each target says that an entry of the configuration matches."""
    targets = list(targets)
    modules = {module for target in targets if (module := _module_named(target, rules))}
    # The longest first, so that `LoginFormTests` are those of `LoginForm` and not of `Login`.
    ordered = sorted(modules, key=lambda module: (-len(module), module))
    found = {target: _naming(target, rules, ordered) for target in targets}
    return {target: naming for target, naming in found.items() if naming is not None}


def _module_named(target: str, rules: Iterable[TargetRule]) -> str | None:
    """The module of an interface. Entries that only name a target exactly take it away from entries behind them."""
    for rule in rules:
        if rule.kind == "interface" or not any(_PLACE in name for name in rule.names):
            match = next(filter(None, (_pattern(name, r"\w+?").fullmatch(target) for name in rule.names)), None)
            if match:
                return match.groupdict().get("module") if rule.kind == "interface" else None
    return None


def _naming(target: str, rules: Iterable[TargetRule], modules: Sequence[str]) -> Naming | None:
    choice = "|".join(map(re.escape, modules))
    named = [(rule, name) for rule in rules for name in rule.names if modules or _PLACE not in name]
    for rule, name in named:
        match = _pattern(name, choice).fullmatch(target)
        if match:
            prefix = next((module for module in modules if target.startswith(module)), None)
            return Naming(rule.kind, match.groupdict().get("module", prefix))
    return None


def _pattern(name: str, module: str) -> re.Pattern[str]:
    text = re.escape(name).replace(r"\*", ".*").replace(r"\{module\}", f"(?P<module>{module})", 1)
    return re.compile(text)
