"""Words for numbers."""

from __future__ import annotations


def amount(number: int, noun: str) -> str:
    """Such as `1 file` or `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
