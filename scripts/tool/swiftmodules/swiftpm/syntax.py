"""Reads Swift files with the compiler's own parser, many at once, and keeps what it read."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

from swiftmodules.errors import ToolError
from swiftmodules.swiftpm import cache as kept
from swiftmodules.swiftpm import declarations as reading
from swiftmodules.swiftpm.declarations import Declaration, Import, Item, Owners
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.text import Lines, Ranges, blanked, conditional_ranges, hidden_ranges, without_conditions
from swiftmodules.swiftpm.toolchain import Toolchain

# One process takes 40 ms to start, and its arguments have a limit.
_FILES_AT_ONCE = 250
_BETWEEN = '}{"_kind":"source_file",'
_ERROR = re.compile(r"^(?P<file>[^\n]*?):(?P<line>\d+):\d+: error: (?P<message>[^\n]*)", re.M)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^"{}\[\],:\s]+')
# Of other packages with the same name, say; the oldest go first.
_KEPT_BESIDES = 500

Problem = tuple[int, str]


@dataclass(frozen=True)
class SourceFile:
    """A source with its imports and declarations. The path is relative to the package.

    The declarations are those of all branches of `#if`; `conditions` are the ranges of the outermost ones. `problem` is
    the line and text of the error that kept the parser from reading the file, which then has imports only.
    """

    path: Path
    text: bytes
    imports: tuple[Import, ...]
    declarations: tuple[Declaration, ...]
    problem: Problem | None
    conditions: Ranges = ()
    hidden: Ranges = ()

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text)

    @cached_property
    def mask(self) -> bytes:
        """The text with spaces for comments and the insides of string literals; every position stays."""
        return blanked(self.text, self.hidden)

    def line_of(self, declaration: Import) -> int:
        return self.lines.at(declaration.module_start)

    def walk(self) -> Iterator[tuple[Declaration, Owners]]:
        """Every declaration with the types and extensions around it, outermost first."""
        return reading.walk(self.declarations)


class _Parsed(msgspec.Struct, frozen=True):
    """What is kept of a file."""

    imports: tuple[Import, ...]
    declarations: tuple[Declaration, ...]
    problem: Problem | None
    conditions: Ranges
    hidden: Ranges


def read_sources(
    folder: Path, package: Package, toolchain: Toolchain, *, cache: Path | None = None
) -> dict[Path, SourceFile]:
    """Reads all sources of the package in a folder, each as its target's settings ask."""
    options = {source: package.parser_options(target) for target in package.targets for source in target.sources}
    return read_files(folder, options, toolchain, cache=cache, name=package.name)


def read_files(
    folder: Path,
    options: Mapping[Path, Sequence[str]],
    toolchain: Toolchain,
    *,
    cache: Path | None = None,
    name: str = "files",
) -> dict[Path, SourceFile]:
    """Reads files below a folder, each with its options for the compiler.

    `cache` is a folder for what is kept between commands: files are known again by their text, their options and the
    toolchain, wherever they are; `name` tells apart what is kept together.
    """
    texts = {path: (folder / path).read_bytes() for path in options}
    keys = {
        path: kept.key(
            [text, path.name.encode(), *(word.encode() for word in options[path]), toolchain.version.encode()]
        )
        for path, text in texts.items()
    }
    file = cache / "sources" / kept.key([name.encode()]) if cache else None
    known = (kept.load(file, dict[str, _Parsed]) if file else None) or {}
    missing = {path: _Text(path, text) for path, text in texts.items() if keys[path] not in known}
    parsed = {path: known[keys[path]] for path in texts if path not in missing}
    if missing:
        parsed |= _parse(folder, missing, options, toolchain)
        if file:
            used = {keys[path]: parsed[path] for path in texts}
            others = [each for each in known.items() if each[0] not in used][-_KEPT_BESIDES:]
            kept.store(file, dict(others) | used)
    return {
        path: SourceFile(path, text, *msgspec.structs.astuple(parsed[path])) for path, text in sorted(texts.items())
    }


def require_readable(files: Iterable[SourceFile]) -> None:
    """Raises `ToolError` with the compiler's message where a file could not be parsed."""
    for file in files:
        if file.problem:
            line, message = file.problem
            raise ToolError(f"The compiler cannot parse {file.path}:\n{file.path}:{line}: error: {message}")


class _Text:
    """A file's text in the forms that are needed. Positions are the same in all of them."""

    def __init__(self, path: Path, text: bytes) -> None:
        self.path = path
        self.text = text
        self.hidden = hidden_ranges(text)
        self.mask = blanked(text, self.hidden)
        self.conditions = conditional_ranges(self.mask)
        self.unconditional = without_conditions(text, self.mask)

    @property
    def has_conditions(self) -> bool:
        return self.unconditional != self.text


_Answer = list[Item] | Problem


def _parse(
    folder: Path, texts: Mapping[Path, _Text], options: Mapping[Path, Sequence[str]], toolchain: Toolchain
) -> dict[Path, _Parsed]:
    """Parses files.

    The parser reports nothing of what stands in `#if`. Such a file is read from a copy without the conditions, where
    the code of all branches is seen. Where that is no Swift, the file is read as it is, and its conditions are searched
    for imports only.
    """
    with tempfile.TemporaryDirectory(prefix="swiftmodules-") as temporary:
        parser = _Parser(folder, Path(temporary), toolchain)
        groups = list(_groups({path: options[path] for path in texts}))
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as executor:
            answers: dict[Path, _Answer] = {}
            for each in executor.map(
                lambda group: parser.parse([texts[path] for path in group], options[group[0]]), groups
            ):
                answers |= each
        parsed = {}
        for path, text in texts.items():
            answer = answers[path]
            searched: list[Import] = []
            if isinstance(answer, tuple) and text.has_conditions:
                answer = parser.parse_alone(text, text.text, options[path])
                searched = [
                    each for start, end in text.conditions for each in reading.search_imports(text.mask, start, end)
                ]
            parsed[path] = _parsed(text, answer, searched)
        return parsed


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


@dataclass(frozen=True)
class _Parser:
    folder: Path
    temporary: Path
    toolchain: Toolchain

    def parse(self, texts: Sequence[_Text], options: Sequence[str]) -> dict[Path, _Answer]:
        """The syntax of each file, or the first error in it. Taken together, files cost next to nothing."""
        if len(texts) == 1 and texts[0].path.name == "main.swift":
            return {texts[0].path: self.parse_alone(texts[0], texts[0].unconditional, options)}
        with tempfile.TemporaryDirectory(dir=self.temporary) as folder:
            files = [
                self._written(Path(folder) / str(number), each, each.unconditional)
                if each.has_conditions
                else self.folder / each.path
                for number, each in enumerate(texts)
            ]
            arguments = [part for file in files for part in ("-primary-file", str(file))]
            result = self._run(["-parse-as-library", *arguments, *options])
        outputs = result.stdout.decode(errors="replace").split(_BETWEEN)
        # Where the parser crashed, what it printed last may be incomplete.
        has_crashed = len(outputs) < len(texts) or result.returncode < 0
        complete = len(outputs) - has_crashed
        errors = _errors(result.stderr) if result.returncode else {}
        answers: dict[Path, _Answer] = {}
        for number, (text, file, output) in enumerate(zip(texts[:complete], files, outputs, strict=False)):
            if str(file) in errors:
                # It may be a script, in which statements are no errors.
                answers[text.path] = self.parse_alone(text, text.unconditional, options)
            else:
                begin = '{"_kind":"source_file",' if number else ""
                answers[text.path] = _items(begin + output + ("}" if number < len(texts) - 1 else ""))
        culprits = texts[complete : complete + 2]
        answers |= {each.path: self.parse_alone(each, each.unconditional, options) for each in culprits}
        rest = texts[complete + 2 :]
        return answers | (self.parse(rest, options) if rest else {})

    def parse_alone(self, of: _Text, text: bytes, options: Sequence[str]) -> _Answer:
        """The syntax of one file, which may be a script, or the first error in it."""
        with tempfile.TemporaryDirectory(dir=self.temporary) as folder:
            result = self._run([str(self._written(Path(folder), of, text)), *options])
        if result.returncode == 0:
            return _items(result.stdout.decode(errors="replace"))
        message = result.stderr.decode(errors="replace").strip()
        first = next(iter(_errors(result.stderr).values()), None)
        return first or (1, message.partition("\n")[0] or "no output")

    def _written(self, folder: Path, of: _Text, text: bytes) -> Path:
        folder.mkdir(exist_ok=True)
        copy = folder / of.path.name
        copy.write_bytes(text)
        return copy

    def _run(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        command: list[str | Path] = [
            self.toolchain.swiftc,
            "-frontend",
            "-dump-parse",
            "-dump-ast-format",
            "json",
            *arguments,
        ]
        # A crash is read on after; its backtrace would take seconds.
        environment = self.toolchain.environment | {"SWIFT_BACKTRACE": "enable=no"}
        return subprocess.run(command, env=environment, capture_output=True)


def _errors(output: bytes) -> dict[str, Problem]:
    """The first error in each file that the compiler complains about."""
    found: dict[str, Problem] = {}
    for match in _ERROR.finditer(output.decode(errors="replace")):
        found.setdefault(match["file"], (int(match["line"]), match["message"]))
    return found


def _parsed(text: _Text, answer: _Answer, searched: list[Import]) -> _Parsed:
    if isinstance(answer, tuple):
        imports = tuple(reading.search_imports(text.mask, 0, len(text.text)))
        return _Parsed(imports, (), answer, text.conditions, text.hidden)
    source = reading.Source(text.text, text.mask, text.conditions, Lines(text.text))
    found = [*reading.read_imports(answer, source), *searched]
    return _Parsed(
        imports=tuple(sorted(found, key=lambda each: each.start)),
        declarations=reading.read_declarations(answer, source),
        problem=None,
        conditions=text.conditions,
        hidden=text.hidden,
    )


def _items(output: str) -> _Answer:
    try:
        return _loaded(output).items
    except ValueError as error:
        return 1, f"the parser printed something unreadable: {error}"


class _Output(msgspec.Struct):
    items: list[Item] = []


def _loaded(output: str) -> _Output:
    """The parser's output as a value.

    Swift 6.3.1 does not close the object of an attributed type: after `typealias A = @MainActor () -> Void` one
    `}` is missing, and because the compiler then takes itself to be inside an object, it gives the elements of
    the lists around an empty name (`"":`). Raises `ValueError` where the output is broken in another way.
    """
    try:
        return msgspec.json.decode(output, type=_Output)
    except msgspec.DecodeError:
        return msgspec.json.decode("".join(_mended(output)), type=_Output)


class _Container:
    """An object or list that is open. `key` is that of the member that was read last."""

    def __init__(self, is_object: bool) -> None:
        self.is_object = is_object
        self.is_attributed_type = False
        self.key: str | None = None


def _mended(output: str) -> Iterator[str]:
    tokens = _TOKEN.findall(output)
    stack = [_Container(is_object=False)]
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token in "{[":
            yield token
            stack.append(_Container(is_object=token == "{"))
            continue
        if token == ",":
            yield token
            continue
        if position < len(tokens) and tokens[position] == ":":
            position += 1
            if stack[-1].is_object:
                stack[-1].key = token
                yield token + ":"
            continue
        yield token
        if token in "}]":
            stack.pop()
        elif stack[-1].key == '"_kind"':
            stack[-1].is_attributed_type = token == '"type_attributed"'
        # A value ends here, which is the last one of an attributed type when its key is `type_repr`.
        while stack[-1].is_attributed_type and stack[-1].key == '"type_repr"':
            yield "}"
            stack.pop()
