"""The two lists of modules: that of `Package.swift`, and the module entries in `App/Composition.swift`.

They are read line by line, which is enough for files that are laid out as `swift format` does it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from repo.scaffold.changes import RefusedError

MANIFEST, COMPOSITION = "Package.swift", "App/Composition.swift"
# Every target may import its interface, so no module names it.
ROUTER = "RouterService"

_COMMENT = r"//[^\n]*"
_MODULES = re.compile(r"^let modules = \[", re.MULTILINE)
_ENTRIES = re.compile(rf"-> \[any Module\] \{{(?:\s|{_COMMENT})*\[")
_NAMES = r'\[\s*(?:"\w+"\s*,?\s*)*\]'
_MODULE = re.compile(
    rf'Module\(\s*"(?P<name>\w+)"(?:,\s*uses:\s*(?P<uses>{_NAMES}))?'
    rf"(?:,\s*alternatives:\s*(?P<alternatives>{_NAMES}))?\s*\)"
)
_ENTRY = re.compile(r"\b(\w+)Module\(")
_IMPORT = re.compile(rf"^import (\w+)[ \t]*(?:{_COMMENT})?\n", re.MULTILINE)
# A string, which may hold what looks like a comment, or a comment.
_STRING_OR_COMMENT = re.compile(rf'("(?:\\.|[^"\\\n])*")|{_COMMENT}|/\*.*?\*/')


@dataclass(frozen=True)
class Entry:
    """An entry without its comma and comments, and its lines: `end` is the one after the last."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class SwiftList:
    """An array literal whose entries stand on lines of their own, each with a comma behind it."""

    lines: Sequence[str]
    # The line after that of the opening bracket, and the indentation of the entries.
    start: int
    margin: str
    entries: Sequence[Entry]

    def inserting(self, text: str, at: int) -> str:
        """The file with one more entry, which becomes the entry of an index.

        It stands directly behind the one before, so that a comment above the next one stays with that.
        """
        line = self.entries[at - 1].end if at > 0 else self.start
        return "".join([*self.lines[:line], f"{self.margin}{text},\n", *self.lines[line:]])

    def removing(self, entry: Entry) -> str:
        """The file without an entry."""
        return "".join([*self.lines[: entry.start], *self.lines[entry.end :]])


@dataclass(frozen=True)
class ListedModule:
    """A module as the manifest lists it."""

    name: str
    uses: tuple[str, ...]
    alternatives: tuple[str, ...]
    entry: Entry

    @property
    def targets(self) -> tuple[str, ...]:
        suffixes = ("Interface", "Testing", "Tests", "Implementation", *self.alternatives)
        return tuple(self.name + suffix for suffix in suffixes)


@dataclass(frozen=True)
class Manifest:
    """The text of a manifest, and the modules that it lists."""

    listing: SwiftList
    modules: tuple[ListedModule, ...]

    def module(self, name: str) -> ListedModule | None:
        return next((module for module in self.modules if module.name == name), None)

    @property
    def names(self) -> list[str]:
        return [module.name for module in self.modules]

    def adding(self, name: str, uses: tuple[str, ...]) -> str:
        """The text with one more module, in its place."""
        names = ", ".join(f'"{each}"' for each in uses)
        entry = f'Module("{name}", uses: [{names}])' if uses else f'Module("{name}")'
        return self.listing.inserting(entry, _place_among(self.names, name, MANIFEST))

    def removing(self, module: ListedModule) -> str:
        """The text without a module. Raises `RefusedError` where it names one of its targets elsewhere."""
        text = self.listing.removing(module.entry)
        for target in module.targets:
            if f'"{target}"' in text:
                raise RefusedError(f"{MANIFEST} names {target} besides the list. Change that first.")
        return text


def read_manifest(text: str) -> Manifest:
    """Reads the modules. Raises `RefusedError` for a list that has anything but plain entries."""
    listing = _read_list(text, _MODULES, MANIFEST)
    modules = []
    for entry in listing.entries:
        match = _MODULE.fullmatch(entry.text)
        if match is None:
            raise RefusedError(f"{MANIFEST}:{entry.start + 1}: this is not read as a module: {entry.text}")
        uses, alternatives = (tuple(re.findall(r"\w+", match[key] or "")) for key in ("uses", "alternatives"))
        modules.append(ListedModule(match["name"], uses, alternatives, entry))
    if len({module.name for module in modules}) < len(modules):
        raise RefusedError(f"{MANIFEST} lists a module twice. Remove one of the two entries.")
    return Manifest(listing, tuple(modules))


def adding_entry(text: str, name: str) -> str:
    """The composition with a module's entry, and the import of the implementation that has it."""
    listing = _read_list(text, _ENTRIES, COMPOSITION)
    keys = []
    for entry in listing.entries:
        key = _ENTRY.search(entry.text)
        if key is None:
            raise RefusedError(f"{COMPOSITION}:{entry.start + 1}: this is not read as a module entry: {entry.text}")
        keys.append(key[1])
    text = listing.inserting(f"{name}Module()", _place_among(keys, name, COMPOSITION))
    target, imports = f"{name}Implementation", list(_IMPORT.finditer(text))
    if not imports:
        raise RefusedError(f"{COMPOSITION} has no line 'import …' beside which '{target}' could be imported.")
    before = [match for match in imports if match[1] < target]
    position = before[-1].end() if before else imports[0].start()
    return f"{text[:position]}import {target}\n{text[position:]}"


def removing_entry(text: str, module: ListedModule) -> str:
    """The composition without a module and the imports of its targets.

    Raises `RefusedError` where it has more of the module than `adding_entry` writes.
    """
    listing, name = _read_list(text, _ENTRIES, COMPOSITION), module.name
    plain = [entry for entry in listing.entries if entry.text == f"{name}Module()"]
    if len(plain) != 1:
        raise RefusedError(
            f"{COMPOSITION} has no entry that is just '{name}Module()'. Take the module out of it first."
        )
    text = listing.removing(plain[0])
    for target in module.targets:
        text = re.sub(rf"^import {target}\n", "", text, count=1, flags=re.MULTILINE)
    for line in text.splitlines():
        if re.search(rf"\b{name}(?:Module)?\b|\b(?:{'|'.join(module.targets)})\b", _without_comments(line)):
            raise RefusedError(f"{COMPOSITION} has more of {name} than its entry: '{line.strip()}'. Change that first.")
    return text


def _read_list(text: str, opening: re.Pattern[str], path: str) -> SwiftList:
    """Reads the only list that begins where a pattern ends, which is just behind the opening bracket.

    Raises `RefusedError` where there is none, or several, or one that is laid out in another way.
    """
    found = list(opening.finditer(text))
    if len(found) != 1:
        raise RefusedError(f"{path} has {'several lists' if found else 'no list'} of modules that can be read.")
    lines = text.splitlines(keepends=True)
    start = text.count("\n", 0, found[0].end()) + 1
    rest = text[found[0].end() :].partition("\n")[0]
    margin = re.match(r" *", lines[start - 1])[0] + "    "  # type: ignore[index]  # it always matches
    if _without_comments(rest).strip():
        raise RefusedError(f"{path}:{start}: the first entry of the list must stand on a line of its own.")
    entries: list[Entry] = []
    for number, line in enumerate(lines[start:], start=start):
        code = _without_comments(line).strip()
        indentation = len(line) - len(line.lstrip())
        if not code:
            continue
        if indentation < len(margin):
            if not code.startswith("]"):
                break
            return SwiftList(lines, start, margin, [_complete(entry, path) for entry in entries])
        if indentation > len(margin) or code[0] in ")]}":
            if not entries:
                break
            entries[-1] = Entry(f"{entries[-1].text} {code}", entries[-1].start, number + 1)
        else:
            entries.append(Entry(code, number, number + 1))
    raise RefusedError(f"{path}:{start}: the list that begins here cannot be read to its end.")


def _complete(entry: Entry, path: str) -> Entry:
    if not entry.text.endswith(","):
        raise RefusedError(f"{path}:{entry.start + 1}: put a comma behind this entry of the list.")
    return Entry(entry.text.removesuffix(","), entry.start, entry.end)


def _without_comments(code: str) -> str:
    return _STRING_OR_COMMENT.sub(lambda match: match[1] or "", code)


def _place_among(keys: Sequence[str], key: str, path: str) -> int:
    """The index at which a key keeps keys in alphabetical order, upper and lower case alike.

    Raises `RefusedError` where they are not in that order now.
    """
    for earlier, later in pairwise(keys):
        if later.casefold() < earlier.casefold():
            raise RefusedError(
                f"The list of modules in {path} is not alphabetical: '{later}' stands behind '{earlier}'. Sort it."
            )
    return len([each for each in keys if each.casefold() < key.casefold()])
