"""The access that the declarations of a target need after it is cut: no more than other parts use of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping

from swiftmodules.closure import reached
from swiftmodules.split.declarations import Node
from swiftmodules.split.parts import Parts
from swiftmodules.steps.placement import Replacement
from swiftmodules.swiftpm.reader import VISIBLE, Declaration, SourceFile, effective_access

_ATTRIBUTE = re.compile(rb"\s*@[\w.]+(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?")
# No public declaration may have it.
_INLINE = re.compile(rb"@usableFromInline\s+")


class Access:
    """The declarations of a target that others have to see after it is cut. Of the initialisers that the compiler makes
    up (`initialisers` has their texts), those are written out."""

    def __init__(self, parts: Parts, initialisers: Mapping[str, str] = {}) -> None:
        self._graph, self._level, self._initialisers = parts.graph, parts.level, initialisers
        # Declarations, and the identities of initialisers that are written out.
        self._seen: set[Node | str] = set()
        self._members: dict[Node, list[Node]] = defaultdict(list)
        for node in self._graph.nodes:
            for owner in node.around[-1:]:
                self._members[owner].append(node)
        self.need(parts.crossing)

    def need(self, usrs: Iterable[str]) -> None:
        """Lets others see declarations, or initialisers that the compiler makes up, with all that these show."""
        self._see(self._of(usrs))

    def need_named(self, name: str, pieces: Container[int], is_made: bool = False) -> bool:
        """Lets others see the declarations of a name in some pieces, or the initialisers that the compiler makes up for
        such types. Returns whether that changes anything."""
        before, implicit = len(self._seen), self._graph.declarations.implicit.keys()
        for node in self._graph.named.get(name, ()):
            if self._graph.nodes[node] in pieces:
                self._see(node.usrs & implicit if is_made else [node])
        return len(self._seen) > before

    def _see(self, found: Iterable[Node | str]) -> None:
        self._seen |= reached(found, lambda one: () if one in self._seen else self._shown(one)).keys()

    def _of(self, usrs: Iterable[str]) -> Iterator[Node | str]:
        """The declarations of the target by their identities, or those of initialisers that have to be written."""
        declarations = self._graph.declarations
        for usr in usrs:
            if usr in self._graph.piece_of:
                node, is_made = declarations.by_usr[usr], usr in declarations.implicit
                # An initialiser that a class inherits is as visible as that of the superclass.
                inherited = declarations.overridden.get(usr, ()) if is_made and node.declaration.kind == "class" else ()
                is_written = is_made and not inherited and node.declaration.kind in ("struct", "class", "actor")
                yield usr if is_written else node
                yield from self._of(inherited)

    def _shown(self, one: Node | str) -> Iterator[Node | str]:
        """What others see with a declaration: the types around it, and what its signature names, but for protocols to
        which a type conforms, and initialisers that the compiler makes up for the value of a variable, of which others
        see only the type. With an initialiser, they see what the properties of its type name."""
        declarations = self._graph.declarations
        if isinstance(one, str):
            node = declarations.by_usr[one]
            yield node
            yield from self._of(usr for each in self._members[node] if _is_stored(each) for usr in each.mentioned)
        elif not one.is_api or not all(each.is_type for each in one.owners):
            own = one.declaration
            yield from one.around
            for usr in one.named & self._graph.piece_of.keys():
                used = declarations.by_usr[usr].declaration
                conforms = used.kind == "protocol" != own.kind and used.name in own.inherited
                if not conforms and not (own.kind == "var" and usr in declarations.implicit):
                    yield from self._of([usr])
            parts = (each for each in self._members[one] if own.kind == "protocol" or each.declaration.kind == "case")
            yield from self._of(usr for each in parts for usr in each.named)

    def settle(self) -> None:
        """Raises what implements a requirement, or overrides a member, of what others see: it has to be as visible as
        that and its own type are."""
        declarations, before = self._graph.declarations, -1
        types = {node.title: node for node in self._graph.nodes if node.declaration.is_type}
        while before < len(self._seen):
            before = len(self._seen)
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
        return shown in self._seen or effective_access(node.declaration, node.owners) in VISIBLE

    @property
    def changed(self) -> list[str]:
        """The declarations whose access changes, and the initialisers that are written."""
        written = {self._graph.declarations.by_usr[each] for each in self._seen if isinstance(each, str)}
        found = []
        for node in self._graph.nodes:
            titles = [node.declaration.title] if self._is_raised(node) else []
            titles += [f"{node.declaration.name}.init"] if node in written else []
            found += [f"{node.place} {title}" for title in titles]
        return found

    def _is_raised(self, node: Node) -> bool:
        has_own = not _is_part(node) and node.declaration.kind not in ("extension", "deinit")
        return node in self._seen and has_own and effective_access(node.declaration, node.owners) not in VISIBLE

    def replacements(self, source: SourceFile) -> Iterator[Replacement]:
        """The changes in a file that raise access, and write initialisers."""
        for node in self._graph.declarations.of([source.path]):
            each = node.declaration
            if self._is_raised(node):
                yield from self._raise(source, each)
            # Where the compiler does not show an initialiser, its error names what is missing. The longest one has a
            # default value for what another one sets itself.
            written = node.usrs & self._seen & self._initialisers.keys()
            for usr in sorted(written, key=lambda usr: len(self._initialisers[usr]))[-1:]:
                if each.body_end:
                    yield Replacement(each.body_end, each.body_end, self._initialiser(source, each, usr))

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

    def _initialiser(self, source: SourceFile, each: Declaration, usr: str) -> bytes:
        outer = re.match(rb"[ \t]*", source.text[source.text.rfind(b"\n", 0, each.start) + 1 :])
        margin = (outer[0].decode() if outer else "") + "    "
        labels = re.findall(r"\w+(?=:)", self._graph.declarations.implicit[usr])
        # Several clauses of `#if` may have the same property.
        properties = {one.name: one for one in each.members if one.kind == "var" and not one.is_static}
        body = "".join(f"{margin}    {_set(source, properties[label])}\n" for label in labels if label in properties)
        own = source.text.rfind(b"\n", 0, each.body_end or 0) + 1
        before = "\n" if source.text[own : each.body_end].strip() else ""
        signature = f"{self._level} {self._initialisers[usr]}"
        return f"{before}\n{margin}{signature} {{\n{body}{margin}}}\n{margin[:-4]}".encode()


def _set(source: SourceFile, member: Declaration) -> str:
    """The statement of an initialiser that sets a property; of a lazy one, the compiler's parameter is optional."""
    is_quoted = source.text[member.name_start : member.name_start + 1] == b"`"
    name = f"`{member.name}`" if is_quoted else member.name
    return f"if let {name} {{ self.{name} = {name} }}" if "lazy" in member.modifiers else f"self.{name} = {name}"


def _is_part(node: Node) -> bool:
    """Whether it is a case or a requirement, whose access is that of the type around it."""
    return node.declaration.kind == "case" or any(each.kind == "protocol" for each in node.owners[-1:])


def _is_stored(node: Node) -> bool:
    """Whether it is a property that an initialiser sets."""
    member = node.declaration
    is_own = member.kind == "var" and not member.is_static and "lazy" not in member.modifiers
    return is_own and (member.is_stored_variable or not member.has_body)
