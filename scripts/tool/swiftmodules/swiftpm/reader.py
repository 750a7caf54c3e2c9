"""The one reader of Swift: imports and declarations of files, as the parser of the toolchain finds them.

`read-swift.swift` is compiled with the toolchain's SwiftParser when it is first needed, and kept in the user's cache.
It reads the code of all clauses of `#if`. All positions are offsets in bytes.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path

import msgspec

from swiftmodules.errors import MissingToolError, ToolError
from swiftmodules.files import content_of
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.toolchain import Toolchain, compiled, read

PROGRAM = Path(__file__).with_name("read-swift.swift")
_LIBRARIES = ("SwiftDiagnostics", "SwiftParser", "SwiftParserDiagnostics", "SwiftSyntax")
# Fewer are not worth another process.
_FILES_AT_ONCE = 50
# The access levels that other packages see.
PUBLIC = ("public", "open")
# Those that other targets of the package see.
VISIBLE = (*PUBLIC, "package")
_TYPES = ("struct", "enum", "class", "actor", "protocol")
_BLANKS = bytes(byte if byte in b"\r\n" else ord(" ") for byte in range(256))


class _Part(msgspec.Struct, frozen=True, rename="camel"):
    pass


class Clause(_Part, frozen=True):
    """A clause of `#if`, from its keyword to the next one; that of `#else` has no condition."""

    condition: str
    start: int
    end: int


class Import(_Part, frozen=True):
    """An import declaration, from its attributes on. `name_start` and `name_end` are those of the module."""

    module: str
    # `struct` and `URL` in `import struct Foundation.URL`.
    scope: tuple[str, ...]
    attributes: tuple[str, ...]
    start: int
    end: int
    name_start: int
    name_end: int
    access: str | None = None


class Declaration(_Part, frozen=True):
    """A declaration outside of function bodies. The name of an extension is that of the type that it extends.

    `start` is where its attributes begin. `body_start` is just after an opening brace and `body_end` is the closing
    one: of a type, an extension, a function, or accessors with code. Both are None where there is no body.
    """

    # struct enum class actor protocol extension func init deinit subscript var case typealias associatedtype macro
    kind: str
    name: str
    modifiers: tuple[str, ...]
    attributes: tuple[str, ...]
    # Of a function, initialiser or subscript; `_` where a parameter has none.
    labels: tuple[str, ...]
    # The types after the colon, as written: `Swift.Hashable`, `@unchecked Sendable`.
    inherits: tuple[str, ...]
    # Whether an extension holds for some arguments of a generic type only.
    is_constrained: bool
    # Whether it is a variable with a value of its own, observed or not.
    is_stored_variable: bool
    # Whether it stands in a clause of `#if`; no edit may be put there.
    is_conditional: bool
    start: int
    name_start: int
    end: int
    # Of a function: whether a statement can be put first and the body still means the same.
    accepts_statement: bool
    members: tuple[Declaration, ...]
    # As written, for the whole and not for the setter; None where nothing is.
    access: str | None = None
    body_start: int | None = None
    body_end: int | None = None
    # Of a function whose body is one expression that it returns: where the expression begins, so that `return` can be
    # put before it.
    single_expression: int | None = None

    @property
    def is_type(self) -> bool:
        return self.kind in _TYPES

    @property
    def is_block(self) -> bool:
        """Whether it is a type or an extension, which has members."""
        return self.is_type or self.kind == "extension"

    @property
    def is_public(self) -> bool:
        return self.access in PUBLIC

    @property
    def has_body(self) -> bool:
        """Whether it has code: a function's, or that of accessors."""
        return self.body_start is not None and not self.is_block

    @property
    def is_static(self) -> bool:
        return not {"static", "class"}.isdisjoint(self.modifiers)

    @property
    def is_namespace(self) -> bool:
        """Whether it is an `enum` without cases, which only gives its members a name to stand under."""
        return self.kind == "enum" and not any(member.kind == "case" for member in self.members)

    @property
    def title(self) -> str:
        """Its full name with labels, as documentation writes it."""
        if self.kind in ("func", "init", "subscript"):
            return f"{self.name}({''.join(f'{label}:' for label in self.labels)})"
        return self.name

    @property
    def inherited(self) -> tuple[str, ...]:
        """The last components of the inherited types: `Hashable` for `Swift.Hashable`, `~Copyable`."""
        return tuple(map(_last_type, self.inherits))

    def inherits_any(self, names: Iterable[str]) -> bool:
        """Whether one of the names stands after the colon, qualified or not."""
        return not set(self.inherited).isdisjoint(names)

    def walk(self) -> Iterator[tuple[Declaration, Owners]]:
        """Every declaration inside, at any depth, with its owners up to this one."""
        return _walk(self.members, (self,))


# The types and extensions around a declaration, outermost first.
Owners = tuple[Declaration, ...]


class _Error(_Part, frozen=True):
    position: int
    message: str


class SourceFile(_Part, frozen=True, dict=True):
    """A source with its imports and declarations, as the parser finds them. A file with an error has no declarations,
    and its imports as far as they can be seen. The path is relative to the package."""

    path: Path = Path()
    text: bytes = b""
    imports: tuple[Import, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    # At the top level, without imports and conditional imports: starts and ends, in turn.
    statements: tuple[int, ...] = ()
    clauses: tuple[Clause, ...] = ()
    # The same of comments.
    comments: tuple[int, ...] = ()
    # The same of the insides of literals.
    literals: tuple[int, ...] = ()
    # The same of names before a dot, which may be those of modules.
    qualifiers: tuple[int, ...] = ()
    error: _Error | None = None

    @cached_property
    def mask(self) -> bytes:
        """The text with spaces for comments and the insides of literals; every position stays. Code that is
        interpolated into a literal is code."""
        return blanked(self.text, sorted((*pairs(self.comments), *pairs(self.literals))))

    @cached_property
    def code(self) -> bytes:
        """The text with spaces for comments only."""
        return blanked(self.text, pairs(self.comments))

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(rb"\r\n|\r|\n", self.text))]

    def line_at(self, position: int) -> int:
        """The line of a position, from 1."""
        return bisect_right(self._lines, position)

    def position(self, line: int, column: int) -> int:
        """The position of a column of a line, in bytes and both from 1."""
        return self._lines[line - 1] + column - 1

    def conditions_at(self, position: int) -> list[str]:
        """The conditions of the clauses that a position stands in, outermost first; that of `#else` is empty."""
        return [each.condition for each in self.clauses if each.start <= position < each.end]

    def walk(self) -> Iterator[tuple[Declaration, Owners]]:
        """Every declaration with the types and extensions around it, outermost first."""
        return _walk(self.declarations)


Sources = Mapping[Path, SourceFile]
# What was parsed already, by the toolchain and the text: the states of a package have most files in common.
_PARSED: dict[tuple[Path, bytes], SourceFile] = {}


def read_sources(folder: Path, package: Package, toolchain: Toolchain) -> dict[Path, SourceFile]:
    return read_files(folder, (path for target in package.targets for path in target.sources), toolchain)


def read_files(folder: Path, paths: Iterable[Path], toolchain: Toolchain) -> dict[Path, SourceFile]:
    texts = {path: content_of(folder, path) for path in sorted(set(paths))}
    unknown = sorted(text for text in {*texts.values()} if (toolchain.bin, text) not in _PARSED)
    if unknown:
        program = _program(toolchain)
        count = min(os.cpu_count() or 1, -(-len(unknown) // _FILES_AT_ONCE))
        groups = [unknown[number::count] for number in range(count)]
        with ThreadPoolExecutor(count) as executor:
            for group, found in zip(groups, executor.map(lambda each: _parsed(each, program), groups), strict=True):
                _PARSED.update(((toolchain.bin, text), each) for text, each in zip(group, found, strict=True))
    return {
        path: msgspec.structs.replace(_PARSED[toolchain.bin, text], path=path, text=text)
        for path, text in texts.items()
    }


def require_readable(files: Iterable[SourceFile]) -> None:
    """Raises `ToolError` with the parser's message where a file could not be parsed."""
    for file in files:
        if file.error:
            place = f"{file.path}:{file.line_at(file.error.position)}"
            raise ToolError(f"The compiler cannot parse {file.path}:\n{place}: error: {file.error.message}")


def _parsed(texts: list[bytes], program: Path) -> list[SourceFile]:
    given = b"".join(b"%d\n%b" % (len(text), text) for text in texts)
    lines = read([program], os.environ, program.parent, given).splitlines()
    return [msgspec.json.decode(line, type=SourceFile) for line in lines]


def _program(toolchain: Toolchain) -> Path:
    """The program that reads."""
    modules = toolchain.bin.parent / "lib" / "swift" / "host"
    if not (modules / "SwiftParser.swiftmodule").exists():
        raise MissingToolError(
            f"The Swift toolchain in {toolchain.bin} comes without SwiftParser, which reads sources: there is no "
            f"{modules}/SwiftParser.swiftmodule. Xcode and the toolchains of https://www.swift.org/install have "
            "it; select one with 'xcode-select --switch', or put it first in PATH."
        )
    options: list[str | Path] = ["-I", modules, "-L", modules, "-Xlinker", "-rpath", "-Xlinker", modules]
    return compiled(PROGRAM, toolchain, "-swift-version", "6", *options, *(f"-l{each}" for each in _LIBRARIES))


def pairs(positions: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """The ranges whose starts and ends are listed in turn."""
    return zip(positions[::2], positions[1::2], strict=True)


def blanked(text: bytes, ranges: Iterable[tuple[int, int]]) -> bytes:
    """The text with spaces in the ranges, but for line breaks."""
    pieces = []
    position = 0
    for start, end in ranges:
        pieces += [text[position:start], text[start:end].translate(_BLANKS)]
        position = end
    return b"".join([*pieces, text[position:]])


def _walk(declarations: Iterable[Declaration], owners: Owners = ()) -> Iterator[tuple[Declaration, Owners]]:
    for declaration in declarations:
        yield declaration, owners
        yield from _walk(declaration.members, (*owners, declaration))


def path(declaration: Declaration, owners: Owners) -> str:
    """The name of a declaration with those of its owners: `Profile.Overview`."""
    return ".".join([*(owner.name for owner in owners), declaration.name])


def effective_access(declaration: Declaration, owners: Owners) -> str | None:
    """The access of a declaration, its own or that of the extension or protocol around it."""
    if declaration.access or not owners or declaration.kind == "extension":
        return declaration.access
    owner = owners[-1]
    # Requirements, cases and associated types are as visible as their type.
    is_part = owner.kind == "protocol" or declaration.kind == "case"
    return effective_access(owner, owners[:-1]) if is_part or owner.kind == "extension" else None


def is_api(declaration: Declaration, owners: Owners, levels: tuple[str, ...] = PUBLIC) -> bool:
    """Whether other modules can use the declaration, as far as one file shows."""
    around = [
        effective_access(owner, owners[:position]) for position, owner in enumerate(owners) if owner.kind != "extension"
    ]
    return all(access in levels for access in [*around, effective_access(declaration, owners)])


def _last_type(inherited: str) -> str:
    """`Codable` in `@preconcurrency Swift.Codable`; with the tilde of a suppressed conformance."""
    plain = re.sub(r"<.*>", "", inherited)
    return ("~" if "~" in plain else "") + re.split(r"[.\s~]", plain)[-1]
