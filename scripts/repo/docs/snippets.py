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
_END = "end"
_LANGUAGES = {".json": "json", ".md": "markdown", ".py": "python", ".sh": "sh", ".swift": "swift", ".yml": "yaml"}


def read_snippets(text: str, source: Path) -> Mapping[str, str]:
    """The code of a source file's text without markers: the whole of it under an empty name, and what stands under each
    name. `source` is the file's name in messages."""
    named: dict[str, list[str]] = {"": []}
    open_names = [""]
    for number, line in enumerate(text.split("\n"), start=1):
        marker = _MARKER.fullmatch(line)
        if marker is None:
            for name in open_names:
                named[name].append(line)
        elif (name := marker[1].strip()) != _END:
            named[name] = []
            open_names.append(name)
        elif len(open_names) > 1:
            open_names.pop()
        else:
            raise ToolError(f"{source}:{number}: No snippet ends here. Remove the line, or begin one above it.")
    if len(open_names) > 1:
        raise ToolError(f"{source}: The snippet '{open_names[-1]}' is not ended. Add a line '// snippet: end'.")
    return {name: textwrap.dedent("\n".join(lines)).strip("\n") for name, lines in named.items()}


def code_block(reference: str, repository: Path) -> list[str]:
    """The named code of a file in a fence, such as that of `App/main.swift#start`."""
    name, _, snippet = reference.partition("#")
    source = Path(name)
    if not (repository / source).is_file():
        raise ToolError(f"There is no file '{source}'. Name it by its path from the repository's folder.")
    snippets = read_snippets((repository / source).read_text(encoding="utf-8"), source)
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
