"""The tool as users install it: into an environment of its own, from the folder of its sources."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from made_files import FIXTURES, contents, copied

# Each makes an environment.
pytestmark = pytest.mark.slow

SCRIPTS = FIXTURES.parent.parent


def installed(folder: Path, extra: str = "") -> Path:
    """The program `swiftmodules` of an environment of its own."""
    # Copied, as a build may write beside the sources.
    ignored = shutil.ignore_patterns("__pycache__")
    tool = shutil.copytree(SCRIPTS / "tool", folder / "tool", ignore=ignored, dirs_exist_ok=True)
    subprocess.run([sys.executable, "-m", "venv", folder / "environment"], check=True)
    pip = [folder / "environment/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"{tool}{extra}"], check=True)
    return folder / "environment/bin/swiftmodules"


def ran(program: Path, package: Path, *arguments: str | Path, code: int = 0) -> str:
    """Runs the program in the folder of a package, in an environment such as users have, and returns its output."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SWIFTMODULES"))}
    folder = program.parent.parent.parent
    # The lock on times is in the folder of temporary files, so that no other test waits for this one.
    caches = {"XDG_CACHE_HOME": str(folder / "cache"), "TMPDIR": str(folder), "COLUMNS": "120"}
    result = subprocess.run(
        [program, *arguments],
        cwd=package,
        env=variables | caches,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert result.returncode == code, result.stdout
    return result.stdout


def test_package_is_drawn_measured_and_reported_with_what_is_installed(tmp_path: Path) -> None:
    tiny = copied(tmp_path / "a cöpy", "Tiny")
    base, before = installed(tmp_path), contents(tiny)
    assert "    Feed --> Store\n" in ran(base, tiny / "Feed" / "Interface", "graph")
    assert ran(base, tiny, "graph", "--why", "Feed", "Store") == "FeedImplementation → StoreInterface\n"
    assert ran(base, tiny, "--version").strip() == "1.0.0"
    for command in (["measure", "--quick"], ["measure", "compare", "a", "b"]):
        assert "pip install 'swiftmodules[measure]'" in ran(base, tiny, *command, code=69)
    assert "Usage: swiftmodules measure" in ran(base, tiny, "measure", "--help")
    assert contents(tiny) == before
    program = installed(tmp_path, "[measure]")
    quick = ["measure", "--quick", "--edits", "body", "--layouts", "interface", "--output", tmp_path / "quick"]
    assert "body Store" in ran(program, tiny, *quick)
    choices = ["--rounds", "1", "--edits", "body", "--modules", "Store", "--layouts", "interface,fused", "--no-verify"]
    assert "body Store" in ran(program, tiny, "measure", *choices, "--output", tmp_path / "out")
    files = {"chart.svg", "results.json", "results.md"}
    assert {path.name for path in (tmp_path / "out").iterdir()} == files
    assert contents(tiny) == before
    ran(program, tiny, "measure", "compare", tmp_path / "out", tmp_path / "out")
    record = json.loads((tmp_path / "out/results.json").read_text())
    assert record["command"].startswith("swiftmodules measure --layouts ")
