"""Rules for documents: links, paths, commands and names in them exist."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from swiftmodules.check.findings import Finding
from swiftmodules.check.lines import line_links
from swiftmodules.check.markdown import Document, Located
from swiftmodules.check.subject import Rule, Subject
from swiftmodules.check.vocabulary import Vocabulary
from swiftmodules.swiftpm.config import Documents

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
# Every command has these.
_COMMON = {"--help"}
# Others are programs of the toolchain, such as `swift-format`.
_SWIFT_COMMANDS = {"build", "package", "repl", "run", "sdk", "test"}

_LITERAL = re.compile(r'"[^"]*"')
# Paths, URLs, options, commands and links are not Swift.
_OTHER = re.compile(r"[/|<>$%=\\]|^-|^\w+ --|^(?:swift|git|python3?) |\.\w+\*|\.swift$")
_CHAIN = re.compile(r"(?<![\w.#@\-])[^\W\d]\w*(?:\.[^\W\d]\w*)+(?![\w-])")
_CALL = re.compile(r"(?:(?P<owner>\w+)\.)*(?P<name>\w+)\((?P<labels>(?:\w+:)*)\)")


def _links_lead_somewhere(subject: Subject) -> Iterator[Finding]:
    for document in _documents(subject):
        for link in document.links:
            complaint = None if _SCHEME.match(link.content) else _link_complaint(document, link, subject)
            if complaint:
                yield Finding(document.path, link.line, "document-link", *complaint)


def _link_complaint(document: Document, link: Located, subject: Subject) -> tuple[str, str] | None:
    name, _, anchor = unquote(link.content).partition("#")
    target = Path(os.path.normpath(document.path.parent / name)) if name else document.path
    if not subject.exists(target):
        return f"the link leads to {target}, which does not exist.", "Correct the link, or remove it."
    if not anchor or not (subject.folder / target).is_file():
        return None
    text = subject.text(target)
    lines = _LINES.fullmatch(anchor)
    if lines:
        count = len(text.splitlines())
        if max(int(lines[1]), int(lines[2] or 0)) > count:
            return f"{target} has only {count} lines.", "Correct the lines in the link."
    elif target.suffix == ".md" and anchor.removeprefix("user-content-") not in _document(target, text).anchors:
        return f"{target} has no heading '#{anchor}'.", "Name a heading, in lower case with hyphens."
    return None


def _line_links_are_right(subject: Subject) -> Iterator[Finding]:
    for document in _documents(subject):
        for link in line_links(document.text, document.path, subject.folder, subject.sources, subject.toolchain):
            # Another text may mean any lines; a missing file is found as a link that leads nowhere.
            if not link.is_named or not subject.exists(link.source):
                continue
            if link.problem:
                yield Finding(document.path, link.line, "line-link", link.problem, link.fix)
            elif link.present != link.expected:
                message = f"the link leads to {link.present} of {link.source}; the declaration is in {link.expected}."
                yield Finding(
                    document.path, link.line, "line-link", message, f"Write {link.source.name}#{link.expected}."
                )


def _paths_exist(subject: Subject) -> Iterator[Finding]:
    """A path is a word between backquotes with slashes, whose first part exists beside the document or at the root of
    the package; so `Modules/Login` is one and `application/json` is not. The name of a Swift or Markdown file is one as
    well, and the file may be anywhere. Placeholders are not looked at; `*` stands for any name."""
    names = {path.name for path in subject.tracked}
    for document in _documents(subject):
        for span in document.code_spans:
            text = span.content
            if _is_foreign(text, subject):
                continue
            if _PATH.fullmatch(text):
                is_missing = _claims_to_exist(text, document, subject) and not _is_there(text, document, subject)
            else:
                is_missing = bool(_FILE_NAME.fullmatch(text)) and text not in names
            if is_missing:
                yield Finding(
                    document.path,
                    span.line,
                    "document-path",
                    f"there is no {text}.",
                    "Correct the path. If it is not of this package, name it in the configuration's 'foreign'.",
                )


def _claims_to_exist(text: str, document: Document, subject: Subject) -> bool:
    first = Path(text).parts[0]
    return first == ".." or any(subject.exists(_joined(base, first)) for base in (Path(), document.path.parent))


def _is_there(text: str, document: Document, subject: Subject) -> bool:
    for base in (Path(), document.path.parent):
        path = _joined(base, text)
        if subject.exists(path) or ("*" in text and any(subject.folder.glob(str(path)))):
            return True
    return False


def _joined(base: Path, text: str) -> Path:
    return Path(os.path.normpath(base / text))


def _commands_exist(subject: Subject) -> Iterator[Finding]:
    """Looked at are scripts of the package, with their long options, which have to occur in what the script is made of,
    and `swift run`, `swift build` and `swift test` where they name a program with its options, a target or a test.
    Nothing is run. A command with a foreign word is left alone."""
    for document in _documents(subject):
        for line, words, is_typed in document.commands():
            complaint = _command_complaint(words, is_typed, subject)
            if complaint and not any(_is_foreign(word, subject) for word in words):
                yield Finding(
                    document.path,
                    line,
                    "document-command",
                    complaint,
                    "Correct the command, or the program that it names. If that is an example, name it in the "
                    "configuration's 'foreign'.",
                )


def _command_complaint(words: Sequence[str], is_typed: bool, subject: Subject) -> str | None:
    match words:
        case ["swift", "run", *rest]:
            return _run_complaint(rest, subject)
        case ["swift", "build", *rest] if "--package-path" not in rest:
            for option, name in pairwise(rest):
                if option == "--target" and _PLAIN_WORD.fullmatch(name) and subject.package.target(name) is None:
                    return f"the package has no target {name}."
        case ["swift", "test", *rest] if "--package-path" not in rest:
            for option, name in pairwise(rest):
                if option == "--filter" and _PLAIN_WORD.fullmatch(name) and not _is_test(name, subject):
                    return f"no test has a name with {name}."
        case ["swift", command, *_] if is_typed and command.isalpha() and command not in _SWIFT_COMMANDS:
            is_program = (subject.toolchain.bin / f"swift-{command}").exists()
            return None if is_program else f"'swift' has no command {command}."
        case [program, *rest] if "/" in program:
            if is_typed and not _ELSEWHERE.match(program.removeprefix("./")):
                return _script_complaint(Path(os.path.normpath(program)), rest, True, subject)
            if subject.exists(Path(program).parent):
                return _script_complaint(Path(os.path.normpath(program)), rest, bool(rest), subject)
    return None


def _script_complaint(script: Path, arguments: Sequence[str], is_command: bool, subject: Subject) -> str | None:
    if script not in subject.tracked:
        # A folder, or a path and no command: the rule for paths looks at it.
        return f"there is no command {script}." if is_command and not subject.exists(script) else None
    if not os.access(subject.folder / script, os.X_OK):
        # Without arguments, it is a file that is mentioned.
        return f"{script} cannot be run: it is not executable." if arguments and not script.suffix else None
    return _unknown_option(arguments, subject.program(script), str(script))


def _run_complaint(arguments: Sequence[str], subject: Subject) -> str | None:
    position = 0
    while position < len(arguments) and arguments[position].startswith("-"):
        position += 2 if arguments[position] in _WITH_VALUE else 1
    rest = arguments[position:]
    if not rest or "--package-path" in arguments or not _PLAIN_WORD.fullmatch(rest[0]):
        return None
    target = subject.package.target(rest[0])
    if target is None or not target.is_executable:
        return f"the package has no program {rest[0]}."
    return _unknown_option(rest[1:], subject.program(target), target.name)


def _is_test(name: str, subject: Subject) -> bool:
    tests = [target for target in subject.package.targets if subject.is_test(target)]
    return any(name in target.name for target in tests) or any(
        name in each.name for _, each, _ in subject.declarations(tests)
    )


def _unknown_option(arguments: Sequence[str], text: str, program: str) -> str | None:
    for argument in arguments:
        match = _LONG_OPTION.fullmatch(argument)
        if not match or match[1] in _COMMON:
            continue
        # The whole option: `--round` is not in `--rounds`. A program may make it of the name of a field.
        names = [re.escape(match[1]), rf"(?<![\w-]){match[1].strip('-').replace('-', '_')}(?=:)"]
        if not re.search(rf"(?:{'|'.join(names)})(?![\w-])", text):
            return f"{program} has no option {match[1]}."
    return None


def _names_exist(subject: Subject) -> Iterator[Finding]:
    """Between backquotes, outside of string literals: `Profile.Overview`, whose first part is a type that the package
    declares, names members that the type has; `show(_:as:)` and `validate()` name a function that the package declares
    or uses, and that has these labels. Single words may mean anything, and are not looked at."""
    rule = subject.config.documents
    known = Vocabulary(subject, rule) if rule else None
    files = {path.name for path in subject.tracked}
    for document in _documents(subject):
        for span in document.code_spans:
            for name, complaint in _name_complaints(span.content, known) if known and span.content not in files else ():
                if not _is_foreign(name, subject) and not _is_foreign(span.content, subject):
                    yield Finding(
                        document.path,
                        span.line,
                        "document-name",
                        complaint,
                        "Correct the name. If it is somebody else's, name it in the configuration's 'foreign'.",
                    )


def _name_complaints(span: str, known: Vocabulary) -> Iterator[tuple[str, str]]:
    text = _LITERAL.sub('""', span)
    if _OTHER.search(text.replace("->", "")):
        return
    call = _CALL.fullmatch(text)
    if call:
        name, labels = call["name"], tuple(call["labels"].split(":")[:-1])
        if call["owner"] and not known.declares(call["owner"]):
            return
        if not known.uses(name):
            yield name, f"no code has a function {name}."
            return
        if labels and not known.accepts(name, labels):
            yield name, f"{name} has no parameters ({''.join(f'{label}:' for label in labels)})."
            return
    for chain in _CHAIN.finditer(text):
        for owner, name in pairwise(chain[0].split(".")):
            if known.declares(owner) and not known.has_member(owner, name):
                yield chain[0], f"{owner} has no member {name}."
                break


def _documents(subject: Subject) -> list[Document]:
    """The documents that the configuration names."""
    rule = subject.config.documents
    if rule is None:
        return []
    return [
        _document(path, without_records(subject.text(path), rule))
        for path in subject.matching(rule.files)
        # In a catalog, links are DocC's, which checks them.
        if not any(path.is_relative_to(folder) for folder in rule.without)
        and not any(part.endswith(".docc") for part in path.parts)
    ]


@lru_cache(maxsize=256)
def _document(path: Path, text: str) -> Document:
    """A document, parsed once for all rules."""
    return Document(path, text)


def without_records(text: str, rule: Documents) -> str:
    """The text without its parts about an earlier state; every line stays where it is."""
    for word in rule.records:
        begin = rf"<!-- {re.escape(word)}: begin[^\n>]*-->"
        between = re.compile(rf"{begin}.*?(?=<!-- {re.escape(word)}: end -->)", re.S)
        text = between.sub(lambda match: "\n" * match[0].count("\n"), text)
    return text


def _is_foreign(name: str, subject: Subject) -> bool:
    """Whether the configuration says that a name belongs to somebody else."""
    rule = subject.config.documents
    return rule is not None and any(fnmatch.fnmatchcase(name, pattern) for pattern in rule.foreign)


RULES = (
    Rule("document-link", "links in documents lead to files, headings and lines that exist", _links_lead_somewhere),
    Rule("line-link", "links to lines lead to the declaration that they name", _line_links_are_right),
    Rule("document-path", "paths and file names in documents exist", _paths_exist),
    Rule("document-command", "commands in documents exist and take the options given", _commands_exist),
    Rule("document-name", "names of code in documents, with dots or labels, exist", _names_exist),
)
