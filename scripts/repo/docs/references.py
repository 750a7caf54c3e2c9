"""Finds links, paths and commands in documents that lead to nothing. Nothing is run.

* A link leads to a file, and to a heading of it. Line links are those of `line_links`.
* A path is a word between backquotes with slashes, whose first part exists beside the document or in the repository's
  folder; so `Modules/Login` is one and `application/json` is not. The name of a Swift or Markdown file is one too, and
  the file may be anywhere. `*` stands for any name.
* A command is a script with its long options, which have to occur in what the script is made of, or `swift run`,
  `swift build` and `swift test` where they name a program with its options, a target or a test.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from swiftmodules.swiftpm.copy import package_files
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import SourceFile
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.docs.markdown import Document, Located

_SCHEME = re.compile(r"[a-zA-Z][\w+.-]*:|//")
_PATH = re.compile(r"(?:\./)?[\w.@+-]+(?:/[\w.@+*-]+)+/?|[\w.@+-]+/")
_FILE_NAME = re.compile(r"[\w+-]+\.(?:swift|md)")
_LONG_OPTION = re.compile(r"(--[a-z][\w-]*)(?:=.*)?")
# `TARGET` and `<target>` are placeholders.
_PLAIN_WORD = re.compile(r"(?=\w*[a-z])\w+")
# Options of `swift run` that take the next word.
_WITH_VALUE = {"-c", "--configuration", "--scratch-path", "--sanitize"}
_SWIFT_COMMANDS = {"build", "package", "run", "sdk", "test"}


class References:
    """The files, the package and the sources of the repository that documents refer to."""

    def __init__(
        self, repository: Path, package: Package, sources: Mapping[Path, SourceFile], toolchain: Toolchain
    ) -> None:
        self.repository = repository
        self.package = package
        self.sources = sources
        self._toolchain = toolchain
        self.files = {path for path in package_files(repository) if (repository / path).exists()}
        self._paths = self.files | {parent for path in self.files for parent in path.parents}
        self._names = {path.name for path in self.files}

    def problems(self, document: Document) -> Iterator[Located]:
        """What a document refers to that does not exist, each with its line."""
        for link in document.links:
            if not _SCHEME.match(link.content) and (problem := self._link_problem(document, link.content)):
                yield Located(link.line, f"{problem} Correct the link, or remove it.")
        for span in document.code_spans:
            if self._is_missing(document, span.content):
                yield Located(span.line, f"There is no {span.content}. Correct the path.")
        for line, words, is_typed in document.commands():
            if problem := self._command_problem(words, is_typed):
                yield Located(line, f"{problem} Correct the command, or the program that it names.")

    def text(self, path: Path) -> str:
        return (self.repository / path).read_text(encoding="utf-8", errors="replace")

    def _link_problem(self, document: Document, link: str) -> str | None:
        name, _, anchor = unquote(link).partition("#")
        target = _normal(document.path.parent / name) if name else document.path
        if target not in self._paths:
            return f"The link leads to {target}, which does not exist."
        if not anchor or target.suffix != ".md":
            return None
        is_there = anchor.removeprefix("user-content-") in Document(target, self.text(target)).anchors
        return None if is_there else f"{target} has no heading '#{anchor}'."

    def _is_missing(self, document: Document, text: str) -> bool:
        if not _PATH.fullmatch(text):
            return bool(_FILE_NAME.fullmatch(text)) and text not in self._names
        bases = (Path(), document.path.parent)
        if not any(_normal(base / Path(text).parts[0]) in self._paths for base in bases):
            return False
        paths = [_normal(base / text) for base in bases]
        return not any(path in self._paths or ("*" in text and any(self.repository.glob(str(path)))) for path in paths)

    def _command_problem(self, words: Sequence[str], is_typed: bool) -> str | None:
        match words:
            case ["swift", command, *_] if is_typed and command.isalpha() and command not in _SWIFT_COMMANDS:
                is_program = (self._toolchain.bin / f"swift-{command}").exists()
                return None if is_program else f"'swift' has no command {command}."
            case ["swift", *rest] if "--package-path" in rest:
                return None
            case ["swift", "run", *rest]:
                return self._run_problem(rest)
            case ["swift", ("build" | "test") as command, *rest]:
                for option, name in pairwise(rest):
                    if not _PLAIN_WORD.fullmatch(name):
                        continue
                    if (command, option) == ("build", "--target") and self.package.target(name) is None:
                        return f"The package has no target {name}."
                    if (command, option) == ("test", "--filter") and not any(name in each for each in self._tests):
                        return f"No test has a name with {name}."
            case [program, *rest] if "/" in program and not re.match(r"[/~$.<]", program.removeprefix("./")):
                script = _normal(Path(program))
                if script not in self.files:
                    # A folder, or a path and no command.
                    is_command = (is_typed or rest) and (is_typed or script.parent in self._paths)
                    return f"There is no command {script}." if is_command and script not in self._paths else None
                if not os.access(self.repository / script, os.X_OK):
                    return f"{script} cannot be run: it is not executable." if rest and not script.suffix else None
                return _unknown_option(rest, self._program(script), str(script))
        return None

    def _run_problem(self, words: Sequence[str]) -> str | None:
        position = 0
        while position < len(words) and words[position].startswith("-"):
            position += 2 if words[position] in _WITH_VALUE else 1
        name, *rest = words[position:] or [""]
        if not _PLAIN_WORD.fullmatch(name):
            return None
        target = self.package.target(name)
        if target is None or not target.is_executable:
            return f"The package has no program {name}."
        needed = (each for each in self.package.targets if each.name in (*target.dependencies, name))
        return _unknown_option(rest, "".join(self.text(path) for each in needed for path in each.sources), name)

    def _program(self, script: Path) -> str:
        """The text of a script and of the Python modules that it runs."""
        text = self.text(script)
        modules = set(re.findall(r"-m (\w+)", text))
        parts = [path for path in self.files if path.suffix == ".py" and not modules.isdisjoint(path.parts)]
        return "".join([text, *map(self.text, parts)])

    @cached_property
    def _tests(self) -> set[str]:
        found = {target.name for target in self.package.tests}
        sources = (self.sources[path] for target in self.package.tests for path in target.sources)
        return found | {declaration.name for source in sources for declaration, _ in source.walk()}


def _normal(path: Path) -> Path:
    return Path(os.path.normpath(path))


def _unknown_option(words: Sequence[str], text: str, program: str) -> str | None:
    for match in filter(None, map(_LONG_OPTION.fullmatch, words)):
        # The whole option: `--round` is not in `--rounds`. A program may make it of the name of a field.
        names = [re.escape(match[1]), rf"(?<![\w-]){match[1].strip('-').replace('-', '_')}(?=:)"]
        if match[1] != "--help" and not re.search(rf"(?:{'|'.join(names)})(?![\w-])", text):
            return f"{program} has no option {match[1]}."
    return None
