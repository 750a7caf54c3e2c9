"""Real runs of `scripts/measure simulate`."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import SCRIPTS, contents, measure

from buildspeed.private_copy import copy_package
from buildspeed.simulation.prediction import checks, predict
from buildspeed.simulation.record import read_record


@pytest.mark.slow
def test_real_run_predicts_and_checks_every_build_and_leaves_the_package_alone(tiny: Path, tmp_path: Path) -> None:
    before = contents(tiny)
    output = tmp_path / "output"
    chosen = ("--layouts", "interface,monolith", "--edits", "body,private-top", "--modules", "Store", "--rounds", "1")
    result = measure("simulate", "--package", tiny, *chosen, "--output", output)
    assert result.returncode == 0, result.stderr
    found = read_record(output / "results.json")
    assert contents(tiny) == before
    assert found.incomplete is None
    assert [layout.layout for layout in found.layouts] == ["interface", "monolith"]
    assert len(checks(found)) == 2 * 3 * len(found.options.jobs)
    interface = found.layouts[0]
    assert set(interface.file_costs.files) == {
        file for command in interface.builds[0].costs[0].commands for wave in command.waves for file in wave.files
    }
    assert interface.files == len(interface.file_costs.files)
    # A build from nothing is made once in a round, an edit twice.
    assert [len(each.costs) for each in interface.builds] == [1, 2, 2]
    assert [{len(seconds) for seconds in each.checks.values()} for each in interface.builds] == [{1}, {2}, {2}]
    (body,) = [each for each in interface.builds if each.edit == "body"]
    compiled = [wave.files for command in body.costs[0].commands for wave in command.waves]
    assert compiled == [("Store/Implementation/MemoryReader.swift",)]
    for layout in found.layouts:
        for each in layout.builds:
            assert predict(found, layout, each, None).seconds <= predict(found, layout, each, 1).seconds + 1e-6
            assert each.timeline
    assert (output / "results.md").read_text() in result.stdout


@pytest.mark.slow
def test_packages_of_every_size_are_predicted_and_checked(tmp_path: Path) -> None:
    package, output = tmp_path / "checkout", tmp_path / "output"
    copy_package(SCRIPTS.parent, package)
    before = contents(package)
    chosen = ("--sizes", "1,2", "--shape", "chain", "--layouts", "interface,packages", "--edits", "private-top")
    result = measure("simulate", "--package", package, *chosen, "--rounds", "1", "--jobs", "2", "--output", output)
    assert result.returncode == 0, result.stderr
    assert contents(package) == before
    found = read_record(output / "results.json")
    assert [layout.package for layout in found.layouts] == ["chain of 1", "chain of 1", "chain of 2", "chain of 2"]
    assert [layout.layout for layout in found.layouts] == ["interface", "packages"] * 2
    assert found.layouts[0].files < found.layouts[2].files
    for layout in found.layouts:
        assert [build.name for build in layout.builds] == ["clean", "private-top HTTPClient", "private-top Profile1"]
        edited = [
            file
            for build in layout.builds
            if build.module == "Profile1"
            for command in build.costs[0].commands
            for wave in command.waves
            for file in wave.files
        ]
        assert any(file.startswith("Modules/Profile1/Implementation/") for file in edited)
    assert len(checks(found)) == 4 * 3
    assert "chain of 2 (" in (output / "results.md").read_text()
