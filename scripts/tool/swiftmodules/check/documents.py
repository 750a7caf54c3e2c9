"""Rules for documents: links, paths and commands in them lead to what exists."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from swiftmodules.check.line_links import OPTIONS, line_links, linked_files
from swiftmodules.check.markdown import Document
from swiftmodules.check.subject import Problem, Subject, rule
from swiftmodules.swiftpm.syntax import read_files

_SCHEME = re.compile(r"[a-zA-Z][\w+.-]*:|//")
_LINES = re.compile(r"L(\d+)(?:-L(\d+))?")

_PATH = re.compile(r"(?:\./)?[\w.@+-]+(?:/[\w.@+*-]+)+/?|[\w.@+-]+/")
_FILE_NAME = re.compile(r"[\w+-]+\.(?:swift|md)")

_LONG_OPTION = re.compile(r"(--[a-z][\w-]*)(?:=.*)?")
# `TARGET` and `<target>` are placeholders.
_PLAIN_WORD = re.compile(r"(?=\w*[a-z])\w+")
_ELSEWHERE = re.compile(r"[/~$.<]")
# Options of `swift run` and the like that take the next word.
_WITH_VALUE = {"-c", "--configuration", "--scratch-path", "--sanitize", "--jobs", "-j", "--arch", "--triple"}
# Others are programs of the toolchain, such as `swift-format`.
_SWIFT_COMMANDS = {"build", "package", "repl", "run", "sdk", "test"}
_PYTHON_MODULE = re.compile(r"-m (\w+)")


@rule("document-link", "links in documents lead to files, headings and lines that exist")
def links_lead_somewhere(subject: Subject) -> Iterator[Problem]:
    for document in subject.documents:
        for link in document.links:
            complaint = None if _SCHEME.match(link.content) else _link_complaint(document, link.content, subject)
            if complaint:
                yield Problem(document.path, link.line, *complaint)


def _link_complaint(document: Document, link: str, subject: Subject) -> tuple[str, str] | None:
    name, _, anchor = unquote(link).partition("#")
    target = _normal(document.path.parent / name) if name else document.path
    if target not in subject.paths:
        return f"the link leads to {target}, which does not exist.", "Correct the link, or remove it."
    if not anchor or not (subject.folder / target).is_file():
        return None
    text = subject.text(target)
    lines = _LINES.fullmatch(anchor)
    if lines:
        count = len(text.splitlines())
        is_there = max(int(lines[1]), int(lines[2] or 0)) <= count
        return None if is_there else (f"{target} has only {count} lines.", "Correct the lines in the link.")
    if target.suffix == ".md" and anchor.removeprefix("user-content-") not in Document(target, text).anchors:
        return f"{target} has no heading '#{anchor}'.", "Name a heading, in lower case with hyphens."
    return None


@rule("line-link", "links to lines lead to the declaration that they name")
def line_links_are_right(subject: Subject) -> Iterator[Problem]:
    linked = {source for document in subject.documents for source in linked_files(document.text, document.path)}
    others = [each for each in linked - subject.sources.keys() if (subject.folder / each).is_file()]
    sources = {**subject.sources, **read_files(subject.folder, dict.fromkeys(others, OPTIONS), subject.toolchain)}
    for document in subject.documents:
        for link in line_links(document.text, document.path, sources):
            # Another text may mean any lines; a missing file is found as a link that leads nowhere.
            if not link.is_named or link.source not in subject.paths:
                continue
            if link.problem:
                yield Problem(document.path, link.line, link.problem, link.fix)
            elif link.present != link.expected:
                message = f"the link leads to {link.present} of {link.source}; the declaration is in {link.expected}."
                yield Problem(document.path, link.line, message, f"Write {link.source.name}#{link.expected}.")


@rule("document-path", "paths and file names in documents exist")
def paths_exist(subject: Subject) -> Iterator[Problem]:
    """A path is a word between backquotes with slashes, whose first part exists beside the document or at the root of
    the package; so `Modules/Login` is one and `application/json` is not. The name of a Swift or Markdown file is one
    too, and the file may be anywhere. Placeholders are not looked at; `*` stands for any name."""
    names = {path.name for path in subject.tracked}
    for document in subject.documents:
        for span in document.code_spans:
            if _PATH.fullmatch(span.content):
                is_missing = _is_missing(span.content, document, subject)
            else:
                is_missing = bool(_FILE_NAME.fullmatch(span.content)) and span.content not in names
            if is_missing and not subject.is_foreign(span.content):
                fix = "Correct the path. If it is not of this package, name it in the configuration's 'foreign'."
                yield Problem(document.path, span.line, f"there is no {span.content}.", fix)


def _is_missing(text: str, document: Document, subject: Subject) -> bool:
    bases = (Path(), document.path.parent)
    first = Path(text).parts[0]
    if first != ".." and not any(_normal(base / first) in subject.paths for base in bases):
        return False
    paths = [_normal(base / text) for base in bases]
    return not any(path in subject.paths or ("*" in text and any(subject.folder.glob(str(path)))) for path in paths)


def _normal(path: Path) -> Path:
    return Path(os.path.normpath(path))


@rule("document-command", "commands in documents exist and take the options given")
def commands_exist(subject: Subject) -> Iterator[Problem]:
    """Looked at are scripts of the package, with their long options, which have to occur in what the script is made of,
    and `swift run`, `swift build` and `swift test` where they name a program with its options, a target or a test.
    Nothing is run. A command with a foreign word is left alone."""
    text_of = cache(partial(_program, subject))
    for document in subject.documents:
        for line, words, is_typed in document.commands():
            complaint = _command_complaint(words, is_typed, subject, text_of)
            if complaint and not any(map(subject.is_foreign, words)):
                fix = (
                    "Correct the command, or the program that it names. If that is an example, name it in the "
                    "configuration's 'foreign'."
                )
                yield Problem(document.path, line, complaint, fix)


def _command_complaint(
    words: Sequence[str], is_typed: bool, subject: Subject, text_of: Callable[[Path], str]
) -> str | None:
    match words:
        case ["swift", command, *_] if is_typed and command.isalpha() and command not in _SWIFT_COMMANDS:
            is_program = (subject.toolchain.bin / f"swift-{command}").exists()
            return None if is_program else f"'swift' has no command {command}."
        case ["swift", *rest] if "--package-path" in rest:
            return None
        case ["swift", "run", *rest]:
            return _run_complaint(rest, subject)
        case ["swift", "build", *rest]:
            for option, name in pairwise(rest):
                if option == "--target" and _PLAIN_WORD.fullmatch(name) and subject.package.target(name) is None:
                    return f"the package has no target {name}."
        case ["swift", "test", *rest]:
            for option, name in pairwise(rest):
                if option == "--filter" and _PLAIN_WORD.fullmatch(name) and not _is_test(name, subject):
                    return f"no test has a name with {name}."
        case [program, *rest] if "/" in program:
            script = _normal(Path(program))
            is_command = is_typed and not _ELSEWHERE.match(program.removeprefix("./"))
            if is_command or Path(program).parent in subject.paths:
                return _script_complaint(script, rest, is_command or bool(rest), subject, text_of)
    return None


def _script_complaint(
    script: Path, arguments: Sequence[str], is_command: bool, subject: Subject, text_of: Callable[[Path], str]
) -> str | None:
    if script not in subject.tracked:
        # A folder, or a path and no command: the rule for paths looks at it.
        return f"there is no command {script}." if is_command and script not in subject.paths else None
    if not os.access(subject.folder / script, os.X_OK):
        # Without arguments, it is a file that is mentioned.
        return f"{script} cannot be run: it is not executable." if arguments and not script.suffix else None
    return _unknown_option(arguments, text_of(script), str(script))


def _program(subject: Subject, script: Path) -> str:
    """The text of a script and of the Python modules that it runs."""
    text = subject.text(script)
    modules = set(_PYTHON_MODULE.findall(text))
    parts = [path for path in subject.tracked if path.suffix == ".py" and not modules.isdisjoint(path.parts)]
    return "".join([text, *map(subject.text, parts)])


def _run_complaint(arguments: Sequence[str], subject: Subject) -> str | None:
    position = 0
    while position < len(arguments) and arguments[position].startswith("-"):
        position += 2 if arguments[position] in _WITH_VALUE else 1
    rest = arguments[position:]
    if not rest or not _PLAIN_WORD.fullmatch(rest[0]):
        return None
    name = rest[0]
    target = subject.package.target(name)
    if target is None or not target.is_executable:
        return f"the package has no program {name}."
    needed = [each for each in subject.package.targets if each.name in (*target.dependencies, name)]
    texts = [file.text.decode(errors="replace") for each in needed for file in subject.files(each)]
    return _unknown_option(rest[1:], "".join(texts), name)


def _is_test(name: str, subject: Subject) -> bool:
    tests = [target for target in subject.package.targets if subject.is_test(target)]
    names = [target.name for target in tests] + [each.name for _, each, _ in subject.declarations(tests)]
    return any(name in each for each in names)


def _unknown_option(arguments: Sequence[str], text: str, program: str) -> str | None:
    for argument in arguments:
        match = _LONG_OPTION.fullmatch(argument)
        if not match or match[1] == "--help":
            continue
        # The whole option: `--round` is not in `--rounds`. A program may make it of the name of a field.
        names = [re.escape(match[1]), rf"(?<![\w-]){match[1].strip('-').replace('-', '_')}(?=:)"]
        if not re.search(rf"(?:{'|'.join(names)})(?![\w-])", text):
            return f"{program} has no option {match[1]}."
    return None
