"""Interrupts: the signals that end a command, and the sections that they do not interrupt."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from swiftmodules.errors import InterruptedRunError

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Interrupts:
    """The first signal raises, at once or when the deferred section ends; later ones are ignored, because the
    unwinding that they would disturb takes a moment only."""

    deferrals = 0
    received: int | None = None
    raised = False

    def handle(self, number: int | None = None, frame: FrameType | None = None) -> None:
        self.received = self.received or number
        if self.received and not self.raised and self.deferrals == 0:
            self.raised = True
            raise InterruptedRunError(self.received)


_interrupts = _Interrupts()


def run_interruptibly(command: Callable[[], int]) -> int:
    """Runs a command, and returns its exit code, also where a signal ends it."""
    try:
        with interruptible():
            return command()
    except InterruptedRunError as interruption:
        print(interruption, file=sys.stderr)
        return interruption.exit_code


@contextmanager
def interruptible() -> Iterator[None]:
    """Raises `InterruptedRunError` in the main thread at the first signal, so that a command undoes what it began."""
    _interrupts.received, _interrupts.raised = None, False
    # Under nohup a command outlives its terminal.
    heeded = [number for number in SIGNALS if (number, signal.getsignal(number)) != (signal.SIGHUP, signal.SIG_IGN)]
    previous = {number: signal.signal(number, _interrupts.handle) for number in heeded}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


@contextmanager
def deferred() -> Iterator[None]:
    """Holds the exception back in a section that must be whole, such as starting a process and noting its id. Signals
    raise it in the main thread alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _interrupts.deferrals += 1
    try:
        yield
    finally:
        _interrupts.deferrals -= 1
    _interrupts.handle()
