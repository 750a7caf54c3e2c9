"""Whole runs on the fixture package, with real builds."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import TINY, contents, measure, start_measure

from buildspeed.layouts import LAYOUTS
from buildspeed.memory import memory_is_visible
from buildspeed.process_table import session_members

READER = "Store/Implementation/MemoryReader.swift"
FEED_USERS = {"Feed/Implementation/FeedModule.swift", "Feed/Implementation/StoredTeller.swift"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One round of every edit of one module in all layouts."""
    folder = tmp_path_factory.mktemp("a run")
    package = shutil.copytree(TINY, folder / "Tiny")
    output = folder / "the output"
    before = contents(package)
    result = measure("--package", package, "--rounds", "1", "--no-verify", "--modules", "Store", "--output", output)
    assert result.returncode == 0, result.stderr
    return {
        "stdout": result.stdout,
        "unchanged": contents(package) == before,
        "left": sorted(path.name for path in (package / ".build/measure").iterdir()),
        "results": json.loads((output / "results.json").read_text()),
        "report": (output / "results.md").read_text(),
        "page": (output / "report.html").read_text(),
    }


def compiled(run: dict[str, Any], layout: str, edit: str) -> set[str]:
    (sample,) = [each for each in run["results"]["samples"] if (each["layout"], each["edit"]) == (layout, edit)]
    return set(sample["compiled"])


def test_run_leaves_the_package_as_it_was_and_tidies_up(run: dict[str, Any]) -> None:
    assert run["unchanged"]
    assert run["left"] == ["lock"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_build_without_an_edit_compiles_nothing(run: dict[str, Any], layout: str) -> None:
    assert compiled(run, layout, "noop") == set()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_edit_of_a_body_compiles_that_file_only(run: dict[str, Any], layout: str) -> None:
    assert compiled(run, layout, "body") == {READER}
    assert compiled(run, layout, "app-body") == {"App/Support.swift"}


@pytest.mark.parametrize("edit", ["private-top", "public-top"])
def test_top_level_addition_reaches_users_where_they_import_the_implementation(run: dict[str, Any], edit: str) -> None:
    assert compiled(run, "fused", edit) > FEED_USERS
    assert not compiled(run, "interface", edit) & FEED_USERS


@pytest.mark.parametrize("layout", LAYOUTS)
def test_addition_to_the_interface_reaches_users_in_every_layout(run: dict[str, Any], layout: str) -> None:
    assert compiled(run, layout, "interface-extension-member") > FEED_USERS


@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_rebuild_of_each_layout_is_timed_job_by_job(run: dict[str, Any], layout: str) -> None:
    rebuild = run["results"]["rebuilds"][layout]
    assert (rebuild["edit"], rebuild["module"]) == ("private-top", "Store")
    labels = {job["label"] for job in rebuild["jobs"] if job["kind"] == "compile"}
    assert {Path(file).name for file in compiled(run, layout, "private-top")} == {
        name for label in labels for name in label.split(", ")
    }
    assert [job["target"] for job in rebuild["jobs"] if job["kind"] == "link"] == ["App"]
    assert all(0 < job["began"] < job["finished"] < rebuild["seconds"] for job in rebuild["jobs"])
    assert "Timelines" in run["page"]


def test_samples_have_times_and_links(run: dict[str, Any]) -> None:
    samples = run["results"]["samples"]
    # The control makes a fourth layout.
    assert len(samples) == 4 * 6
    assert all(each["seconds"] > 0.05 and each["cpu_seconds"] > 0.05 for each in samples)
    assert {each["links"] for each in samples if each["edit"] == "body"} == {1}
    assert {each["links"] for each in samples if each["edit"] == "noop"} == {0}
    assert run["results"]["incomplete"] is None


def test_control_is_the_first_layout_and_compiles_the_same(run: dict[str, Any]) -> None:
    assert run["results"]["options"]["control"] == "interface"
    for edit in run["results"]["options"]["edits"]:
        assert compiled(run, "control", edit) == compiled(run, "interface", edit)
    assert "control" in run["results"]["clean_builds"]
    assert "## A/A control" in run["report"]


@pytest.mark.skipif(not memory_is_visible(), reason="needs /proc")
def test_samples_have_the_memory_of_the_build_and_the_conditions(run: dict[str, Any]) -> None:
    for each in run["results"]["samples"]:
        # The least that `swift build` has, and the most that this machine has; a process may be smaller than the tool.
        largest = each["largest_process_bytes"]
        assert largest is None or 30e6 < largest < run["results"]["machine"]["memory_bytes"]
        assert 30e6 < each["peak_memory_bytes"] < run["results"]["machine"]["memory_bytes"]
        assert each["conditions"]["other_cpu_seconds"] >= 0
        assert each["conditions"]["noisy"] in (True, False)
    assert run["results"]["options"]["jobs"] == run["results"]["machine"]["cores"]


@pytest.mark.slow
def test_run_that_is_killed_keeps_its_rounds_and_the_next_ends_its_build_and_clears_up(
    tiny: Path, tmp_path: Path
) -> None:
    before = contents(tiny)
    output = tmp_path / "output"
    arguments = ("--package", tiny, "--layouts", "interface", "--modules", "Store", "--edits", "noop,interface")
    process = start_measure(*arguments, "--output", output)
    assert process.stdout is not None
    # Two rounds of two edits in the layout and in the control.
    for line in process.stdout:
        if line.startswith("[8/"):
            break
    journal = tiny / ".build/measure/running.json"
    (leader,) = wait_for_build(process.pid)
    # So that it does not end by itself meanwhile.
    os.kill(leader, signal.SIGSTOP)
    process.kill()
    process.communicate(timeout=20)
    assert session_members(leader)
    assert json.loads(journal.read_text())["leader"] == leader
    assert "the run was killed" in json.loads((output / "unfinished.json").read_text())["incomplete"]
    # Ends before its first build.
    result = measure("--package", tiny, "--modules", "Shop")
    assert result.returncode == 64
    assert session_members(leader) == []
    assert [path.name for path in (tiny / ".build/measure").iterdir()] == ["lock"]
    assert contents(tiny) == before


def test_report_and_terminal_show_the_same_table(run: dict[str, Any]) -> None:
    assert f"seed {run['results']['options']['seed']}" in run["stdout"]
    assert "| body | Store | 1 |" in run["report"]
    assert "<h1>Rebuilding Tiny after an edit</h1>" in run["page"]
    assert "[24/24]" in run["stdout"]
    assert "monolith" in run["stdout"]


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), pytest.param(signal.SIGINT, 130, marks=pytest.mark.slow)]
)
def test_interrupted_run_keeps_its_samples_and_leaves_no_process(
    tiny: Path, tmp_path: Path, number: int, code: int
) -> None:
    before = contents(tiny)
    output = tmp_path / "output"
    arguments = ("--package", tiny, "--layouts", "interface", "--modules", "Store", "--output", output)
    process = start_measure(*arguments, "--edits", "interface,noop", "--seed", "1")
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("[2/"):
            break
    builds = wait_for_build(process.pid)
    os.kill(process.pid, number)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == code
    assert "samples so far are in" in errors
    assert [member for build in builds for member in session_members(build)] == []
    assert contents(tiny) == before
    assert not (tiny / ".build/measure/work").exists()
    assert [path.name for path in output.iterdir()] == ["unfinished.json"]
    results = json.loads((output / "unfinished.json").read_text())
    assert len(results["samples"]) >= 2
    assert f"interrupted by {signal.Signals(number).name}" in results["incomplete"]
    assert "**Incomplete:**" in measure("report", output / "unfinished.json").stdout


def test_failing_build_stops_with_the_compilers_message_and_the_original_place(tiny: Path) -> None:
    file = tiny / READER
    file.write_text(file.read_text().replace("return Store.Entry", "return Shop.Entry"))
    result = measure("--package", tiny, "--layouts", "fused", "--rounds", "1", "--modules", "Store")
    assert result.returncode == 1
    assert "error: the build of the layout 'fused' failed:" in result.stderr
    assert f"{READER}:13:16: error: cannot find 'Shop' in scope" in result.stderr
    assert not (tiny / ".build/measure/work").exists()


def test_names_that_clash_in_one_target_are_told_with_both_files(tiny: Path) -> None:
    (tiny / "Feed/Implementation/More.swift").write_text("struct MemoryReader {}\n")
    result = measure("--package", tiny, "--layouts", "monolith", "--rounds", "1", "--modules", "Store")
    assert result.returncode == 1
    assert "declare a type MemoryReader" in result.stderr
    assert READER in result.stderr
    assert "Feed/Implementation/More.swift" in result.stderr


def wait_for_build(parent: int) -> list[int]:
    """The sessions of the builds that a process runs, once there is one."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        children = [int(each) for each in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
        if children and any(len(session_members(child)) > 1 for child in children):
            return children
        time.sleep(0.005)
    raise AssertionError("no build was running")
