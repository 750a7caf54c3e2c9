"""Tells what a target is, and of which module, by its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from boundaries.configuration import KINDS, Configuration, TargetRule


@dataclass(frozen=True)
class Role:
    """What a target is: the rule that it falls under, and its module, if the rule's name told one."""

    rule: TargetRule
    module: str | None


def roles(targets: Iterable[str], configuration: Configuration) -> dict[str, Role]:
    """The role of each target that a rule of the configuration is for."""
    targets = list(targets)
    modules = {module for target in targets if (module := _module_named(target, configuration.targets))}
    # The longest first, so that `LoginFormTests` are those of `LoginForm` and not of `Login`.
    ordered = sorted(modules, key=lambda module: (-len(module), module))
    found = {target: _role(target, configuration.targets, ordered) for target in targets}
    return {target: role for target, role in found.items() if role is not None}


def may_import(importing: str, imported: str, known: dict[str, Role]) -> bool:
    """Whether the rule of one target lets it import the other one."""
    rule = known[importing].rule
    return any(_allows(word, importing, imported, known) for word in rule.may_import)


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name is one of the patterns, in which `*` stands for any text."""
    return any(_pattern(each, "").fullmatch(name) for each in patterns)


def _allows(word: str, importing: str, imported: str, known: dict[str, Role]) -> bool:
    kind = word.removeprefix("own ")
    if kind not in KINDS:
        return matches(imported, [word])
    role = known.get(imported)
    if role is None or role.rule.kind != kind:
        return False
    return kind == word or (role.module is not None and role.module == known[importing].module)


def _module_named(target: str, rules: Iterable[TargetRule]) -> str | None:
    """The module of an interface. Rules that only name a target exactly take it away from rules behind them."""
    first = [rule for rule in rules if rule.kind == "interface" or not any("{module}" in name for name in rule.names)]
    for rule in first:
        for name in rule.names:
            match = _pattern(name, r"\w+?").fullmatch(target)
            if match:
                return match.groupdict().get("module") if rule.kind == "interface" else None
    return None


def _role(target: str, rules: Iterable[TargetRule], modules: Sequence[str]) -> Role | None:
    choice = "|".join(map(re.escape, modules))
    for rule in rules:
        for name in rule.names:
            match = _pattern(name, choice).fullmatch(target) if modules or "{module}" not in name else None
            if match:
                prefix = next((module for module in modules if target.startswith(module)), None)
                return Role(rule, match.groupdict().get("module", prefix))
    return None


def _pattern(name: str, module: str) -> re.Pattern[str]:
    text = re.escape(name).replace(r"\*", ".*").replace(r"\{module\}", f"(?P<module>{module})", 1)
    return re.compile(text)
