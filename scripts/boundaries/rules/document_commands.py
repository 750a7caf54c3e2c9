"""Commands in documents can be run.

Looked at are scripts of the package, with their long options, which have to occur in what the script is made of; and
`swift run`, `swift build` and `swift test` where they name a program with its options, a target or a test. Nothing is
run. A command with a word that the configuration calls foreign is let be.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from boundaries.commands import commands
from boundaries.declarations import with_owners
from boundaries.findings import Finding
from boundaries.rules.documents import documents, exists, is_foreign
from boundaries.rules.rule import Rule
from boundaries.subject import Subject

_PYTHON_MODULE = re.compile(r"-m (\w+)")
_LONG_OPTION = re.compile(r"(--[a-z][\w-]*)(?:=.*)?")
_PLAIN_WORD = re.compile(r"\w+")
# Options of `swift run` and the like that take the next word.
_WITH_VALUE = {"-c", "--configuration", "--scratch-path", "--sanitize", "--jobs", "-j", "--arch", "--triple"}
# Every command has these.
_COMMON = {"--help"}


def commands_exist(subject: Subject) -> Iterator[Finding]:
    for document in documents(subject):
        for line, words in commands(document):
            complaint = _complaint(words, subject)
            if complaint and not any(is_foreign(word, subject) for word in words):
                yield Finding(
                    document.path,
                    line,
                    "document-command",
                    complaint,
                    "Correct the command, or the program that it names. If that is an example, name it in the "
                    "configuration's 'foreign'.",
                )


def _complaint(words: Sequence[str], subject: Subject) -> str | None:
    match words:
        case ["swift", "run", *rest]:
            return _run(rest, subject)
        case ["swift", "build", *rest] if "--package-path" not in rest:
            return _build(rest, subject)
        case ["swift", "test", *rest] if "--package-path" not in rest:
            return _test(rest, subject)
        case [program, *rest] if "/" in program and exists(Path(program).parent, subject):
            return _script(Path(os.path.normpath(program)), rest, subject)
    return None


def _script(script: Path, arguments: Sequence[str], subject: Subject) -> str | None:
    file = subject.folder / script
    if script not in subject.tracked:
        # A folder, or a path and no command: the rule for paths looks at it.
        return f"there is no command {script}." if arguments and not exists(script, subject) else None
    if not os.access(file, os.X_OK):
        # Without arguments, it is a file that is talked about.
        return f"{script} cannot be run: it is not executable." if arguments and not script.suffix else None
    text = file.read_text(encoding="utf-8", errors="replace")
    for module in _PYTHON_MODULE.findall(text):
        parts = (file.parent / module).glob("**/*.py")
        text += "".join(part.read_text(encoding="utf-8", errors="replace") for part in parts)
    return _unknown_option(arguments, text, str(script))


def _run(arguments: Sequence[str], subject: Subject) -> str | None:
    rest = _operands(arguments)
    if not rest or "--package-path" in arguments or not _PLAIN_WORD.fullmatch(rest[0]):
        return None
    target = subject.package.target(rest[0])
    if target is None or not target.is_executable:
        return f"the package has no program {rest[0]}."
    parts = [target, *filter(None, map(subject.package.target, target.dependencies))]
    text = b"".join(file.text for part in parts for file in subject.files(part)).decode(errors="replace")
    return _unknown_option(rest[1:], text, target.name)


def _build(arguments: Sequence[str], subject: Subject) -> str | None:
    for option, name in pairwise(arguments):
        if option == "--target" and _PLAIN_WORD.fullmatch(name) and subject.package.target(name) is None:
            return f"the package has no target {name}."
    return None


def _test(arguments: Sequence[str], subject: Subject) -> str | None:
    for option, name in pairwise(arguments):
        if option == "--filter" and _PLAIN_WORD.fullmatch(name) and not _is_test(name, subject):
            return f"no test has a name with {name}."
    return None


def _is_test(name: str, subject: Subject) -> bool:
    return any(
        name in target.name or any(name in each.name for each, _ in with_owners(file.declarations))
        for target in subject.of_kind("tests")
        for file in subject.files(target)
    )


def _operands(arguments: Sequence[str]) -> Sequence[str]:
    """The arguments behind the options of `swift run` itself."""
    position = 0
    while position < len(arguments) and arguments[position].startswith("-"):
        position += 2 if arguments[position] in _WITH_VALUE else 1
    return arguments[position:]


def _unknown_option(arguments: Sequence[str], text: str, program: str) -> str | None:
    for argument in arguments:
        match = _LONG_OPTION.fullmatch(argument)
        # The whole option: `--round` is not in `--rounds`.
        if match and match[1] not in _COMMON and not re.search(rf"{re.escape(match[1])}(?![\w-])", text):
            return f"{program} has no option {match[1]}."
    return None


RULES = (Rule("document-command", "commands in documents exist and take the options given", commands_exist),)
