"""Reads Swift files with the compiler's own parser, many at once."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from swiftmodules.errors import ToolError
from swiftmodules.swiftpm import declarations as reading
from swiftmodules.swiftpm.declarations import Declaration, Import, Item, Owners
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.text import Source, without_type_attributes
from swiftmodules.swiftpm.toolchain import Toolchain, temporary_folder

# One process takes 40 ms to start; with 250 files of this repository at once, that of Swift 6.3.1 crashed.
_FILES_AT_ONCE = 100
_BEGIN = '{"_kind":"source_file",'
_ERROR = re.compile(r"^(?P<file>[^\n]*?):(?P<line>\d+):\d+: error: (?P<message>[^\n]*)", re.M)

Problem = tuple[int, str]
_Answer = list[Item] | Problem
# By what was read, for those who read most files again, such as those of the commits of a history.
Known = dict[tuple[object, ...], _Answer] | None


class SourceFile(Source, frozen=True, dict=True):
    """A source with its imports and declarations, those of all branches of `#if`.

    `problem` is the line and text of the error that kept the parser from reading the file, which then has imports only.
    """

    imports: tuple[Import, ...]
    declarations: tuple[Declaration, ...]
    problem: Problem | None

    def line_of(self, declaration: Import) -> int:
        return self.lines.at(declaration.module_start)

    def walk(self) -> Iterator[tuple[Declaration, Owners]]:
        """Every declaration with the types and extensions around it, outermost first."""
        return reading.walk(self.declarations)


def read_sources(folder: Path, package: Package, toolchain: Toolchain, known: Known = None) -> dict[Path, SourceFile]:
    """Reads all sources of the package in a folder, each as its target's settings ask."""
    options = {source: package.parser_options(target) for target in package.targets for source in target.sources}
    return read_files(folder, options, toolchain, known)


def read_files(
    folder: Path, options: Mapping[Path, Sequence[str]], toolchain: Toolchain, known: Known = None
) -> dict[Path, SourceFile]:
    """Reads files below a folder, each with its options for the compiler; what is `known` is not parsed again.

    The parser reports nothing of what stands in `#if`. Such a file is read without the conditions, where the code of
    all branches is seen. Where that is not Swift, the file is read as it is.
    """
    sources = {path: Source.of(path, (folder / path).read_bytes()) for path in sorted(options)}
    known = {} if known is None else known
    keys = {path: (path, source.text, *options[path]) for path, source in sources.items()}
    unknown = {path: source for path, source in sources.items() if keys[path] not in known}
    alike: dict[tuple[str, ...], list[Source]] = {}
    for path, source in unknown.items():
        alike.setdefault(tuple(options[path]), []).append(source)
    groups = [
        each[start : start + _FILES_AT_ONCE] for each in alike.values() for start in range(0, len(each), _FILES_AT_ONCE)
    ]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as executor:
        for found in executor.map(lambda group: _parse_together(group, options[group[0].path], toolchain), groups):
            known.update({keys[path]: answer for path, answer in found.items()})
    for path, source in unknown.items():
        if isinstance(known[keys[path]], tuple) and source.unconditional != source.text:
            known[keys[path]] = _parse_alone(source, source.text, options[path], toolchain)
    return {path: _source_file(source, known[keys[path]]) for path, source in sources.items()}


def require_readable(files: Iterable[SourceFile]) -> None:
    """Raises `ToolError` with the compiler's message where a file could not be parsed."""
    for file in files:
        if file.problem:
            line, message = file.problem
            raise ToolError(f"The compiler cannot parse {file.path}:\n{file.path}:{line}: error: {message}")


def _parse_together(sources: Sequence[Source], options: Sequence[str], toolchain: Toolchain) -> dict[Path, _Answer]:
    """The syntax of each file, or the first error in it. Taken together, files cost next to nothing."""
    with temporary_folder(toolchain.environment) as copies:
        # Copies, because a file may be saved meanwhile.
        files = [_written(Path(copies, str(number)), each, each.unconditional) for number, each in enumerate(sources)]
        arguments = [word for file in files for word in ("-primary-file", file)]
        result = _run(["-parse-as-library", *arguments, *options], toolchain)
    # The objects of several files follow one another.
    outputs = result.stdout.decode(errors="replace").replace("}" + _BEGIN, "}\0" + _BEGIN).split("\0")
    if len(sources) > 1 and (result.returncode < 0 or len(outputs) < len(sources)):
        # One of them made the parser crash: it is found by halves.
        first, second = sources[: len(sources) // 2], sources[len(sources) // 2 :]
        return _parse_together(first, options, toolchain) | _parse_together(second, options, toolchain)
    errors = _errors(result.stderr)
    return {
        # It may be a script, in which statements are not errors.
        source.path: _parse_alone(source, source.unconditional, options, toolchain)
        if file in errors or result.returncode < 0 or not output
        else _items(output)
        for source, file, output in zip(sources, files, outputs, strict=False)
    }


def _parse_alone(source: Source, text: bytes, options: Sequence[str], toolchain: Toolchain) -> _Answer:
    """The syntax of one file, which may be a script, or the first error in it."""
    with temporary_folder(toolchain.environment) as folder:
        result = _run([_written(Path(folder), source, text), *options], toolchain)
    if result.returncode == 0:
        return _items(result.stdout.decode(errors="replace"))
    message = result.stderr.decode(errors="replace").strip()
    first = next(iter(_errors(result.stderr).values()), None)
    return first or (1, message.partition("\n")[0] or "no output")


def _written(folder: Path, source: Source, text: bytes) -> str:
    folder.mkdir(exist_ok=True)
    copy = folder / source.path.name
    # Swift 6.3.1 does not close the JSON object of a type with attributes; no reader needs these.
    copy.write_bytes(without_type_attributes(text, source.mask))
    return str(copy)


def _run(arguments: Sequence[str], toolchain: Toolchain) -> subprocess.CompletedProcess[bytes]:
    command = [str(toolchain.swiftc), "-frontend", "-dump-parse", "-dump-ast-format", "json", *arguments]
    # After a crash the files are read one by one; its backtrace would take seconds.
    return subprocess.run(command, env=toolchain.environment | {"SWIFT_BACKTRACE": "enable=no"}, capture_output=True)


def _errors(output: bytes) -> dict[str, Problem]:
    """The first error in each file that the compiler complains about."""
    found: dict[str, Problem] = {}
    for match in _ERROR.finditer(output.decode(errors="replace")):
        found.setdefault(match["file"], (int(match["line"]), match["message"]))
    return found


def _source_file(source: Source, answer: _Answer) -> SourceFile:
    items, problem = ([], answer) if isinstance(answer, tuple) else (answer, None)
    imports, declarations = tuple(reading.read_imports(source)), tuple(reading.read_declarations(items, source))
    return SourceFile(source.path, source.text, source.mask, source.conditions, imports, declarations, problem)


class _Output(msgspec.Struct):
    items: list[Item] = []


def _items(output: str) -> _Answer:
    """The declarations in the parser's output."""
    try:
        return msgspec.json.decode(output, type=_Output).items
    except ValueError as error:
        return 1, f"the parser printed something unreadable: {error}"
