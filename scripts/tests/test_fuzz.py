"""The fuzzer: what it prints, and that it reports what is planted."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import SCRIPTS

ROUTER = Path("Modules/RouterService")


def fuzz(*arguments: str, root: Path = SCRIPTS.parent) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [root / "scripts" / "fuzz", *arguments], capture_output=True, text=True, check=False, timeout=300, cwd="/"
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What the fuzzer needs of the repository, to be changed by a test."""
    root = SCRIPTS.parent
    for target in ("Interface", "Implementation"):
        shutil.copytree(root / ROUTER / target, tmp_path / ROUTER / target)
    shutil.copytree(SCRIPTS / "repo" / "fuzzing", tmp_path / "scripts" / "repo" / "fuzzing")
    for name in ("fuzz", "python.sh"):
        shutil.copy2(SCRIPTS / name, tmp_path / "scripts" / name)
    return tmp_path


def plant(copy: Path, statement: str) -> None:
    """Puts a statement where pieces of URLs are decoded."""
    file = copy / ROUTER / "Implementation" / "Links" / "URLPieces.swift"
    code = file.read_text(encoding="utf-8")
    place = "    init(_ text: Substring) {\n"
    assert code.count(place) == 1
    file.write_text(code.replace(place, place + f"        {statement}\n"), encoding="utf-8")


def test_run_tells_what_it_did() -> None:
    result = fuzz("--inputs", "2000", "--seed", "3")
    assert result.returncode == 0, result.stderr
    assert re.fullmatch(
        r"Seed 3\n2000 inputs of seed 3 in [\d.]+ s\.\n"
        r"Read as a link, a JSON document and a URL: [1-9]\d* accepted, [1-9]\d* refused\.\n"
        r"The longest took [\d.]+ s: input \d+\.\n",
        result.stdout,
    )


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ('if text == "ann" { fatalError() }', "ended the program with status"),
        ('if text == "ann" { while true {} }', "took more than 5 seconds"),
    ],
)
def test_planted_mistake_is_reported_with_the_input_that_repeats_it(copy: Path, statement: str, message: str) -> None:
    plant(copy, statement)
    result = fuzz("--inputs", "2000", "--seed", "3", root=copy)
    assert result.returncode == 1
    assert message in result.stderr
    repeat = re.search(r"Repeat it with: scripts/fuzz (--seed 3 --input \d+)\n", result.stderr)
    assert repeat is not None
    assert fuzz(*repeat.group(1).split(), root=copy).returncode == 1


def test_planted_difference_is_reported(copy: Path) -> None:
    plant(copy, 'let text = text == "ann" ? "bob" : text')
    result = fuzz("--inputs", "2000", "--seed", "3", root=copy)
    assert result.returncode == 1
    assert "then as" in result.stdout


@pytest.mark.slow
def test_libfuzzer_runs(copy: Path) -> None:
    result = fuzz("--libfuzzer", "2", root=copy)
    assert result.returncode == 0, result.stderr
    assert "stat::number_of_executed_units" in result.stderr
    assert any((copy / ".build" / "fuzz" / "corpus").iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--inputs", "many"], "--inputs needs a number, not 'many'"),
        (["--inputs"], "--inputs needs a number, not ''"),
        (["--seed", "9" * 19], "--seed needs a number"),
        (["--input", "5"], "--input needs --seed"),
        (["--libfuzzer", "5", "--seed", "1"], "--libfuzzer makes its own inputs"),
        (["--fast"], "unknown argument: --fast"),
    ],
)
def test_wrong_arguments_are_told_with_exit_64(arguments: list[str], message: str) -> None:
    result = fuzz(*arguments)
    assert result.returncode == 64
    assert message in result.stderr
    assert "usage: scripts/fuzz" in result.stderr


def test_help_is_printed() -> None:
    result = fuzz("--help")
    assert result.returncode == 0
    assert result.stdout.startswith("usage: scripts/fuzz")
