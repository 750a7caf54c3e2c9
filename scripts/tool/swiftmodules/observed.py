"""The commit that records name, and numbers with their nouns."""

from __future__ import annotations

from msgspec import Struct


def amount(number: float, noun: str) -> str:
    """A number with its noun, such as `1 file` or `2 files`."""
    return f"{number:g} {noun}" if number == 1 else f"{number:g} {noun}s"


class Revision(Struct, frozen=True):
    """The commit that was measured."""

    commit: str | None = None  #: The commit that was checked out; absent outside of git.
    has_changes: bool | None = None  #: Whether files differed from the commit; absent outside of git.
