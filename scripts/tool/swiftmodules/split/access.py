"""The access that the declarations of a target need after it is cut: no more than other parts use of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator

from swiftmodules.split.costs import Parts
from swiftmodules.split.declarations import Node
from swiftmodules.steps.placement import Replacement
from swiftmodules.swiftpm.reader import VISIBLE, Declaration, SourceFile, effective_access

_ATTRIBUTE = re.compile(rb"\s*@[\w.]+(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?")
# No public declaration may have it.
_INLINE = re.compile(rb"@usableFromInline\s+")
_STORED = re.compile(
    r"`?\w+`?(?:\s*,\s*\w+)*\s*(?::\s*(?P<type>[^={]+?))?\s*(?:=\s*(?P<value>.+?))?\s*(?:\{.*)?", re.DOTALL
)
# The types of values that are written out, where a property names none.
_VALUES = {
    r"[\d_\s()+*/%<>-]+": "Int",
    r"-?[\d_]+\.\d+": "Double",
    r'".*"': "String",
    r"true|false": "Bool",
    r"([A-Z][\w.]*(?:<[\w.<>, ]+>)?)\(.*\)": "",
    r"(\[[\w.<>: ,]+\])\(\)": "",
}


class Access:
    """The declarations whose access is raised, and the structures whose initialisers are written out."""

    def __init__(self, parts: Parts) -> None:
        self._graph, self._level = parts.graph, parts.level
        self.raised: set[Node] = set()
        self.written: set[Node] = set()
        self._members: dict[Node, list[Node]] = defaultdict(list)
        for node in self._graph.nodes:
            for owner in node.around[-1:]:
                self._members[owner].append(node)
        self.need(parts.crossing)

    def need(self, usrs: Iterable[str]) -> None:
        """Raises declarations of the target, or writes the initialisers that the compiler makes up."""
        for usr in usrs:
            if usr in self._graph.piece_of:
                declarations = self._graph.declarations
                node, is_made = declarations.by_usr[usr], usr in declarations.implicit
                # An initialiser that a class inherits is as visible as that of the superclass.
                inherited = declarations.overridden.get(usr, ()) if node.declaration.kind == "class" and is_made else ()
                if is_made and not inherited:
                    self._write(node)
                else:
                    self.show(node)
                    self.need(inherited)

    def need_named(self, name: str, pieces: Container[int], is_made: bool = False) -> bool:
        """Raises the declarations of a name, with its labels or without, in some pieces, or writes the initialisers of
        such types. Returns whether that changes anything."""
        before = len(self.raised) + len(self.written)
        for node, piece in self._graph.nodes.items():
            if piece in pieces and name in (node.declaration.name, node.declaration.title):
                self._write(node) if is_made else self.show(node)
        return len(self.raised) + len(self.written) > before

    def show(self, node: Node) -> None:
        """Raises a declaration with what it shows: the types around it, and what its signature names."""
        if node in self.raised:
            return
        self.raised.add(node)
        if node.is_api and all(each.is_type for each in node.owners):
            return
        for owner in node.around:
            self.show(owner)
        self.need(self._shown(node))
        for each in self._members[node]:
            if node.declaration.kind == "protocol" or each.declaration.kind == "case":
                self.need(each.named)

    def _shown(self, node: Node) -> Iterator[str]:
        """What the signature of a declaration names, but for protocols to which a type conforms, and initialisers that
        the compiler makes up for the value of a variable: others see only the type."""
        declarations, own = self._graph.declarations, node.declaration
        for usr in node.named & self._graph.piece_of.keys():
            used = declarations.by_usr[usr].declaration
            conforms = used.kind == "protocol" != own.kind and used.name in own.inherited
            if not conforms and not (own.kind == "var" and usr in declarations.implicit):
                yield usr

    def settle(self) -> None:
        """Raises what implements a requirement, or overrides a member, of what others see: it has to be as visible as
        that and its own type are."""
        declarations, before = self._graph.declarations, -1
        types = {node.title: node for node in self._graph.nodes if node.declaration.is_type}
        while before < len(self.raised):
            before = len(self.raised)
            for usr in declarations.overridden.keys() & self._graph.piece_of.keys():
                node, required = declarations.by_usr[usr], declarations.overridden[usr]
                owner = node if usr in declarations.implicit else types.get(node.owner)
                # The extended type may be of another module.
                is_type_seen = self._is_seen(owner) if owner else bool(node.around)
                known = (declarations.by_usr.get(each) for each in required)
                if is_type_seen and any(each is None or self._is_seen(each) for each in known):
                    self.need([usr])

    def _is_seen(self, node: Node) -> bool:
        """Whether other targets see a declaration: a requirement or a case is as visible as the type around it."""
        shown = node.around[-1] if _is_part(node) else node
        return shown in self.raised or effective_access(node.declaration, node.owners) in VISIBLE

    def _write(self, node: Node) -> None:
        """Writes the initialiser of a type that the compiler makes up, with what its parameters name."""
        if node not in self.written and node.declaration.kind in ("struct", "class", "actor"):
            self.written.add(node)
            self.show(node)
            for each in self._members[node]:
                if _is_stored(each.declaration):
                    self.need(each.mentioned)

    @property
    def changed(self) -> list[str]:
        """The declarations whose access changes, and the initialisers that are written."""
        found = []
        for node in self._graph.nodes:
            titles = [node.declaration.title] if node in self.raised and self._changes(node) else []
            titles += [f"{node.declaration.name}.init"] if node in self.written else []
            found += [f"{node.place} {title}" for title in titles]
        return found

    def _changes(self, node: Node) -> bool:
        has_own = not _is_part(node) and node.declaration.kind not in ("extension", "deinit")
        return has_own and effective_access(node.declaration, node.owners) not in VISIBLE

    def replacements(self, source: SourceFile) -> Iterator[Replacement]:
        """The changes in a file that raise access, and write initialisers."""
        for node in self._graph.declarations.of([source.path]):
            each = node.declaration
            if node in self.raised and self._changes(node):
                yield from self._raise(source, each)
            if node in self.written and each.body_end and (text := self._initialiser(source, each)):
                yield Replacement(each.body_end, each.body_end, text)

    def _raise(self, source: SourceFile, each: Declaration) -> Iterator[Replacement]:
        if self._level == "public" and (inline := _INLINE.search(source.mask, each.start, each.name_start)):
            yield Replacement(inline.start(), inline.end(), b"")
        if each.access:
            word = re.compile(rb"\b%b\b(?!\s*\()" % each.access.encode())
            if found := word.search(source.mask, each.start, each.name_start):
                yield Replacement(found.start(), found.end(), self._level.encode())
            return
        position = each.start
        while attribute := _ATTRIBUTE.match(source.mask, position):
            position = attribute.end()
        while source.mask[position : position + 1].isspace():
            position += 1
        yield Replacement(position, position, self._level.encode() + b" ")

    def _initialiser(self, source: SourceFile, each: Declaration) -> bytes | None:
        given, set_ = [], []
        for member in filter(_is_stored, each.members) if each.kind == "struct" else ():
            match = _STORED.fullmatch(source.code[member.name_start : member.end].decode().strip())
            kind, value = (match["type"], match["value"]) if match else (None, None)
            if "let" in source.code[member.start : member.name_start].decode().split() and value:
                continue
            kind = (kind or _type_of(value or "")).strip()
            if not kind and value:
                # The text does not show its type, so the property keeps its value.
                continue
            if not kind:
                # The compiler's error names the initialiser that is missing.
                return None
            if not value and kind.endswith("?"):
                value = "nil"
            is_function = "->" in kind and not kind.endswith("?") and not kind.startswith("[")
            given.append(f"{member.name}: {'@escaping ' if is_function else ''}{kind}{f' = {value}' if value else ''}")
            set_.append(f"self.{member.name} = {member.name}")
        line = source.text.rfind(b"\n", 0, each.start) + 1
        outer = re.match(rb"[ \t]*", source.text[line:])
        margin = (outer[0].decode() if outer else "") + "    "
        body = "".join(f"{margin}    {one}\n" for one in set_)
        own = source.text.rfind(b"\n", 0, each.body_end or 0) + 1
        before = "\n" if source.text[own : each.body_end].strip() else ""
        written = f"{before}\n{margin}{self._level} init({', '.join(given)}) {{\n{body}{margin}}}\n{margin[:-4]}"
        return written.encode()


def _is_part(node: Node) -> bool:
    """Whether it is a case or a requirement, whose access is that of the type around it."""
    return node.declaration.kind == "case" or any(each.kind == "protocol" for each in node.owners[-1:])


def _is_stored(member: Declaration) -> bool:
    """Whether it is a property that an initialiser sets."""
    is_own = member.kind == "var" and not member.is_static and "lazy" not in member.modifiers
    return is_own and (member.is_stored_variable or not member.has_body)


def _type_of(value: str) -> str:
    """The type of a value, as far as its text shows it."""
    for pattern, name in _VALUES.items():
        if match := re.fullmatch(pattern, value, re.DOTALL):
            return name or match[1]
    return ""
