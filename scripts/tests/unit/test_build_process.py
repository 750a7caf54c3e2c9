"""Running programs, measuring them, and leaving nothing of them behind."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from unittest import mock

import psutil
import pytest
from swiftmodules import process
from swiftmodules.builds import machine
from swiftmodules.builds.machine import require_space, this_machine, usable_cores
from swiftmodules.errors import DiskFullError, InterruptedRunError
from swiftmodules.interrupts import deferred, interruptible
from swiftmodules.process import Finished, session_members
from swiftmodules.swiftpm.toolchain import temporary_folder

LINUX = sys.platform == "linux"
ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
# So long sleep the processes of these tests alone.
SECONDS = f"60.{os.getpid()}"
# A child in a process group of its own, as SwiftPM's compilers are.
GRANDCHILD = (
    f'import os, subprocess; subprocess.Popen(["sleep", "{SECONDS}"], process_group=0); print("ready", flush=True)'
)


def test_program_has_an_end_a_signal_or_a_limit(tmp_path: Path) -> None:
    def run(script: str, seconds: float | None = None) -> Finished:
        return process.run(["sh", "-c", script], ENVIRONMENT, tmp_path, tmp_path / "log", limit=seconds)

    finished = run("sleep 0.1; cat; echo text; echo wrong >&2; exit 3")
    assert finished.exit_code == 3 and finished.seconds > 0.1
    # It is given no input.
    assert (tmp_path / "log").read_text() == "text\nwrong\n"
    assert run("kill -9 $$", seconds=10).exit_code == -signal.SIGKILL
    assert run(f"sleep {SECONDS}", seconds=0.2).exit_code is None
    assert sleepers() == []


def test_signal_in_a_deferred_or_an_inner_section_does_not_disturb_what_follows() -> None:
    steps = []
    with pytest.raises(InterruptedRunError), interruptible(), deferred():
        signal.raise_signal(signal.SIGTERM)
        steps.append("section finished")
    assert steps == ["section finished"]
    steps.clear()

    def work() -> None:
        try:
            with interruptible():
                signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGINT)
            steps.append("kept")

    with pytest.raises(InterruptedRunError), interruptible():
        work()
    assert steps == ["kept"]


EARLY = """
import runpy, signal, sys
class Finder:
    def find_spec(self, name, *others):
        if name == "swiftmodules.interrupts":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv[0:1] = []
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize("module", ["swiftmodules", "repo"])
def test_interrupt_before_the_tool_is_imported_ends_it_at_once(module: str) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", EARLY, module]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


class Finalized:
    def __del__(self) -> None:
        signal.raise_signal(signal.SIGTERM)


def test_signal_in_a_finalizer_whose_exceptions_python_ignores_is_raised_after_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hook = sys.unraisablehook
    with pytest.raises(InterruptedRunError), interruptible():
        Finalized()
        time.sleep(10)
    assert capsys.readouterr().err == "" and sys.unraisablehook is hook


def test_signal_in_an_import_is_raised_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "interrupted.py").write_text("import signal\nsignal.raise_signal(signal.SIGTERM)\nis_whole = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InterruptedRunError, match="SIGTERM"), interruptible():
        importlib.import_module("interrupted")
        time.sleep(10)
    assert sys.modules.pop("interrupted").is_whole


@pytest.mark.parametrize(("module", "name"), [(tempfile, "mkdtemp"), (shutil, "rmtree")])
def test_signal_while_a_temporary_folder_is_made_or_removed_leaves_no_folder(
    tmp_path: Path, module: object, name: str
) -> None:
    with mock.patch.object(module, name, wraps=getattr(module, name)) as called:
        called.side_effect = lambda *_, **__: signal.raise_signal(signal.SIGTERM) or mock.DEFAULT
        with pytest.raises(InterruptedRunError), interruptible(), temporary_folder({"TMPDIR": str(tmp_path)}) as folder:
            Path(folder, "file").touch()
    assert [*tmp_path.iterdir()] == []


def test_signal_while_processes_end_waits_until_none_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def members(session: int) -> list[int]:
        signal.raise_signal(signal.SIGTERM)
        return session_members(session)

    monkeypatch.setattr(process, "session_members", members)
    with pytest.raises(InterruptedRunError), interruptible():
        process.run([sys.executable, "-c", GRANDCHILD], dict(os.environ), tmp_path, tmp_path / "log")
    assert sleepers() == []
    # A process that ends while it is looked at is in no session.
    ended = subprocess.Popen(["true"])
    ended.wait()
    monkeypatch.setattr(psutil, "pids", lambda: [ended.pid])
    assert session_members(os.getsid(0)) == []


@pytest.mark.parametrize("has_psutil", [True, False])
def test_interrupt_ends_a_program_that_prints_little(monkeypatch: pytest.MonkeyPatch, has_psutil: bool) -> None:
    if not has_psutil:
        # As in the environment of commands that do not measure.
        monkeypatch.setitem(sys.modules, "psutil", None)
    timer = threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGTERM])
    with pytest.raises(InterruptedRunError), interruptible():
        timer.start()
        process.captured(["sleep", SECONDS])
    monkeypatch.undo()
    assert sleepers() == []


def test_machine_is_described_and_a_nearly_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cores, processor, memory, system = this_machine().split(", ", 3)
    assert cores == f"{usable_cores()} cores" and memory.endswith(" GiB of memory") and processor and system
    named = re.findall(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M) if LINUX else []
    assert not named or processor in named
    require_space(tmp_path, "the build")
    monkeypatch.setattr(machine, "_LEAST_FREE_BYTES", 2**62)
    with pytest.raises(DiskFullError, match=r"so the build cannot be trusted.*on another disk"):
        require_space(tmp_path, "the build")


def sleepers() -> list[int]:
    """The sleeping processes of these tests that still run."""
    found = psutil.process_iter(["cmdline", "status"])
    return [
        each.pid
        for each in found
        if each.info["cmdline"] == ["sleep", SECONDS] and each.info["status"] != psutil.STATUS_ZOMBIE
    ]
