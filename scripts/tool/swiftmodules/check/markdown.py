"""A Markdown document: its links, its headings, and the code and commands in it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

_HTML_ANCHOR = re.compile(r"<\w+[^>]*\s(?:id|name)=[\"']([^\"']+)[\"']")
_NOT_IN_ANCHOR = re.compile(r"[^\w\- ]")
_SHELL = {"sh", "bash", "zsh", "shell", "console"}
_PROMPT = re.compile(r"\s*[$%] ")
_ASSIGNMENT = re.compile(r"\w+=")
_SEPARATORS = {"|", "||", "&&", ";", "&"}


@dataclass(frozen=True)
class Located:
    """A part of a document with its line. `language` is that of a fenced block."""

    line: int
    content: str
    language: str = ""


@dataclass(frozen=True)
class Document:
    """A Markdown document. The path is relative to the package."""

    path: Path
    text: str

    @cached_property
    def code_spans(self) -> list[Located]:
        """What stands between backquotes in a paragraph, a heading or a table."""
        return [found for kind, found in self._inline if kind == "code_inline"]

    @cached_property
    def links(self) -> list[Located]:
        """The targets of links and images."""
        return [found for kind, found in self._inline if kind == "link"]

    @cached_property
    def fences(self) -> list[Located]:
        """Fenced blocks; the line is that of their first line of code."""
        return [
            Located(token.map[0] + 2, token.content, token.info.strip().partition(" ")[0])
            for token in self._tokens
            if token.type == "fence" and token.map
        ]

    @cached_property
    def anchors(self) -> set[str]:
        """The names under which a link reaches a heading, as GitHub makes them."""
        found: dict[str, int] = {}
        anchors = set(_HTML_ANCHOR.findall(self.text))
        for token, following in zip(self._tokens, self._tokens[1:], strict=False):
            if token.type == "heading_open":
                words = "".join(child.content for child in following.children or [])
                anchor = _NOT_IN_ANCHOR.sub("", words.lower()).replace(" ", "-")
                count = found.get(anchor, 0)
                found[anchor] = count + 1
                anchors.add(f"{anchor}-{count}" if count else anchor)
        return anchors

    def commands(self) -> Iterator[tuple[int, list[str], bool]]:
        """The words of each simple command with its line, and whether it stands in a shell block. A pipe or a list is
        several commands."""
        for fence in self.fences:
            if fence.language in _SHELL:
                for line, text in _command_lines(fence):
                    yield from ((line, words, True) for words in _simple_commands(text))
        for span in self.code_spans:
            yield from ((span.line, words, False) for words in _simple_commands(span.content))

    @cached_property
    def _tokens(self) -> list[Token]:
        return MarkdownIt("commonmark").enable("table").parse(self.text)

    @cached_property
    def _inline(self) -> list[tuple[str, Located]]:
        lines = self.text.split("\n")
        return [
            found for token in self._tokens if token.type == "inline" and token.map for found in _parts(token, lines)
        ]


def _parts(token: Token, lines: list[str]) -> Iterator[tuple[str, Located]]:
    first, last = token.map or [0, 0]
    current = first
    for child in token.children or []:
        if child.type in ("softbreak", "hardbreak"):
            current += 1
        elif child.type == "code_inline":
            # A span over two lines has a space for their break, which therefore was not counted.
            word = (child.content.split() or [""])[0]
            current = next((number for number in range(current, last) if word in lines[number]), current)
            yield child.type, Located(current + 1, child.content)
            current += 0 if child.content in lines[current] else 1
        elif child.type in ("link_open", "image"):
            target = child.attrs.get("href") or child.attrs.get("src")
            yield "link", Located(current + 1, str(target))


def _command_lines(fence: Located) -> Iterator[tuple[int, str]]:
    """The lines that are typed; where there are prompts, the others are output."""
    lines = fence.content.splitlines()
    has_prompts = fence.language == "console" or any(_PROMPT.match(line) for line in lines)
    continued: tuple[int, str] | None = None
    for number, line in enumerate(lines, start=fence.line):
        if continued:
            first, text = continued[0], f"{continued[1]} {line}"
        elif has_prompts and not _PROMPT.match(line):
            continue
        else:
            first, text = number, _PROMPT.sub("", line, count=1)
        continued = (first, text[:-1]) if text.endswith("\\") else None
        if continued is None:
            yield first, text


def _simple_commands(text: str) -> Iterator[list[str]]:
    try:
        lexer = shlex.shlex(text, posix=True, punctuation_chars="|&;")
        lexer.whitespace_split = True
        lexer.commenters = "#"
        words: Sequence[str] = list(lexer)
    except ValueError:
        return
    current: list[str] = []
    for word in [*words, ";"]:
        if word in _SEPARATORS:
            if current:
                yield current
            current = []
        elif current or not _ASSIGNMENT.match(word):
            current.append(word)
