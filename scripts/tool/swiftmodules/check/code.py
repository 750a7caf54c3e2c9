"""Rules for the code of every target: it can be read, is the target's own, has no traps, and is documented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from swiftmodules.check.findings import Finding
from swiftmodules.check.subject import Rule, Subject
from swiftmodules.swiftpm.declarations import Declaration
from swiftmodules.swiftpm.syntax import SourceFile
from swiftmodules.swiftpm.text import Lines, masked

_FORCED_UNWRAP = rb"(?<!\btry)(?<!\bas)(?<=[\w)\]?])!(?![=\w])"

_ATTRIBUTES_ONLY = re.compile(r"\s*(?:@\w[\w.]*(?:\([^)]*\))?\s*)+")
_CODE = re.compile(r"(`+).*?\1")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|no)\.")
_BREAK = re.compile(r"[.!?][)\"'”’*_]*\s+(?=[^a-z\s])")
_END = re.compile(r"[.!?…][)\"'”’*_`]*$")
_LIST = re.compile(r"\s*-\s")


def _can_be_read(subject: Subject) -> Iterator[Finding]:
    for path, file in subject.sources.items():
        if file.problem:
            line, message = file.problem
            yield Finding(
                path,
                line,
                "syntax",
                f"the compiler cannot parse this file: {message}",
                "Correct it. Until then, no other rule but those for imports looks at the file.",
            )


def _are_their_own(subject: Subject) -> Iterator[Finding]:
    reported: set[tuple[Path, str]] = set()
    for target in subject.package.targets:
        for source in target.sources:
            link, owner = subject.links.get(source, (source, target))
            if owner is target or (link, target.name) in reported:
                continue
            reported.add((link, target.name))
            yield Finding(
                link,
                1,
                "source-link",
                f"this link makes sources of {owner.name} part of {target.name}: no rule can say what may use them.",
                f"Remove the link, and import {owner.name} or its interface.",
            )


def _have_no_traps(subject: Subject) -> Iterator[Finding]:
    patterns = {word: _trap(word) for word in subject.config.code.traps}
    if not patterns:
        return
    masks = {file.path: file.mask for target, file in subject.files_by_target() if not subject.is_test(target)}
    for path in subject.matching(subject.config.code.also):
        masks.setdefault(path, masked((subject.folder / path).read_bytes()))
    for path, mask in masks.items():
        lines = Lines(mask)
        for word, pattern in patterns.items():
            name = "a forced unwrap" if word == "!" else f"'{word}'"
            for line in dict.fromkeys(lines.at(match.start()) for match in pattern.finditer(mask)):
                yield Finding(
                    path,
                    line,
                    "trap",
                    f"{name} may end the program, or hides from the compiler what it could prove.",
                    "Throw an error that says what happened and what to do, or let the types rule it out.",
                )


def _trap(word: str) -> re.Pattern[bytes]:
    if word == "!":
        return re.compile(_FORCED_UNWRAP)
    text = re.escape(word).replace(r"\ ", r"\s+").encode()
    # A label `assert:` and a method `.assert` are none; `Swift.assert` is.
    before = rb"(?<!\w)(?:(?<!\.)|(?<=\bSwift\.))" if word[0].isalpha() else b""
    return re.compile(before + text + (rb"\b(?!\s*:)" if word[-1].isalnum() else b""))


def _is_summarised(subject: Subject) -> Iterator[Finding]:
    for target in subject.package.targets:
        for file, declaration, _ in subject.visible(target):
            if declaration.kind in ("extension", "deinit") or declaration.is_override:
                continue
            text = summary(documentation(declaration, file))
            if not text:
                message, fix = "has no documentation.", "Say above it, after '///', in one sentence what it is or does."
            elif not is_one_sentence(text):
                message = f"begins its documentation with something else than one sentence: '{text}'"
                fix = "End the first sentence with a full stop, and put '///' alone on the line after it."
            else:
                continue
            yield Finding(file.path, declaration.line, "summary", f"{declaration.title} is public and {message}", fix)


def documentation(declaration: Declaration, file: SourceFile) -> list[str]:
    """The lines of the comment directly above a declaration and its attributes, without the marks of a comment."""
    found: list[str] = []
    for line in _lines_above(file.text, file.lines.start(file.lines.at(declaration.start))):
        text = line.strip()
        if not found and _ATTRIBUTES_ONLY.fullmatch(line):
            continue
        if not found and text.endswith("*/"):
            return _block(file.text, file.lines.start(file.lines.at(declaration.start)))
        if not text.startswith("///"):
            break
        found.insert(0, text.removeprefix("///").removeprefix(" "))
    return found


def _lines_above(text: bytes, end: int) -> Iterator[str]:
    """The lines before a position, from the last to the first."""
    while end > 0:
        start = text.rfind(b"\n", 0, end - 1) + 1
        yield text[start:end].decode(errors="replace")
        end = start


def _block(text: bytes, end: int) -> list[str]:
    found: list[str] = []
    is_open = False
    for above in _lines_above(text, end):
        line = above.strip()
        is_open = is_open or line.endswith("*/")
        if not is_open:
            continue
        begins = line.startswith("/*")
        if begins and not line.startswith("/**"):
            return []
        found.insert(0, line.removeprefix("/**").removesuffix("*/").removeprefix("*").strip())
        if begins:
            return found
    return []


def summary(documentation: list[str]) -> str:
    """The first paragraph, on one line."""
    paragraph: list[str] = []
    for line in documentation:
        if _LIST.match(line) or (not line.strip() and paragraph):
            break
        paragraph.append(line.strip())
    return " ".join(paragraph).strip()


def is_one_sentence(summary: str) -> bool:
    """Whether a summary ends like a sentence and has no other one in it; code between backquotes is a word."""
    plain = _ABBREVIATION.sub("", _CODE.sub("Code", summary))
    return bool(_END.search(plain)) and not _BREAK.search(plain)


RULES = (
    Rule("syntax", "the compiler can parse every source", _can_be_read),
    Rule("source-link", "no source of a target is a link to another target's", _are_their_own),
    Rule("trap", "code outside of tests has none of the traps that the configuration names", _have_no_traps),
    Rule("summary", "everything public has a summary of one sentence", _is_summarised),
)
