"""The fields of records as Markdown tables, generated from the model for docs/ResultsFormat.md."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeGuard, get_args, get_origin, get_type_hints

from msgspec import Struct

from swiftmodules import observed
from swiftmodules.errors import UsageError
from swiftmodules.records import kinds, model
from swiftmodules.records.files import LogEntry, kind_of

# What several kinds have in common, in the order in which the document describes it.
_SHARED: tuple[type, ...] = (
    model.Record,
    model.TimedRecord,
    observed.Machine,
    model.Revision,
    model.Sample,
    observed.Conditions,
    model.Instruments,
    model.CleanBuild,
    observed.Job,
    model.Verification,
    model.Verdict,
)
_UNITS = {"seconds": "seconds", "bytes": "bytes", "minutes": "minutes", "milliseconds": "milliseconds"}
_TYPES: Mapping[type, str] = {str: "text", bool: "true, false", int: "number", float: "number"}
_MOMENTS = {"started", "moment"}
# Those whose names do not say so.
_SECONDS = {
    "began",
    "finished",
    "alone",
    "together",
    "start",
    "end",
    "gap",
    "plan",
    "emit",
    "wrap",
    "rest",
    "seconds_left",
}


def field_tables(part: str) -> str:
    """The tables of one part of the document: `shared`, `log`, or the name of a kind. Raises `UsageError`."""
    records = {kind_of(each): each for each in get_args(kinds.AnyRecord)}
    if part == "shared":
        return _tables(_SHARED)
    if part == "log":
        return _tables([LogEntry])
    if part not in records:
        raise UsageError(f"'{part}' is no part of the format; there are shared, log, {', '.join(records)}.")
    return _tables(_reached(records[part]))


def _reached(record: type) -> list[type]:
    """A class and the classes of its fields, without those that are shared."""
    found = [record]
    for each in found:
        own = [hint for name, hint in _hints(each).items() if name in _own_fields(each)]
        found += [inner for hint in own for inner in _classes(hint) if inner not in (*found, *_SHARED)]
    return list(dict.fromkeys(found))


def _tables(classes: Iterable[type]) -> str:
    return "\n\n".join(_table(each) for each in classes)


def _table(owner: type) -> str:
    hints, meanings = _hints(owner), _own_fields(owner)
    summary = " ".join(inspect.cleandoc(owner.__doc__ or "").partition("\n\n")[0].split())
    lines = ["| field | unit | meaning |", "| --- | --- | --- |"]
    lines += [f"| `{name}` | {_unit(name, hints[name])} | {text} |" for name, text in meanings.items()]
    return "\n".join([f"### {owner.__name__}", "", summary, "", *lines])


def _hints(owner: type) -> Mapping[str, Any]:
    return get_type_hints(owner)


def _own_fields(owner: type) -> dict[str, str]:
    """The fields that a class adds to its base, with the text below each."""
    tree = ast.parse(inspect.getsource(owner)).body[0]
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for statement, after in zip(tree.body, [*tree.body[1:], None], strict=False):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            if not (isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)):
                raise ValueError(f"{owner.__name__}.{statement.target.id} has no description")
            found[statement.target.id] = " ".join(str(after.value.value).split())
    return found


def _unit(name: str, hint: object) -> str:
    """The unit, where the name has one, else the type in JSON."""
    inner = _required(hint)
    if name in _MOMENTS:
        return "moment"
    if name in _SECONDS:
        return "seconds"
    if inner == kinds.AnyRecord:
        return "record"
    if get_origin(inner) in (types.UnionType, typing.Union):
        return " or ".join(_unit("", each) for each in get_args(inner) if each is not types.NoneType)
    if get_origin(inner) in (list, tuple):
        return f"list of {_unit(name, get_args(inner)[0])}"
    if get_origin(inner) is Mapping or get_origin(inner) is dict:
        return f"object with {_unit(name, get_args(inner)[1])}".removesuffix(" with object")
    if isinstance(inner, type) and inner in _TYPES:
        return _UNITS.get(name.rpartition("_")[2], _TYPES[inner])
    return f"`{inner.__name__}`" if _is_described(inner) else "object"


def _required(hint: object) -> object:
    """A type without `None`."""
    if get_origin(hint) in (types.UnionType, typing.Union):
        kept = [each for each in get_args(hint) if each is not types.NoneType]
        return kept[0] if len(kept) == 1 else hint
    return hint


def _classes(hint: object) -> Iterator[type]:
    if _is_described(hint):
        yield hint
    for each in get_args(hint):
        yield from _classes(each)


def _is_described(hint: object) -> TypeGuard[type]:
    """Whether a type is a class of the model, which has a table."""
    return isinstance(hint, type) and (issubclass(hint, Struct) or dataclasses.is_dataclass(hint))
