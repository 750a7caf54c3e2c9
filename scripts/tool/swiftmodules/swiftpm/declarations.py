"""The declarations and imports of a file: one tree for the rules that are checked and for the edits that are placed.

The parser's ranges are byte offsets; they end at the *start* of the last token, a closing brace for one. It reports no
inherited types, no attributes of imports and no positions of expressions: these come from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from swiftmodules.swiftpm.text import Source, blanked

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
# Nodes before the names that they declare, which hold their attributes' place.
_INTRODUCERS = {"pattern_binding_decl": "var", "enum_case_decl": "case"}
_TYPES = ("struct", "enum", "class", "actor", "protocol")
# The access levels that other packages see.
PUBLIC = ("public", "open")
_MEANINGFUL = ("inlinable_attr", "transparent_attr", "emit_into_client_attr")

_HARMLESS = re.compile(rb"@(MainActor|Test)\b(?!\.)")
_ATTRIBUTE_NAME = re.compile(rb"@?([\w.]+)")
_KEYWORD = re.compile(rb"\w+\s")
_NOT_SPACE = re.compile(rb"\S")
_IMPORT = re.compile(
    # A file may begin with a byte order mark.
    rb"(?:^|\A\xef\xbb\xbf|;)[ \t]*"
    rb"(?P<prefix>(?:@\w+(?:\([^)\n]*\)\s*|\s+)|(?:public|package|internal|fileprivate|private)\s+)*)"
    rb"import\s+(?:(?P<kind>typealias|struct|class|enum|protocol|let|var|func)\s+)?"
    rb"`?(?P<module>[\w\x80-\xff]+)`?(?P<rest>(?:(?:\.|::)[\w\x80-\xff`]+)*)"
    # `import path: String` is a parameter.
    rb"(?![\w\x80-\xff`]|\s*:(?!:))",
    re.M,
)

# For a field that is only looked at where it is there.
_NOTHING = msgspec.Raw()


class _Range(msgspec.Struct):
    start: int
    end: int


class _Node(msgspec.Struct):
    """A part of the parser's output, with the few fields that are read of it."""

    kind: str = msgspec.field(name="_kind")
    range: _Range | None = None

    @property
    def start(self) -> int:
        return self.range.start if self.range else 0

    @property
    def end(self) -> int:
        return self.range.end if self.range else 0


class _Part(_Node):
    """An attribute or an accessor."""

    access_level: str | None = None
    body: msgspec.Raw = _NOTHING


class _Element(_Node):
    """A statement, or what introduces variables and cases and holds the place of their attributes."""

    attrs: list[_Part] = []


class _Body(_Node):
    elements: list[_Element] = []


class _BaseName(msgspec.Struct):
    name: str = ""
    special: str = ""


class _Name(msgspec.Struct):
    base_name: _BaseName
    args: list[str | None] | None = None


class Item(_Element):
    """A declaration in the parser's output."""

    name: _Name | None = None
    extended_type: str = ""
    actor: bool = False
    static: bool = False
    inherits: msgspec.Raw = _NOTHING
    result: msgspec.Raw = _NOTHING
    body: _Body | None = None
    accessors: list[_Part] = []
    members: list[Item] = []


class Import(msgspec.Struct, frozen=True):
    """An import declaration. `prefix` is the text of its attributes and modifiers, from `start` to the keyword."""

    module: str
    # `struct` and `URL` in `import struct Foundation.URL`.
    scope: tuple[str, ...]
    prefix: str
    start: int
    module_start: int
    module_end: int
    end: int


class Declaration(msgspec.Struct, frozen=True):
    """A declaration outside of function bodies. The name of an extension is that of the type that it extends.

    All positions are byte offsets in the file. `body_start` is just after the opening brace of a type, an extension or
    a function, and `body_end` is the closing brace; both are None where there is no body.
    """

    # struct enum class actor protocol extension func init deinit subscript var case typealias associatedtype macro
    kind: str
    name: str
    # Of a function, initialiser or subscript; `_` where a parameter has none.
    labels: tuple[str, ...]
    # As written, for the whole and not for the setter; None where nothing is.
    access: str | None
    attributes: tuple[str, ...]
    # The types after the colon, as written but for generic arguments: `Swift.Hashable`, `@unchecked Sendable`.
    inherits: tuple[str, ...]
    # Whether an extension holds for some arguments of a generic type only.
    is_constrained: bool
    is_static: bool
    # Where its attributes, or itself, begin.
    start: int
    name_start: int
    # Of its keyword, and of its end, from 1.
    line: int
    last_line: int
    body_start: int | None
    body_end: int | None
    # A function's, or an accessor's of a variable.
    has_body: bool
    # Of a function: whether a statement can be put first and the body still means the same.
    accepts_statement: bool
    # Of a function whose body is one expression that it returns: where the expression begins, so that `return` can be
    # put before it.
    single_expression: int | None
    # Whether it stands in a clause of `#if`; no edit may be put there.
    is_conditional: bool
    members: tuple[Declaration, ...]

    @property
    def is_type(self) -> bool:
        return self.kind in _TYPES

    @property
    def is_block(self) -> bool:
        """Whether it is a type or an extension, which has members."""
        return self.is_type or self.kind == "extension"

    @property
    def is_public(self) -> bool:
        return self.access in PUBLIC

    @property
    def is_namespace(self) -> bool:
        """Whether it is an `enum` without cases, which only gives its members a name to stand under."""
        return self.kind == "enum" and not any(member.kind == "case" for member in self.members)

    @property
    def title(self) -> str:
        """Its full name with labels, as documentation writes it."""
        if self.kind in ("func", "init", "subscript"):
            return f"{self.name}({''.join(f'{label}:' for label in self.labels)})"
        return self.name

    @property
    def inherited(self) -> tuple[str, ...]:
        """The last components of the inherited types: `Hashable` for `Swift.Hashable`, `~Copyable`."""
        return tuple(map(_last_type, self.inherits))

    def inherits_any(self, names: Iterable[str]) -> bool:
        """Whether one of the names stands after the colon, qualified or not."""
        return not set(self.inherited).isdisjoint(names)

    def walk(self) -> Iterator[tuple[Declaration, tuple[Declaration, ...]]]:
        """Every declaration inside, at any depth, with its owners up to this one."""
        return walk(self.members, (self,))


Owners = tuple[Declaration, ...]


def walk(declarations: Iterable[Declaration], owners: Owners = ()) -> Iterator[tuple[Declaration, Owners]]:
    """Every declaration with the types and extensions around it, outermost first."""
    for declaration in declarations:
        yield declaration, owners
        yield from walk(declaration.members, (*owners, declaration))


def path(declaration: Declaration, owners: Owners) -> str:
    """The name of a declaration with those of its owners: `Profile.Overview`."""
    return ".".join([*(owner.name for owner in owners), declaration.name])


def effective_access(declaration: Declaration, owners: Owners) -> str | None:
    """The access of a declaration, its own or that of the extension or protocol around it."""
    if declaration.access or not owners or declaration.kind == "extension":
        return declaration.access
    owner = owners[-1]
    # Requirements, cases and associated types are as visible as their type.
    is_part = owner.kind == "protocol" or declaration.kind == "case"
    return effective_access(owner, owners[:-1]) if is_part or owner.kind == "extension" else None


def is_api(declaration: Declaration, owners: Owners, levels: tuple[str, ...] = PUBLIC) -> bool:
    """Whether other modules can use the declaration, as far as one file shows."""
    around = [
        effective_access(owner, owners[:position]) for position, owner in enumerate(owners) if owner.kind != "extension"
    ]
    return all(access in levels for access in [*around, effective_access(declaration, owners)])


def read_imports(source: Source) -> Iterator[Import]:
    """The imports of a file, also of one that the parser cannot read."""
    for match in _IMPORT.finditer(source.mask):
        kind = (match["kind"].decode(),) if match["kind"] else ()
        yield Import(
            module=match["module"].decode(errors="replace"),
            scope=(*kind, *re.findall(r"[^.:`]+", match["rest"].decode(errors="replace"))),
            prefix=match["prefix"].decode(errors="replace"),
            start=match.start("prefix"),
            module_start=match.start("module"),
            module_end=match.end("module"),
            end=match.end(),
        )


def read_declarations(items: list[Item], source: Source) -> Iterator[Declaration]:
    """The declarations that the parser reports of a file."""
    introducer: _Element | None = None
    for item in items:
        kind = item.kind
        if kind in _INTRODUCERS:
            introducer = item
        elif kind in _KINDS:
            is_introduced = introducer is not None and _INTRODUCERS[introducer.kind] == _KINDS[kind]
            introducer = introducer if is_introduced else None
            yield _declaration(item, introducer, source)
        elif kind == "top_level_code_decl":
            # `let` in a script: the variable follows.
            elements = item.body.elements if item.body else []
            introducer = next((each for each in elements if each.kind in _INTRODUCERS), None)


def _declaration(item: Item, introducer: _Element | None, source: Source) -> Declaration:
    kind = "actor" if item.actor else _KINDS[item.kind]
    attributes = [*item.attrs, *(introducer.attrs if introducer else ())]
    keyword, end = (introducer or item).start, (introducer or item).end
    # Some attributes begin behind their `@`.
    starts = [each.start for each in attributes if each.range]
    start = min([keyword, *(each - (source.text[each - 1 : each] == b"@") for each in starts)])
    is_function = kind in ("func", "init", "deinit")
    body = item.body
    header, inside = "", (body.start + 1, body.end) if is_function and body else (None, None)
    if kind in _TYPES or kind == "extension":
        brace = source.mask.index(b"{", item.start)
        header, inside = source.mask[item.start : brace].decode(errors="replace"), (brace + 1, end)
    accepts, expression = _statements(item, body, source) if kind == "func" and body is not None else (False, None)
    return Declaration(
        kind=kind,
        name=_name(item),
        labels=tuple(label or "_" for label in (item.name and item.name.args) or ()),
        access=next((each.access_level for each in attributes if each.access_level), None),
        attributes=tuple(_attribute(each, source.text) for each in attributes),
        inherits=_inherited(header) if bytes(item.inherits) else (),
        is_constrained=kind == "extension" and re.search(r"\bwhere\b|<", header) is not None,
        is_static=item.static,
        start=start,
        name_start=_name_start(item, kind, source),
        line=source.lines.at(item.start),
        last_line=source.lines.at(end),
        body_start=inside[0],
        body_end=inside[1],
        has_body=body is not None or any(bytes(accessor.body) for accessor in item.accessors),
        accepts_statement=accepts,
        single_expression=expression,
        is_conditional=any(first <= start < last for first, last in source.conditions),
        members=tuple(read_declarations(item.members, source)),
    )


def _name(item: Item) -> str:
    if item.name is None:
        return item.extended_type
    return item.name.base_name.name or item.name.base_name.special


def _name_start(item: Item, kind: str, source: Source) -> int:
    """The range of a declaration begins with its keyword, which is the name of an initialiser, or with its name."""
    start = item.start
    keyword = _KEYWORD.match(source.text, start)
    if keyword is None or kind in ("init", "deinit", "subscript", "var", "case"):
        return start
    name = _name(item).partition("<")[0] if kind == "extension" else _name(item)
    return max(start, source.mask.find(name.encode(), keyword.end()))


def _attribute(attribute: _Part, text: bytes) -> str:
    if attribute.kind != "custom_attr" or attribute.range is None:
        return attribute.kind.removesuffix("_attr")
    match = _ATTRIBUTE_NAME.match(text, attribute.start)
    return match[1].decode() if match else ""


def _statements(function: Item, body: _Body, source: Source) -> tuple[bool, int | None]:
    """Whether the body of a function accepts a statement at its start, and where its single expression begins."""
    first, last, elements = body.start + 1, body.end, body.elements
    if not elements or any(_gives_the_body_a_meaning(each, source.text) for each in function.attrs):
        return False, None
    if any(first < end and start < last for start, end in source.conditions):
        # A body that is nothing but conditions may return the single expression of each branch.
        inside = [(start - first, end - first) for start, end in source.conditions if first <= start and end <= last]
        rest = blanked(source.mask[first:last], inside)
        return not bytes(function.result) or bool(rest.strip()), None
    # A single expression is returned without `return`, which a second statement would end.
    if len(elements) > 1 or elements[0].kind == "return_stmt" or not bytes(function.result):
        return True, None
    begin = _NOT_SPACE.search(source.mask, first, last)
    is_expression = elements[0].kind.endswith("_expr") and elements[0].kind != "single_value_stmt_expr"
    return False, begin.start() if begin and is_expression else None


def _gives_the_body_a_meaning(attribute: _Part, text: bytes) -> bool:
    """An inlinable body is part of the interface; a custom attribute may be a result builder or a macro.

    `@Test` is a macro that leaves the body as it is.
    """
    if attribute.kind == "custom_attr":
        known = _HARMLESS.match(text, attribute.start)
        return known is None or (known[1] == b"MainActor" and attribute.end != attribute.start + 1)
    return attribute.kind in _MEANINGFUL


def _inherited(header: str) -> tuple[str, ...]:
    """The types after the colon; the parser reports only how many there are."""
    parts: list[list[str]] = [[]]
    depth = 0
    begun = False
    for token in re.findall(r"->|[\w.]+|\S", header):
        depth += (token in "<([") - (token in ">)]") if len(token) == 1 else 0
        if not begun:
            begun = token == ":" and depth == 0
        elif depth == 0 and token == "where":
            break
        elif depth == 0 and token in ",&":
            parts.append([])
        elif depth == 0 and token not in (">", ")", "]"):
            parts[-1].append(token)
    return tuple(" ".join(part).replace("@ ", "@").replace("~ ", "~") for part in parts if part)


def _last_type(inherited: str) -> str:
    """`Codable` in `@preconcurrency Swift.Codable`; with the tilde of a suppressed conformance."""
    return ("~" if "~" in inherited else "") + re.split(r"[.\s~]", inherited)[-1]
