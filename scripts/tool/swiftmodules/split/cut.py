"""The sources of a target after it is cut: what moves to which file, with the imports and the access that it needs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from swiftmodules.errors import ToolError
from swiftmodules.split.access import Access
from swiftmodules.split.parts import EXPORTS, Parts
from swiftmodules.steps.placement import Replacement, rewrite
from swiftmodules.swiftpm.reader import Import, SourceFile, pairs
from swiftmodules.swiftpm.target import Target

_IMPORT = re.compile(rb"\bimport\b")
# A name, or an operator.
_WORD = re.compile(rb"\w+|[-/=+!*%<>&|^~?]+")


class Cut:
    """The files of the parts of a target, and those of its users, which import what they use."""

    def __init__(self, parts: Parts, initialisers: Mapping[str, str] = {}) -> None:
        self.parts, self.graph = parts, parts.graph
        self.target = self.graph.whole
        self.access = Access(parts, initialisers)
        # More modules that a new file imports, and in each part the types that another module's would hide there, with
        # the pieces that declare them.
        self.more: dict[Path, set[str]] = defaultdict(set)
        self.aliases: dict[int, dict[str, int]] = defaultdict(dict)
        self._public = "public " if self.target.has_upcoming_feature("InternalImportsByDefault") else ""

    def recut(self, parts: Parts) -> None:
        """Takes other parts of the same names, and raises what they use of each other."""
        self.parts = parts
        self.access.need(parts.crossing)

    def folder(self, part: int) -> Path:
        """The folder of a part; the new ones are beside that of the target."""
        own = self.target.folder
        return own if part == self.parts.kept else own.with_name(self.parts.names[part])

    def place(self, file: Path, part: int) -> Path:
        return self.folder(part) / file.relative_to(self.target.folder)

    @property
    def part_of_file(self) -> dict[Path, int]:
        """The part of each file of the target after the cut."""
        return {self.place(file, part): part for part, files in self.parts.files.items() for file in files}

    def files(self) -> dict[Path, bytes | None]:
        """All files that differ after the cut; None where one is gone."""
        self.access.settle()
        found: dict[Path, bytes | None] = dict(self._users())
        for file in self.graph.files:
            for path, text in self._divided(self.graph.sources[file]).items():
                found[path] = text
            found.setdefault(file, None)
        parts = self.parts
        for part in parts.members:
            passed = [parts.names[each] for each in parts.below if part == parts.kept and each in parts.passed_on]
            lines = [f"@_exported {self._public}import {name}\n" for name in passed]
            for name, piece in sorted(self.aliases[part].items()):
                lines.append(f"typealias {name} = {parts.names[parts.part_of[piece]]}.{name}\n")
            if lines:
                found[self.folder(part) / EXPORTS.format(parts.names[part])] = "".join(lines).encode()
        sources = self.graph.sources
        return {path: text for path, text in found.items() if path not in sources or text != sources[path].text}

    def _divided(self, source: SourceFile) -> dict[Path, bytes]:
        """The file of each part that has pieces of a file, without those of others."""
        own = self.graph.of_file[source.path]
        if not own:
            return {source.path: source.text}
        found = {}
        raised = [*self.access.replacements(source)]
        if raised and self._public:
            # What is raised may show types of other modules.
            words = (_IMPORT.search(source.text, each.start) for each in source.imports if not each.access)
            level = f"{self.parts.level} ".encode()
            raised += [Replacement(each.start(), each.start(), level) for each in words if each]
        edits = {*raised, *self._qualified(source)}
        parts = dict.fromkeys(self.parts.part_of[number] for number in own)
        for part in parts:
            path = self.place(source.path, part)
            removed = [self.graph.pieces[number] for number in own if self.parts.part_of[number] != part]
            gone = [Replacement(each.start, each.end, b"") for each in removed]
            inside = [each for each in edits if not any(one.start <= each.start < one.end for one in gone)]
            uses = (used for user, used in self.graph.edges if user in own and self.parts.part_of[user] == part)
            needed = {self.parts.part_of[used] for used in uses} - {part}
            imported = {each.module for each in source.imports}
            modules = ({self.parts.names[each] for each in needed} | self.more[path]) - imported
            first = self.graph.pieces[own[0]].start
            # Imports come first where a declaration at the same position is raised.
            added = _added(source, [f"{self._public}import {each}" for each in sorted(modules)], first)
            text = rewrite(source.text, [*added, *inside, *gone])
            found[path] = text.rstrip(b"\n") + b"\n" if gone else text
        return found

    def _qualified(self, source: SourceFile) -> Iterator[Replacement]:
        """The names of the target before a dot become those of the parts that have what is named after it."""
        mentioned = dict(self.graph.declarations.mentioned[source.path])
        for start, end in pairs(source.qualifiers):
            usr = mentioned.get(end + 1, "")
            if source.text[start:end].decode() == self.target.imported_as and usr in self.graph.piece_of:
                part = self.parts.part_of[self.graph.piece_of[usr]]
                yield Replacement(start, end, self.parts.names[part].encode())

    def _users(self) -> Iterator[tuple[Path, bytes]]:
        """The files of other targets that import the target: those of one that does not use what keeps its name import
        the parts that they use, and `@testable` imports are made of all parts."""
        parts = self.parts
        for user, file in self._files():
            if user != self.target:
                names = sorted(parts.names[part] for part in self._seen(user, file) - {parts.kept})
                source, drops = self.graph.sources[file], parts.drops(user)
                imported = (self._imported(source, each, names, drops) for each in parts.imports(file))
                edits = [*(self._qualified(source) if drops else ()), *(edit for each in imported for edit in each)]
                if edits:
                    yield file, rewrite(source.text, edits)

    def _imported(self, source: SourceFile, one: Import, names: list[str], is_dropped: bool) -> Iterator[Replacement]:
        line = source.text[one.start : one.end].decode()
        lines = [line.replace(line[one.name_start - one.start :], name) for name in names]
        if is_dropped and names:
            yield Replacement(one.start, one.end, "\n".join(lines).encode())
        elif "testable" in one.attributes and names:
            yield Replacement(one.end, one.end, "".join(f"\n{each}" for each in lines).encode())

    def unseen(self) -> list[str]:
        """The places of the clauses of `#if` of which the compiler has read nothing here, and that the cut may break:
        they move, or name a declaration of a part that they may not see."""
        found = []
        for target, file in self._files():
            source = self.graph.sources[file]
            for each in source.clauses:
                seen = self._seen(target, file, each.start)
                words = _WORD.findall(source.mask[each.start : each.end].partition(b"\n")[2])
                named = {part for word in words for part in self._declaring(word.decode())}
                moves = target == self.target and self.parts.kept not in seen
                was_read = not words or self.graph.declarations.named(file, each.start, each.end)
                if not was_read and (moves or named - seen):
                    found.append((file.as_posix(), source.line_at(each.start), each.condition or "… #else"))
        return [f"{name}:{line} #if {condition}" for name, line, condition in sorted(found)]

    def _declaring(self, name: str) -> Iterator[int]:
        """The parts that declare something of a name."""
        nodes = self.graph.named.get(name, ())
        kinds = ("extension", "init")
        return (self.parts.part_of[self.graph.nodes[each]] for each in nodes if each.declaration.kind not in kinds)

    def _files(self) -> Iterator[tuple[Target, Path]]:
        """The files of the target, and those of others that import it."""
        for target in self.parts.package.targets:
            yield from ((target, file) for file in target.sources if target == self.target or self.parts.imports(file))

    def _seen(self, target: Target, file: Path, position: int = 0) -> set[int]:
        """The parts of which code sees what it names: its own, or those that a file of another target imports."""
        parts = self.parts
        if target == self.target:
            number = self.graph.at(file, position)
            return {*parts.members} if number is None else {parts.part_of[number]}
        used = parts.used_by([file]) or parts.used_by(target.sources)
        return used if parts.drops(target) else used | {parts.kept}


def changed(folder: Path, files: Mapping[Path, bytes | None]) -> None:
    """Writes the files of a cut into a folder, and removes those that are gone. Raises `ToolError` for a file behind a
    link, which may lead out of the folder."""
    whole = folder.resolve()
    if linked := sorted(path.as_posix() for path in files if (folder / path).resolve() != whole / path):
        raise ToolError(
            f"The cut changes {linked[0]}, which is behind a link. Replace the link with what it leads to first."
        )
    for path, text in files.items():
        if text is None:
            (folder / path).unlink(missing_ok=True)
        else:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text)


def _added(source: SourceFile, lines: Iterable[str], first: int) -> list[Replacement]:
    """More imports, after those at the beginning of a file, or before its first piece."""
    text = "\n".join(lines)
    top = [each for each in source.imports if each.start < first and not source.conditions_at(each.start)]
    if not text:
        return []
    if top:
        return [Replacement(top[-1].end, top[-1].end, f"\n{text}".encode())]
    return [Replacement(first, first, f"{text}\n\n".encode())]
