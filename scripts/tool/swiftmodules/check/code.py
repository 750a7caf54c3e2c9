"""Rules for the code of every target: it can be read, is the target's own, has no traps, and is documented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from swiftmodules.check.subject import Problem, Subject, rule
from swiftmodules.swiftpm.declarations import Declaration
from swiftmodules.swiftpm.syntax import SourceFile
from swiftmodules.swiftpm.text import Lines, masked

_FORCED_UNWRAP = rb"(?<!\btry)(?<!\bas)(?<=[\w)\]?])!(?![=\w])"

_ATTRIBUTES_ONLY = re.compile(r"(?:@\w[\w.]*(?:\([^)]*\))?\s*)+")
_CODE = re.compile(r"(`+).*?\1")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|no)\.")
_BREAK = re.compile(r"[.!?][)\"'”’*_]*\s+(?=[^a-z\s])")
_END = re.compile(r"[.!?…][)\"'”’*_`]*$")


@rule("syntax", "the compiler can parse every source")
def can_be_read(subject: Subject) -> Iterator[Problem]:
    for path, file in subject.sources.items():
        if file.problem:
            line, message = file.problem
            fix = "Correct it. Until then, no other rule but those for imports looks at the file."
            yield Problem(path, line, f"the compiler cannot parse this file: {message}", fix)


@rule("source-link", "no source of a target is a link to another target's")
def are_their_own(subject: Subject) -> Iterator[Problem]:
    links = {
        (link, target.name): owner
        for target in subject.package.targets
        for source in target.sources
        if source in subject.links
        for link, owner in [subject.links[source]]
        if owner is not target
    }
    for (link, name), owner in links.items():
        message = f"this link makes sources of {owner.name} part of {name}: no rule can say what may use them."
        yield Problem(link, 1, message, f"Remove the link, and import {owner.name} or its interface.")


@rule("trap", "code outside of tests has none of the traps that the configuration names")
def has_no_traps(subject: Subject) -> Iterator[Problem]:
    patterns = {word: _trap(word) for word in subject.config.code.traps}
    if not patterns:
        return
    masks = {file.path: file.mask for target, file in subject.files_by_target() if not subject.is_test(target)}
    for path in subject.matching(subject.config.code.also):
        masks.setdefault(path, masked((subject.folder / path).read_bytes()))
    for path, mask in masks.items():
        lines = Lines(mask)
        for word, pattern in patterns.items():
            if word.split()[0].encode() not in mask:
                continue
            name = "a forced unwrap" if word == "!" else f"'{word}'"
            for line in dict.fromkeys(lines.at(match.start()) for match in pattern.finditer(mask)):
                message = f"{name} may end the program, or hides from the compiler what it could prove."
                fix = "Throw an error that says what happened and what to do, or let the types rule it out."
                yield Problem(path, line, message, fix)


def _trap(word: str) -> re.Pattern[bytes]:
    if word == "!":
        return re.compile(_FORCED_UNWRAP)
    text = re.escape(word).replace(r"\ ", r"\s+").encode()
    # A label `assert:` and a method `.assert` are none; `Swift.assert` is.
    before = rb"(?<!\w)(?:(?<!\.)|(?<=\bSwift\.))" if word[0].isalpha() else b""
    return re.compile(before + text + (rb"\b(?!\s*:)" if word[-1].isalnum() else b""))


@rule("summary", "everything public but initialisers has a summary of one sentence")
def is_summarised(subject: Subject) -> Iterator[Problem]:
    for target in subject.package.targets:
        for file, declaration, _ in subject.visible(target):
            if declaration.kind in ("extension", "deinit") or declaration.is_override:
                continue
            text = _summary(_documentation(declaration, file))
            # An initialiser that only stores needs none.
            if not text and declaration.kind == "init":
                continue
            if not text:
                message, fix = "has no documentation.", "Add a one-sentence summary above it, after '///'."
            elif not _is_one_sentence(text):
                message = f"has documentation that does not begin with one sentence: '{text}'"
                fix = "End the first sentence with a full stop, and put '///' alone on the line after it."
            else:
                continue
            yield Problem(file.path, declaration.line, f"{declaration.title} is public and {message}", fix)


def _documentation(declaration: Declaration, file: SourceFile) -> list[str]:
    """The lines of the comment directly above a declaration and its attributes, without the marks of a comment."""
    above = file.text[: file.lines.start(file.lines.at(declaration.start))]
    lines = [line.strip() for line in above.decode(errors="replace").splitlines()]
    while lines and _ATTRIBUTES_ONLY.fullmatch(lines[-1]):
        lines.pop()
    if not lines or not lines[-1].endswith("*/"):
        found = list(takewhile(lambda line: line.startswith("///"), reversed(lines)))
        return [line.removeprefix("///").strip() for line in reversed(found)]
    begin = max((number for number, line in enumerate(lines) if line.startswith("/*")), default=len(lines))
    block = lines[begin:] if "".join(lines[begin:]).startswith("/**") else []
    return [line.removeprefix("/**").removesuffix("*/").removeprefix("*").strip() for line in block]


def _summary(documentation: list[str]) -> str:
    """The first paragraph, on one line."""
    text = "\n".join(documentation).strip()
    return re.split(r"\n\n|^- |\n- ", text, maxsplit=1)[0].replace("\n", " ").strip()


def _is_one_sentence(summary: str) -> bool:
    """Whether a summary ends like a sentence and has no other one in it; code between backquotes is a word."""
    plain = _ABBREVIATION.sub("", _CODE.sub("Code", summary))
    return bool(_END.search(plain)) and not _BREAK.search(plain)
