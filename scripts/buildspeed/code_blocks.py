"""Finds the code in a document that comes from a source file, and says what it has to be.

    <!-- code: Modules/Login/Interface/SignIn.swift#sign-in -->
    ```swift
    …
    ```
    <!-- code: end -->

What follows `#` names a snippet of the file; without it, the whole file is shown. Markers inside a fenced block are
part of the text, as here, and mean nothing.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from buildspeed.failures import MeasurementError
from buildspeed.snippets import read_snippets

_MARKER = re.compile(r"(?P<indentation>\s*)<!--\s*code:\s*(?P<reference>.*?)\s*-->\s*")
_FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})(?P<rest>.*)")
_END = "end"
_LANGUAGES = {".json": "json", ".md": "markdown", ".py": "python", ".sh": "sh", ".swift": "swift", ".yml": "yaml"}


@dataclass(frozen=True)
class CodeBlock:
    """Code in a document, between its markers.

    `reference` is what its first marker names, `present` what stands between the markers, and `expected` what has
    to stand there.
    """

    line: int
    reference: str
    present: Sequence[str]
    expected: Sequence[str]


def code_blocks(text: str, document: Path, repository: Path) -> list[CodeBlock]:
    """The blocks of a document's text in their order; `document` is its name in messages."""
    lines = text.split("\n")
    blocks: list[CodeBlock] = []
    begin: re.Match[str] | None = None
    first = 0
    fence: str | None = None
    for number, line in enumerate(lines, start=1):
        fence, is_fenced = fence_after(line, fence), fence is not None
        marker = None if is_fenced else _MARKER.fullmatch(line)
        if marker is None:
            continue
        if marker["reference"] != _END:
            if begin is not None:
                break
            begin, first = marker, number
        elif begin is None:
            raise MeasurementError(
                f"{document}:{number}: No code ends here. Remove the line, "
                "or begin with '<!-- code: <path>#<snippet> -->' above it."
            )
        else:
            code = _code(begin["reference"], f"{document}:{first}", repository)
            expected = textwrap.indent(code, begin["indentation"]).split("\n")
            blocks.append(CodeBlock(first, begin["reference"], lines[first : number - 1], expected))
            begin = None
    if begin is not None:
        raise MeasurementError(
            f"{document}:{first}: The code that begins here is not ended. Add a line '<!-- code: end -->' after it"
            f"{', outside of the fence' if fence else ''}."
        )
    return blocks


def with_code(text: str, blocks: Sequence[CodeBlock]) -> str:
    """A document's text with the code of its sources between the markers."""
    lines = text.split("\n")
    for block in reversed(blocks):
        lines[block.line : block.line + len(block.present)] = block.expected
    return "\n".join(lines)


def fence_after(line: str, fence: str | None) -> str | None:
    """The fence that is open after a line, as CommonMark has it."""
    match = _FENCE.fullmatch(line)
    if match is None:
        return fence
    if fence is None:
        # Backquotes later in the line make it inline code.
        return None if match["fence"][0] == "`" and "`" in match["rest"] else match["fence"]
    return None if match["fence"].startswith(fence) and not match["rest"].strip() else fence


def _code(reference: str, place: str, repository: Path) -> str:
    """What has to stand between the markers: the named code in a fence."""
    name, separator, snippet = reference.partition("#")
    source = Path(name)
    snippets = read_snippets(_read(source, place, repository), source)
    code = snippets.named.get(snippet) if separator else snippets.whole
    if code is None:
        known = ", ".join(snippets.named) or "none"
        raise MeasurementError(
            f"{place}: {source} has no snippet '{snippet}' (it has: {known}). Correct the name, "
            f"or put the lines between '// snippet: {snippet}' and '// snippet: end' there."
        )
    if not code:
        raise MeasurementError(f"{place}: There is no code in {reference}. Put the lines that are meant into it.")
    # A fence ends at the first line with as many backquotes, so the code must have fewer.
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{_LANGUAGES.get(source.suffix, '')}\n{code}\n{fence}"


def _read(source: Path, place: str, repository: Path) -> str:
    root = repository.resolve()
    file = (root / source).resolve()
    if not file.is_relative_to(root):
        raise MeasurementError(
            f"{place}: {source} is outside of the repository. Name a file by its path from the repository's folder."
        )
    if not file.is_file():
        raise MeasurementError(
            f"{place}: There is no file '{source}'. Name it by its path from the repository's folder."
        )
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise MeasurementError(f"{place}: {source} is not UTF-8 text. Name a source file.") from error
