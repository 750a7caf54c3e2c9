"""Reads a Swift file with the compiler's own parser: imports, blocks and functions with their positions."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from buildspeed import declarations, parser_output
from buildspeed.declarations import TYPE_KINDS, Extension, ParameterList, TypeDeclaration, name_of
from buildspeed.failures import MeasurementError
from buildspeed.package_graph import Package
from buildspeed.toolchain import Toolchain

_ATTRIBUTES_ONLY = re.compile(rb"\s*(@\w+(\(\w+\))?\s*)+")


@dataclass(frozen=True)
class Import:
    """An import declaration.

    The parser does not tell its attributes and modifiers; `prefix` is their text, from `start` to the keyword.
    """

    module: str
    # `struct` and `URL` in `import struct Foundation.URL`.
    scope: tuple[str, ...]
    prefix: str
    start: int
    module_start: int
    module_end: int
    end: int


@dataclass(frozen=True)
class Function:
    """A function with a body. `owners` are the types and extensions around it, outermost first."""

    name: str
    owners: tuple[str, ...]
    # Just after the opening brace.
    body_start: int
    # Whether a statement can be put before the others and the body still means the same.
    accepts_statement: bool

    @property
    def path(self) -> str:
        return ".".join((*self.owners, self.name))


@dataclass(frozen=True)
class SourceFile:
    """What the edits and layouts need to know of a file. The path is relative to the package."""

    path: Path
    text: bytes
    imports: tuple[Import, ...]
    functions: tuple[Function, ...]
    extensions: tuple[Extension, ...]
    # At any depth; those at the top level have no owners.
    types: tuple[TypeDeclaration, ...]
    parameter_lists: tuple[ParameterList, ...]


def parse_package(folder: Path, package: Package, toolchain: Toolchain) -> dict[Path, SourceFile]:
    """Parses all sources of the package in a folder, each as its target's settings ask."""
    jobs = [(source, package.parser_options(target)) for target in package.all_targets for source in target.sources]
    # The parser takes 40 ms a file, nearly all of it to start.
    executor = ThreadPoolExecutor(max_workers=os.cpu_count())
    try:
        files = executor.map(lambda job: parse_file(folder, *job, toolchain), jobs)
        return {file.path: file for file in files}
    finally:
        executor.shutdown(cancel_futures=True)


def parse_file(folder: Path, path: Path, options: Sequence[str], toolchain: Toolchain) -> SourceFile:
    """Parses one file. The parser tells nothing of what stands in `#if` clauses.

    Raises `MeasurementError` with the compiler's message where the file is no Swift.
    """
    file = folder / path
    command = [toolchain.swiftc, "-frontend", "-dump-parse", "-dump-ast-format", "json", *options, file]
    result = subprocess.run(command, env=toolchain.environment, capture_output=True)
    if result.returncode != 0:
        message = result.stderr.decode(errors="replace").replace(str(file), str(path))
        raise MeasurementError(f"the compiler cannot parse {path}:\n{message.strip()}")
    try:
        syntax = parser_output.load(result.stdout.decode())
    except ValueError as error:
        raise MeasurementError(f"the compiler's parser printed something unreadable for {path}: {error}") from error
    return source_file(path, file.read_bytes(), syntax)


def source_file(path: Path, text: bytes, syntax: dict[str, Any]) -> SourceFile:
    """Reads the parser's output."""
    items = syntax.get("items", [])
    return SourceFile(
        path=path,
        text=text,
        imports=tuple(import_declaration(item, text) for item in items if item["_kind"] == "import_decl"),
        functions=tuple(_functions(items, (), text)),
        extensions=tuple(declarations.extensions(items, text)),
        types=tuple(declarations.types(items, text)),
        parameter_lists=tuple(declarations.parameter_lists(items, text)),
    )


def import_declaration(item: dict[str, Any], text: bytes) -> Import:
    """Reads an import from the parser's output; `text` is the file's."""
    keyword, last = item["range"]["start"], item["range"]["end"]
    module = item["module_path"][0]
    components = [*item["module_path"], *item.get("access_path", [])]
    scope = (item["kind"],) if "kind" in item else ()
    search_from = keyword + len("import")
    if scope:
        search_from = text.index(scope[0].encode(), search_from) + len(scope[0])
    module_start = text.index(module.encode(), search_from) if len(components) > 1 else last
    start = _start_with_attributes(text, keyword)
    return Import(
        module=module,
        scope=(*scope, *components[1:]),
        prefix=text[start:keyword].decode(),
        start=start,
        module_start=module_start,
        module_end=module_start + len(module.encode()),
        end=last + len(components[-1].encode()),
    )


def _start_with_attributes(text: bytes, keyword: int) -> int:
    """Where the attributes and modifiers of an import begin: on its line, or on lines of attributes above."""
    start = max(text.rfind(b"\n", 0, keyword), text.rfind(b";", 0, keyword)) + 1
    while start > 0 and _ATTRIBUTES_ONLY.fullmatch(above := text[:start].splitlines(keepends=True)[-1]):
        start -= len(above)
    return keyword - len(text[start:keyword].lstrip())


def _functions(items: list[dict[str, Any]], owners: tuple[str, ...], text: bytes) -> Iterator[Function]:
    for item in items:
        kind = item["_kind"]
        if kind == "func_decl" and "body" in item:
            yield Function(name_of(item), owners, item["body"]["range"]["start"] + 1, _accepts_statement(item, text))
        elif kind == "extension_decl":
            yield from _functions(item.get("members", []), (*owners, str(item["extended_type"])), text)
        elif kind in TYPE_KINDS:
            yield from _functions(item.get("members", []), (*owners, name_of(item)), text)


def _accepts_statement(function: dict[str, Any], text: bytes) -> bool:
    if any(_gives_the_body_a_meaning(attribute, text) for attribute in function.get("attrs", [])):
        return False
    elements = function["body"].get("elements", [])
    # A single expression is returned without `return`, which a second statement would end.
    is_single_expression = len(elements) == 1 and elements[0]["_kind"] != "return_stmt" and "result" in function
    return bool(elements) and not is_single_expression


def _gives_the_body_a_meaning(attribute: dict[str, Any], text: bytes) -> bool:
    """An inlinable body is part of the interface; a custom attribute may be a result builder or a macro.

    `@Test` is a macro that leaves the body as it is.
    """
    if attribute["_kind"] == "custom_attr":
        start, last = attribute["range"]["start"], attribute["range"]["end"]
        known = re.match(rb"@(MainActor|Test)\b(?!\.)", text[start:])
        return known is None or (known[1] == b"MainActor" and last != start + 1)
    return attribute["_kind"] in ("inlinable_attr", "transparent_attr", "emit_into_client_attr")
