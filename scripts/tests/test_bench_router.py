"""The router's benchmark: its command line, and what it makes of times and counts. Nothing is built here."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import SCRIPTS
from rich.console import Console

from buildspeed.failures import BuildFailedError, MeasurementError
from buildspeed.machine import Machine
from buildspeed.private_copy import Revision
from buildspeed.run_folder import only_one_that_takes_times
from buildspeed.toolchain import Toolchain
from routerbench import cli, counting
from routerbench.bars import BARS, COLD_REGISTRATION, GROWTH_BARS
from routerbench.counting import InstructionCounter, instruction_counter, total_from
from routerbench.program import Program, batches_from, build
from routerbench.record import Batches, Options, Record, Timing
from routerbench.report import duration, terminal_table
from routerbench.verdicts import failed, verdicts


class FakeProgram(Program):
    """Answers at once, with 1 ns for each operation and 3 ns for those that are named slow."""

    def __init__(self, names: Sequence[str], slow: Sequence[str] = ()) -> None:
        super().__init__(Path("/nowhere"), {})
        self.names, self.slow = names, slow

    def operations(self) -> list[str]:
        return list(self.names)

    def measure(self, operation: str, batches: int, milliseconds: int) -> Batches:
        return Batches(operation, 9, (3e9 if operation in self.slow else 1.0,) * batches)

    def measure_cold(self) -> Batches:
        return Batches(COLD_REGISTRATION, 1, (3e9 if COLD_REGISTRATION in self.slow else 1.0,))


EVERY_OPERATION = [*(name for name in BARS if name != COLD_REGISTRATION)] + [
    name for bar in GROWTH_BARS for name in (bar.few, bar.many) if name not in BARS
]


def use(monkeypatch: pytest.MonkeyPatch, program: Program) -> None:
    monkeypatch.setattr(cli, "build", lambda repository, toolchain: program)


def record(**nanoseconds: Sequence[float]) -> Record:
    """A record of operations whose names are written with underscores."""
    return Record(
        command="scripts/bench-router",
        started="2026-01-01T00:00:00+00:00",
        machine=Machine(2, "A processor", 2**34, "A system"),
        toolchain="Swift 6",
        revision=Revision("abc", False),
        options=Options(1, 1, 1),
        timings={name.replace("_", "-"): Timing(tuple(samples)) for name, samples in nanoseconds.items()},
    )


def text(record: Record) -> str:
    console = Console(width=160, file=io.StringIO(), record=True)
    console.print(terminal_table(record))
    return console.export_text()


def row(record: Record, operation: str) -> list[str]:
    return next(line.split() for line in text(record).splitlines() if line.strip().startswith(f"{operation} "))


def exit_code(*arguments: str) -> int:
    try:
        return cli.main(arguments)
    except SystemExit as ending:
        return int(ending.code or 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rounds", "0"], "'0' is no number of rounds; give 1 or more"),
        (["--rounds", "2", "--smoke"], "not allowed with argument"),
        (["--smoke", "--check"], "--smoke measures nothing that --check could judge"),
        (["--operations", " , "], "no operation is named"),
        (["--fast"], "unrecognized arguments: --fast"),
    ],
)
def test_wrong_arguments_are_told_on_standard_error_with_exit_64(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert exit_code(*arguments) == 64
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_run_beside_another_that_takes_times_is_refused_unless_it_takes_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, FakeProgram(["resolve-singleton"]))
    with only_one_that_takes_times():
        assert exit_code() == 75
        assert "is taking times on this machine already" in capsys.readouterr().err
        assert exit_code("--smoke") == 0
    assert exit_code("--rounds", "1") == 0


def test_unknown_operation_is_told_with_the_known_ones(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, FakeProgram(["nothing", "resolve-singleton"]))
    assert exit_code("--operations", "resolve-map") == 64
    known = f"resolve-singleton, {COLD_REGISTRATION}, nothing"
    assert f"no operation is called 'resolve-map'. Choose from: {known}." in capsys.readouterr().err


def test_launcher_tells_its_options_from_any_directory() -> None:
    result = subprocess.run([SCRIPTS / "bench-router", "--help"], capture_output=True, text=True, cwd="/")
    assert result.returncode == 0
    for words in ("--counts", "--check", "--output", COLD_REGISTRATION, "callgrind", "64"):
        assert words in result.stdout


def test_every_batch_of_every_round_is_recorded(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, FakeProgram(["resolve-singleton"]))
    output = tmp_path / "new" / "results.json"
    assert exit_code("--rounds", "3", "--json", "--output", str(output)) == 0
    written = json.loads(output.read_text())
    assert json.loads(capsys.readouterr().out) == written
    counts = {name: len(timing["samples"]) for name, timing in written["timings"].items()}
    assert counts == {"resolve-singleton": 3 * cli.DEFAULT_BATCHES, COLD_REGISTRATION: 3 * cli.DEFAULT_BATCHES}
    assert written["command"] == f"scripts/bench-router --rounds 3 --json --output {output}"


def test_default_is_at_least_fifteen_batches() -> None:
    assert cli.DEFAULT_ROUNDS * cli.DEFAULT_BATCHES >= 15


def test_check_passes_where_every_bar_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, FakeProgram(EVERY_OPERATION))
    assert exit_code("--check") == 0


@pytest.mark.parametrize("slow", ["resolve-singleton", COLD_REGISTRATION, "resolve-singleton-among-10000"])
def test_check_alone_fails_where_a_bar_does_not_hold(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, slow: str
) -> None:
    use(monkeypatch, FakeProgram(EVERY_OPERATION, slow=[slow]))
    assert exit_code() == 0
    assert "NO" in capsys.readouterr().out
    assert exit_code("--check") == 1
    captured = capsys.readouterr()
    assert f"error: the bar of {slow}" in captured.err
    assert captured.err.count("error: ") == 1


def test_check_of_everything_fails_where_a_bar_was_not_timed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, FakeProgram([name for name in EVERY_OPERATION if name != "decode-any-route"]))
    assert exit_code("--check") == 1
    assert "error: decode-any-route was not timed." in capsys.readouterr().err
    assert exit_code("--check", "--operations", "resolve-singleton") == 0


def test_bar_holds_the_median_and_not_the_minimum_or_the_mean() -> None:
    limit = BARS["resolve-singleton"].nanoseconds
    assert verdicts(record(resolve_singleton=[1, limit, 100 * limit]))["resolve-singleton"].holds is True
    assert failed(record(resolve_singleton=[1, limit + 1, limit + 2])) == ("resolve-singleton",)


def test_growth_is_the_ratio_of_minima() -> None:
    grown = record(resolve_singleton_among_10=[90, 40, 70], resolve_singleton_among_10000=[900, 60, 80])
    verdict = verdicts(grown)["resolve-singleton-among-10000 ÷ 10"]
    assert (verdict.value, verdict.holds) == (1.5, False)
    assert "×1.50" in text(grown)


def test_table_tells_median_minimum_bar_and_best_peer() -> None:
    assert " ".join(row(record(resolve_singleton=[95, 70, 71]), "resolve-singleton")) == (
        "resolve-singleton 71 ns 70 ns ≤ 120 ns yes Needle 194 ns"
    )


def test_table_says_what_was_not_timed() -> None:
    assert " ".join(row(record(), "match-url-1")) == "match-url-1 – – ≤ 2,000 ns not timed URLMatcher 27 µs"


def test_table_has_instructions_where_they_were_counted() -> None:
    counted = record(resolve_singleton=[50], nothing=[1])
    assert "instructions" not in text(counted)
    counted.instructions = {"resolve-singleton": 1450.4}
    assert " ".join(row(counted, "resolve-singleton")).startswith("resolve-singleton 50 ns 50 ns 1,450 ≤ 120 ns yes")
    assert row(counted, "nothing")[-1] == "–"


@pytest.mark.parametrize(
    ("nanoseconds", "words"),
    [(1.04, "1.0 ns"), (93.4, "93 ns"), (6857.2, "6,857 ns"), (311_000, "311 µs"), (1_300_000, "1.30 ms")],
)
def test_durations_are_told_in_the_unit_of_their_bars(nanoseconds: float, words: str) -> None:
    assert duration(nanoseconds) == words


def test_batches_are_read_as_the_program_prints_them() -> None:
    printed = '{"operation":"resolve-singleton","repetitions":7,"nanosecondsPerOperation":[1.5,2]}\n'
    assert batches_from(printed) == Batches("resolve-singleton", 7, (1.5, 2.0))


@pytest.mark.parametrize(
    "printed",
    [
        "",
        "[]",
        '{"operation": "a", "repetitions": 1}',
        '{"operation": "a", "repetitions": 1, "nanosecondsPerOperation": []}',
        '{"operation": "a", "repetitions": 1, "nanosecondsPerOperation": [0]}',
        '{"operation": "a", "repetitions": 1, "nanosecondsPerOperation": ["x"]}',
    ],
)
def test_unreadable_batches_are_told(printed: str) -> None:
    with pytest.raises(MeasurementError, match="the benchmark program printed"):
        batches_from(printed)


def test_build_that_fails_tells_what_the_compiler_said(toolchain: Toolchain, tmp_path: Path) -> None:
    (tmp_path / "scripts" / "repo" / "benchmarks").mkdir(parents=True)
    with pytest.raises(BuildFailedError, match=r"the benchmark program does not build:\n(.|\n)*Package\.swift"):
        build(tmp_path, toolchain)


def test_total_is_what_callgrind_collected() -> None:
    assert total_from("==7== Events    : Ir\n==7== Collected : 17776703\n==7== I refs: 17,776,703\n") == 17776703
    with pytest.raises(MeasurementError, match="valgrind: no such file"):
        total_from("valgrind: no such file")


@pytest.fixture
def counter(tmp_path: Path) -> InstructionCounter:
    """Counts with a stand-in for valgrind: 5,000 instructions for any start, 1,000,000 for a first registration, and
    7 for each repetition."""
    valgrind = tmp_path / "valgrind"
    valgrind.write_text(
        f"#!{sys.executable}\nimport sys\n*_, name, repetitions = sys.argv\n"
        "total = 5000 + 7 * int(repetitions) + (1000000 if name.startswith('register') else 0)\n"
        "print('==1== Collected :', total)\n"
    )
    valgrind.chmod(0o755)
    return InstructionCounter(Program(tmp_path / "RouterBenchmark", {}), str(valgrind), "valgrind-3")


@pytest.mark.parametrize("operation", ["resolve-singleton", "register-1000-resolve-last-warm"])
def test_count_is_that_of_a_repetition_without_the_start(counter: InstructionCounter, operation: str) -> None:
    assert counter.count(operation) == 7


def test_cold_count_is_that_of_a_first_repetition_without_the_start(counter: InstructionCounter) -> None:
    assert counter.count(COLD_REGISTRATION) == 1_000_000


def test_counting_without_valgrind_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting.shutil, "which", lambda name: None)
    with pytest.raises(MeasurementError, match="apt install valgrind"):
        instruction_counter(FakeProgram([]))
