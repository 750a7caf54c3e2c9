"""The launchers: what they need, and what they install."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from made_files import committed, files, programs
from repo_checkout import REPOSITORY
from swiftmodules.swiftpm.toolchain import Toolchain

SCRIPTS = REPOSITORY / "scripts"
OLDEST = "6.3"
# The libraries that each asks for, and the command that it runs with them.
LAUNCHERS = {
    "bench": "measure: -m repo bench",
    "docs": "measure: -m repo docs",
    "graph": "base: scripts/graph -m swiftmodules graph",
    "live": "measure: scripts/live -m swiftmodules live",
    "measure": "measure: scripts/measure -m swiftmodules measure",
    "module": "base: -m repo module",
}
# Environments are named by what they have: a copy has the requirements of the one in which these tests run.
KEY = Path(sys.prefix).name.removesuffix("-test")


def requirements(level: str) -> set[str]:
    """Returns the packages that a level installs, with those of the levels below."""
    text = (SCRIPTS / f"requirements-{level}.txt").read_text()
    below = re.findall(r"^--requirement requirements-(\w+)\.txt$", text, re.M)
    found = {line for line in text.splitlines() if line and not line.startswith(("#", "--"))}
    return found.union(*(requirements(each) for each in below))


def test_levels_hold_what_the_tool_asks_for_at_the_same_versions() -> None:
    project = tomllib.loads((SCRIPTS / "tool/pyproject.toml").read_text())["project"]
    assert set(project["dependencies"]) <= requirements("base")
    assert set(project["optional-dependencies"]["measure"]) <= requirements("measure")
    assert requirements("base") < requirements("measure") < requirements("test")
    assert all(re.fullmatch(r"[\w-]+==[\w.]+", each) for each in requirements("test"))
    assert not any(each.startswith(("psutil", "jinja2")) for each in requirements("base"))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A checkout with the launchers and `scripts/test` alone."""
    (tmp_path / "scripts").mkdir()
    for path in (*SCRIPTS.glob("requirements*.txt"), *(SCRIPTS / each for each in ("python.sh", "test", *LAUNCHERS))):
        shutil.copy2(path, tmp_path / "scripts")
    return tmp_path


def need(copy: Path, level: str) -> subprocess.CompletedProcess[str]:
    """Asks for an interpreter, where nothing can be downloaded."""
    code = f'scripts={copy}/scripts; . "$scripts/python.sh"; need_python {level}; echo "$python"'
    environment = {**os.environ, "PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "0"}
    return subprocess.run(["sh", "-c", code], env=environment, capture_output=True, text=True)


def measuring(copy: Path) -> Path:
    """The interpreter of an environment with what measuring needs, which is there already."""
    python = copy / f".build/python/{KEY}-measure/bin/python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    return python


def test_environment_of_a_higher_level_is_used(copy: Path) -> None:
    python = measuring(copy)
    for level in ("base", "measure"):
        result = need(copy, level)
        assert (result.returncode, result.stdout, result.stderr) == (0, f"{python}\n", "")


@pytest.mark.slow
def test_environment_of_a_lower_level_is_not_used_and_one_that_cannot_be_made_is_reported(copy: Path) -> None:
    name, result = measuring(copy).parent.parent.name, need(copy, "test")
    assert result.returncode == 69 and "pip could not install" in result.stderr
    assert [path.name for path in (copy / ".build/python").iterdir() if path.name != "bytecode"] == [name]


@pytest.mark.parametrize(
    ("names", "messages"),
    [
        ("", ["no Swift toolchain", "swift.org/install"]),
        ("swift swiftc", ["'python3' is not in PATH", "apt install python3"]),
        ("swift swiftc python3", ["Python 3.8.1 is too old"]),
    ],
)
def test_missing_programs_are_named_at_the_start(copy: Path, tmp_path: Path, names: str, messages: list[str]) -> None:
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in ("sh", "dirname", "cat"):
        (folder / name).symlink_to(shutil.which(name) or "")
    programs(folder, dict.fromkeys(names.split(), '[ "$1" = --version ] && echo Python 3.8.1\nexit 1'))
    for command in (*LAUNCHERS, "test"):
        result = subprocess.run([copy / "scripts" / command], env={"PATH": str(folder)}, capture_output=True, text=True)
        assert (result.returncode, result.stdout) == (69, "")
        assert all(message in result.stderr for message in messages)
    assert not (copy / ".build").exists()


VERSIONS = {
    "Swift version 5.10.1 (swift-5.10.1-RELEASE)": "5.10.1",
    "swift-driver version: 1.120.5 Apple Swift version 6.2.1 (swiftlang-6.2.1)": "6.2.1",
    "Swift version 6.2-dev (LLVM 1, Swift 2)": "6.2-dev",
    "Swift version 6.3 (swift-6.3-RELEASE)": None,
    "Swift version 6.10-dev (LLVM 1, Swift 2)": None,
    "Apple Swift version 10.0": None,
    "no toolchain is selected": None,
}


def test_swift_that_is_too_old_is_reported_by_launchers_and_by_swiftpm(tmp_path: Path, toolchain: Toolchain) -> None:
    for answer, version in VERSIONS.items():
        programs(tmp_path, {"swift": "exit 1", "swiftc": f"echo '{answer}'"})
        command = ["/bin/sh", "-c", f'. "{SCRIPTS}/python.sh"; need_swift; echo used']
        result = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True)
        if version is None:
            assert (result.returncode, result.stdout, result.stderr) == (0, "used\n", "")
        else:
            assert (result.returncode, result.stdout) == (69, "")
            assert result.stderr.startswith(
                f"error: Swift {version} is too old.\nInstall Swift {OLDEST} or newer from "
            )
    # The version that the manifest asks for. SwiftPM compares it before it reads the rest.
    first, _, rest = (REPOSITORY / "Package.swift").read_text(encoding="utf-8").partition("\n")
    assert first == f"// swift-tools-version: {OLDEST}"
    (tmp_path / "Package.swift").write_text(f"// swift-tools-version: 99.0\n(\n{rest}", encoding="utf-8")
    result = subprocess.run([toolchain.swift, "run", "App"], cwd=tmp_path, capture_output=True, text=True)
    assert "is using Swift tools version 99.0.0 but the installed version is " in result.stderr
    assert result.returncode == 1 and "Package.swift:" not in result.stderr


def test_launcher_works_from_anywhere_by_its_own_name() -> None:
    """The libraries are those of the tests, so nothing is installed."""
    result = subprocess.run([SCRIPTS / "graph", "--zzz"], cwd="/", capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (64, "")
    assert result.stderr.endswith("error: Unknown option: --zzz.\nSee 'scripts/graph --help'.\n")


def test_launcher_runs_its_command_with_no_more_libraries_than_it_needs(copy: Path) -> None:
    pythons = {f".build/python/{KEY}-{level}/bin/python": level for level in ("base", "measure", "test")}
    programs(copy, {path: f'echo "{level}:" $SWIFTMODULES_PROGRAM "$@"' for path, level in pythons.items()})
    for launcher, command in (*LAUNCHERS.items(), ("module run", "measure: -m repo module run")):
        program, *words = launcher.split()
        result = subprocess.run([copy / "scripts" / program, *words, "a b"], cwd="/", capture_output=True, text=True)
        assert (result.returncode, result.stdout, result.stderr) == (0, f"{command} a b\n", "")


def test_interrupt_before_python_handles_it_ends_the_launcher_when_it_does(copy: Path) -> None:
    interrupted = f'kill -INT $$; exec {sys.executable} "$@"'
    programs(copy, {f".build/python/{KEY}-measure/bin/python": interrupted})
    for folder in ("tool", "repo"):
        (copy / "scripts" / folder).symlink_to(SCRIPTS / folder)
    for launcher in LAUNCHERS:
        result = subprocess.run([copy / "scripts" / launcher, "--help"], capture_output=True, text=True)
        assert (result.returncode, result.stdout, result.stderr) == (130, "", "interrupted by SIGINT\n")


def test_script_tests_since_a_revision_are_those_that_read_what_has_changed(copy: Path) -> None:
    shutil.copytree(SCRIPTS / "tests", copy / "scripts/tests", ignore=shutil.ignore_patterns("fixtures"))
    python = f".build/python/{KEY}-test/bin/python"
    succeeding = dict.fromkeys(("bin/swift", "scripts/docs", "scripts/graph"), "exit 0")
    programs(copy, {python: 'echo "$@"', "bin/swiftc": "echo Swift version 6.3", **succeeding})
    committed(copy, texts={".gitignore": ".build/\n"})
    environment = {**os.environ, "PATH": f"{copy / 'bin'}:{os.environ['PATH']}"}

    def run() -> set[str]:
        command = [copy / "scripts/test", "--since", "HEAD"]
        result = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return {Path(word).stem for word in result.stdout.split() if "/test_" in word}

    assert run() == set()
    files(copy, {"Modules/Some/Some.swift": "\n", "docs/results/layouts/results.json": "\n"})
    selected = run()
    assert selected >= {"test_repo_docs", "test_committed_records", "test_measure_command"}
    assert "test_measure_compare" not in selected
