"""Code of Swift files in documents.

A snippet stands in its file between the comments `// snippet: <name>` and `// snippet: end`, and in the document
between `<!-- code: <path>#<name> -->` and `<!-- code: end -->`.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from swiftmodules.errors import ToolError

_SNIPPET = re.compile(r"^ *// snippet: (\S+)\n((?:(?! *// snippet:).*\n)*) *// snippet: end$", re.M)


def code_block(reference: str, repository: Path) -> list[str]:
    """The named code of a file in a fence, such as that of `App/main.swift#start`."""
    name, _, snippet = reference.partition("#")
    source = Path(name)
    if not (repository / source).is_file():
        raise ToolError(f"There is no file '{source}'. Name it by its path from the repository's folder.")
    found = _SNIPPET.findall((repository / source).read_text(encoding="utf-8"))
    snippets = {name: textwrap.dedent(lines).strip("\n") for name, lines in found}
    if snippet not in snippets:
        known = ", ".join(snippets) or "none"
        raise ToolError(
            f"{source} has no snippet '{snippet}' (it has: {known}). Correct the name, or put the lines between "
            f"'// snippet: {snippet}' and '// snippet: end' there."
        )
    code = snippets[snippet]
    if not code:
        raise ToolError(f"{reference} has no code. Put the lines to show into it.")
    # A fence ends at the first line with as many backquotes, so the code must have fewer.
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", code))])
    return [f"{fence}swift", *code.split("\n"), fence]
