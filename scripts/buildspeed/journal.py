"""Notes which processes a run has started, so that the next run can end those that outlive a killed one."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import cattrs

from buildspeed.process_table import environment, session_members, started

# In the environment of every process that a run starts: the path of the run's journal.
MARK = "BUILDSPEED_JOURNAL"


@dataclass(frozen=True)
class Session:
    """A program that a run has started, which leads a session. Its start tells it from a later process of the
    same number; None where it had ended before it was noted."""

    leader: int
    started: str | None


class Journal:
    """The sessions that run at the moment, in a file. A run has at most one at a time, and most runs end without
    leaving any. What they write to the temporary folder goes to that of the run, where there is one: each
    `swift build` leaves empty folders there."""

    def __init__(self, path: Path, temporary: Path | None = None) -> None:
        self.path = path
        self._temporary = temporary

    @property
    def environment(self) -> dict[str, str]:
        """What every process that a run starts has in its environment."""
        return {MARK: str(self.path)} | ({"TMPDIR": str(self._temporary)} if self._temporary else {})

    def note(self, leader: int) -> None:
        """Notes a program that was just started."""
        unfinished = self.path.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(asdict(Session(leader, started(leader)))))
        unfinished.replace(self.path)

    def forget(self) -> None:
        """Notes that the program has ended with all its descendants."""
        self.path.unlink(missing_ok=True)

    def end_leftovers(self) -> int:
        """Kills what still runs of a run that was killed itself, and tells how many processes that were."""
        session = self._noted()
        ended: set[int] = set()
        deadline = time.monotonic() + 10
        while (found := _leftovers(session, self.path)) and time.monotonic() < deadline:
            for process in found:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    continue
                ended.add(process)
            time.sleep(0.01)
        self.forget()
        return len(ended)

    def _noted(self) -> Session | None:
        try:
            return cattrs.structure(json.loads(self.path.read_text()), Session)
        # Nothing was noted, or somebody else wrote there.
        except (OSError, ValueError, cattrs.BaseValidationError):
            return None


def _leftovers(session: Session | None, journal: Path) -> list[int]:
    """The members of the noted session, and where the system tells environments, those that bear the mark: a run
    may be killed before it notes what it started."""
    marked = {process for process, marks in environment(MARK).items() if marks == os.fsencode(journal)}
    if session is None or session.started is None or started(session.leader) != session.started:
        return sorted(marked)
    return sorted(marked | set(session_members(session.leader)))


_journal: Journal | None = None


@contextmanager
def noting_in(journal: Journal) -> Iterator[None]:
    """Has everything that is started meanwhile noted."""
    global _journal
    _journal = journal
    try:
        yield
    finally:
        _journal = None


def current() -> Journal | None:
    """The journal of the run, where there is one."""
    return _journal
