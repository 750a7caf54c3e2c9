"""The fields of records as Markdown tables, generated from the model for ResultsFormat.md."""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TypeGuard, get_args, get_origin, get_type_hints

from msgspec import Struct

from swiftmodules import observed
from swiftmodules.errors import UsageError
from swiftmodules.records import kinds, model
from swiftmodules.records.files import LogEntry, kind_of

# The classes that several kinds have in common, in the order in which the document describes them.
_SHARED: tuple[type, ...] = (
    *(model.Record, model.TimedRecord, observed.Machine, observed.Revision),
    *(model.Rerun, model.Sample, observed.Conditions, model.Instruments),
    *(model.CleanBuild, observed.Job, model.Verification, model.Verdict),
)
_TYPES: Mapping[object, str] = {str: "text", bool: "true, false", int: "number", float: "number"}
# The units that are a word of a name, and the fields whose names do not have them.
_UNITS = {"seconds", "bytes", "minutes", "milliseconds"}
_OTHERS = {
    "moment": {"started", "moment"},
    "seconds": {"began", "finished", "alone", "together", "start", "end", "gap", "plan", "emit", "wrap", "rest"},
}


def field_tables(part: str) -> str:
    """The tables of one part of the document: `shared`, `log`, or the name of a kind. Raises `UsageError`."""
    records = {kind_of(each): each for each in get_args(kinds.AnyRecord)}
    parts: Mapping[str, Iterable[type]] = {
        "shared": _SHARED,
        "log": [LogEntry],
        **{kind: _reached(each) for kind, each in records.items()},
    }
    if part not in parts:
        raise UsageError(f"'{part}' is not a part of the format; its parts are {', '.join(parts)}.")
    return "\n\n".join(_table(each) for each in parts[part])


def _reached(record: type) -> list[type]:
    """A class and the classes of its fields, without those that are shared."""
    found = [record]
    for each in found:
        hints, own = get_type_hints(each), _own_fields(each)
        inner = [part for name in own for part in _classes(hints[name])]
        found += [part for part in dict.fromkeys(inner) if part not in (*found, *_SHARED)]
    return found


def _table(owner: type) -> str:
    hints = get_type_hints(owner)
    summary = " ".join(inspect.cleandoc(owner.__doc__ or "").partition("\n\n")[0].split())
    lines = ["| field | unit | meaning |", "| --- | --- | --- |"]
    lines += [f"| `{name}` | {_unit(name, hints[name])} | {text} |" for name, text in _own_fields(owner).items()]
    return "\n".join([f"### {owner.__name__}", "", summary, "", *lines])


@cache
def _own_fields(owner: type) -> dict[str, str]:
    """The fields that a class adds to its base, with the comment behind or above each that begins with `#:`."""
    found: dict[str, str] = {}
    comments: list[str] = []
    for line in inspect.getsource(owner).splitlines():
        code, _, comment = line.partition("#: ")
        comments += [comment] if comment else []
        field = re.match(r"    (\w+): ", code)
        if field and field[1] in owner.__annotations__:
            if not comments:
                raise ValueError(f"{owner.__name__}.{field[1]} has no description")
            found[field[1]], comments = " ".join(comments), []
    return found


def _unit(name: str, hint: object) -> str:
    """The unit, where the name has one, else the type in JSON."""
    if other := next((unit for unit, names in _OTHERS.items() if name in names), None):
        return other
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return " or ".join(_unit(name, each) for each in parts if each is not types.NoneType)
    if origin in (list, tuple):
        return f"list of {_unit(name, parts[0])}"
    if origin in (Mapping, dict):
        return f"object with {_unit(name, parts[1])}".removesuffix(" with object")
    if hint in _TYPES:
        return next((word for word in name.split("_") if word in _UNITS), _TYPES[hint])
    return f"`{hint.__name__}`" if _is_described(hint) else "object"


def _classes(hint: object) -> Iterator[type]:
    if _is_described(hint):
        yield hint
    for each in get_args(hint):
        yield from _classes(each)


def _is_described(hint: object) -> TypeGuard[type]:
    """Whether a type is a class of the model, which has a table."""
    return isinstance(hint, type) and (issubclass(hint, Struct) or dataclasses.is_dataclass(hint))
