"""Reads Swift files with the compiler's parser, many at once, including the code that stands in conditions."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from boundaries.declarations import Declaration, read_declarations
from boundaries.swift_text import Lines, conditional_ranges, masked, without_conditions
from buildspeed import parser_output
from buildspeed.swift_source import Import, import_declaration
from buildspeed.toolchain import Toolchain

# Arguments of one process have a limit; so do its files.
_FILES_AT_ONCE = 500
_BETWEEN = '}{"_kind":"source_file",'
_IMPORT = re.compile(
    rb"(?:^|;)[ \t]*(?P<prefix>(?:@\w+(?:\([^)\n]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?)"
    rb"import\s+(?:(?P<kind>typealias|struct|class|enum|protocol|let|var|func)\s+)?(?P<module>\w+)(?P<rest>(?:\.\w+)*)",
    re.M,
)


@dataclass(frozen=True)
class SwiftFile:
    """A source with what it imports and declares. The path is relative to the package.

    `syntax` is what the parser printed; `problem` is the line and text of what kept the parser from reading the file.
    """

    path: Path
    text: bytes
    syntax: list[dict[str, Any]] = field(repr=False)
    imports: tuple[Import, ...]
    declarations: tuple[Declaration, ...]
    problem: tuple[int, str] | None

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text)

    def line_of(self, declaration: Import) -> int:
        return self.lines.at(declaration.module_start)


@dataclass(frozen=True)
class _Text:
    """A file's text in the forms that are needed. Positions are the same in all of them."""

    path: Path
    text: bytes
    mask: bytes
    unconditional: bytes

    @property
    def has_conditions(self) -> bool:
        return self.unconditional != self.text


def read_sources(folder: Path, options: Mapping[Path, Sequence[str]], toolchain: Toolchain) -> dict[Path, SwiftFile]:
    """Reads the files of a package, each with its options for the compiler.

    The parser tells nothing of what stands in `#if`. Such a file is read from a copy without the conditions, where
    the code of all branches is seen. Where that is no Swift, the file is read as it is, and its conditions are
    searched for imports only.
    """
    texts = {path: _text(folder, path) for path in options}
    with tempfile.TemporaryDirectory(prefix="boundaries-") as temporary:
        parser = _Parser(folder, Path(temporary), toolchain)
        syntaxes: dict[Path, list[dict[str, Any]] | str] = {}
        for group in _groups(options):
            syntaxes |= parser.parse_all([texts[path] for path in group], options[group[0]])
        files = {}
        for path, text in texts.items():
            syntax = syntaxes[path]
            searched: list[Import] = []
            if isinstance(syntax, str) and text.has_conditions:
                syntax = parser.parse_one(text.path, text.text, options[path])
                searched = _searched_imports(text)
            files[path] = _file(text, syntax, searched)
        return files


@dataclass(frozen=True)
class _Parser:
    folder: Path
    temporary: Path
    toolchain: Toolchain

    def parse_all(self, texts: Sequence[_Text], options: Sequence[str]) -> dict[Path, list[dict[str, Any]] | str]:
        """The syntax of each file, or the parser's message. Taken together, files cost next to nothing."""
        arguments: list[Path | str] = ["-parse-as-library"]
        for number, each in enumerate(texts):
            arguments += ["-primary-file", self._written(each.unconditional, number, each)]
        result = self._run([*arguments, *options])
        outputs = result.stdout.decode(errors="replace").split(_BETWEEN)
        if result.returncode == 0 and len(outputs) == len(texts):
            last = len(outputs) - 1
            whole = [
                ('{"_kind":"source_file",' if number else "") + output + ("}" if number < last else "")
                for number, output in enumerate(outputs)
            ]
            return {each.path: _items(output) for each, output in zip(texts, whole, strict=True)}
        if len(texts) == 1:
            return {texts[0].path: self.parse_one(texts[0].path, texts[0].unconditional, options)}
        # One file that is no Swift, or a script, spoils the output of the others; it is found by halving.
        middle = len(texts) // 2
        return self.parse_all(texts[:middle], options) | self.parse_all(texts[middle:], options)

    def parse_one(self, path: Path, text: bytes, options: Sequence[str]) -> list[dict[str, Any]] | str:
        """The syntax of one file, which may be a script, or the parser's message."""
        copy = self.temporary / "one" / path.name
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(text)
        result = self._run([copy, *options])
        if result.returncode == 0:
            return _items(result.stdout.decode(errors="replace"))
        return result.stderr.decode(errors="replace")

    def _written(self, text: bytes, number: int, of: _Text) -> Path:
        if not of.has_conditions:
            return self.folder / of.path
        copy = self.temporary / f"{number}" / of.path.name
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(text)
        return copy

    def _run(self, arguments: Sequence[Path | str]) -> subprocess.CompletedProcess[bytes]:
        command = [self.toolchain.swiftc, "-frontend", "-dump-parse", "-dump-ast-format", "json", *arguments]
        return subprocess.run(command, env=self.toolchain.environment, capture_output=True)


def _groups(options: Mapping[Path, Sequence[str]]) -> Iterator[list[Path]]:
    """Files that can be read together: those with the same options, except for scripts."""
    alike: dict[tuple[str, ...], list[Path]] = {}
    for path, words in options.items():
        if path.name == "main.swift":
            yield [path]
        else:
            alike.setdefault(tuple(words), []).append(path)
    for paths in alike.values():
        for start in range(0, len(paths), _FILES_AT_ONCE):
            yield paths[start : start + _FILES_AT_ONCE]


def _text(folder: Path, path: Path) -> _Text:
    text = (folder / path).read_bytes()
    mask = masked(text)
    return _Text(path, text, mask, without_conditions(text, mask))


def _items(output: str) -> list[dict[str, Any]] | str:
    try:
        return parser_output.load(output).get("items", [])
    except ValueError as error:
        return f"the parser printed something unreadable: {error}"


def _file(text: _Text, syntax: list[dict[str, Any]] | str, searched: list[Import]) -> SwiftFile:
    lines = Lines(text.text)
    if isinstance(syntax, str):
        return SwiftFile(text.path, text.text, [], tuple(_imports_in(text, 0, len(text.text))), (), _problem(syntax))
    imports = [import_declaration(item, text.text) for item in syntax if item["_kind"] == "import_decl"]
    return SwiftFile(
        path=text.path,
        text=text.text,
        syntax=syntax,
        imports=tuple(sorted([*imports, *searched], key=lambda each: each.start)),
        declarations=read_declarations(syntax, text.text, text.mask, lines),
        problem=None,
    )


def _problem(message: str) -> tuple[int, str]:
    """The line and the words of the compiler's first error."""
    match = re.search(r"^[^\n]*?:(\d+):\d+: error: ([^\n]*)", message, re.M)
    return (int(match[1]), match[2]) if match else (1, (message.strip().splitlines() or ["no output"])[0])


def _searched_imports(text: _Text) -> list[Import]:
    return [each for start, end in conditional_ranges(text.mask) for each in _imports_in(text, start, end)]


def _imports_in(text: _Text, start: int, end: int) -> Iterator[Import]:
    for match in _IMPORT.finditer(text.mask, start, end):
        scope = (match["kind"].decode(),) if match["kind"] else ()
        rest = match["rest"].decode().split(".")[1:]
        yield Import(
            module=match["module"].decode(),
            scope=(*scope, *rest),
            prefix=match["prefix"].decode(),
            start=match.start("prefix"),
            module_start=match.start("module"),
            module_end=match.end("module"),
            end=match.end(),
        )
