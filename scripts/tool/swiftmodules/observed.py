"""The observations that records hold: the machine, and the commit.

The comment of a field describes it. Fields that have their default are not written.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0)]
Number = Annotated[int, Meta(ge=1)]


def amount(number: float, noun: str) -> str:
    """A number with its noun, such as `1 file` or `2 files`."""
    return f"{number:g} {noun}" if number == 1 else f"{number:g} {noun}s"


class Machine(Struct, frozen=True):
    """The hardware and the operating system."""

    cores: Number  #: Cores that the run was allowed to use.
    processor: str  #: Its name.
    memory_bytes: Count  #: Of the machine.
    system: str  #: Operating system, kernel and architecture.

    @property
    def summary(self) -> str:
        memory = f"{self.memory_bytes / 2**30:.0f} GiB of memory"
        return f"{self.cores} cores, {self.processor}, {memory}, {self.system}"


class Revision(Struct, frozen=True):
    """The commit that was measured."""

    commit: str | None = None  #: The commit that was checked out; absent outside of git.
    has_changes: bool | None = None  #: Whether files differed from the commit; absent outside of git.
