"""The workflow to copy, docs/adopting/tests.yml: its last step is run in a clone, as GitHub's runners run it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from made_files import committed, git, programs
from repo_checkout import REPOSITORY

WORKFLOW = yaml.safe_load((REPOSITORY / "docs/adopting/tests.yml").read_text())
READER = "Store/Implementation/MemoryReader.swift"
TESTS = '.testTarget(name: "StoreTests", dependencies: ["StoreImplementation"], path: "Tests"),'
# As GitHub runs steps whose shell is bash.
SHELL = ("bash", "--noprofile", "--norc", "-eo", "pipefail")


@pytest.fixture
def origin(tiny: Path) -> Path:
    """A repository whose branch `work` has changed a source with a test."""
    manifest = tiny / "Package.swift"
    manifest.write_text(manifest.read_text().replace("    targets: [\n", f"    targets: [\n        {TESTS}\n"))
    git(tiny, "init", "--initial-branch", "main")
    other = '.testTarget(name: "OtherTests", path: "Others"),'
    manifest.write_text(manifest.read_text().replace(TESTS, f"{TESTS} {other}"))
    committed(tiny, texts={"Tests/SomeTests.swift": "", "Others/OtherTests.swift": ""})
    git(tiny, "switch", "--create", "work")
    committed(tiny, texts={READER: f"{(tiny / READER).read_text()}\n"})
    return tiny


TOOL = f'PYTHONPATH={REPOSITORY}/scripts/tool exec {sys.executable} -m swiftmodules "$@"'


def ran_last_step(folder: Path, base: str, exit_code: int = 0, tool: str = TOOL) -> tuple[int, str]:
    """Runs the last step with a program in place of `swift test`, which ends with an exit code, and with the tool or a
    script in its place. Returns the exit code of the step, and the expression that `swift test` got."""
    home = folder.parent / "home"
    tests = f'echo "$@" >"$HOME/asked"; exit {exit_code}'
    programs(home, {"swiftmodules/bin/swiftmodules": tool, "bin/swift": tests})
    (script,) = (each["run"] for each in WORKFLOW["jobs"]["tests"]["steps"][-1:])
    variables = {"HOME": str(home), "PATH": f"{home}/bin:{os.environ['PATH']}", "BASE": base}
    environment = {**os.environ, **variables, "SWIFTMODULES_CACHE": str(REPOSITORY / ".build/swiftmodules")}
    done = subprocess.run([*SHELL, "-c", script], cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, (home / "asked").read_text().strip()


def test_step_runs_what_is_reached_and_fails_where_tests_do(origin: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--branch", "work", str(origin), "clone")
    assert ran_last_step(tmp_path / "clone", "origin/main", 3) == (3, r"test --filter ^(StoreTests)\.")


def test_step_runs_no_test_where_none_is_reached_and_all_on_main_and_where_the_tool_fails(tmp_path: Path) -> None:
    clone, none = tmp_path / "clone", "[ $4 != --test-filter ] || echo '^$'"
    clone.mkdir()
    assert ran_last_step(clone, "origin/main", tool=none) == (0, "test --filter ^$")
    assert ran_last_step(clone, "", tool=none) == (0, "test --filter .")
    # As in a shallow clone.
    assert ran_last_step(clone, "origin/main", 1, tool="echo '^$'; exit 64") == (1, "test --filter .")


def test_checkout_has_its_history_and_builds_and_libraries_are_cached() -> None:
    steps = WORKFLOW["jobs"]["tests"]["steps"]
    assert WORKFLOW["jobs"]["tests"]["defaults"]["run"] == {"shell": SHELL[0]}
    with_options = {each["uses"].partition("@")[0]: each["with"] for each in steps if "uses" in each}
    assert with_options["actions/checkout"] == {"fetch-depth": 0}
    assert {".build", "~/swiftmodules"} <= {*with_options["actions/cache"]["path"].split()}
    (install,) = (each for each in steps if "pip install" in each.get("run", ""))
    assert install["continue-on-error"] is True
