"""What a file declares, with what the parser leaves out: inherited types and documentation come from the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from boundaries.swift_text import Lines

_KINDS = {
    "struct_decl": "struct",
    "enum_decl": "enum",
    "class_decl": "class",
    "protocol": "protocol",
    "extension_decl": "extension",
    "func_decl": "func",
    "constructor_decl": "init",
    "destructor_decl": "deinit",
    "subscript_decl": "subscript",
    "var_decl": "var",
    "enum_element_decl": "case",
    "typealias": "typealias",
    "associated_type_decl": "associatedtype",
    "macro_decl": "macro",
}
# What stands before the names that it declares and holds their attributes' place.
_INTRODUCERS = {"pattern_binding_decl": "var", "enum_case_decl": "case"}
_TYPES = ("struct", "enum", "class", "actor", "protocol")

_ATTRIBUTE_NAME = re.compile(rb"@?([\w.]+)")
_WORD = re.compile(r"[\w.]+")


@dataclass(frozen=True)
class Declaration:
    """A declaration outside of function bodies. The name of an extension is that of the type that it extends."""

    kind: str
    name: str
    # Of a function, initialiser or subscript; `_` where a parameter has none.
    labels: tuple[str, ...]
    # As written; None where nothing is.
    access: str | None
    attributes: tuple[str, ...]
    inherits: tuple[str, ...]
    # Where its attributes, or itself, begin.
    start: int
    line: int
    last_line: int
    # A function's, or an accessor's of a variable.
    has_body: bool
    members: tuple[Declaration, ...]

    @property
    def is_type(self) -> bool:
        return self.kind in _TYPES

    @property
    def is_public(self) -> bool:
        return self.access in ("public", "open")

    @property
    def title(self) -> str:
        """How a person would name it."""
        if self.kind in ("func", "init", "subscript"):
            return f"{self.name}({''.join(f'{label}:' for label in self.labels)})"
        return self.name


def read_declarations(items: list[dict[str, Any]], text: bytes, mask: bytes, lines: Lines) -> tuple[Declaration, ...]:
    """Reads the parser's output; `mask` is the text without comments and literals."""
    return tuple(_declarations(items, _Source(text, mask, lines)))


def with_owners(
    declarations: tuple[Declaration, ...], owners: tuple[Declaration, ...] = ()
) -> Iterator[tuple[Declaration, tuple[Declaration, ...]]]:
    """Every declaration with the types and extensions around it, outermost first."""
    for declaration in declarations:
        yield declaration, owners
        yield from with_owners(declaration.members, (*owners, declaration))


def effective_access(declaration: Declaration, owners: tuple[Declaration, ...]) -> str | None:
    """The access that a declaration has by itself or through what it stands in."""
    if declaration.access or not owners or declaration.kind == "extension":
        return declaration.access
    owner = owners[-1]
    # Requirements, cases and associated types are as visible as their type.
    is_part = owner.kind == "protocol" or declaration.kind == "case"
    return effective_access(owner, owners[:-1]) if is_part or owner.kind == "extension" else None


def is_api(declaration: Declaration, owners: tuple[Declaration, ...]) -> bool:
    """Whether other modules can use the declaration, as far as one file tells."""
    around = [
        effective_access(owner, owners[:position]) for position, owner in enumerate(owners) if owner.kind != "extension"
    ]
    return all(access in ("public", "open") for access in [*around, effective_access(declaration, owners)])


@dataclass(frozen=True)
class _Source:
    text: bytes
    mask: bytes
    lines: Lines


def _declarations(items: list[dict[str, Any]], source: _Source) -> Iterator[Declaration]:
    introducer: dict[str, Any] | None = None
    for item in items:
        kind = item["_kind"]
        if kind in _INTRODUCERS:
            introducer = item
        elif kind in _KINDS:
            is_introduced = introducer is not None and _INTRODUCERS[introducer["_kind"]] == _KINDS[kind]
            introducer = introducer if is_introduced else None
            yield _declaration(item, introducer, source)
        elif kind == "top_level_code_decl":
            # `let` in a script: the variable follows.
            elements = item.get("body", {}).get("elements", [])
            introducer = next((each for each in elements if each["_kind"] in _INTRODUCERS), None)


def _declaration(item: dict[str, Any], introducer: dict[str, Any] | None, source: _Source) -> Declaration:
    kind = "actor" if item.get("actor") else _KINDS[item["_kind"]]
    attributes = [*item.get("attrs", []), *(introducer or {}).get("attrs", [])]
    keyword = (introducer or item)["range"]["start"]
    starts = [keyword, *(_start(each, source.text) for each in attributes if "range" in each)]
    access = next((each["access_level"] for each in attributes if "access_level" in each), None)
    return Declaration(
        kind=kind,
        name=str(item["extended_type"]) if kind == "extension" else _name(item),
        labels=tuple(label or "_" for label in item.get("name", {}).get("args") or ()),
        access=access,
        attributes=tuple(_attribute(each, source.text) for each in attributes),
        inherits=_inherited(item, source) if item.get("inherits") else (),
        start=min(starts),
        line=source.lines.at(item["range"]["start"]),
        last_line=source.lines.at((introducer or item)["range"]["end"]),
        has_body="body" in item or any("body" in accessor for accessor in item.get("accessors", [])),
        members=tuple(_declarations(item.get("members", []), source)),
    )


def _name(item: dict[str, Any]) -> str:
    base = item["name"]["base_name"]
    return base.get("name") or base["special"]


def _start(attribute: dict[str, Any], text: bytes) -> int:
    start = attribute["range"]["start"]
    return start - 1 if text[start - 1 : start] == b"@" else start


def _attribute(attribute: dict[str, Any], text: bytes) -> str:
    if attribute["_kind"] != "custom_attr" or "range" not in attribute:
        return attribute["_kind"].removesuffix("_attr")
    match = _ATTRIBUTE_NAME.match(text, attribute["range"]["start"])
    return match[1].decode() if match else ""


def _inherited(item: dict[str, Any], source: _Source) -> tuple[str, ...]:
    """The types behind the colon of a type or an extension; the parser tells only how many there are."""
    header = source.mask[item["range"]["start"] :].decode(errors="replace").partition("{")[0]
    parts: list[str] = [""]
    depth = 0
    begun = False
    for token in re.findall(r"->|[\w.]+|\S", header):
        depth += (token in "<([") - (token in ">)]") if len(token) == 1 else 0
        if not begun:
            begun = token == ":" and depth == 0
        elif depth == 0 and token == "where":
            break
        elif depth == 0 and token in ",&":
            parts.append("")
        elif depth == 0 or token not in "<>":
            parts[-1] += f" {token}" if depth == 0 else ""
    return tuple(name for part in parts if (name := _last_type(part)))


def _last_type(part: str) -> str:
    """`Codable` in `@preconcurrency Swift.Codable`; with the tilde of a suppressed conformance."""
    words = _WORD.findall(part)
    return ("~" if "~" in part else "") + words[-1].rpartition(".")[2] if words else ""
