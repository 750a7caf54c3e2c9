"""The launchers `scripts/check`, `scripts/graph`, `scripts/live` and `scripts/measure`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parent.parent.parent


def run(launcher: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", SCRIPTS / launcher, *arguments], env=environment or None, capture_output=True, text=True, cwd="/"
    )


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


def test_measure_tries_what_it_is_told_before_it_touches_anything(tmp_path: Path) -> None:
    result = run("measure", str(tmp_path), "--edits", "bodies")
    assert result.returncode == 64 and "There is no edit 'bodies'" in result.stderr
    assert list(tmp_path.iterdir()) == []


def run_without(tmp_path: Path, *programs: str) -> subprocess.CompletedProcess[str]:
    """Runs a launcher with a PATH that has only the named programs and a few basic ones."""
    for name in ("dirname", "cat", *programs):
        path = subprocess.run(["sh", "-c", f"command -v {name}"], capture_output=True, text=True, check=True)
        (tmp_path / name).symlink_to(path.stdout.strip())
    return run("measure", "--help", PATH=str(tmp_path))


def test_launcher_says_where_to_get_a_missing_toolchain(tmp_path: Path) -> None:
    result = run_without(tmp_path)
    assert (result.returncode, result.stdout) == (69, "")
    assert "no Swift toolchain" in result.stderr
    assert "swift.org/install" in result.stderr


def test_launcher_says_where_to_get_a_missing_python(tmp_path: Path) -> None:
    result = run_without(tmp_path, "swift", "swiftc")
    assert result.returncode == 69
    assert "'python3' is not in PATH" in result.stderr
    assert "apt install python3" in result.stderr


def test_launcher_says_when_python_is_too_old(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.8.1\nexit 1\n')
    old.chmod(0o755)
    result = run_without(tmp_path, "swift", "swiftc")
    assert result.returncode == 69
    assert "Python 3.8.1 is too old" in result.stderr
