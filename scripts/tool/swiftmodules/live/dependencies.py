"""What a file provides to the other files of its module, as the compiler records it in a `.swiftdeps` file.

The driver compiles other files where a node that a file provides is added, removed, or has another fingerprint: a hash
of the tokens outside function bodies. A record is a bitstream of LLVM (https://llvm.org/docs/BitCodeFormat.html), with
the codes and kinds of the compiler's `FineGrainedDependencyFormat.h`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_SIGNATURE = b"DEPS"
_NODE, _FINGERPRINT, _IDENTIFIER = 2, 3, 5
# The node of the whole file, whose name is the path of the record.
_SOURCE_FILE = 6
# How an operand is written.
_LITERAL, _FIXED, _VARIABLE, _BLOB = 0, 1, 2, 5

# Kind, aspect, context, name and fingerprint.
Node = tuple[int, int, bytes, bytes, bytes]


def provided(record: Path) -> frozenset[Node]:
    """The nodes that a file provides; empty where the record cannot be read."""
    names, nodes, is_provided = [b""], list[Node](), 0
    try:
        for code, values, blob in _records(_Bits(record.read_bytes())):
            if code == _IDENTIFIER:
                names.append(blob)
            elif code == _NODE:
                kind, aspect, context, name, is_provided = values
                if is_provided:
                    nodes.append((kind, aspect, names[context], b"" if kind == _SOURCE_FILE else names[name], b""))
            elif code == _FINGERPRINT and is_provided:
                nodes[-1] = (*nodes[-1][:4], blob)
    except (OSError, ValueError, IndexError):
        return frozenset()
    return frozenset(nodes)


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
