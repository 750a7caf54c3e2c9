"""The reasons why a layout cannot be generated from a package."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import SourceFile
from swiftmodules.swiftpm.target import Target

_QUESTION = re.compile(r"\bcanImport\(\s*(\w+)")


def impossible(layout: str, reason: str) -> ToolError:
    """The error of a layout that cannot be generated."""
    return ToolError(f"the layout '{layout}' is not possible: {reason}.")


def refuse_obstacles(layout: str, package: Package, has_copy: bool) -> None:
    """Fails where the package has what a generated one cannot hold."""
    obstacles = list(package.obstacles)
    if not has_copy:
        obstacles += [f"{target.name} has resources" for target in package.targets if target.resources]
        obstacles += ["it depends on other packages"] if package.dependencies else []
    if obstacles:
        raise impossible(layout, "; ".join(obstacles))


def refuse_clashes(layout: str, group: str, members: Sequence[Target], sources: Mapping[Path, SourceFile]) -> None:
    """Fails where two targets that become one declare the same type at the top level, or have resources of the same
    name.

    The compiler finds all else that clashes: clauses of `#if` may exclude one another, and functions may have the same
    name.
    """
    declared: dict[str, tuple[str, Path, bool]] = {}
    bundled: dict[str, str] = {}
    for target in members:
        types = [(sources[path], type) for path in target.sources for type in sources[path].declarations]
        for file, type in types:
            if not type.is_type or type.is_conditional:
                continue
            is_private = type.access in ("private", "fileprivate")
            other, place, was_private = declared.setdefault(type.name, (target.name, file.path, is_private))
            # Private types of two files never meet.
            if other != target.name and not (was_private and is_private):
                raise impossible(
                    layout, f"{place} and {file.path}, which would both be in {group}, declare a type {type.name}"
                )
        for name in (each for resource in target.resources for each in resource.names):
            other = bundled.setdefault(name, target.name)
            if other != target.name:
                raise impossible(
                    layout, f"{other} and {target.name}, which would both be in {group}, have a resource {name}"
                )


def refuse_differing_settings(layout: str, group: str, first: Target, second: Target) -> None:
    """Fails where two targets that become one are compiled in different ways. How they are linked adds up."""
    own, others = (
        {json.dumps(setting, sort_keys=True) for setting in target.settings if setting["tool"] != "linker"}
        for target in (first, second)
    )
    only = [f"only {first.name} has {each}" for each in sorted(own - others)]
    only += [f"only {second.name} has {each}" for each in sorted(others - own)]
    if only:
        raise impossible(
            layout,
            f"the targets {first.name} and {second.name} have different settings and cannot be merged into {group}: "
            f"{'; '.join(only)}",
        )


def refuse_questions(layout: str, file: SourceFile, groups: Mapping[str, str]) -> None:
    """Fails where a file asks whether a module is there that is not any longer when it is merged."""
    for name in (name for clause in file.clauses for name in _QUESTION.findall(clause.condition)):
        if groups.get(name, name) != name:
            raise impossible(
                layout, f"{file.path} asks 'canImport({name})', and {name} is a part of {groups[name]} there"
            )


def refuse_cycles(layout: str, targets: Sequence[Target]) -> None:
    """Fails where merged targets depend on one another."""
    names = {target.name for target in targets}
    try:
        TopologicalSorter({target.name: names.intersection(target.dependencies) for target in targets}).prepare()
    except CycleError as error:
        raise impossible(layout, f"its targets depend on one another: {' → '.join(reversed(error.args[1]))}") from None
