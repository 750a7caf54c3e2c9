"""What the rules for documents share: which documents there are, and which names in them are other people's."""

from __future__ import annotations

import fnmatch
import re
from pathlib import Path

from boundaries.configuration import DocumentRule
from boundaries.markdown_text import Document
from boundaries.subject import Subject


def documents(subject: Subject) -> list[Document]:
    """The documents that the configuration names."""
    rule = subject.configuration.documents
    if rule is None:
        return []
    found = {path.relative_to(subject.folder) for pattern in rule.files for path in subject.folder.glob(pattern)}
    return [
        Document(path, without_records((subject.folder / path).read_text(encoding="utf-8", errors="replace"), rule))
        for path in sorted(found)
        if path in subject.tracked and not any(path.is_relative_to(folder) for folder in rule.without)
    ]


def without_records(text: str, rule: DocumentRule) -> str:
    """The text without what tells of an earlier state; every line stays where it is."""
    for word in rule.records:
        begin = rf"<!-- {re.escape(word)}: begin[^\n>]*-->"
        between = re.compile(rf"{begin}.*?(?=<!-- {re.escape(word)}: end -->)", re.S)
        text = between.sub(lambda match: "\n" * match[0].count("\n"), text)
    return text


def is_foreign(name: str, subject: Subject) -> bool:
    """Whether the configuration says that a name belongs to somebody else."""
    rule = subject.configuration.documents
    return rule is not None and any(fnmatch.fnmatchcase(name, pattern) for pattern in rule.foreign)


def exists(path: Path, subject: Subject) -> bool:
    """Whether a path, relative to the package, is a file that git knows, or a folder of such files."""
    return path in subject.tracked or path in subject.folders
