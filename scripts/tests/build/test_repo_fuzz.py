"""The fuzzer: what it prints, and that it reports what is planted."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from repo_checkout import REPOSITORY, run
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.fuzz import PROGRAM, SOURCES, _built

ROUTER = Path("Modules/RouterService")
DECODING = ROUTER / "Implementation/Links/URLPieces.swift"
# Mistakes of which `PLANTED` in the environment chooses one, or none.
PLANTED = """
        let planted = text == "ann" ? ProcessInfo.processInfo.environment["PLANTED"] : nil
        if planted == "trap" { fatalError() }
        if planted == "hang" { while true {} }
        let text = planted == "change" ? "bob" : text
"""


def copied(folder: Path) -> Path:
    """The files that the fuzzer needs, to be changed by a test."""
    for part in (ROUTER / "Interface", ROUTER / "Program", ROUTER / "Implementation", SOURCES):
        shutil.copytree(REPOSITORY / part, folder / part)
    return folder


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return copied(tmp_path)


def plant(copy: Path, statement: str) -> None:
    """Puts a statement, which may use Foundation, where pieces of URLs are decoded."""
    code = (copy / DECODING).read_text(encoding="utf-8")
    place = "    init(_ text: Substring) {\n"
    assert code.count(place) == 1
    planted = code.replace(place, f"{place}        {statement}\n")
    (copy / DECODING).write_text(f"import Foundation\n\n{planted}", encoding="utf-8")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory, toolchain: Toolchain) -> Iterator[tuple[Path, Path]]:
    """A copy with the mistakes, and the program built of it once."""
    folder = copied(tmp_path_factory.mktemp("planted"))
    plant(folder, PLANTED)
    with _built(folder, toolchain, *PROGRAM) as program:
        yield folder, program
    assert list((folder / ".build/fuzz").glob("run.*")) == []


@pytest.fixture
def built(planted: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The copy, whose runs do not build again."""
    folder, program = planted
    monkeypatch.setattr("repo.fuzz._built", lambda *inputs: nullcontext(program))
    return folder


@pytest.mark.slow
def test_run_prints_what_it_did(built: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(built, "fuzz", "--inputs", "2000", "--seed", "3") == 0
    assert re.fullmatch(
        r"Seed 3\n2000 inputs of seed 3 in [\d.]+ s\.\n"
        r"Read as a link, a JSON document and a URL: [1-9]\d* accepted, [1-9]\d* refused\.\n"
        r"The longest took [\d.]+ s: input \d+\.\n",
        capfd.readouterr().out,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mistake", "message"),
    [("trap", "ended the program with status"), ("hang", "took more than 5 seconds"), ("change", "then as")],
)
def test_planted_mistake_is_reported_with_the_input_that_repeats_it(
    built: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, mistake: str, message: str
) -> None:
    monkeypatch.setenv("PLANTED", mistake)
    assert run(built, "fuzz", "--inputs", "2000", "--seed", "3") == 1
    captured = capfd.readouterr()
    assert message in captured.out + captured.err
    repeat = re.search(r"Repeat it with: scripts/fuzz (--seed 3 --input \d+)\n", captured.err)
    assert repeat is not None
    assert run(built, "fuzz", *repeat[1].split()) == 1


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
