"""Finds the documentation of a declaration, and says whether it begins with a sentence of its own."""

from __future__ import annotations

import re

from boundaries.declarations import Declaration
from boundaries.swift_text import Lines

_ATTRIBUTES_ONLY = re.compile(r"\s*(?:@\w[\w.]*(?:\([^)]*\))?\s*)+")
_CODE = re.compile(r"(`+).*?\1")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|no)\.")
_BREAK = re.compile(r"[.!?][)\"'”’*_]*\s+(?=[^a-z\s])")
_END = re.compile(r"[.!?…][)\"'”’*_`]*$")
_LIST = re.compile(r"\s*-\s")


def documentation(declaration: Declaration, text: bytes, lines: Lines) -> list[str]:
    """The lines of the comment directly above a declaration and its attributes, without the marks of a comment."""
    above = text[: lines.start(lines.at(declaration.start))].decode(errors="replace").splitlines()
    while above and _ATTRIBUTES_ONLY.fullmatch(above[-1]):
        above.pop()
    if above and above[-1].rstrip().endswith("*/"):
        return _block(above)
    found: list[str] = []
    while above and above[-1].lstrip().startswith("///"):
        found.insert(0, above.pop().strip().removeprefix("///").removeprefix(" "))
    return found


def summary(documentation: list[str]) -> str:
    """The first paragraph, on one line."""
    paragraph: list[str] = []
    for line in documentation:
        if _LIST.match(line) or (not line.strip() and paragraph):
            break
        paragraph.append(line.strip())
    return " ".join(paragraph).strip()


def is_one_sentence(summary: str) -> bool:
    """Whether a summary ends like a sentence and has no other one in it; code between backquotes is a word."""
    plain = _ABBREVIATION.sub("", _CODE.sub("Code", summary))
    return bool(_END.search(plain)) and not _BREAK.search(plain)


def _block(above: list[str]) -> list[str]:
    found: list[str] = []
    while above:
        line = above.pop().strip()
        begins = line.startswith("/*")
        if begins and not line.startswith("/**"):
            return []
        found.insert(0, line.removeprefix("/**").removesuffix("*/").removeprefix("*").strip())
        if begins:
            return found
    return []
