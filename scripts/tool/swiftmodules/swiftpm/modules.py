"""The modules of a package and the role of each target, by the names of the targets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from swiftmodules.swiftpm.config import KINDS, Kind, TargetRule
from swiftmodules.swiftpm.package import Package, Target

_PLACE = "{module}"


@dataclass(frozen=True)
class Naming:
    """Patterns for the names of the targets of a module. `{module}` stands for its name, and `*` for any text."""

    interface: tuple[str, ...] = ("{module}Interface",)
    # The first is the usual implementation, the others are those of further ones.
    implementation: tuple[str, ...] = ("{module}Implementation", "{module}*")
    testing: tuple[str, ...] = ("{module}Testing",)
    tests: tuple[str, ...] = ("{module}Tests",)

    @classmethod
    def of(cls, rules: Iterable[TargetRule]) -> Naming:
        """The patterns of a configuration, and the usual ones where it names no interfaces."""
        names: dict[Kind, tuple[str, ...]] = {}
        for rule in rules:
            patterns = tuple(name for name in rule.names if _PLACE in name)
            names[rule.kind] = (*names.get(rule.kind, ()), *patterns)
        if not names.get("interface"):
            return cls()
        implementation = names.get("implementation") or cls().implementation
        return cls(names["interface"], implementation, names.get("testing", ()), names.get("tests", ()))

    @property
    def rules(self) -> tuple[TargetRule, ...]:
        return (
            TargetRule("testing", self.testing),
            TargetRule("tests", self.tests),
            # Before the interfaces, whose pattern may be `{module}` alone.
            TargetRule("implementation", tuple(name for name in self.implementation if "*" not in name)),
            TargetRule("interface", self.interface),
            TargetRule("implementation", self.implementation),
        )


@dataclass(frozen=True)
class Module:
    """A module: a target with the API, the code behind it, fakes, and tests. The first implementation is the one that
    the naming pairs with the interface, the others are alternatives. `parts` are further interfaces, of later names."""

    name: str
    interface: Target
    implementations: tuple[Target, ...]
    testing: tuple[Target, ...] = ()
    tests: tuple[Target, ...] = ()
    parts: tuple[Target, ...] = ()

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
class Role:
    """The role of a target: the entry of the configuration that it falls under, and its module, if the name has one."""

    rule: TargetRule
    module: str | None

    @property
    def kind(self) -> Kind:
        return self.rule.kind


def find_modules(package: Package, naming: Naming | None = None) -> dict[str, Module]:
    """The modules that have an interface and the implementation that is named after it, by their names."""
    naming = naming or Naming()
    found = roles((target.name for target in package.targets), naming.rules)
    targets: dict[str, dict[Kind, tuple[Target, ...]]] = {}
    for target in package.targets:
        role = found.get(target.name)
        # A test is one of the module's tests only by a name for tests; others of its prefix are tests of more.
        if role and role.module and target.is_test == (role.kind == "tests"):
            targets.setdefault(role.module, dict.fromkeys(KINDS, ()))[role.kind] += (target,)
    modules: dict[str, Module] = {}
    for name, of_kind in sorted(targets.items()):
        named = {pattern.replace(_PLACE, name) for pattern in naming.implementation if "*" not in pattern}
        code = tuple(sorted(of_kind["implementation"], key=lambda each: (each.name not in named, each.name)))
        order = [pattern.replace(_PLACE, name) for pattern in naming.interface]
        interfaces = sorted(of_kind["interface"], key=lambda each: order.index(each.name))
        if interfaces and code and code[0].name in named:
            first, *parts = interfaces
            modules[name] = Module(name, first, code, of_kind["testing"], of_kind["tests"], tuple(parts))
    return modules


def edited_modules(package: Package, naming: Naming | None = None) -> dict[str, Module]:
    """The modules in which edits can be made: in a package that has none by the names of its targets, each library
    target is one, with its API and the code behind it."""
    libraries = [target for target in package.targets if target.kind == "library"]
    return find_modules(package, naming) or {each.name: Module(each.name, each, (each,)) for each in libraries}


def application_of(package: Package) -> Target | None:
    """The only executable, or None where there are none or several."""
    executables = [target for target in package.targets if target.is_executable]
    return executables[0] if len(executables) == 1 else None


def module_of(target: str, names: Iterable[str]) -> str | None:
    """The longest of these names of modules that the target's name begins with, if there is one."""
    return max((name for name in names if target.startswith(name)), key=len, default=None)


def roles(targets: Iterable[str], rules: Sequence[TargetRule]) -> dict[str, Role]:
    """The role of each target that an entry of the configuration is for."""
    targets = list(targets)
    modules = {module for target in targets if (module := _module_named(target, rules))}
    # The longest first, so that `LoginFormTests` are those of `LoginForm` and not of `Login`.
    ordered = sorted(modules, key=lambda module: (-len(module), module))
    found = {target: _role(target, rules, ordered) for target in targets}
    return {target: role for target, role in found.items() if role is not None}


def may_import(importing: str, imported: str, known: Mapping[str, Role]) -> bool:
    """Whether the entry of one target lets it import the other one."""
    words = known[importing].rule.may_import
    return words is None or any(_allows(word, importing, imported, known) for word in words)


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name is one of the patterns, in which `*` stands for any text."""
    return any(_pattern(each, "").fullmatch(name) for each in patterns)


def _allows(word: str, importing: str, imported: str, known: Mapping[str, Role]) -> bool:
    """Whether a word of a configuration (`interface`, `own interface`, `Log*`) lets a target import another one."""
    kind = word.removeprefix("own ")
    if kind not in KINDS:
        return matches(imported, [word])
    role = known.get(imported)
    if role is None or role.kind != kind:
        return False
    return kind == word or (role.module is not None and role.module == known[importing].module)


def _module_named(target: str, rules: Iterable[TargetRule]) -> str | None:
    """The module of an interface. Entries that only name a target exactly take it away from entries behind them."""
    for rule in rules:
        if rule.kind == "interface" or not any(_PLACE in name for name in rule.names):
            match = next(filter(None, (_pattern(name, r"\w+?").fullmatch(target) for name in rule.names)), None)
            if match:
                return match.groupdict().get("module") if rule.kind == "interface" else None
    return None


def _role(target: str, rules: Iterable[TargetRule], modules: Sequence[str]) -> Role | None:
    choice = "|".join(map(re.escape, modules))
    named = [(rule, name) for rule in rules for name in rule.names if modules or _PLACE not in name]
    for rule, name in named:
        match = _pattern(name, choice).fullmatch(target)
        if match:
            prefix = next((module for module in modules if target.startswith(module)), None)
            return Role(rule, match.groupdict().get("module", prefix))
    return None


def _pattern(name: str, module: str) -> re.Pattern[str]:
    text = re.escape(name).replace(r"\*", ".*").replace(r"\{module\}", f"(?P<module>{module})", 1)
    return re.compile(text)
