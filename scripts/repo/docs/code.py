"""Code of source files in documents: snippets, and the lines that links name.

A snippet stands in its file between the comments `// snippet: <name>` and `// snippet: end` (or the same after `#`),
and in the document between `<!-- code: <path>#<name> -->` and `<!-- code: end -->`. Snippets may stand in one another.
Without a name, the whole file is shown.

A link to lines of a Swift file has the name of a declaration as its text, and gets that declaration's lines, from its
attributes to its end:

    [`LoginModule.register(in:)`](../Modules/Login/Implementation/LoginModule.swift#L10-L14)

Functions may be named without their labels where that is clear.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.syntax import SourceFile

from repo.docs.parts import Generated, lines_of

_MARKER = re.compile(r"\s*(?://|#)\s*snippet:(.*)")
_SNIPPET_NAME = re.compile(r"\w[\w.-]*")
_END = "end"
_LANGUAGES = {".json": "json", ".md": "markdown", ".py": "python", ".sh": "sh", ".swift": "swift", ".yml": "yaml"}
_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<path>[^()\s#:]+\.swift)#(?P<lines>L\d+(?:-L\d+)?)\)")
_LINKED_NAME = re.compile(r"`([^`]+)`")


def read_snippets(text: str, source: Path) -> Mapping[str, str]:
    """The code of a source file's text without markers: the whole of it under an empty name, and what stands under each
    name. `source` is the file's name in messages."""
    named: dict[str, list[str]] = {"": []}
    begun: dict[str, int] = {}
    open_names = [""]
    for number, line in enumerate(text.split("\n"), start=1):
        marker = _MARKER.fullmatch(line)
        if marker is None:
            for name in open_names:
                named[name].append(line)
            continue
        name, place = marker[1].strip(), f"{source}:{number}"
        if name == _END:
            if len(open_names) == 1:
                raise ToolError(f"{place}: No snippet ends here. Remove the line, or begin the snippet above it.")
            open_names.pop()
        elif not _SNIPPET_NAME.fullmatch(name):
            raise ToolError(f"{place}: '{name}' cannot name a snippet. Use letters, digits and hyphens.")
        elif name in begun:
            raise ToolError(f"{place}: The snippet '{name}' exists already, in line {begun[name]}. Rename one of them.")
        else:
            begun[name] = number
            named[name] = []
            open_names.append(name)
    if len(open_names) > 1:
        name = open_names[-1]
        raise ToolError(
            f"{source}:{begun[name]}: The snippet '{name}' is not ended. Add a line '// snippet: end' after its last "
            "line."
        )
    return {name: textwrap.dedent("\n".join(lines)).strip("\n") for name, lines in named.items()}


def code_block(reference: str, repository: Path) -> list[str]:
    """The named code of a file in a fence, such as that of `App/main.swift#start`."""
    name, _, snippet = reference.partition("#")
    source = Path(name)
    snippets = read_snippets(_read(source, repository), source)
    if snippet not in snippets:
        known = ", ".join(filter(None, snippets)) or "none"
        raise ToolError(
            f"{source} has no snippet '{snippet}' (it has: {known}). Correct the name, or put the lines between "
            f"'// snippet: {snippet}' and '// snippet: end' there."
        )
    code = snippets[snippet]
    if not code:
        raise ToolError(f"There is no code in {reference}. Put the lines that are meant into it.")
    # A fence ends at the first line with as many backquotes, so the code must have fewer.
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", code))])
    return [f"{fence}{_LANGUAGES.get(source.suffix, '')}", *code.split("\n"), fence]


def _read(source: Path, repository: Path) -> str:
    file = (repository / source).resolve()
    if not file.is_relative_to(repository.resolve()):
        raise ToolError(f"{source} is outside of the repository. Name a file by its path from the repository's folder.")
    if not file.is_file():
        raise ToolError(f"There is no file '{source}'. Name it by its path from the repository's folder.")
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ToolError(f"{source} is not UTF-8 text. Name a source file.") from error


@dataclass(frozen=True)
class LineLink:
    """A link to lines of a Swift file: its line, its text, the file, and where its own lines stand in the document."""

    line: int
    text: str
    source: Path
    start: int
    end: int

    def generated(self, document: Path, sources: Mapping[Path, SourceFile]) -> Generated:
        """The lines that it has to name."""
        try:
            lines = _lines_of(self.text, sources[self.source])
        except ToolError as error:
            error.args = (f"{document}:{self.line}: {error}",)
            raise
        return Generated(self.line, str(self.source), self.start, self.end, lines)


def line_links(text: str, document: Path, repository: Path) -> Iterator[LineLink]:
    """The links of a document's text to lines of Swift files, outside of fenced blocks; `document` is its path in the
    repository."""
    fenced = [is_fenced for _, _, _, is_fenced in lines_of(text)]
    for match in _LINK.finditer(text):
        line = text.count("\n", 0, match.start("lines")) + 1
        if fenced[line - 1]:
            continue
        source = Path(os.path.normpath(document.parent / match["path"]))
        if not (repository / source).is_file():
            raise ToolError(f"{document}:{line}: There is no file '{source}'. Correct the link, or remove it.")
        yield LineLink(line, match["text"], source, match.start("lines"), match.end("lines"))


def _lines_of(text: str, file: SourceFile) -> str:
    if file.problem:
        raise ToolError(f"{file.path} cannot be read, line {file.problem[0]}: {file.problem[1]}.")
    name = _LINKED_NAME.fullmatch(text)
    if name is None:
        raise ToolError(
            f"The link '{text}' leads to lines of {file.path}, and does not name a declaration there. Let its text be "
            "the name of one in backquotes, or link to the file."
        )
    named = {
        ".".join([*(owner.name for owner in owners), each.title]): each
        for each, owners in file.walk()
        if each.kind != "extension"
    }
    found = {path: each for path, each in named.items() if _is_meant(name[1], path)}
    if len(found) != 1:
        raise ToolError(
            f"{file.path} has no declaration {name[1]}. Correct the name, or link to the file."
            if not found
            else f"In {file.path}, {name[1]} may be any of {', '.join(found)}. Name one of them."
        )
    (declaration,) = found.values()
    first, last = file.lines.at(declaration.start), declaration.last_line
    return f"L{first}" if last == first else f"L{first}-L{last}"


def _is_meant(name: str, path: str) -> bool:
    """Whether a full name ends with a name, whose labels may be left out."""
    full = path if "(" in name else path.partition("(")[0]
    return full == name or full.endswith(f".{name}")
