"""Running programs and leaving nothing of them behind."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from buildspeed import interrupts, processes
from buildspeed.failures import InterruptedRunError, MeasurementError
from buildspeed.run_folder import run_folder

ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
# So long sleep the processes of these tests alone.
SECONDS = f"60.{os.getpid()}"
# A child in a process group of its own, as SwiftPM's compilers are.
GRANDCHILD = (
    f'import os, subprocess; subprocess.Popen(["sleep", "{SECONDS}"], process_group=0); print("ready", flush=True)'
)


def test_run_tells_the_exit_code_and_the_cpu_time_of_grandchildren(tmp_path: Path) -> None:
    busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
    finished = processes.run(
        ["sh", "-c", f"sh -c '{busy}'; echo text; exit 4"], ENVIRONMENT, tmp_path, tmp_path / "log"
    )
    assert finished.exit_code == 4
    assert 0.02 < finished.cpu_seconds <= finished.seconds + 0.05
    assert (tmp_path / "log").read_text() == "text\n"


def test_read_fails_with_the_programs_own_words(tmp_path: Path) -> None:
    with pytest.raises(MeasurementError, match=r"exit code 2:\nno such thing"):
        processes.read(["sh", "-c", "echo no such thing >&2; exit 2"], ENVIRONMENT, tmp_path)


@pytest.mark.parametrize("number", interrupts.SIGNALS)
def test_signal_ends_the_program_with_its_descendants(tmp_path: Path, number: int) -> None:
    if signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip("the signal is ignored, as nohup has it")
    script = f"python3 -c '{GRANDCHILD}'; sleep {SECONDS}"
    log = tmp_path / "log"

    def send_when_ready() -> None:
        while not log.exists() or "ready" not in log.read_text():
            time.sleep(0.01)
        os.kill(os.getpid(), number)

    sender = threading.Thread(target=send_when_ready)
    before = set(sleepers())
    sender.start()
    with pytest.raises(InterruptedRunError) as raised, interrupts.raised():
        processes.run(["sh", "-c", script], dict(os.environ), tmp_path, log)
    sender.join()
    assert raised.value.exit_code == 128 + number
    assert set(sleepers()) <= before


def test_signal_in_a_deferred_section_waits_for_its_end() -> None:
    steps = []
    with pytest.raises(InterruptedRunError), interrupts.raised(), interrupts.deferred():
        signal.raise_signal(signal.SIGTERM)
        steps.append("section finished")
    assert steps == ["section finished"]


def test_run_folder_clears_what_a_killed_run_left_and_goes_in_the_end(tmp_path: Path) -> None:
    (tmp_path / "work" / "interface").mkdir(parents=True)
    with run_folder(tmp_path) as folder:
        assert list(folder.iterdir()) == []
    assert not folder.exists()


def test_hangup_that_nohup_ignores_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interrupts.raised():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_signal_while_processes_are_ended_waits_until_none_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    members = processes._running_members
    monkeypatch.setattr(processes, "_running_members", lambda leader: signal.raise_signal(15) or members(leader))
    before = set(sleepers())
    with pytest.raises(InterruptedRunError), interrupts.raised():
        processes.run(["sh", "-c", f"python3 -c '{GRANDCHILD}'"], dict(os.environ), tmp_path, tmp_path / "log")
    assert set(sleepers()) <= before


def sleepers() -> list[int]:
    """The sleeping processes of these tests that still run."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            arguments = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if arguments == f"sleep\0{SECONDS}\0".encode():
            found.append(int(entry.name))
    return found
