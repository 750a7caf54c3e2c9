"""Everything public begins its documentation with one sentence."""

from __future__ import annotations

from collections.abc import Iterator

from boundaries.declarations import is_api, with_owners
from boundaries.documentation import documentation, is_one_sentence, summary
from boundaries.findings import Finding
from boundaries.rules.rule import Rule
from boundaries.subject import Subject


def summarised(subject: Subject) -> Iterator[Finding]:
    for _, file in subject.files_by_target():
        for declaration, owners in with_owners(file.declarations):
            is_exempt = declaration.kind in ("extension", "deinit") or "override" in declaration.attributes
            if is_exempt or not is_api(declaration, owners):
                continue
            text = summary(documentation(declaration, file.text, file.lines))
            if not text:
                message, fix = "has no documentation.", "Say above it, after '///', in one sentence what it is or does."
            elif not is_one_sentence(text):
                message = f"begins its documentation with something else than one sentence: '{text}'"
                fix = "End the first sentence with a full stop, and put '///' alone on the line behind it."
            else:
                continue
            yield Finding(file.path, declaration.line, "summary", f"{declaration.title} is public and {message}", fix)


RULES = (Rule("summary", "everything public has a summary of one sentence", summarised),)
