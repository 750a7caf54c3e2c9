"""Code of source files in documents.

A snippet stands in its file between the comments `// snippet: <name>` and `// snippet: end` (or the same after `#`),
and in the document between `<!-- code: <path>#<name> -->` and `<!-- code: end -->`. Snippets may stand in one another.
Without a name, the whole file is shown.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from pathlib import Path

from swiftmodules.errors import ToolError

_MARKER = re.compile(r"\s*(?://|#)\s*snippet:(.*)")
_SNIPPET_NAME = re.compile(r"\w[\w.-]*")
_END = "end"
_LANGUAGES = {".json": "json", ".md": "markdown", ".py": "python", ".sh": "sh", ".swift": "swift", ".yml": "yaml"}


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
        raise ToolError(f"{reference} has no code. Put the lines to show into it.")
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
