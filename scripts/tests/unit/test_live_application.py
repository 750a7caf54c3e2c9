"""The end and the stops of a program that runs live, as its waiter learns of them."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from queue import Queue

import pytest
from swiftmodules.live.application import _SOCKET_VARIABLE, Application, Ended, Event, RestartRequested

_SECONDS = 30.0


def started(code: str, events: Queue[Event]) -> Application:
    with Path(os.devnull).open("wb") as errors:
        return Application(Path(sys.executable), ["-c", f"import os, signal, time\n{code}"], errors, events.put)


@pytest.mark.parametrize(
    ("code", "status"), [("os._exit(7)", 7), ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL)]
)
def test_end_is_reported_with_its_status(code: str, status: int) -> None:
    events: Queue[Event] = Queue()
    program = started(code, events)
    assert events.get(timeout=_SECONDS) == Ended(program.process, status)
    assert program.has_ended
    program.stop()


def test_torn_message_of_a_program_that_was_killed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    failures: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failures.append)
    events: Queue[Event] = Queue()
    messages = b'{"restart": {}}\n{"snapshot": {"_0": "half'
    program = started(
        f"os.write(int(os.environ['{_SOCKET_VARIABLE}']), {messages!r})\nos.kill(os.getpid(), signal.SIGKILL)", events
    )
    assert events.get(timeout=_SECONDS) == RestartRequested()
    assert events.get(timeout=_SECONDS) == Ended(program.process, -signal.SIGKILL)
    assert (program.snapshot, failures) == (None, [])


@pytest.mark.parametrize("at_once", [True, False])
def test_program_is_stopped(at_once: bool) -> None:
    events: Queue[Event] = Queue()
    program = started("time.sleep(600)", events)
    assert not program.has_ended
    program.stop(at_once)
    number = signal.SIGKILL if at_once else signal.SIGTERM
    assert events.get(timeout=_SECONDS) == Ended(program.process, -number)


def test_tool_stops_with_the_program_and_both_continue(monkeypatch: pytest.MonkeyPatch) -> None:
    events: Queue[Event] = Queue()
    stops: Queue[tuple[int, int]] = Queue()
    kill = os.kill
    monkeypatch.setattr(os, "kill", lambda process, number: stops.put((process, number)))
    program = started("for _ in range(2): os.kill(os.getpid(), signal.SIGSTOP)\nos._exit(3)", events)
    for _ in range(2):
        assert stops.get(timeout=_SECONDS) == (0, signal.SIGSTOP)
        kill(program.process, signal.SIGCONT)
    assert events.get(timeout=_SECONDS) == Ended(program.process, 3)
