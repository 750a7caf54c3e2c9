"""Links in documents: each leads to a file, folder or heading, and a link whose text is code leads to a Swift file that
has the words of the code.

    [`LoginModule.register(in:)`](../Modules/Login/Implementation/LoginModule.swift)
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from repo.docs.markdown import anchors, links

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
        there = anchors(text if target == document else (repository / target).read_text(encoding="utf-8"))
        if anchor.removeprefix("user-content-") not in there:
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
