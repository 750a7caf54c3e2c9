"""What targets have that keeps them from being merged into one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from buildspeed.failures import MeasurementError
from buildspeed.package_graph import Target
from buildspeed.swift_source import SourceFile

_QUESTION = re.compile(rb"\bcanImport\(\s*(\w+)")


def refuse_clashes(layout: str, group: str, members: Sequence[Target], sources: Mapping[Path, SourceFile]) -> None:
    """Fails where two targets that become one declare the same type at the top level, or have resources of the same
    name.

    The compiler finds all else that clashes: the parser tells nothing of what stands in `#if` clauses, and functions
    may have the same name.
    """
    declared: dict[str, tuple[str, Path, bool]] = {}
    bundled: dict[str, tuple[str, Path]] = {}
    for target in members:
        for file in (sources[path] for path in target.sources):
            for type in (type for type in file.types if not type.owners):
                other, place, is_private = declared.setdefault(type.name, (target.name, file.path, type.is_private))
                # Private types of two files never meet.
                if other != target.name and not (is_private and type.is_private):
                    raise MeasurementError(
                        f"the layout '{layout}' is not possible: {place} and {file.path}, which would both be in "
                        f"{group}, declare a type {type.name}."
                    )
        for resource in target.resources:
            for name in resource.names:
                other, place = bundled.setdefault(name, (target.name, resource.path))
                if other != target.name:
                    raise MeasurementError(
                        f"the layout '{layout}' is not possible: {other} and {target.name}, which would both be in "
                        f"{group}, have a resource {name}."
                    )


def refuse_differing_settings(group: str, first: Target, second: Target) -> None:
    """Fails where two targets that become one are compiled in different ways. How they are linked adds up."""
    settings = [
        {json.dumps(setting, sort_keys=True) for setting in target.settings if setting["tool"] != "linker"}
        for target in (first, second)
    ]
    only = [
        f"only {target.name} has {each}"
        for target, own, others in ((first, *settings), (second, *settings[::-1]))
        for each in sorted(own - others)
    ]
    if only:
        raise MeasurementError(
            f"the targets {first.name} and {second.name} have different settings and cannot be merged into {group}: "
            f"{'; '.join(only)}."
        )


def refuse_questions(layout: str, file: SourceFile, groups: Mapping[str, str]) -> None:
    """Fails where a file asks whether a module is there that is not any longer when it is merged."""
    for match in _QUESTION.finditer(file.text):
        name = match[1].decode()
        if groups.get(name, name) != name:
            raise MeasurementError(
                f"the layout '{layout}' is not possible: {file.path} asks 'canImport({name})', and {name} is a part "
                f"of {groups[name]} there."
            )
