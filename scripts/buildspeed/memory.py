"""Samples the memory of a whole process tree while it runs."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType

# Often enough for the shortest build (a third of a second), and a few per cent of one core.
INTERVAL_SECONDS = 0.05

_PROCESSES = Path("/proc")


class MemorySampler:
    """Looks again and again at the processes of a session, from a thread. `peak_bytes` is None until it saw any,
    and for good where there is no /proc."""

    def __init__(self, session: int) -> None:
        self.peak_bytes: int | None = None
        self._session = session
        self._strangers: set[int] = set()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> MemorySampler:
        if memory_is_visible():
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _watch(self) -> None:
        while True:
            now = self._memory()
            if now is not None:
                self.peak_bytes = max(now, self.peak_bytes or 0)
            if self._ended.wait(INTERVAL_SECONDS):
                return

    def _memory(self) -> int | None:
        processes = (int(entry.name) for entry in _PROCESSES.iterdir() if entry.name.isdigit())
        members = [process for process in processes if process not in self._strangers and self._is_member(process)]
        sizes = [size for size in map(_resident_and_shared, members) if size is not None]
        return tree_bytes(sizes) if sizes else None

    def _is_member(self, process: int) -> bool:
        """Asks once for each process of another session, as they are many and never join this one."""
        try:
            member = os.getsid(process) == self._session
        except OSError:
            return False
        if not member:
            self._strangers.add(process)
        return member


def memory_is_visible() -> bool:
    """Whether this system tells the memory of other processes in /proc."""
    return (_PROCESSES / "self" / "statm").exists()


def tree_bytes(sizes: list[tuple[int, int]]) -> int:
    """The memory of processes of which the resident and the shared bytes are known.

    The private pages of all, and the shared pages of the process that has most: what they share is the same
    toolchain and its libraries, which would otherwise count once for each compiler.
    """
    return sum(resident - shared for resident, shared in sizes) + max((shared for _, shared in sizes), default=0)


def _resident_and_shared(process: int) -> tuple[int, int] | None:
    """In bytes; None for a process that has just ended."""
    try:
        with open(f"{_PROCESSES}/{process}/statm") as file:  # noqa: PTH123  quicker, and read hundreds of times
            _, resident, shared, *_ = file.read().split()
    except (OSError, ValueError):
        return None
    page = os.sysconf("SC_PAGE_SIZE")
    return int(resident) * page, int(shared) * page
