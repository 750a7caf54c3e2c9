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

from buildspeed import parser_output
from buildspeed.failures import MeasurementError
from buildspeed.package_graph import Package
from buildspeed.toolchain import Toolchain

_TYPES = {"class_decl", "struct_decl", "enum_decl", "protocol"}
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
class Extension:
    """A top-level `extension` block. `body_end` is the position of its closing brace."""

    type: str
    body_end: int
    members: int
    length: int


@dataclass(frozen=True)
class TopLevelType:
    """A type declared at the top of a file."""

    name: str
    is_public: bool
    # An `enum` without cases, which only gives its members a name to stand under.
    is_namespace: bool


@dataclass(frozen=True)
class SourceFile:
    """What the edits and layouts need to know of a file. The path is relative to the package."""

    path: Path
    text: bytes
    imports: tuple[Import, ...]
    functions: tuple[Function, ...]
    extensions: tuple[Extension, ...]
    types: tuple[TopLevelType, ...]


def parse_package(folder: Path, package: Package, toolchain: Toolchain) -> dict[Path, SourceFile]:
    """Parses all sources of the package in a folder, each as its target's settings ask."""
    jobs = [(source, package.parser_options(target)) for target in package.targets for source in target.sources]
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
    """Reads the parser's output. Its ranges are byte offsets; they end at the *start* of the last token."""
    items = syntax.get("items", [])
    extensions = [item for item in items if item["_kind"] == "extension_decl"]
    return SourceFile(
        path=path,
        text=text,
        imports=tuple(import_declaration(item, text) for item in items if item["_kind"] == "import_decl"),
        functions=tuple(_functions(items, (), text)),
        extensions=tuple(
            Extension(
                type=str(item["extended_type"]),
                body_end=item["range"]["end"],
                members=len([each for each in item.get("members", []) if each["_kind"] != "pattern_binding_decl"]),
                length=item["range"]["end"] - item["range"]["start"],
            )
            for item in extensions
        ),
        types=tuple(
            TopLevelType(_name(item), _is_public(item), _is_namespace(item))
            for item in items
            if item["_kind"] in _TYPES
        ),
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
            yield Function(_name(item), owners, item["body"]["range"]["start"] + 1, _accepts_statement(item, text))
        elif kind == "extension_decl":
            yield from _functions(item.get("members", []), (*owners, str(item["extended_type"])), text)
        elif kind in _TYPES:
            yield from _functions(item.get("members", []), (*owners, _name(item)), text)


def _accepts_statement(function: dict[str, Any], text: bytes) -> bool:
    if any(_gives_the_body_a_meaning(attribute, text) for attribute in function.get("attrs", [])):
        return False
    elements = function["body"].get("elements", [])
    # A single expression is returned without `return`, which a second statement would end.
    is_single_expression = len(elements) == 1 and elements[0]["_kind"] != "return_stmt" and "result" in function
    return bool(elements) and not is_single_expression


def _gives_the_body_a_meaning(attribute: dict[str, Any], text: bytes) -> bool:
    """An inlinable body is part of the interface; a custom attribute may be a result builder or a macro."""
    if attribute["_kind"] == "custom_attr":
        start, last = attribute["range"]["start"], attribute["range"]["end"]
        return re.match(rb"@MainActor\b", text[start:]) is None or last != start + 1
    return attribute["_kind"] in ("inlinable_attr", "transparent_attr", "emit_into_client_attr")


def _name(item: dict[str, Any]) -> str:
    base = item["name"]["base_name"]
    return base.get("name") or base["special"]


def _is_public(item: dict[str, Any]) -> bool:
    return any(attribute.get("access_level") in ("public", "open") for attribute in item.get("attrs", []))


def _is_namespace(item: dict[str, Any]) -> bool:
    cases = [member for member in item.get("members", []) if member["_kind"] == "enum_case_decl"]
    return item["_kind"] == "enum_decl" and not cases
