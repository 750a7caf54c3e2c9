"""The two lists of modules: that of `Package.swift`, and the module entries in `App/Composition.swift`.

They are read line by line, which is enough for files that are laid out as `swift format` does it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from repo.scaffold.changes import RefusedError

MANIFEST, COMPOSITION = "Package.swift", "App/Composition.swift"
# Every target may import its interface, so no module names it.
ROUTER = "RouterService"

_COMMENT = r"//[^\n]*"
_NAMES = r'\[\s*(?:"\w+"\s*,?\s*)*\]'
_ALTERNATIVE = rf'"(\w+)"\s*:\s*({_NAMES})\s*,?\s*'
# By file: where its list begins, just behind the opening bracket, what an entry is, and its name in messages.
_LISTS = {
    MANIFEST: (
        re.compile(r"^let modules = \[", re.MULTILINE),
        re.compile(
            rf'\AModule\(\s*"(?P<name>\w+)"(?:,\s*uses:\s*(?P<uses>{_NAMES}))?'
            rf"(?:,\s*alternatives:\s*(?P<alternatives>\[\s*(?:{_ALTERNATIVE})*\]))?\s*\)\Z"
        ),
        "module",
    ),
    COMPOSITION: (
        re.compile(rf"-> \[any Module\] \{{(?:\s|{_COMMENT})*\["),
        re.compile(r"\b(?P<name>\w+)Module\((?P<uses>)(?P<alternatives>)"),
        "module entry",
    ),
}
_IMPORT = re.compile(rf"^import (\w+)[ \t]*(?:{_COMMENT})?\n", re.MULTILINE)
# A string, which may hold what looks like a comment, or a comment.
_STRING_OR_COMMENT = re.compile(rf'("(?:\\.|[^"\\\n])*")|{_COMMENT}|/\*.*?\*/')


@dataclass(frozen=True)
class ListedModule:
    """A module as a list has it: its entry without the comma and comments, and its lines, of which `end` is the one
    after the last."""

    name: str
    uses: tuple[str, ...]
    # Each with the modules that it alone uses.
    alternatives: Mapping[str, Sequence[str]]
    text: str
    start: int
    end: int

    @property
    def used(self) -> set[str]:
        """The modules that any of its implementations uses."""
        return {*self.uses, *chain.from_iterable(self.alternatives.values())}

    @property
    def targets(self) -> tuple[str, ...]:
        suffixes = ("Interface", "Testing", "Tests", "Implementation", *self.alternatives)
        return tuple(self.name + suffix for suffix in suffixes)


@dataclass(frozen=True)
class ModuleList:
    """An array literal whose entries stand on lines of their own, each with a comma behind it."""

    path: str
    lines: Sequence[str]
    # The line after that of the opening bracket, and the indentation of the entries.
    start: int
    margin: str
    modules: Sequence[ListedModule]

    @property
    def names(self) -> list[str]:
        return [module.name for module in self.modules]

    def adding(self, name: str, text: str) -> str:
        """The file with one more entry in alphabetical order, upper and lower case alike.

        It stands directly behind the one before, so that a comment above the next one stays with that. Raises
        `RefusedError` where the entries are in another order.
        """
        for earlier, later in pairwise(self.names):
            if later.casefold() < earlier.casefold():
                raise RefusedError(
                    f"The list of modules in {self.path} is not alphabetical: '{later}' comes after '{earlier}'. "
                    "Sort it."
                )
        line = max([self.start, *(each.end for each in self.modules if each.name.casefold() < name.casefold())])
        return "".join([*self.lines[:line], f"{self.margin}{text},\n", *self.lines[line:]])

    def removing(self, module: ListedModule) -> str:
        """The file without an entry."""
        return "".join([*self.lines[: module.start], *self.lines[module.end :]])


def read_list(text: str, path: str) -> ModuleList:
    """Reads the list of a file.

    Raises `RefusedError` for a file without a list or with several, and for a list that has anything but plain entries
    or is laid out in another way.
    """
    opening, pattern, kind = _LISTS[path]
    found = list(opening.finditer(text))
    if len(found) != 1:
        raise RefusedError(f"{path} has {'several lists' if found else 'no list'} of modules that can be read.")
    lines, begin = text.splitlines(keepends=True), found[0].end()
    start = text.count("\n", 0, begin) + 1
    indentation = _indentation(lines[start - 1])
    if _without_comments(text[begin:].partition("\n")[0]).strip():
        raise RefusedError(f"{path}:{start}: the first entry of the list must stand on a line of its own.")
    entries: list[tuple[str, int, int]] = []
    for number, line in enumerate(lines[start:], start=start):
        code = _without_comments(line).strip()
        if not code:
            continue
        if _indentation(line) <= indentation:
            if not code.startswith("]"):
                break
            modules = [_module(*entry, path, pattern, kind) for entry in entries]
            if path == MANIFEST and len({module.name for module in modules}) < len(modules):
                raise RefusedError(f"{path} lists a module twice. Remove one of the two entries.")
            return ModuleList(path, lines, start, " " * (indentation + 4), modules)
        if _indentation(line) == indentation + 4 and code[0] not in ")]}":
            entries.append((code, number, number + 1))
        elif entries:
            entries[-1] = (f"{entries[-1][0]} {code}", entries[-1][1], number + 1)
        else:
            break
    raise RefusedError(f"{path}:{start}: the list that begins here cannot be read to its end.")


def _module(entry: str, start: int, end: int, path: str, pattern: re.Pattern[str], kind: str) -> ListedModule:
    if not entry.endswith(","):
        raise RefusedError(f"{path}:{start + 1}: put a comma after this entry of the list.")
    entry = entry.removesuffix(",")
    match = pattern.search(entry)
    if match is None:
        raise RefusedError(f"{path}:{start + 1}: this is not read as a {kind}: {entry}")
    alternatives = {name: _names(uses) for name, uses in re.findall(_ALTERNATIVE, match["alternatives"] or "")}
    return ListedModule(match["name"], _names(match["uses"] or ""), alternatives, entry, start, end)


def _names(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text))


def adding_entry(text: str, name: str) -> str:
    """The composition with a module's entry, and the import of the implementation that has it."""
    text = read_list(text, COMPOSITION).adding(name, f"{name}Module()")
    target, imports = f"{name}Implementation", list(_IMPORT.finditer(text))
    if not imports:
        raise RefusedError(f"{COMPOSITION} has no line 'import …' beside which '{target}' could be imported.")
    before = [match for match in imports if match[1] < target]
    position = before[-1].end() if before else imports[0].start()
    return f"{text[:position]}import {target}\n{text[position:]}"


def removing_entry(text: str, module: ListedModule) -> str:
    """The composition without a module of the manifest and the imports of its targets.

    Raises `RefusedError` where it has more of the module than `adding_entry` writes.
    """
    listed, name = read_list(text, COMPOSITION), module.name
    plain = [entry for entry in listed.modules if entry.text == f"{name}Module()"]
    if len(plain) != 1:
        raise RefusedError(
            f"{COMPOSITION} has no entry that is just '{name}Module()'. Take the module out of it first."
        )
    targets = "|".join(module.targets)
    text = re.sub(rf"^import (?:{targets})\n", "", listed.removing(plain[0]), flags=re.MULTILINE)
    for line in text.splitlines():
        if re.search(rf"\b{name}(?:Module)?\b|\b(?:{targets})\b", _without_comments(line)):
            raise RefusedError(f"{COMPOSITION} has more of {name} than its entry: '{line.strip()}'. Change that first.")
    return text


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _without_comments(code: str) -> str:
    return _STRING_OR_COMMENT.sub(lambda match: match[1] or "", code)
