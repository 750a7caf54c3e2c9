"""A Markdown document, as the library parses it: its links, its headings, and what is in no fenced block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import count, pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

_HTML_ANCHOR = re.compile(r"<\w+[^>]*\s(?:id|name)=[\"']([^\"']+)[\"']")


def links(text: str) -> Iterator[tuple[int, str, str]]:
    """The targets of links and images, each with its line, and with the code that the text of a link begins with."""
    for token in _tokens(text):
        line = (token.map or [0])[0] + 1
        for child, following in pairwise([*(token.children or ()), Token("", "", 0)]):
            line += child.type in ("softbreak", "hardbreak")
            if child.type in ("link_open", "image"):
                code = following.content if following.type == "code_inline" else ""
                yield line, str(child.attrs.get("href") or child.attrs.get("src")), code


def anchors(text: str) -> set[str]:
    """The names under which a link reaches a heading, as GitHub makes them; those that are taken get a number."""
    found = set(_HTML_ANCHOR.findall(text))
    for token, following in pairwise(_tokens(text)):
        if token.type == "heading_open":
            words = "".join(child.content for child in following.children or [])
            name = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
            numbered = (f"{name}-{number}" for number in count(1))
            found.add(name if name not in found else next(each for each in numbered if each not in found))
    return found


def unfenced(text: str) -> Iterator[tuple[int, int, str]]:
    """Each line of a document outside of fenced blocks: its number, its offset, and its text."""
    fences = [range(*token.map) for token in _tokens(text) if token.type == "fence" and token.map]
    fenced = {number for lines in fences for number in lines}
    offset = 0
    for number, line in enumerate(text.split("\n")):
        if number not in fenced:
            yield number + 1, offset, line
        offset += len(line) + 1


@lru_cache(maxsize=256)
def _tokens(text: str) -> list[Token]:
    """Parses each text once."""
    return MarkdownIt("commonmark").enable("table").parse(text)
