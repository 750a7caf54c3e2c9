"""The manifest of a package after a target is cut, where its targets are written out and not made by a program."""

from __future__ import annotations

import re
from collections.abc import Sequence

from swiftmodules.split.cut import Cut

# Comments and literals.
_HIDDEN = r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"'
_CALL = re.compile(rf"{_HIDDEN}|(\.(?:target|executableTarget|testTarget)\s*\()", re.DOTALL)
_BRACKET = re.compile(rf"{_HIDDEN}|[()\[\]]", re.DOTALL)
_NAME = re.compile(r'\bname:\s*"([^"]+)"')
_NEEDS = re.compile(r"\bdependencies:\s*\[\s*")
# What the new targets do not take over.
_OWN = re.compile(r',\s*(?:exclude|sources|resources|plugins|publicHeadersPath|path):\s*(?:"[^"]*"|\[[^\[\]]*\]|\w+)')


def cut_manifest(text: str, cut: Cut) -> tuple[str, list[str]]:
    """The text of a manifest with a target for each part, on which the users of the target depend that need it; and the
    changes for which it has no place."""
    parts, target, places = cut.parts, cut.graph.target, _calls(text)
    calls = {name: text[start:end] for name, (start, end) in places.items()}
    changed: dict[str, str] = {}
    missing: list[str] = []

    def change(name: str, told: str, call: str | None) -> None:
        if call is None:
            missing.append(f"{name}: {told}")
        else:
            changed[name] = call

    own = calls.get(target)
    listed = ", ".join(f'.target(name: "{parts.names[part]}")' for part in parts.below)
    kept = parts.named_by(parts.kept)
    new = own and ",\n        ".join([*(_part(own, cut, part) for part in parts.below), _with_needs(own, kept)])
    change(target, f"before it, {listed}, with its settings; it depends on {', '.join(kept)}", new)
    for user in parts.package.targets:
        used, own = sorted(parts.names[each] for each in parts.needed_by(user)), calls.get(user.name)
        if not used or target not in parts.package.dependencies_of(user.name):
            continue
        if parts.drops(user):
            change(user.name, f"{_quoted(used)} in place of {target}", own and _instead(own, target, used))
        else:
            change(user.name, f"{_quoted(used)} beside {target}", own and _with_needs(own, used))
    for name, (start, end) in reversed(places.items()):
        text = text[:start] + changed.get(name, calls[name]) + text[end:]
    return text, missing


def _calls(text: str) -> dict[str, tuple[int, int]]:
    """The starts and ends of calls that make targets, by their names; those inside others are dependencies."""
    found, last = dict[str, tuple[int, int]](), 0
    for match in _CALL.finditer(text):
        if match[1] and match.start() >= last:
            last = _closing(text, match.end())
            if name := _NAME.search(text, match.end(), last):
                found.setdefault(name[1], (match.start(), last))
    return found


def _closing(text: str, position: int) -> int:
    """The position behind the bracket that closes the one before a position."""
    depth = 1
    for match in _BRACKET.finditer(text, position):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(text)


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{each}"' for each in names)


def _with_needs(own: str, names: Sequence[str]) -> str:
    """A call that makes a target, with more dependencies."""
    if not names:
        return own
    if needs := _NEEDS.search(own):
        rest = own[needs.end() :]
        between = "" if rest.startswith("]") else ", "
        return f"{own[: needs.end()]}{_quoted(names)}{between}{rest}"
    return _NAME.sub(lambda each: f"{each[0]}, dependencies: [{_quoted(names)}]", own, count=1)


def _instead(own: str, target: str, names: Sequence[str]) -> str | None:
    """A call that makes a target, with some dependencies in place of one; None where that one is not written out."""
    needs = _NEEDS.search(own)
    if needs is None:
        return None
    end = _closing(own, needs.end())
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
    end = _closing(made, needs.end()) if needs else name.end() if name else 0
    return f'{made[:end]}, path: "{cut.folder(part).as_posix()}"{made[end:]}'
