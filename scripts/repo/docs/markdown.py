"""A Markdown document: its links, its headings, and the code and commands in it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

_HTML_ANCHOR = re.compile(r"<\w+[^>]*\s(?:id|name)=[\"']([^\"']+)[\"']")
_SHELL = {"sh", "bash", "console"}
_SEPARATORS = {"|", "||", "&&", ";", "&"}


@dataclass(frozen=True)
class Located:
    """A part of a document with its line."""

    line: int
    content: str


@dataclass(frozen=True)
class Document:
    """A Markdown document. The path is relative to the repository."""

    path: Path
    text: str

    @property
    def code_spans(self) -> list[Located]:
        """The text between backquotes in paragraphs, headings and tables."""
        return [found for kind, found in self._inline if kind == "code"]

    @property
    def links(self) -> list[Located]:
        """The targets of links and images."""
        return [found for kind, found in self._inline if kind == "link"]

    @cached_property
    def _inline(self) -> list[tuple[str, Located]]:
        lines = self.text.split("\n")
        return [found for token in _tokens(self.text) if token.type == "inline" for found in _parts(token, lines)]

    @cached_property
    def anchors(self) -> set[str]:
        """The names under which a link reaches a heading, as GitHub makes them."""
        anchors = set(_HTML_ANCHOR.findall(self.text))
        for token, following in pairwise(_tokens(self.text)):
            if token.type == "heading_open":
                words = "".join(child.content for child in following.children or [])
                anchors.add(re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-"))
        return anchors

    def commands(self) -> Iterator[tuple[int, list[str], bool]]:
        """The words of each simple command with its line, and whether it stands in a shell block. A pipe or a list is
        several commands."""
        for token in _tokens(self.text):
            language = token.info.strip().partition(" ")[0]
            if token.type == "fence" and token.map and language in _SHELL:
                for number, line in enumerate(token.content.splitlines(), start=token.map[0] + 2):
                    # In a console, lines without a prompt are output.
                    typed = line.removeprefix("$ ")
                    if language != "console" or typed != line:
                        yield from ((number, words, True) for words in _simple_commands(typed))
        for span in self.code_spans:
            yield from ((span.line, words, False) for words in _simple_commands(span.content))


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


def _parts(token: Token, lines: list[str]) -> Iterator[tuple[str, Located]]:
    current, last = token.map or [0, 0]
    for child in token.children or []:
        if child.type in ("softbreak", "hardbreak"):
            current += 1
        elif child.type == "code_inline":
            # A span over two lines has a space for their break, which therefore was not counted.
            word = (child.content.split() or [""])[0]
            current = next((number for number in range(current, last) if word in lines[number]), current)
            yield "code", Located(current + 1, child.content)
            current += 0 if child.content in lines[current] else 1
        elif child.type in ("link_open", "image"):
            yield "link", Located(current + 1, str(child.attrs.get("href") or child.attrs.get("src")))


def _simple_commands(text: str) -> Iterator[list[str]]:
    try:
        lexer = shlex.shlex(text, posix=True, punctuation_chars="|&;")
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return
    current: list[str] = []
    for word in [*words, ";"]:
        if word in _SEPARATORS:
            if current:
                yield current
            current = []
        # Variables before a command are not part of it.
        elif current or not re.match(r"\w+=", word):
            current.append(word)
