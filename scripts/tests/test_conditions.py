"""What is told of the machine while a build runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from buildspeed import conditions, processes
from buildspeed.conditions import ConditionsWatch, busy_seconds, is_noisy, waiting_seconds
from buildspeed.memory import MemorySampler, memory_is_visible, tree_bytes

MEBIBYTE = 2**20
# Runs for so many seconds on one core.
BUSY = "import sys, time\nwhile time.process_time() < float(sys.argv[1]): pass"
# Two processes that have so many MiB at the same time, the second a child in a process group of its own.
LARGE = (
    "import subprocess, sys, time; held = bytearray(int(sys.argv[1]) * 2**20)\n"
    "if len(sys.argv) == 3: subprocess.Popen([*sys.orig_argv[:-1]], process_group=0).wait()\n"
    "else: time.sleep(0.5)"
)
linux = pytest.mark.skipif(not memory_is_visible(), reason="needs /proc")


def test_sample_is_noisy_when_others_used_more_than_a_tenth_of_a_core() -> None:
    assert is_noisy(0.21, seconds=2)
    assert not is_noisy(0.19, seconds=2)
    # Less than the system counts in.
    assert not is_noisy(0.04, seconds=0.1)


@linux
def test_cpu_time_of_others_is_told_apart_from_that_of_the_build(tmp_path: Path) -> None:
    command = [sys.executable, "-c", BUSY, "0.5"]
    watch = ConditionsWatch()
    build = processes.run(command, os.environ, tmp_path, tmp_path / "log")
    alone = watch.conditions(build)
    watch = ConditionsWatch()
    with subprocess.Popen([sys.executable, "-c", BUSY, "5"]) as other:
        build = processes.run(command, os.environ, tmp_path, tmp_path / "log")
        disturbed = watch.conditions(build)
        other.kill()
    assert build.cpu_seconds == pytest.approx(0.5, abs=0.2)
    assert alone.other_cpu_seconds is not None
    assert disturbed.other_cpu_seconds is not None
    # Whatever else runs on this machine disturbs both.
    assert disturbed.other_cpu_seconds > 0.15
    assert disturbed.noisy
    assert alone.load_average >= 0


def test_time_of_others_is_what_the_build_did_not_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = os.sysconf("SC_CLK_TCK")
    statistics = tmp_path / "stat"
    statistics.write_text(f"cpu {1 * ticks} 0 0 0 0 0 0 0 0 0\n")
    monkeypatch.setattr(conditions, "_STATISTICS", statistics)
    watch = ConditionsWatch()
    statistics.write_text(f"cpu {3 * ticks} 0 0 0 0 0 0 0 0 0\n")
    build = processes.Finished(0, seconds=1, cpu_seconds=1.5, largest_process_bytes=0, peak_memory_bytes=0)
    # Two seconds went by on all cores, and this test itself took next to none.
    assert watch.conditions(build).other_cpu_seconds == pytest.approx(0.5, abs=0.1)


def test_unknown_conditions_are_told_as_such(tmp_path: Path) -> None:
    assert busy_seconds(tmp_path / "stat") is None
    assert waiting_seconds(tmp_path / "cpu") is None


def test_busy_time_leaves_out_idling_and_waiting_for_disks(tmp_path: Path) -> None:
    file = tmp_path / "stat"
    file.write_text("cpu  100 20 30 9999 8888 4 5 6 77 7\ncpu0 1 1 1 1 1 1 1 1 1 1\n")
    assert busy_seconds(file) == pytest.approx(165 / os.sysconf("SC_CLK_TCK"))


def test_pressure_is_that_of_some_process(tmp_path: Path) -> None:
    file = tmp_path / "cpu"
    file.write_text(
        "some avg10=0.20 avg60=4.55 avg300=8.98 total=1420766262\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"
    )
    assert waiting_seconds(file) == pytest.approx(1420.766262)


@linux
def test_memory_is_that_of_all_processes_together(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LARGE, "100"]
    one = processes.run(command, os.environ, tmp_path, tmp_path / "log")
    two = processes.run([*command, "with child"], os.environ, tmp_path, tmp_path / "log")
    assert one.peak_memory_bytes is not None
    assert two.peak_memory_bytes is not None
    assert 100 * MEBIBYTE < one.peak_memory_bytes < 150 * MEBIBYTE
    assert 200 * MEBIBYTE < two.peak_memory_bytes < 270 * MEBIBYTE
    # Unknown where the tests' own process is as large.
    assert two.largest_process_bytes is None or 100 * MEBIBYTE < two.largest_process_bytes < 250 * MEBIBYTE


def test_shared_pages_count_once() -> None:
    assert tree_bytes([(100, 80), (90, 70), (30, 0)]) == 20 + 20 + 30 + 80
    assert tree_bytes([]) == 0


def test_memory_of_a_program_that_has_ended_is_unknown() -> None:
    ended = subprocess.Popen(["true"], start_new_session=True)
    ended.wait()
    with MemorySampler(ended.pid) as memory:
        pass
    assert memory.peak_bytes is None
