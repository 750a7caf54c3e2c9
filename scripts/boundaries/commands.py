"""Finds the commands in a document: in shell blocks, and between backquotes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from boundaries.markdown_text import Document, Located

_SHELL = {"sh", "bash", "zsh", "shell", "console"}
_PROMPT = re.compile(r"\s*[$%] ")
_ASSIGNMENT = re.compile(r"\w+=")
_SEPARATORS = {"|", "||", "&&", ";", "&"}


def commands(document: Document) -> Iterator[tuple[int, list[str]]]:
    """The words of each simple command with its line. A pipe or a list is several commands."""
    for fence in document.fences:
        if fence.language in _SHELL:
            for line in _command_lines(fence):
                yield from ((line.line, words) for words in _simple_commands(line.text))
    for span in document.code_spans:
        yield from ((span.line, words) for words in _simple_commands(span.text))


def _command_lines(fence: Located) -> Iterator[Located]:
    """The lines that are typed; where there are prompts, the others are output."""
    lines = fence.text.splitlines()
    has_prompts = fence.language == "console" or any(_PROMPT.match(line) for line in lines)
    continued: Located | None = None
    for number, line in enumerate(lines, start=fence.line):
        if continued:
            current = Located(continued.line, f"{continued.text} {line}")
        elif has_prompts and not _PROMPT.match(line):
            continue
        else:
            current = Located(number, _PROMPT.sub("", line, count=1))
        continued = Located(current.line, current.text[:-1]) if current.text.endswith("\\") else None
        if continued is None:
            yield current


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
