"""What an interface in front of a target would hold, which of its declarations a change reaches through that, and what
else users call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from swiftmodules.closure import reached
from swiftmodules.split.declarations import Declarations, Node
from swiftmodules.swiftpm.reader import path


@dataclass(frozen=True, order=True)
class Call:
    """A line of a user that calls what no interface can hold, so that a split has to change it."""

    file: Path
    line: int
    declaration: str

    def __str__(self) -> str:
        return f"{self.file.as_posix()}:{self.line} {self.declaration}"


class Interface:
    """The visible declarations of a target that others use, with what these need.

    A value moves into the interface with its visible members, their bodies, and all that these need. A class becomes a
    protocol, whose requirements are its methods and properties that others use; so does a value that no user makes,
    where values do too (`by_protocols`). A type of which a moved body calls an initialiser or a static member cannot
    stay behind a protocol, and moves as well. `users` are the files that could do without the implementation.
    """

    def __init__(
        self, declarations: Declarations, own: Collection[Path], users: Collection[Path], by_protocols: bool = False
    ) -> None:
        self._all = declarations.of(own)
        self._declarations = declarations
        self._own = set(own)
        self._titles = {each.title for each in self._all}
        self._types = {each.title: each for each in self._all if each.declaration.is_type and each.usrs}
        self._members: dict[str, list[Node]] = defaultdict(list)
        for each in self._all:
            self._members[each.owner].append(each)
        used = {each for each in self._all if each.is_visible and declarations.users(each) - self._own}
        # With the types around it.
        titles = {path(owner, each.owners[:at]) for each in used for at, owner in enumerate(each.owners)}
        used |= {each for title, each in self._types.items() if title in titles and each.is_visible}
        self._protocols = {
            title
            for title, each in self._types.items()
            if each.is_visible and (self._is_class(each) or (by_protocols and self._may_be_protocol(each, users)))
        }
        while made := self._close(used):
            self._protocols -= made
        self.places = sorted({*self._places(used, users)})
        self._moved = {each.title for each in self.moved}
        self._required = {each.title for each in self.required}

    @property
    def declarations(self) -> list[Node]:
        """What it holds, without the blocks around it, in the order of the files."""
        held = self.moved | self.required
        return [each for each in self._all if each in held and each.declaration.kind != "extension"]

    def role(self, node: Node) -> Literal["moved", "protocol", "requirement"]:
        """What becomes of a declaration that it holds."""
        if node in self.moved:
            return "moved"
        return "protocol" if node.declaration.is_type else "requirement"

    @property
    def size(self) -> int:
        """How many declarations the target has."""
        return sum(each.declaration.kind != "extension" for each in self._all)

    @property
    def moving(self) -> int:
        """How many declarations would move into it, with their bodies."""
        return sum(each.declaration.kind != "extension" for each in self.moved)

    def is_changed(self, names: Iterable[str], visible: Iterable[str], renamed: Mapping[str, str]) -> bool:
        """Whether it holds some declarations: one of all that changed, or whose body did, or one of the visible ones
        that changed apart from their bodies. `renamed` has the present names of others."""
        # A visible declaration that has gone may have been used.
        required = {*self._required, ""}
        return any(self._present(name, renamed) in self._moved for name in names) or any(
            self._present(name, renamed) in required for name in visible
        )

    def _present(self, name: str, renamed: Mapping[str, str]) -> str:
        """The name that a declaration has now; of one that has gone since, that of the type around it, or nothing."""
        name, seen = name if name in self._titles else name.replace("extension ", ""), set[str]()
        while name and name not in self._titles:
            owner = name.partition("(")[0].rpartition(".")[0]
            # A name that came back leads to itself.
            if name in renamed and name not in seen:
                seen.add(name)
                name = renamed[name]
            elif owner in renamed and owner not in seen:
                seen.add(owner)
                name = f"{renamed[owner]}.{name[len(owner) + 1 :]}"
            else:
                name = owner
        return name

    def _close(self, used: Collection[Node]) -> set[str]:
        """Finds what is moved and what is required, from the declarations that others use. Returns the protocols that
        what is moved makes, or calls without an instance, so that they cannot be protocols."""
        made: set[str] = set()

        def needed(one: tuple[Node, bool]) -> Iterator[tuple[Node, bool]]:
            """What goes with a declaration, each with whether it moves."""
            node, moves = one
            owner = self._types.get(node.owner)
            if moves and node.declaration.is_type:
                yield from ((each, True) for each in self._members[node.title] if self._moves_with(node, each))
            elif owner and not (moves and owner.title in self._protocols):
                yield owner, moves
            mentioned = node.mentioned if moves else () if node.declaration.is_type else node.named
            for each in self._declarations.known(mentioned):
                if each.file not in self._own:
                    continue
                if moves and not self._can_be_held(each):
                    made.add(each.owner)
                else:
                    yield each, not self._is_behind(each)

        # Functions and variables of the implementation, and members of types of other modules, are called there.
        kinds = ("func", "var", "init", "subscript")
        bound = [each for each in used if each.owner in self._types or each.declaration.kind not in kinds]
        found = reached([(each, not self._is_behind(each)) for each in bound if self._can_be_held(each)], needed)
        self.moved = {node for node, moves in found if moves}
        self.required = {node for node, _ in found} - self.moved
        return made

    def _is_behind(self, node: Node) -> bool:
        """Whether it is a type that becomes a protocol, or a member of one."""
        return (node.title if node.declaration.is_type else node.owner) in self._protocols

    def _can_be_held(self, node: Node) -> bool:
        """Whether it is no initialiser and no static member of a protocol."""
        return not self._is_behind(node) or node.title in self._protocols or node.is_of_instance

    def _moves_with(self, type: Node, member: Node) -> bool:
        """Whether a member moves with its type: all of a class do, whose stored properties no extension can have."""
        return not member.declaration.is_type and (member.is_part or member.is_visible or self._is_class(type))

    def _is_class(self, node: Node) -> bool:
        return node.declaration.kind in ("class", "actor")

    def _may_be_protocol(self, node: Node, users: Collection[Path]) -> bool:
        """Whether users only call methods and properties of a value that has code."""
        members = self._members[node.title]
        has_code = any(each.is_visible and each.is_of_instance and each.declaration.has_body for each in members)
        is_made = any(
            not each.is_of_instance and not each.declaration.is_type and self._declarations.users(each) & set(users)
            for each in members
        )
        return node.declaration.kind in ("struct", "enum") and has_code and not is_made

    def _places(self, used: Collection[Node], users: Collection[Path]) -> Iterator[Call]:
        """What users call of the implementation, and the classes of which they make subclasses."""
        for each in used:
            is_held = each in self.moved or each in self.required
            named = (
                each.title if each.declaration.is_type or not each.owner else f"{each.owner}.{each.declaration.title}"
            )
            for file, position in self._declarations.uses(each, users, as_base=is_held):
                if not is_held or (each in self.required and each.declaration.is_type):
                    yield Call(file, self._declarations.sources[file].line_at(position), named)
