"""The access that the declarations of a target need after it is cut: no more than other parts use of them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

from swiftmodules.split.costs import Parts
from swiftmodules.split.graph import Spot
from swiftmodules.steps.placement import Replacement
from swiftmodules.swiftpm.reader import VISIBLE, Declaration, Owners, SourceFile, effective_access

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
        self.raised: set[Spot] = set()
        self.written: set[Spot] = set()
        for usr in parts.crossing:
            self.need(usr)

    def need(self, usr: str) -> None:
        """Raises a declaration with what it shows: the types around it, and all that its signature names."""
        if spot := self._graph.spot_of.get(usr):
            self._write(spot) if usr in self._graph.index.implicit else self.need_at(spot)

    def need_named(self, name: str, pieces: Container[int], is_made: bool = False) -> bool:
        """Raises the declarations of a name, with its labels or without, in some pieces, or writes the initialisers of
        such types. Returns whether that changes anything."""
        before = len(self.raised) + len(self.written)
        for spot, (each, _) in self._graph.declared.items():
            if name in (each.name, each.title) and self._graph.at(*spot) in pieces:
                self._write(spot) if is_made else self.need_at(spot)
        return len(self.raised) + len(self.written) > before

    def need_at(self, spot: Spot) -> None:
        if spot in self.raised or spot not in self._graph.declared:
            return
        self.raised.add(spot)
        each, around = self._graph.declared[spot]
        if effective_access(each, around) in VISIBLE and all(one.access in VISIBLE for one in around):
            return
        for owner in around:
            if owner.kind == "extension":
                self._need_named_in(spot[0], owner.start, owner.body_start or owner.end)
            else:
                self.need_at((spot[0], owner.name_start))
        self._need_named_in(spot[0], each.start, each.end if each.kind == "protocol" else each.body_start or each.end)
        for member in each.members:
            if each.kind == "enum" and member.kind == "case":
                self._need_named_in(spot[0], member.start, member.end)

    def _need_named_in(self, file: Path, start: int, end: int) -> None:
        index = self._graph.index
        for usr in index.named(file, start, end) - index.declared(file, start, end):
            self.need(usr)

    def settle(self) -> None:
        """Raises what implements a requirement, which has to be as visible as its type and the protocol are. The index
        does not know all of these, so those count too that have the name of a requirement and a type that conforms to
        something."""
        declared, before = self._graph.declared, -1
        witnesses = {self._graph.spot_of.get(usr) for usr in self._graph.index.witnesses}
        conforming = {_last(each.name) for each, _ in declared.values() if each.inherits}
        while before < len(self.raised):
            before = len(self.raised)
            types = {spot: each for spot, (each, _) in declared.items() if each.is_type}
            seen = [each for spot, each in types.items() if self._is_seen(spot)]
            shown, required = (
                {one.title for each in found if each.kind == "protocol" for one in each.members}
                for found in (seen, types.values())
            )
            names = {each.name for each in seen}
            for spot, (each, around) in declared.items():
                if not around or each.access == "private":
                    continue
                owner, name = around[-1], _last(around[-1].name)
                is_witness = spot in witnesses and each.title not in required
                is_extended = owner.kind == "extension" and name in names
                if (is_witness or (each.title in shown and name in conforming)) and (
                    is_extended or (owner.is_type and self._is_seen((spot[0], owner.name_start)))
                ):
                    self.need_at(spot)

    def _is_seen(self, spot: Spot) -> bool:
        return spot in self.raised or effective_access(*self._graph.declared[spot]) in VISIBLE

    def _write(self, spot: Spot) -> None:
        """Writes the initialiser of a type that the compiler makes up, with what its parameters name."""
        found = self._graph.declared.get(spot)
        if found is None or spot in self.written or found[0].kind not in ("struct", "class", "actor"):
            return
        self.written.add(spot)
        self.need_at(spot)
        for member in _stored(found[0]):
            self._need_named_in(spot[0], member.start, member.end)

    @property
    def changed(self) -> list[str]:
        """The declarations whose access changes, and the initialisers that are written."""
        graph, found = self._graph, []
        for spot in sorted(self.raised | self.written):
            each, around = graph.declared[spot]
            titles = [each.title] if spot in self.raised and self._changes(each, around) else []
            titles += [f"{each.name}.init"] if spot in self.written else []
            found += [f"{spot[0].as_posix()}:{graph.sources[spot[0]].line_of(each)} {title}" for title in titles]
        return found

    def _changes(self, each: Declaration, around: Owners) -> bool:
        # A case or a requirement is as visible as the type around it.
        is_part = each.kind in ("case", "associatedtype") or any(one.kind == "protocol" for one in around[-1:])
        has_own = not is_part and each.kind not in ("extension", "deinit")
        return has_own and effective_access(each, around) not in VISIBLE

    def replacements(self, source: SourceFile) -> Iterator[Replacement]:
        """The changes in a file that raise access, and write initialisers."""
        for file, position in sorted(self.raised):
            if file == source.path:
                yield from self._raise(source, *self._graph.declared[file, position])
        for file, position in sorted(self.written):
            each, _ = self._graph.declared[file, position]
            if file == source.path and each.body_end and (text := self._initialiser(source, each)):
                yield Replacement(each.body_end, each.body_end, text)

    def _raise(self, source: SourceFile, each: Declaration, around: Owners) -> Iterator[Replacement]:
        if not self._changes(each, around):
            return
        if self._level == "public" and (inline := _INLINE.search(source.code, each.start, each.name_start)):
            yield Replacement(inline.start(), inline.end(), b"")
        if each.access:
            word = re.compile(rb"\b%b\b(?!\s*\()" % each.access.encode())
            if found := word.search(source.code, each.start, each.name_start):
                yield Replacement(found.start(), found.end(), self._level.encode())
            return
        position = each.start
        while attribute := _ATTRIBUTE.match(source.code, position):
            position = attribute.end()
        while source.code[position : position + 1].isspace():
            position += 1
        yield Replacement(position, position, self._level.encode() + b" ")

    def _initialiser(self, source: SourceFile, each: Declaration) -> bytes | None:
        given, set_ = [], []
        for member in _stored(each):
            match = _STORED.fullmatch(source.code[member.name_start : member.end].decode().strip())
            kind, value = (match["type"], match["value"]) if match else (None, None)
            if "let" in source.code[member.start : member.name_start].decode().split() and value:
                continue
            kind = (kind or _type_of(value or "")).strip()
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
        body = "".join(f"{margin}    {one}\n" for one in (set_ if each.kind == "struct" else ()))
        text = f"{', '.join(given) if each.kind == 'struct' else ''}"
        own = source.text.rfind(b"\n", 0, each.body_end or 0) + 1
        before = "\n" if source.text[own : each.body_end].strip() else ""
        written = f"{before}\n{margin}{self._level} init({text}) {{\n{body}{margin}}}\n{margin[:-4]}"
        return written.encode()


def _last(name: str) -> str:
    """The last component of a name such as `Shop.Cart`."""
    return name.rpartition(".")[2]


def _stored(each: Declaration) -> Iterable[Declaration]:
    """The properties that an initialiser sets."""
    return [
        member
        for member in each.members
        if member.kind == "var" and not member.is_static and (member.is_stored_variable or not member.has_body)
    ]


def _type_of(value: str) -> str:
    """The type of a value, as far as its text shows it."""
    for pattern, name in _VALUES.items():
        if match := re.fullmatch(pattern, value, re.DOTALL):
            return name or match[1]
    return ""
