"""Reads which files declare and use a declaration from the compiler's index, through the library of the toolchain.

The declarations and constants are those of `indexstore/indexstore.h`, which the toolchain comes with.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from ctypes import CFUNCTYPE, byref, c_bool, c_char_p, c_size_t, c_uint, c_uint64, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.toolchain import Toolchain

# Of `indexstore_symbol_role_t`: what the compiler makes up, a superclass or a protocol after a colon, and what
# implements a requirement.
DEFINITION, IMPLICIT = 1 << 1, 1 << 8
BASE, OVERRIDE = 1 << 10, 1 << 11
# Of `indexstore_unit_dependency_kind_t`.
_RECORD = 2


@dataclass(frozen=True)
class Occurrence:
    """A place where a file declares or uses a declaration, which `usr` identifies in the whole program."""

    usr: str
    name: str
    line: int
    # In bytes, from 1.
    column: int
    roles: int
    # What it overrides, or implements for the type that conforms there.
    overridden: tuple[str, ...]


class _Pointer(c_void_p):
    """A subclass, because ctypes turns `c_void_p` itself into numbers, and would truncate them."""


class _Text(ctypes.Structure):
    _fields_ = (("data", c_void_p), ("length", c_size_t))

    def __str__(self) -> str:
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


# The results of functions, where they are not a number of 32 bits or nothing.
_RESULTS: Mapping[Any, tuple[str, ...]] = {
    _Pointer: (
        *("store_create", "unit_reader_create", "record_reader_create"),
        *("occurrence_get_symbol", "symbol_relation_get_symbol"),
    ),
    _Text: (
        *("unit_reader_get_main_file", "unit_dependency_get_name", "unit_dependency_get_filepath"),
        *("symbol_get_name", "symbol_get_usr"),
    ),
    c_uint64: ("occurrence_get_roles", "symbol_relation_get_roles"),
    c_char_p: ("error_get_description",),
}
# Callbacks take a context and one thing, and return whether to continue.
_EACH, _EACH_NAME = (CFUNCTYPE(c_bool, c_void_p, each) for each in (_Pointer, _Text))


class IndexStore:
    def __init__(self, folder: Path, toolchain: Toolchain) -> None:
        name = "libIndexStore.dylib" if sys.platform == "darwin" else "libIndexStore.so"
        try:
            self._library = ctypes.CDLL(str(toolchain.bin.parent / "lib" / name))
        except OSError as error:
            raise ToolError(f"cannot load the toolchain's reader of the compiler's index: {error}.") from error
        for result, functions in _RESULTS.items():
            for function in functions:
                getattr(self._library, f"indexstore_{function}").restype = result
        self._folder = folder
        self._store = self._created("store_create", str(folder).encode())

    def close(self) -> None:
        self._call("store_dispose", self._store)

    def occurrences(self) -> Iterator[tuple[Path, Occurrence]]:
        """Everything that the compiled files declare and use, each with the path of its file."""
        for unit in self._collected("store_units_apply_f", str, self._store, 1, callback=_EACH_NAME):
            with self._reader("unit", unit) as reader:
                file = str(self._call("unit_reader_get_main_file", reader))
                dependencies = self._collected("unit_reader_dependencies_apply_f", self._dependency, reader)
            place = Path(file)
            # The records of other files are those of the modules that this one imports.
            for record in [name for kind, path, name in dependencies if (kind, path) == (_RECORD, file)]:
                with self._reader("record", record) as reader:
                    for found in self._collected("record_reader_occurrences_apply_f", self._occurrence, reader):
                        yield place, found

    def _dependency(self, dependency: _Pointer) -> tuple[int, str, str]:
        kind, path, name = (
            self._call(f"unit_dependency_get_{each}", dependency) for each in ("kind", "filepath", "name")
        )
        # As texts, because a unit has thousands.
        return kind, str(path), str(name)

    def _occurrence(self, occurrence: _Pointer) -> Occurrence:
        symbol = self._call("occurrence_get_symbol", occurrence)
        line, column = c_uint(), c_uint()
        self._call("occurrence_get_line_col", occurrence, byref(line), byref(column))
        roles = self._call("occurrence_get_roles", occurrence)
        # Few have any.
        related = (
            self._collected("occurrence_relations_apply_f", self._relation, occurrence) if roles & OVERRIDE else ()
        )
        return Occurrence(
            usr=str(self._call("symbol_get_usr", symbol)),
            name=str(self._call("symbol_get_name", symbol)),
            line=line.value,
            column=column.value,
            roles=roles,
            overridden=tuple(usr for relation, usr in related if relation & OVERRIDE),
        )

    def _relation(self, relation: _Pointer) -> tuple[int, str]:
        symbol = self._call("symbol_relation_get_symbol", relation)
        return self._call("symbol_relation_get_roles", relation), str(self._call("symbol_get_usr", symbol))

    @contextmanager
    def _reader(self, kind: str, name: str) -> Iterator[_Pointer]:
        reader = self._created(f"{kind}_reader_create", self._store, name.encode())
        try:
            yield reader
        finally:
            self._call(f"{kind}_reader_dispose", reader)

    def _created(self, function: str, *arguments: object) -> _Pointer:
        error = _Pointer()
        created: _Pointer = self._call(function, *arguments, byref(error))
        if not created:
            message = self._call("error_get_description", error) if error else b""
            self._call("error_dispose", error)
            raise ToolError(f"cannot read the compiler's index in {self._folder}: {message.decode()}.")
        return created

    def _collected(
        self,
        function: str,
        read: Callable[[Any], Any],
        *arguments: object,
        callback: Any = _EACH,  # noqa: ANN401
    ) -> list[Any]:
        """Collects what a function passes to its callback one by one, which can only be read during the call."""
        found: list[Any] = []

        def each(_: int | None, thing: Any) -> bool:  # noqa: ANN401  a pointer, or a structure
            found.append(read(thing))
            return True

        self._call(function, *arguments, None, callback(each))
        return found

    def _call(self, function: str, *arguments: object) -> Any:  # noqa: ANN401  what the library's function returns
        return getattr(self._library, f"indexstore_{function}")(*arguments)
