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
_MOMENT_SECONDS = 0.01


class _Interrupts:
    """The first signal raises, at once or when the deferred section ends; later ones are ignored, because the
    unwinding that they would disturb takes a moment only."""

    deferrals = 0
    received: int | None = None
    raised = False

    def handle(self, number: int | None = None, frame: FrameType | None = None) -> None:
        self.received = self.received or number
        if not self.received or self.raised or self.deferrals:
            return
        if _is_importing(frame):
            self._handle_later()
            return
        self.raised = True
        raise InterruptedRunError(self.received)

    def handle_ignored(self, ignored: sys.UnraisableHookArgs) -> None:
        """Python ignores what is raised in a finalizer or a callback. An interrupt is raised again after that."""
        if isinstance(ignored.exc_value, InterruptedRunError):
            self.raised = False
            self._handle_later()
        else:
            sys.__unraisablehook__(ignored)

    def _handle_later(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, _MOMENT_SECONDS)


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported: a library in C may ignore what is raised while it makes its types, and crash
    when they are used."""
    while frame is not None and frame.f_code.co_filename != "<frozen importlib._bootstrap>":
        frame = frame.f_back
    return frame is not None


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
    previous = {number: signal.signal(number, _interrupts.handle) for number in (*heeded, signal.SIGALRM)}
    hook, sys.unraisablehook = sys.unraisablehook, _interrupts.handle_ignored
    try:
        # A launcher blocks interrupts until they are handled.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.unraisablehook = hook
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
