"""Replaces byte ranges of a text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Replacement:
    """What stands in the place of the bytes from `start` up to `end`; an insertion where they are equal."""

    start: int
    end: int
    text: bytes


def rewrite(text: bytes, replacements: Iterable[Replacement]) -> bytes:
    """The text with all replacements made. Positions refer to the original text; ranges must not overlap."""
    parts = []
    position = 0
    for replacement in sorted(replacements, key=lambda each: (each.start, each.end)):
        if replacement.start < position:
            raise ValueError(f"replacements overlap at byte {replacement.start}")
        parts += [text[position : replacement.start], replacement.text]
        position = replacement.end
    return b"".join([*parts, text[position:]])
