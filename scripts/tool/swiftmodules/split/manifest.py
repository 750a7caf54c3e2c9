"""The manifest of a package after a target is cut, where its targets are written out and not made by a program."""

from __future__ import annotations

import re
from collections.abc import Sequence

from swiftmodules.split.cut import Cut

_TARGET = re.compile(r"\.(?:target|executableTarget|testTarget)\s*\(")
_NAME = re.compile(r'\bname:\s*"([^"]+)"')
_NEEDS = re.compile(r"\bdependencies:\s*\[")
_HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
# What the new targets do not take over.
_OWN = re.compile(r',\s*(?:exclude|sources|resources|plugins|publicHeadersPath|path):\s*(?:"[^"]*"|\[[^\[\]]*\]|\w+)')


def cut_manifest(text: str, cut: Cut) -> tuple[str, list[str]]:
    """The text of a manifest with a target for each part, on which the users of the target depend that need it; and the
    changes for which it has no place."""
    parts, target, calls = cut.parts, cut.graph.target, _calls(text)
    missing: list[str] = []
    made: dict[str, str] = {}

    def change(name: str, told: str, changed: str | None) -> None:
        if changed is None:
            missing.append(f"{name}: {told}")
        else:
            made[name] = changed

    own = calls.get(target)
    listed = ", ".join(f'.target(name: "{parts.names[part]}")' for part in parts.below)
    kept = parts.named_by(parts.kept)
    new = own and ",\n        ".join([*(_part(own, cut, part) for part in parts.below), _with_needs(own, kept)])
    change(target, f"before it, {listed}, with its settings; it depends on {', '.join(kept)}", new)
    for user in parts.package.targets:
        used = cut.needed_by(user.name)
        if not used or target not in parts.package.dependencies_of(user.name):
            continue
        own = calls.get(user.name)
        if cut.parts.drops(user.name):
            change(user.name, f"{_quoted(used)} in place of {target}", own and _instead(own, target, used))
        else:
            change(user.name, f"{_quoted(used)} beside {target}", own and _with_needs(own, used))
    for name, changed in made.items():
        text = text.replace(calls[name], changed, 1)
    return text, missing


def _calls(text: str) -> dict[str, str]:
    """The calls that make targets, by their names; those inside others are dependencies."""
    mask, last = _masked(text), 0
    found: dict[str, str] = {}
    for match in _TARGET.finditer(mask):
        if match.start() >= last:
            last = _closing(mask, match.end(), "()")
            if name := _NAME.search(text, match.end(), last):
                found.setdefault(name[1], text[match.start() : last])
    return found


def _masked(text: str) -> str:
    """The text with blanks for comments and literals."""
    return _HIDDEN.sub(lambda match: " " * len(match[0]), text)


def _closing(mask: str, position: int, brackets: str) -> int:
    """The position behind the bracket that closes the one before a position."""
    depth = 1
    while depth and position < len(mask):
        depth += {brackets[0]: 1, brackets[1]: -1}.get(mask[position], 0)
        position += 1
    return position


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{each}"' for each in names)


def _with_needs(own: str, names: Sequence[str]) -> str:
    """A call that makes a target, with more dependencies."""
    if not names:
        return own
    if needs := _NEEDS.search(own):
        rest = own[needs.end() :]
        between = "" if rest.lstrip().startswith("]") else ", "
        blank = rest[: len(rest) - len(rest.lstrip())] if between else ""
        return f"{own[: needs.end()]}{blank}{_quoted(names)}{between}{rest.lstrip() if between else rest}"
    return _NAME.sub(lambda each: f"{each[0]}, dependencies: [{_quoted(names)}]", own, count=1)


def _instead(own: str, target: str, names: Sequence[str]) -> str | None:
    """A call that makes a target, with some dependencies in place of one; None where that one is not written out."""
    needs = _NEEDS.search(own)
    if needs is None:
        return None
    end = _closing(_masked(own), needs.end(), "[]")
    name = re.escape(target)
    whole = re.compile(rf'\.(?:target|byName)\(\s*name:\s*"{name}"\s*\)|(?<!: )"{name}"(?=\s*[,\]])')
    changed, count = whole.subn(_quoted(names), own[needs.end() : end], count=1)
    return f"{own[: needs.end()]}{changed}{own[end:]}" if count else None


def _part(own: str, cut: Cut, part: int) -> str:
    """The call that makes a part, as that of the target, with what it needs."""
    needed = cut.parts.named_by(part)
    made = _OWN.sub("", own.replace(".executableTarget", ".target", 1))
    made = _with_needs(_NAME.sub(f'name: "{cut.parts.names[part]}"', made, count=1), needed)
    needs, name = _NEEDS.search(made), _NAME.search(made)
    # The path comes after the dependencies.
    end = _closing(_masked(made), needs.end(), "[]") if needs else name.end() if name else 0
    return f'{made[:end]}, path: "{cut.folder(part).as_posix()}"{made[end:]}'
