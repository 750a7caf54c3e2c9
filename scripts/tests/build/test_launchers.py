"""The launchers `scripts/check`, `scripts/graph`, `scripts/live` and `scripts/measure`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parent.parent.parent


def run(launcher: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPTS / launcher, *arguments], capture_output=True, text=True, cwd="/")


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    """The libraries of all levels, whose installation is reported on standard error."""
    run("check", "--zzz")


def test_launcher_draws_this_repository_from_anywhere() -> None:
    result = run("graph")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith('graph TD\n    App[["App"]]\n')


@pytest.mark.parametrize("launcher", ["check", "graph", "live", "measure"])
def test_launcher_goes_by_its_own_name(launcher: str) -> None:
    assert run(launcher, "--help").stdout.startswith(f"Usage: scripts/{launcher} ")
    result = run(launcher, "--zzz")
    assert (result.returncode, result.stdout) == (64, "")
    assert result.stderr == f"error: Unknown option: --zzz.\nSee 'scripts/{launcher} --help'.\n"


def test_measure_checks_its_options_before_it_touches_anything(tmp_path: Path) -> None:
    result = run("measure", str(tmp_path), "--edits", "bodies")
    assert result.returncode == 64 and "There is no edit 'bodies'" in result.stderr
    assert list(tmp_path.iterdir()) == []
