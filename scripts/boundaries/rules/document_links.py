"""Links in documents lead to files, headings and lines that exist."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from boundaries.findings import Finding
from boundaries.markdown_text import Document, Located
from boundaries.rules.documents import documents, exists
from boundaries.rules.rule import Rule
from boundaries.subject import Subject

_SCHEME = re.compile(r"[a-zA-Z][\w+.-]*:|//")
_LINES = re.compile(r"L(\d+)(?:-L(\d+))?")


def links_lead_somewhere(subject: Subject) -> Iterator[Finding]:
    for document in documents(subject):
        for link in document.links:
            if not _SCHEME.match(link.text):
                complaint = _complaint(document, link, subject)
                if complaint:
                    message, fix = complaint
                    yield Finding(document.path, link.line, "document-link", message, fix)


def _complaint(document: Document, link: Located, subject: Subject) -> tuple[str, str] | None:
    name, _, anchor = unquote(link.text).partition("#")
    target = Path(os.path.normpath(document.path.parent / name)) if name else document.path
    if not exists(target, subject):
        return f"the link leads to {target}, which does not exist.", "Correct the link, or remove it."
    file = subject.folder / target
    if not anchor or not file.is_file():
        return None
    text = file.read_text(encoding="utf-8", errors="replace")
    lines = _LINES.fullmatch(anchor)
    if lines:
        count = len(text.splitlines())
        if max(int(lines[1]), int(lines[2] or 0)) > count:
            return f"{target} has only {count} lines.", "Correct the lines in the link."
    elif target.suffix == ".md" and anchor not in Document(target, text).anchors:
        return f"{target} has no heading '#{anchor}'.", "Name a heading, in lower case with hyphens."
    return None


RULES = (
    Rule("document-link", "links in documents lead to files, headings and lines that exist", links_lead_somewhere),
)
