"""Links in documents: each leads to a file, folder or heading, and a link whose text is code leads to a Swift file that
has the words of the code.

    [`LoginModule.register(in:)`](../Modules/Login/Implementation/LoginModule.swift)
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

_SCHEME = re.compile(r"[a-zA-Z][\w+.-]*:|//")


def broken_links(repository: Path, document: Path, text: str) -> Iterator[tuple[int, str]]:
    """The links of a document's text that lead to nothing in the repository, each with its line and what is wrong."""
    for line, link, code in links(text):
        if not _SCHEME.match(link) and (problem := _problem(repository, document, text, link, code)):
            yield line, problem


def _problem(repository: Path, document: Path, text: str, link: str, code: str) -> str | None:
    name, _, anchor = unquote(link).partition("#")
    target = Path(os.path.normpath(document.parent / name)) if name else document
    if target.is_absolute() or ".." in target.parts:
        return f"The link leads out of the repository, to {target}. Link to its address, or remove it."
    if not (repository / target).exists():
        return f"The link leads to {target}, which does not exist. Correct the link, or remove it."
    if anchor and target.suffix == ".md":
        there = _anchors(text if target == document else (repository / target).read_text(encoding="utf-8"))
        if anchor not in there:
            return f"{target} has no heading '#{anchor}'. Correct the link, or remove it."
    elif anchor:
        return f"The link leads to a place in {target}, which any edit may move. Link to the file."
    elif target.suffix == ".swift":
        # The text may also be a path.
        missing = _words(code) - _words(f"{target} {(repository / target).read_text(encoding='utf-8')}")
        if missing:
            return f"{target} has no {' and no '.join(sorted(missing))}. Correct the text of the link, or the link."
    return None


def _words(code: str) -> set[str]:
    return set(re.findall(r"\w+", code))


def links(text: str) -> Iterator[tuple[int, str, str]]:
    """The targets of links and images, each with its line, and with the code that the text of a link begins with."""
    for token in _tokens(text):
        line = (token.map or [0])[0] + 1
        for child, following in pairwise([*(token.children or ()), Token("", "", 0)]):
            line += child.type in ("softbreak", "hardbreak")
            if child.type in ("link_open", "image"):
                code = following.content if following.type == "code_inline" else ""
                yield line, str(child.attrs.get("href") or child.attrs.get("src")), code


def _anchors(text: str) -> set[str]:
    """The names under which a link reaches a heading, as GitHub makes them."""
    headings = (following for token, following in pairwise(_tokens(text)) if token.type == "heading_open")
    titles = ("".join(child.content for child in heading.children or []) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@lru_cache(maxsize=256)
def _tokens(text: str) -> list[Token]:
    """Parses each text once."""
    return MarkdownIt("commonmark").enable("table").parse(text)
