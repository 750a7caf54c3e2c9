"""Paths in documents exist.

A path is a word between backquotes with slashes, whose first part exists beside the document or at the root of the
package; so `Modules/Login` is one and `application/json` is not. The name of a Swift or Markdown file is one as well,
and the file may be anywhere. Placeholders (`Modules/<Name>`) are not looked at; `*` stands for any name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from boundaries.findings import Finding
from boundaries.markdown_text import Document
from boundaries.rules.documents import documents, exists, is_foreign
from boundaries.rules.rule import Rule
from boundaries.subject import Subject

_PATH = re.compile(r"(?:\./)?[\w.@+-]+(?:/[\w.@+*-]+)+/?|[\w.@+-]+/")
_FILE_NAME = re.compile(r"[\w+-]+\.(?:swift|md)")


def paths_exist(subject: Subject) -> Iterator[Finding]:
    for document in documents(subject):
        for span in document.code_spans:
            if is_foreign(span.text, subject):
                continue
            if _PATH.fullmatch(span.text):
                is_missing = _claims_to_exist(span.text, document, subject) and not _is_there(
                    span.text, document, subject
                )
            else:
                is_missing = bool(_FILE_NAME.fullmatch(span.text)) and not any(
                    path.name == span.text for path in subject.tracked
                )
            if is_missing:
                yield Finding(
                    document.path,
                    span.line,
                    "document-path",
                    f"there is no {span.text}.",
                    "Correct the path. If it is not of this package, name it in the configuration's 'foreign'.",
                )


def _claims_to_exist(text: str, document: Document, subject: Subject) -> bool:
    first = Path(text).parts[0]
    return first == ".." or any(exists(_joined(base, first), subject) for base in _bases(document))


def _is_there(text: str, document: Document, subject: Subject) -> bool:
    for base in _bases(document):
        path = _joined(base, text)
        if exists(path, subject) or ("*" in text and any(subject.folder.glob(str(path)))):
            return True
    return False


def _bases(document: Document) -> tuple[Path, Path]:
    return Path(), document.path.parent


def _joined(base: Path, text: str) -> Path:
    return Path(os.path.normpath(base / text))


RULES = (Rule("document-path", "paths and file names in documents exist", paths_exist),)
