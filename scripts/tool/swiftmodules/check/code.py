"""Rules for the code of every target: it can be read, and has no traps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from swiftmodules.check.subject import Finding, Subject, rule


@rule("syntax", "the compiler can parse every source")
def can_be_read(subject: Subject) -> Iterator[Finding]:
    for path, file in subject.sources.items():
        if file.problem:
            line, message = file.problem
            fix = "Correct it. Until then, no other rule but those for imports looks at the file."
            yield Finding(path, line, f"the compiler cannot parse this file: {message}", fix)


@rule("trap", "code outside of tests has none of the traps that the configuration names", "code")
def has_no_traps(subject: Subject) -> Iterator[Finding]:
    patterns = {word: _trap(word) for word in subject.config.code.traps}
    files = {file.path: file for target, file in subject.files_by_target() if not subject.is_test(target)}
    for path, file in (subject.also | files).items():
        for word, pattern in patterns.items():
            for line in dict.fromkeys(file.line_at(match.start()) for match in pattern.finditer(file.mask)):
                message = f"'{word}' may end the program, or hides from the compiler what it could prove."
                fix = "Throw an error that says what happened and what to do, or let the types rule it out."
                yield Finding(path, line, message, fix)


def _trap(word: str) -> re.Pattern[bytes]:
    text = re.escape(word).replace(r"\ ", r"\s+").encode()
    # A label `assert:` and a method `.assert` are none; `Swift.assert` is.
    before = rb"(?<!\w)(?:(?<!\.)|(?<=\bSwift\.))" if word[0].isalpha() else b""
    return re.compile(before + text + (rb"\b(?!\s*:)" if word[-1].isalnum() else b""))
