"""Goes on with a run that was interrupted or killed, as if nothing had happened, or says why that is not possible."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from buildspeed.failures import RecordError
from buildspeed.layouts import Layout
from buildspeed.machine import Machine
from buildspeed.plan import Cell
from buildspeed.record import Instruments, Record, Resumption, Sample


def contents_of(layouts: Iterable[Layout]) -> str:
    """A digest (SHA-256) of all files that the builds of these layouts read."""
    digest = hashlib.sha256()
    for layout in layouts:
        files = {file.path.as_posix(): file.content() for file in layout.files.values()}
        files |= {path.as_posix(): _bytes(source) for path, source in layout.copies.items()}
        if layout.manifest is not None:
            files["Package.swift"] = layout.manifest.encode()
        for path, content in sorted(files.items()):
            # With the lengths, so that no two sets of files have the same bytes.
            digest.update(f"{layout.name} {path} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _bytes(file: Path) -> bytes:
    return os.fsencode(file.readlink()) if file.is_symlink() else file.read_bytes()


@dataclass(frozen=True)
class Circumstances:
    """What is measured, where and how: all that must be the same for the samples of two sessions to be mixed."""

    package: str
    commit: str | None
    contents: str
    toolchain: str
    machine: Machine
    placements: Mapping[str, str]
    instruments: Instruments | None

    def require_those_of(self, earlier: Record) -> None:
        """Raises `RecordError` where something is not as it was in the record of an unfinished run."""
        if earlier.contents is None:
            raise RecordError("this record does not tell what its builds read, so its run cannot be resumed.")
        differing = [
            f"{what} was {before}, and is {now}"
            for what, before, now in (
                ("the package", earlier.package, self.package),
                ("the commit", earlier.revision.commit, self.commit),
                ("the digest of the code", earlier.contents[:12], self.contents[:12]),
                ("the toolchain", earlier.toolchain, self.toolchain),
                ("the machine", earlier.machine.summary, self.machine.summary),
                ("the list of places of the edits", dict(earlier.placements), dict(self.placements)),
                ("the way to read conditions", earlier.instruments, self.instruments),
            )
            if before != now
        ]
        if differing:
            raise RecordError(
                "the run cannot be resumed, because samples of different things would be mixed: "
                + "; ".join(differing)
                + ". Begin a new run; it leaves this record as it is."
            )


def resumed(earlier: Record, orders: Sequence[Sequence[Cell]], moment: str) -> Record:
    """The record with which the run goes on: with its whole rounds.

    A round that was torn is taken anew as a whole, because its pairs would lie in two sessions, with another state of
    the machine and other build directories. Its samples are kept apart. Raises `RecordError` where the samples are
    not in the order of the plan.
    """
    whole, torn = _split(earlier.samples, orders)
    resumption = Resumption(
        moment=moment,
        round=len(whole) // max(len(orders[0]), 1) + 1,
        reason=earlier.incomplete or "",
        torn=tuple(torn),
    )
    return replace(earlier, samples=whole, incomplete=None, resumptions=(*earlier.resumptions, resumption))


def _split(samples: Sequence[Sample], orders: Sequence[Sequence[Cell]]) -> tuple[list[Sample], list[Sample]]:
    """The samples of whole rounds, and those of the last round where it is not whole."""
    planned = [(number, cell) for number, order in enumerate(orders, start=1) for cell in order]
    if [(sample.round, sample.cell) for sample in samples] != planned[: len(samples)]:
        raise RecordError(
            "the samples of this record are not in the order that this program would take them in. Begin a new run."
        )
    whole = len(samples) - len(samples) % len(orders[0])
    return list(samples[:whole]), list(samples[whole:])
