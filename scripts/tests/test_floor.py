"""How close builds come to the work that cannot be avoided."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Subject, contents, measure

from buildspeed.failures import MeasurementError, UsageError
from buildspeed.floor.by_hand import HandWork
from buildspeed.floor.phases import PHASES, phases
from buildspeed.floor.record import CleanSample, EditSample, FloorRecord, Options, read_record, write_record
from buildspeed.floor.report import markdown
from buildspeed.floor.settings import SETTINGS, require_usable, usable_settings, without_linker
from buildspeed.floor.summary import summarize
from buildspeed.job_times import Command, Job
from buildspeed.machine import Machine
from buildspeed.private_copy import Revision
from buildspeed.toolchain import Toolchain


def test_every_moment_belongs_to_one_phase() -> None:
    jobs = [
        Job("question", "", (), 0.1, 0.3, 1),
        Job("target", "A", (), 1.0, 4.0, 2),
        Job("emit-module", "A", (), 1.2, 3.5, 2),
        Job("compile", "A", ("a",), 1.2, 3.0, 2),
        Job("wrap", "A", (), 3.5, 3.8, 2),
        Job("wrap", "A", (), 4.1, 4.2, 3),
        Job("link", "App", (), 4.2, 5.0, 4),
    ]
    found = phases(jobs, 5.5)
    expected = {
        "start": 1.0,
        "planning": 0.4,
        "compile": 1.8,
        "emit-module": 0.5,
        "wrap": 0.4,
        "link": 0.8,
        "rest": 0.6,
    }
    assert found == pytest.approx(expected)
    assert sum(found.values()) == pytest.approx(5.5)
    assert phases(jobs[:1], 0.5) == {**dict.fromkeys(PHASES, 0.0), "start": 0.5}


def test_setting_of_another_platform_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "lld" not in usable_settings() and "no-index" in usable_settings()
    with pytest.raises(UsageError, match="'lld' exists on linux only, and this is darwin"):
        require_usable(("default", "lld"))


def test_cache_is_in_the_folder_that_outlives_a_build() -> None:
    assert SETTINGS["cache"].words(Path("/f"))[-1] == "/f/cache"
    assert SETTINGS["cache"].keeps_results and not SETTINGS["lld"].keeps_results


def test_choice_of_a_linker_is_left_out_and_nothing_else(tiny_subject: Subject) -> None:
    linker = {"tool": "linker", "kind": {"unsafeFlags": {"_0": ["-use-ld=lld"]}}}
    other = {"tool": "linker", "kind": {"linkedLibrary": {"_0": "z"}}}
    package = tiny_subject.package
    first = replace(package.targets[0], settings=(linker, other))
    (stripped, *rest) = without_linker(replace(package, targets=(first, *package.targets[1:]))).targets
    assert stripped.settings == (other,)
    assert tuple(rest) == package.targets[1:]


def hand_work(tmp_path: Path, *commands: tuple[str, str]) -> HandWork:
    """Commands that write a line each into a log; the driver names one job of the link."""
    driver = tmp_path / "bin" / "swiftc"
    driver.parent.mkdir()
    driver.write_text(f"#!/bin/sh\necho /bin/sh -c {shlex.quote(shlex.quote(f'echo link >>{tmp_path}/log'))}\n")
    driver.chmod(0o755)
    made = [
        Command(Job(kind, target, ("a.swift",) if kind == "compile" else (), 0, 1, 1), words(tmp_path, kind))
        for kind, target in commands
    ]
    return HandWork(made, "a.swift", Toolchain(tmp_path / "bin", "Swift"), tmp_path)


def words(tmp_path: Path, kind: str) -> tuple[str, ...]:
    return ("/bin/sh", "-c", f"sleep 0.2; echo {kind} >>{tmp_path}/log")


def test_work_by_hand_runs_each_step_and_then_everything_in_order(tmp_path: Path) -> None:
    work = hand_work(tmp_path, ("compile", "A"), ("emit-module", "B"), ("emit-module", "A"), ("link", "App"))
    result = work.run(tmp_path, jobs=2)
    done = (tmp_path / "log").read_text().split()
    assert done[:3] == ["compile", "emit-module", "link"]
    assert (sorted(done[3:5]), done[5:]) == (["compile", "emit-module"], ["link"])
    assert result.seconds > 0.2 and all(seconds > 0 for seconds in result.steps.values())
    assert result.steps["compile"] > 0.2


def test_build_that_did_not_do_the_work_once_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MeasurementError, match=r"compiled a\.swift 0 times"):
        hand_work(tmp_path, ("emit-module", "A"), ("link", "App"))


def test_step_that_fails_by_hand_is_told_with_its_output(tmp_path: Path) -> None:
    work = hand_work(tmp_path, ("compile", "A"), ("emit-module", "A"), ("link", "App"))
    (tmp_path / "log").mkdir()
    with pytest.raises(MeasurementError, match="'compile' by hand failed"):
        work.run(tmp_path, jobs=2)


def sample(number: int, setting: str, seconds: float) -> EditSample:
    return EditSample(
        round=number,
        position=1,
        setting=setting,
        null_seconds=0.3,
        seconds=seconds,
        cpu_seconds=1.0,
        phases={**dict.fromkeys(PHASES, 0.0), "link": 0.1},
        by_hand_seconds=0.4,
        steps={"compile": 0.2, "emit-module": 0.1, "link": 0.1},
        compiled=("a.swift",),
        conditions=None,
    )


def record(rounds: int) -> FloorRecord:
    clean = [
        CleanSample(1, 1, "default", 10, 1, False, 2**20, None),
        CleanSample(1, 2, "cache", 20, 1, False, 2**20, None),
        CleanSample(2, 1, "default", 10, 1, False, 2**20, None),
        CleanSample(2, 2, "cache", 2, 1, True, 2**20, None),
    ]
    return FloorRecord(
        package="P",
        command="scripts/measure floor",
        started="2026-01-01T00:00:00+00:00",
        machine=Machine(2, "Processor", 2**30, "System"),
        toolchain="Swift 6",
        revision=Revision(None, None),
        options=Options(("default", "lld", "cache"), "body", "A", rounds, 2, 1, 2),
        placement="a statement in `f` in a.swift",
        meanings={name: SETTINGS[name].meaning for name in ("default", "lld", "cache")},
        words={name: SETTINGS[name].options for name in ("default", "lld", "cache")},
        clean_samples=clean,
        samples=[
            each
            for number in range(1, rounds + 1)
            for each in (sample(number, "default", number), sample(number, "lld", number / 2))
        ],
        timelines={"default": [Job("link", "App", (), 0.1, 0.2, 4, 0.1)]},
    )


def test_settings_are_compared_within_a_round_and_with_work_by_hand() -> None:
    default, lld, cache = summarize(record(7))
    assert default.ratio is None and default.edit and default.edit.median == 4
    assert lld.ratio and (lld.ratio.median, lld.ratio.pairs) == (0.5, 7)
    assert lld.ratio.interval and lld.ratio.interval.low == lld.ratio.interval.high == 0.5
    assert lld.over_hand and lld.over_hand.median == pytest.approx(2 / 0.4)
    assert cache.edit is None and cache.clean and cache.clean.median == 2
    assert cache.first_clean_seconds == 20
    assert cache.clean_ratio and cache.clean_ratio.median == 0.2


def test_report_tells_settings_phases_and_clean_builds() -> None:
    text = markdown(record(7))
    assert re.search(r"\| lld \| 2\.00 \(\d\.\d\d–\d\.\d\d\) \| 0\.50 \(0\.50–0\.50\) \| 0\.0\d\d \|", text)
    assert "| default | 0.00 | 0.00 | 0.00 | 0.00 | 0.00 | 0.10 | 0.00 |" in text
    assert "| cache | 2.00 | 0.20 | 20.00 | 1.0 MiB |" in text
    assert "No intervals" not in text and "**No intervals:** 3 rounds" in markdown(record(3))


def test_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_record(record(2), tmp_path / "results.json")
    assert read_record(tmp_path / "results.json") == record(2)


@pytest.mark.parametrize("arguments", [("--settings", "gold"), ("--edit", "nothing"), ("--rounds", "0")])
def test_wrong_option_ends_with_64(arguments: tuple[str, str]) -> None:
    assert measure("floor", *arguments).returncode == 64


@pytest.mark.slow
def test_real_run_has_a_floor_below_every_build_and_leaves_the_package_alone(tiny: Path, tmp_path: Path) -> None:
    before = contents(tiny)
    output = tmp_path / "output"
    settings = ",".join(each for each in ("default", "lld", "cache") if each in usable_settings())
    chosen = ("--module", "Store", "--settings", settings, "--rounds", "1", "--clean-rounds", "2")
    result = measure("floor", "--package", tiny, *chosen, "--output", output)
    assert result.returncode == 0, result.stderr
    found = read_record(output / "results.json")
    assert contents(tiny) == before
    edited = [each for each in settings.split(",") if each != "cache"]
    assert sorted(each.setting for each in found.samples) == sorted(edited)
    for each in found.samples:
        assert each.compiled == ("Store/Implementation/MemoryReader.swift",)
        assert 0 < each.by_hand_seconds < each.seconds
        assert sum(each.phases.values()) == pytest.approx(each.seconds)
        assert each.phases["link"] > 0 and each.phases["compile"] > 0
    kept = [(each.round, each.kept_results) for each in found.clean_samples if each.setting == "cache"]
    assert kept == [(1, False), (2, True)]
    assert set(found.timelines) == set(edited)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["floor", "simulate"])
def test_run_that_ends_early_leaves_a_complete_record_alone(command: str, tiny: Path, tmp_path: Path) -> None:
    output = tmp_path / "output"
    output.mkdir()
    (output / "results.json").write_text("complete")
    (tiny / "App/Broken.swift").write_text("let broken: Int = true\n")
    result = measure(
        command, "--package", tiny, "--module" + "s" * (command == "simulate"), "Store", "--output", output
    )
    assert result.returncode == 1
    assert "Broken.swift:1" in result.stderr and "Traceback" not in result.stderr
    assert [path.name for path in output.iterdir()] == ["results.json"]
    assert (output / "results.json").read_text() == "complete"
