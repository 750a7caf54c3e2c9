"""`scripts/bench notes`, with a debug build and few notes, so that the times mean nothing."""

from __future__ import annotations

from repo_checkout import REPOSITORY

from repo import bench_notes
from repo.docs.picture import PROGRAM


def test_every_operation_is_timed_on_the_running_app() -> None:
    times = bench_notes.measure(REPOSITORY / PROGRAM, count=200, rounds=1)
    counts = {operation: len(each) for operation, each in times.times.items()}
    assert counts == {
        "read all notes from the server": 1,
        "start without notes": 1,
        "start with all notes": 1,
        "open the list for the first time": 1,
        "open the list": 1,
        "search, a letter more": 6,
        "search, a letter less": 6,
    }
    assert times.bytes > 1 << 20
    times.add("open the list", 60)
    assert times.hold is False
    assert "| open the list | " in str(times) and " | 100 ms | NO |" in str(times)
