"""Reads the declarations of a file from the parser's output: types, `extension` blocks, parameter lists.

The parser's ranges are byte offsets; they end at the *start* of the last token, a closing brace for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

TYPE_KINDS = {"class_decl": "class", "struct_decl": "struct", "enum_decl": "enum", "protocol": "protocol"}

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_KEYWORD = re.compile(rb"\w+\s")
_GENERIC_PARAMETERS = re.compile(r"<[^<>]*>")


@dataclass(frozen=True)
class Extension:
    """A top-level `extension` block. `body_end` is the position of its closing brace."""

    type: str
    body_end: int
    members: int
    length: int
    # What it makes the type conform to, as written.
    inherits: tuple[str, ...]
    # Whether it holds for some arguments of a generic type only.
    is_constrained: bool
    # Types declared in it, not those inside of these.
    types: tuple[str, ...]
    # Everything with a name that is declared in it, at any depth.
    names: frozenset[str]


@dataclass(frozen=True)
class TypeDeclaration:
    """A type. `owners` are the types and extensions around it, outermost first."""

    # `class` (also for an actor), `struct`, `enum` or `protocol`.
    kind: str
    name: str
    owners: tuple[str, ...]
    is_public: bool
    # An `enum` without cases, which only gives its members a name to stand under.
    is_namespace: bool
    # The types after the colon, as written.
    inherits: tuple[str, ...]
    # The names of its direct members.
    members: tuple[str, ...]
    name_start: int
    # The position of the closing brace.
    body_end: int
    # Whether only its own file can name it, where it stands at the top level.
    is_private: bool = False

    @property
    def path(self) -> str:
        return ".".join((*self.owners, self.name))

    def has_inherited(self, names: Sequence[str]) -> bool:
        """Whether one of the names stands after the colon, qualified or not."""
        return any(last_component(each) in names for each in self.inherits)


@dataclass(frozen=True)
class ParameterList:
    """The parameters of a function or initialiser. `end` is the position of the closing parenthesis."""

    name: str
    owners: tuple[str, ...]
    is_public: bool
    is_override: bool
    is_empty: bool
    name_start: int
    end: int

    @property
    def path(self) -> str:
        return ".".join((*self.owners, self.name))


def last_component(type: str) -> str:
    """`Hashable` in `Swift.Hashable`, and in `@unchecked Hashable`."""
    return re.split(r"[.\s~]", type)[-1]


def name_of(item: dict[str, Any]) -> str:
    """The name of a declaration, without its arguments."""
    base = item["name"]["base_name"]
    return base.get("name") or base["special"]


def extensions(items: list[dict[str, Any]], text: bytes) -> Iterator[Extension]:
    """The `extension` blocks, which stand at the top level only."""
    for item in items:
        if item["_kind"] != "extension_decl":
            continue
        start, end = item["range"]["start"], item["range"]["end"]
        members = item.get("members", [])
        yield Extension(
            type=str(item["extended_type"]),
            body_end=end,
            members=len([each for each in members if each["_kind"] != "pattern_binding_decl"]),
            length=end - start,
            inherits=_inherited(_header(text, start)),
            is_constrained=bool(re.search(r"\bwhere\b|<", _header(text, start))),
            types=tuple(name_of(each) for each in members if each["_kind"] in TYPE_KINDS),
            names=frozenset(_names(members)),
        )


def types(items: list[dict[str, Any]], text: bytes, owners: tuple[str, ...] = ()) -> Iterator[TypeDeclaration]:
    """The types of a file at any depth, but for those inside functions."""
    for item in items:
        members = item.get("members", [])
        if item["_kind"] == "extension_decl":
            yield from types(members, text, (*owners, str(item["extended_type"])))
        elif item["_kind"] in TYPE_KINDS:
            kinds = [member["_kind"] for member in members]
            yield TypeDeclaration(
                kind=TYPE_KINDS[item["_kind"]],
                name=name_of(item),
                owners=owners,
                is_public=_is_public(item),
                is_private=_access(item) in ("private", "fileprivate"),
                is_namespace=item["_kind"] == "enum_decl" and "enum_case_decl" not in kinds,
                inherits=_inherited(_header(text, item["range"]["start"])),
                members=tuple(name_of(member) for member in members if "name" in member),
                name_start=_name_start(item, text),
                body_end=item["range"]["end"],
            )
            yield from types(members, text, (*owners, name_of(item)))


def parameter_lists(items: list[dict[str, Any]], text: bytes, owners: tuple[str, ...] = ()) -> Iterator[ParameterList]:
    """The functions and initialisers of a file but for the requirements of protocols, whose parameters have no
    defaults."""
    for item in items:
        kind = item["_kind"]
        if kind in ("func_decl", "constructor_decl") and "params" in item:
            yield ParameterList(
                name=name_of(item),
                owners=owners,
                is_public=_is_public(item),
                is_override=any(each["_kind"] == "override_attr" for each in item.get("attrs", [])),
                is_empty=not item["params"].get("params"),
                name_start=_name_start(item, text),
                end=item["params"]["range"]["end"],
            )
        elif kind == "extension_decl":
            yield from parameter_lists(item.get("members", []), text, (*owners, str(item["extended_type"])))
        elif kind in TYPE_KINDS and kind != "protocol":
            yield from parameter_lists(item.get("members", []), text, (*owners, name_of(item)))


def _is_public(item: dict[str, Any]) -> bool:
    return _access(item) in ("public", "open")


def _access(item: dict[str, Any]) -> str | None:
    """The access level that is written, that of the whole and not of the setter."""
    attributes = (each for each in item.get("attrs", []) if each["_kind"] == "access_control_attr")
    return next((each["access_level"] for each in attributes), None)


def _name_start(item: dict[str, Any], text: bytes) -> int:
    """The range of a declaration begins with its keyword, which is the name of an initialiser."""
    start = item["range"]["start"]
    name = name_of(item)
    keyword = _KEYWORD.match(text, start)
    return start if name == "init" or keyword is None else max(start, text.find(name.encode(), keyword.end()))


def _names(items: list[dict[str, Any]]) -> Iterator[str]:
    for item in items:
        if "name" in item:
            yield name_of(item)
        yield from _names(item.get("members", []))


def _header(text: bytes, start: int) -> str:
    """What stands between the keyword of a type or extension and its opening brace."""
    return _COMMENT.sub(" ", text[start : text.index(b"{", start)].decode())


def _inherited(header: str) -> tuple[str, ...]:
    """The parser tells how many types are inherited and not which."""
    header = re.split(r"\bwhere\b", header)[0]
    while _GENERIC_PARAMETERS.search(header):
        header = _GENERIC_PARAMETERS.sub("", header)
    return tuple(" ".join(each.split()) for each in header.partition(":")[2].split(",") if each.strip())
