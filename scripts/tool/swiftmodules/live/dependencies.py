"""What the files of a module provide to one another, as the compiler records it in a `.swiftdeps` file for each.

Where a node that a file provides is added, removed, or has another fingerprint, which is a hash of tokens outside
function bodies, the compiler's driver compiles the files with nodes that depend on it too. A record is a bitstream of
LLVM (https://llvm.org/docs/BitCodeFormat.html), with the codes and kinds of `FineGrainedDependencyFormat.h`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path

_SIGNATURE = b"DEPS"
_VERSION, _NODE, _FINGERPRINT, _DEPENDS, _IDENTIFIER = 1, 2, 3, 4, 5
_KNOWN_VERSION = 1
# The node of the whole file, whose name is the path of the record.
_SOURCE_FILE = 6
_IMPLEMENTATION = 1
# How an operand is written.
_LITERAL, _FIXED, _VARIABLE, _BLOB = 0, 1, 2, 5

# Kind, aspect, context and name.
Node = tuple[int, int, bytes, bytes]


@dataclass(frozen=True)
class Record:
    """The nodes that a file provides, with their fingerprints, and its nodes that depend on others, by these."""

    provided: Set[tuple[Node, bytes]]
    dependents: Mapping[Node, Collection[Node]]

    @classmethod
    def read(cls, file: Path) -> Record:
        """Raises `ValueError` where the file is not readable as a record."""
        names, nodes, fingerprints = [b""], list[Node](), dict[int, bytes]()
        provided, arcs = set[int](), list[tuple[int, int]]()
        try:
            for code, values, blob in _records(_Bits(file.read_bytes())):
                if code == _VERSION and values[0] != _KNOWN_VERSION:
                    raise ValueError(f"{file} has another version")
                if code == _IDENTIFIER:
                    names.append(blob)
                elif code == _NODE:
                    kind, aspect, context, name, is_provided = values
                    title = Path(names[name].decode()).name.encode() if kind == _SOURCE_FILE else names[name]
                    provided |= {len(nodes)} if is_provided else set()
                    nodes.append((kind, aspect, names[context], title))
                elif code == _FINGERPRINT:
                    fingerprints[len(nodes) - 1] = blob
                elif code == _DEPENDS:
                    arcs.append((values[0], len(nodes) - 1))
            dependents: dict[Node, set[Node]] = defaultdict(set)
            for definition, user in arcs:
                dependents[nodes[definition]].add(nodes[user])
        except (OSError, IndexError) as error:
            raise ValueError(f"{file} cannot be read") from error
        return cls({(nodes[each], fingerprints.get(each, b"")) for each in provided}, dependents)

    def differing(self, other: Record) -> Set[Node]:
        """The nodes that only one of the two records provides, or that have different fingerprints."""
        return {node for node, _ in self.provided ^ other.provided}


def reached(changed: Collection[Node], records: Mapping[Path, Record]) -> set[Path]:
    """The files with a node that depends on a changed node, also by way of other nodes."""
    files: set[Path] = set()
    traced: set[Node] = set()
    rest = [*changed]
    while rest:
        kind, _, context, name = node = rest.pop()
        if node in traced:
            continue
        traced.add(node)
        rest.append((kind, _IMPLEMENTATION, context, name))
        for file, record in records.items():
            if found := record.dependents.get(node):
                files.add(file)
                rest += found
    return files


class _Bits:
    """The bits of a file from the lowest one on, as numbers."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._position = 0

    def fixed(self, width: int) -> int:
        if self._position + width > 8 * len(self._content):
            raise ValueError("the file ends too early")
        byte, first = divmod(self._position, 8)
        self._position += width
        return int.from_bytes(self._content[byte : byte + 16], "little") >> first & ((1 << width) - 1)

    def variable(self, width: int) -> int:
        """A number in chunks, whose highest bits say whether another one follows."""
        value, shift, more = 0, 0, 1 << (width - 1)
        while (chunk := self.fixed(width)) & more:
            value |= (chunk ^ more) << shift
            shift += width - 1
        return value | chunk << shift

    def blob(self, size: int) -> bytes:
        """So many bytes, which begin and end at words."""
        self.align()
        start = self._position // 8
        self.skip(8 * size)
        self.align()
        return self._content[start : start + size]

    def skip(self, width: int) -> None:
        self._position += width

    def align(self) -> None:
        self._position += -self._position % 32


def _records(bits: _Bits) -> Iterator[tuple[int, list[int], bytes]]:
    """The code of each record in the block of records, its values, and the bytes at its end."""
    if bits.fixed(32).to_bytes(4, "little") != _SIGNATURE:
        raise ValueError("no record of dependencies")
    width, abbreviations = 2, list[list[tuple[int, int]]]()
    while known := bits.fixed(width):
        if known == 1:
            block, width = bits.variable(8), bits.variable(4)
            bits.align()
            words = bits.fixed(32)
            if block == 0:
                # Its records describe other blocks.
                bits.skip(32 * words)
                width = 2
        elif known == 2:
            abbreviations.append([_operand(bits) for _ in range(bits.variable(5))])
        elif known == 3:
            code, count = bits.variable(6), bits.variable(6)
            yield code, [bits.variable(6) for _ in range(count)], b""
        else:
            values, blob = list[int](), b""
            for encoding, number in abbreviations[known - 4]:
                if encoding == _LITERAL:
                    values.append(number)
                elif encoding == _BLOB:
                    blob = bits.blob(bits.variable(6))
                else:
                    values.append(bits.fixed(number) if encoding == _FIXED else bits.variable(number))
            yield values[0], values[1:], blob


def _operand(bits: _Bits) -> tuple[int, int]:
    """How an operand of an abbreviation is written, and its value or its width. Raises `ValueError` for an array or
    letters, which no record of dependencies has."""
    if bits.fixed(1):
        return _LITERAL, bits.variable(8)
    encoding = bits.fixed(3)
    if encoding not in (_FIXED, _VARIABLE, _BLOB):
        raise ValueError("no record of dependencies")
    return encoding, 0 if encoding == _BLOB else bits.variable(5)
