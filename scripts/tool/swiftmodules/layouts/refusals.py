"""The reasons why a layout cannot be generated from a package, but for those that its build finds, such as names that
clash."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import SourceFile
from swiftmodules.swiftpm.target import Target, TargetKind

_FOREIGN: Mapping[TargetKind, str] = {
    "clang": "in C, C++ or Objective-C",
    "plugin": "a plugin",
    "macro": "a macro",
    "binary": "binary",
    "system": "a system library",
}
_QUESTION = re.compile(r"\bcanImport\(\s*(\w+)")


def refuse_obstacles(package: Package, has_copy: bool) -> None:
    """Fails where the package has what a generated one cannot hold."""
    obstacles = [*_obstacles(package)]
    if not has_copy:
        obstacles += [f"{target.name} has resources" for target in package.targets if target.resources]
        obstacles += ["it depends on other packages"] if package.facts.dependencies else []
    if obstacles:
        raise ToolError(f"{'; '.join(obstacles)}.")


def _obstacles(package: Package) -> Iterator[str]:
    """The parts of a package that generated manifests cannot carry, but for the settings of targets."""
    for name, target in sorted(package.by_name.items()):
        printed = package.facts.target(name)
        if target.kind in _FOREIGN:
            yield f"{name} is {_FOREIGN[target.kind]}"
            continue
        for usage in printed.get("pluginUsages") or ():
            yield f"{name} uses the plugin {usage['plugin'][0]}"
        for dependency in printed.get("dependencies", ()):
            (values,) = dependency.values()
            if values[-1] is not None:
                yield f"{name} depends on {values[0]} under a condition"
            if "product" in dependency and values[2]:
                yield f"{name} gives modules of {values[0]} other names"


def refuse_differing_settings(group: str, first: Target, second: Target) -> None:
    """Fails where two targets that become one are compiled in different ways. How they are linked adds up."""
    own, others = (
        {json.dumps(setting, sort_keys=True) for setting in target.settings if setting["tool"] != "linker"}
        for target in (first, second)
    )
    only = [f"only {first.name} has {each}" for each in sorted(own - others)]
    only += [f"only {second.name} has {each}" for each in sorted(others - own)]
    if only:
        raise ToolError(
            f"the targets {first.name} and {second.name} have different settings and cannot be merged into {group}: "
            f"{'; '.join(only)}."
        )


def refuse_questions(file: SourceFile, groups: Mapping[str, str]) -> None:
    """Fails where a file asks whether a module is there that is not any longer when it is merged."""
    for name in (name for clause in file.clauses for name in _QUESTION.findall(clause.condition)):
        if groups.get(name, name) != name:
            raise ToolError(
                f"{file.path} tests 'canImport({name})', which fails where {name} is a part of {groups[name]}."
            )
