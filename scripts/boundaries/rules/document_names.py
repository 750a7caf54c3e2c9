"""Names in documents exist.

Between backquotes, outside of string literals,

* `Profile.Overview`, whose first part is a type that the package declares, names members that the type has;
* `show(_:as:)` and `validate()` name a function that the package declares or uses, and that has these labels;
* `FakeSessions` and `confirmLeaving`, words of several words, occur in the package's code.

Other words may mean anything, and are not looked at. Names of other people's code that the package does not use
(`UINavigationController`) are listed in the configuration. Fenced blocks are not looked at: those that are taken from
sources are compiled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from boundaries.findings import Finding
from boundaries.rules.documents import documents, is_foreign
from boundaries.rules.rule import Rule
from boundaries.subject import Subject
from boundaries.vocabulary import Vocabulary, vocabulary

_LITERAL = re.compile(r'"[^"]*"')
# Paths, URLs, options, commands and links are not Swift.
_OTHER = re.compile(r"[/|<>$%=\\]|^-|^\w+ --|^(?:swift|git|python3?) |\.\w+\*")
_CHAIN = re.compile(r"(?<![\w.#@\-])[^\W\d]\w*(?:\.[^\W\d]\w*)*(?![\w-])")
_CALL = re.compile(r"(?:\w+\.)*(?P<name>\w+)\((?P<labels>(?:\w+:)*)\)")
_SEVERAL_WORDS = re.compile(r"[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*[A-Z]\w*|[A-Z]{2,}[a-z]\w*|[a-z]+[a-z0-9]*[A-Z]\w*")


def names_exist(subject: Subject) -> Iterator[Finding]:
    rule = subject.configuration.documents
    if rule is None:
        return
    known = vocabulary(subject, rule)
    for document in documents(subject):
        for span in document.code_spans:
            for name, complaint in _complaints(span.text, known):
                if not is_foreign(name, subject) and not is_foreign(span.text, subject):
                    yield Finding(
                        document.path,
                        span.line,
                        "document-name",
                        complaint,
                        "Correct the name. If it is somebody else's, name it in the configuration's 'foreign'.",
                    )


def _complaints(span: str, known: Vocabulary) -> Iterator[tuple[str, str]]:
    text = _LITERAL.sub('""', span)
    if _OTHER.search(text.replace("->", "")):
        return
    call = _CALL.fullmatch(text)
    if call:
        complaint = _call_complaint(call["name"], tuple(call["labels"].split(":")[:-1]), known)
        if complaint:
            yield call["name"], complaint
            return
    for chain in _CHAIN.finditer(text):
        complaint = _chain_complaint(chain[0].split("."), known)
        if complaint:
            yield chain[0], complaint


def _call_complaint(name: str, labels: tuple[str, ...], known: Vocabulary) -> str | None:
    if name not in known.words:
        return f"no code has a function {name}."
    # A call that is only used is of other people's code; a value may hold a function, which has no labels.
    if labels and name in known.calls and name not in known.values and not known.accepts(name, labels):
        return f"{name} has no parameters ({''.join(f'{label}:' for label in labels)})."
    return None


def _chain_complaint(parts: list[str], known: Vocabulary) -> str | None:
    for owner, name in pairwise([None, *parts]):
        if owner is not None and known.declares(owner):
            if not known.has_member(owner, name):
                return f"{owner} has no member {name}."
        elif _SEVERAL_WORDS.fullmatch(name) and name not in known.words:
            return f"no code has the name {name}."
    return None


RULES = (Rule("document-name", "names of code in documents exist", names_exist),)
