"""Reads which file mentions which declaration from the compiler's index, through the library of the toolchain.

The declarations and constants are those of `indexstore/indexstore.h`, which the toolchain comes with.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from ctypes import CFUNCTYPE, POINTER, byref, c_bool, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from dataclasses import dataclass
from pathlib import Path

from buildspeed.failures import MeasurementError
from buildspeed.toolchain import Toolchain

# Of `indexstore_symbol_kind_t`.
EXTENSION = 9
# Of `indexstore_symbol_role_t`.
DEFINITION, CHILD_OF, EXTENDED_BY = 1 << 1, 1 << 9, 1 << 14
# Of `indexstore_unit_dependency_kind_t`.
_RECORD = 2


@dataclass(frozen=True)
class Occurrence:
    """A place where a file declares or uses a declaration, which `usr` identifies in the whole program. `relations`
    are pairs of a role and the other declaration."""

    usr: str
    name: str
    kind: int
    line: int
    roles: int
    relations: tuple[tuple[int, str], ...]


class _Text(ctypes.Structure):
    _fields_ = (("data", c_void_p), ("length", c_size_t))

    def __str__(self) -> str:
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


# All callbacks take a context and one thing, and tell whether to go on.
_EACH = CFUNCTYPE(c_bool, c_void_p, c_void_p)
_EACH_NAME = CFUNCTYPE(c_bool, c_void_p, _Text)

_FUNCTIONS = {
    "error_get_description": (c_char_p, [c_void_p]),
    "error_dispose": (None, [c_void_p]),
    "store_create": (c_void_p, [c_char_p, POINTER(c_void_p)]),
    "store_dispose": (None, [c_void_p]),
    "store_units_apply_f": (c_bool, [c_void_p, c_uint, c_void_p, _EACH_NAME]),
    "unit_reader_create": (c_void_p, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "unit_reader_dispose": (None, [c_void_p]),
    "unit_reader_get_main_file": (_Text, [c_void_p]),
    "unit_reader_dependencies_apply_f": (c_bool, [c_void_p, c_void_p, _EACH]),
    "unit_dependency_get_kind": (c_int, [c_void_p]),
    "unit_dependency_get_name": (_Text, [c_void_p]),
    "unit_dependency_get_filepath": (_Text, [c_void_p]),
    "record_reader_create": (c_void_p, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "record_reader_dispose": (None, [c_void_p]),
    "record_reader_occurrences_apply_f": (c_bool, [c_void_p, c_void_p, _EACH]),
    "occurrence_get_symbol": (c_void_p, [c_void_p]),
    "occurrence_get_roles": (c_uint64, [c_void_p]),
    "occurrence_get_line_col": (None, [c_void_p, POINTER(c_uint), POINTER(c_uint)]),
    "occurrence_relations_apply_f": (c_bool, [c_void_p, c_void_p, _EACH]),
    "symbol_relation_get_roles": (c_uint64, [c_void_p]),
    "symbol_relation_get_symbol": (c_void_p, [c_void_p]),
    "symbol_get_kind": (c_int, [c_void_p]),
    "symbol_get_name": (_Text, [c_void_p]),
    "symbol_get_usr": (_Text, [c_void_p]),
}


class IndexStore:
    """An index on disk."""

    def __init__(self, folder: Path, toolchain: Toolchain) -> None:
        name = "libIndexStore.dylib" if sys.platform == "darwin" else "libIndexStore.so"
        library = toolchain.bin.parent / "lib" / name
        try:
            self._library = ctypes.CDLL(str(library))
        except OSError as error:
            raise MeasurementError(f"cannot load the toolchain's reader of the compiler's index: {error}.") from error
        for function, (result, arguments) in _FUNCTIONS.items():
            declared = getattr(self._library, f"indexstore_{function}")
            declared.restype, declared.argtypes = result, arguments
        self._folder = folder
        self._store = self._created("store_create", str(folder).encode())

    def close(self) -> None:
        self._call("store_dispose", self._store)

    def occurrences(self) -> Iterator[tuple[Path, Occurrence]]:
        """Everything that the compiled files declare and use, each with the path of its file."""
        for unit in self._units():
            reader = self._created("unit_reader_create", self._store, unit.encode())
            try:
                file = Path(str(self._call("unit_reader_get_main_file", reader)))
                records = self._records(reader, file)
            finally:
                self._call("unit_reader_dispose", reader)
            for record in records:
                for occurrence in self._occurrences_in(record):
                    yield file, occurrence

    def _units(self) -> list[str]:
        names: list[str] = []
        self._call("store_units_apply_f", self._store, 1, None, _EACH_NAME(lambda _, name: _append(names, str(name))))
        return names

    def _records(self, unit: int, file: Path) -> list[str]:
        """The records of a unit's own file. Those of the modules that it imports are other ones."""
        names: list[str] = []

        def note(_: int | None, dependency: int) -> bool:
            is_record = self._call("unit_dependency_get_kind", dependency) == _RECORD
            if is_record and Path(str(self._call("unit_dependency_get_filepath", dependency))) == file:
                names.append(str(self._call("unit_dependency_get_name", dependency)))
            return True

        self._call("unit_reader_dependencies_apply_f", unit, None, _EACH(note))
        return names

    def _occurrences_in(self, record: str) -> list[Occurrence]:
        found: list[Occurrence] = []
        reader = self._created("record_reader_create", self._store, record.encode())
        try:
            each = _EACH(lambda _, occurrence: _append(found, self._occurrence(occurrence)))
            self._call("record_reader_occurrences_apply_f", reader, None, each)
        finally:
            self._call("record_reader_dispose", reader)
        return found

    def _occurrence(self, occurrence: int) -> Occurrence:
        symbol = self._call("occurrence_get_symbol", occurrence)
        line = c_uint()
        self._call("occurrence_get_line_col", occurrence, byref(line), None)
        relations: list[tuple[int, str]] = []

        def note(_: int | None, relation: int) -> bool:
            other = self._call("symbol_relation_get_symbol", relation)
            roles = self._call("symbol_relation_get_roles", relation)
            relations.append((roles, str(self._call("symbol_get_usr", other))))
            return True

        self._call("occurrence_relations_apply_f", occurrence, None, _EACH(note))
        return Occurrence(
            usr=str(self._call("symbol_get_usr", symbol)),
            name=str(self._call("symbol_get_name", symbol)),
            kind=self._call("symbol_get_kind", symbol),
            line=line.value,
            roles=self._call("occurrence_get_roles", occurrence),
            relations=tuple(relations),
        )

    def _created(self, function: str, *arguments: object) -> int:
        error = c_void_p()
        created = self._call(function, *arguments, byref(error))
        if not created:
            message = self._call("error_get_description", error) if error else b""
            self._call("error_dispose", error)
            raise MeasurementError(f"cannot read the compiler's index in {self._folder}: {message.decode()}.")
        return created

    def _call(self, function: str, *arguments: object) -> object:
        return getattr(self._library, f"indexstore_{function}")(*arguments)


def _append(items: list, item: object) -> bool:
    items.append(item)
    return True
