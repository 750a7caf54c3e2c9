"""The fuzzer: what it prints, and that it reports what is planted."""

from __future__ import annotations

import re
import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest
from repo_checkout import REPOSITORY, run
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.fuzz import PROGRAM, SOURCES, _built

ROUTER = Path("Modules/RouterService")
DECODING = ROUTER / "Implementation/Links/URLPieces.swift"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the files that the fuzzer needs, to be changed by a test."""
    for folder in (ROUTER / "Interface", ROUTER / "Program", ROUTER / "Implementation", SOURCES):
        shutil.copytree(REPOSITORY / folder, tmp_path / folder)
    return tmp_path


def plant(copy: Path, statement: str) -> None:
    """Puts a statement where pieces of URLs are decoded."""
    code = (copy / DECODING).read_text(encoding="utf-8")
    place = "    init(_ text: Substring) {\n"
    assert code.count(place) == 1
    (copy / DECODING).write_text(code.replace(place, f"{place}        {statement}\n"), encoding="utf-8")


@pytest.mark.slow
def test_run_prints_what_it_did(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(REPOSITORY, "fuzz", "--inputs", "2000", "--seed", "3") == 0
    assert re.fullmatch(
        r"Seed 3\n2000 inputs of seed 3 in [\d.]+ s\.\n"
        r"Read as a link, a JSON document and a URL: [1-9]\d* accepted, [1-9]\d* refused\.\n"
        r"The longest took [\d.]+ s: input \d+\.\n",
        capfd.readouterr().out,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ('if text == "ann" { fatalError() }', "ended the program with status"),
        ('if text == "ann" { while true {} }', "took more than 5 seconds"),
        ('let text = text == "ann" ? "bob" : text', "then as"),
    ],
)
def test_planted_mistake_is_reported_with_the_input_that_repeats_it(
    copy: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    toolchain: Toolchain,
    statement: str,
    message: str,
) -> None:
    plant(copy, statement)
    # Both runs build the same.
    with _built(copy, toolchain, *PROGRAM) as program:
        monkeypatch.setattr("repo.fuzz._built", lambda *inputs: nullcontext(program))
        assert run(copy, "fuzz", "--inputs", "2000", "--seed", "3") == 1
        captured = capfd.readouterr()
        assert message in captured.out + captured.err
        repeat = re.search(r"Repeat it with: scripts/fuzz (--seed 3 --input \d+)\n", captured.err)
        assert repeat is not None
        assert run(copy, "fuzz", *repeat[1].split()) == 1
    assert list((copy / ".build/fuzz").glob("run.*")) == []


@pytest.mark.slow
def test_libfuzzer_runs(copy: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(copy, "fuzz", "--libfuzzer", "2") == 0
    assert "stat::number_of_executed_units" in capfd.readouterr().err
    assert any((copy / ".build/fuzz/corpus").iterdir())


def test_program_that_does_not_build_exits_with_69(copy: Path, capfd: pytest.CaptureFixture[str]) -> None:
    plant(copy, "nothing()")
    assert run(copy, "fuzz", "--inputs", "1") == 69
    assert "cannot find 'nothing' in scope" in capfd.readouterr().err


WRONG = {
    "--inputs many": "many",
    "--inputs": "--inputs",
    "--inputs 0": ">= 1",
    f"--seed {'9' * 19}": "< 1000000000000000000",
    "--input 5": "--seed",
    "--input 5 --seed 1 --inputs 2": "--inputs",
    "--libfuzzer 5 --seed 1": "--libfuzzer makes its own inputs",
    "--libfuzzer 0": ">= 1",
    "--fast": "--fast",
}


def test_wrong_arguments_exit_with_64(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in WRONG.items():
        assert run(REPOSITORY, "fuzz", *arguments.split()) == 64
        captured = capsys.readouterr()
        assert message in captured.err and captured.err.startswith("error: ") and captured.out == ""
