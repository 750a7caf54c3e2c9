"""The benchmarks: their command lines, and what they make of times and counts. Nothing is built here."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from made_files import programs
from made_records import MACHINE, printed
from repo_checkout import REPOSITORY, run
from swiftmodules.builds.lock import only_one_that_takes_times
from swiftmodules.errors import BuildFailedError, ToolError
from swiftmodules.observed import Revision
from swiftmodules.swiftpm.toolchain import Toolchain

from repo import bench, bench_scale
from repo.bench import BARS, GROWTH_BARS, BenchRecord, Growth, Program, duration

COLD, WARM = "register-1000-resolve-last-cold", "register-1000-resolve-last-warm"
EVERY_OPERATION = [name for name in BARS if name != COLD] + [
    name for bar in GROWTH_BARS for name in (bar.few, bar.many) if name not in BARS
]


class FakeProgram(Program):
    """Answers at once, with 1 ns for each operation and 3 s for those that are named slow."""

    def __init__(self, names: Sequence[str], slow: Sequence[str] = ()) -> None:
        super().__init__(Path("/nowhere"), {})
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "slow", slow)

    def ask(self, command: str, *arguments: str) -> str:
        if command == "list":
            return "\n".join(self.names)
        name, batches = (COLD, 1) if command == "cold" else (arguments[0], int(arguments[1]))
        return json.dumps({"nanosecondsPerOperation": [3e9 if name in self.slow else 1.0] * batches})


def timed(monkeypatch: pytest.MonkeyPatch, program: Program, *options: str) -> int:
    monkeypatch.setattr(bench, "build", lambda repository, toolchain: program)
    return run(REPOSITORY, "bench", *options)


def record(**nanoseconds: Sequence[float]) -> BenchRecord:
    """A record of operations whose names are written with underscores."""
    return BenchRecord(
        command="scripts/bench",
        machine=MACHINE,
        toolchain="Swift 6",
        revision=Revision("abc", False),
        timings={name.replace("_", "-"): list(samples) for name, samples in nanoseconds.items()},
    )


def row(record: BenchRecord, operation: str) -> str:
    table = printed(lambda console: console.print(bench.terminal_table(record)))
    lines = [" ".join(line.split()) for line in table.splitlines()]
    return next(line for line in lines if line.startswith(f"{operation} "))


def test_unknown_operation_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert timed(monkeypatch, FakeProgram(["nothing", "resolve-singleton"]), "--operations", "resolve-map") == 64
    assert f"'resolve-map'. Choose from: resolve-singleton, {COLD}, nothing." in capsys.readouterr().err


def test_run_beside_a_timed_one_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    program = FakeProgram(["resolve-singleton"])
    with only_one_that_takes_times():
        assert timed(monkeypatch, program) == 75
        assert "is taking times on this machine already" in capsys.readouterr().err
    assert timed(monkeypatch, program, "--rounds", "1") == 0


def test_batches_of_all_rounds_and_counts_are_recorded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Program, "count", lambda program, operation, valgrind: 100.0)
    monkeypatch.setattr(bench, "find_valgrind", lambda: "valgrind")
    output = tmp_path / "new" / "results.json"
    options = ["--rounds", "3", "--counts", "--output", str(output)]
    assert timed(monkeypatch, FakeProgram(["resolve-singleton"]), *options) == 0
    written = bench.read_record(output)
    assert {name: len(times) for name, times in written.timings.items()} == {"resolve-singleton": 15, COLD: 15}
    assert written.instructions == {"resolve-singleton": 100.0, COLD: 100.0}
    assert written.command == f"scripts/bench --rounds 3 --counts --output {output}"


def test_check_fails_where_a_bar_does_not_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert timed(monkeypatch, FakeProgram(EVERY_OPERATION), "--check") == 0
    for slow in ("resolve-singleton", COLD, "resolve-singleton-among-10000"):
        program = FakeProgram(EVERY_OPERATION, slow=[slow])
        capsys.readouterr()
        assert timed(monkeypatch, program) == 0
        assert "NO" in capsys.readouterr().out
        assert timed(monkeypatch, program, "--check") == 1
        captured = capsys.readouterr()
        assert f"error: the bar of {slow}" in captured.err and captured.err.count("error: ") == 1
    program = FakeProgram([name for name in EVERY_OPERATION if name != "decode-any-route"])
    assert timed(monkeypatch, program, "--check") == 1
    assert "error: decode-any-route was not timed." in capsys.readouterr().err
    assert timed(monkeypatch, program, "--check", "--operations", "resolve-singleton") == 0


def test_tables_have_median_minimum_bar_and_best_peer_and_whether_the_bar_holds() -> None:
    assert {nanoseconds: duration(nanoseconds) for nanoseconds in DURATIONS} == DURATIONS
    made = record(resolve_singleton=[95, 70, 71], nothing=[1])
    assert row(made, "resolve-singleton") == "resolve-singleton 71 ns 70 ns ≤ 120 ns yes Needle 194 ns"
    assert row(made, "resolve-weak-held") == "resolve-weak-held – – ≤ 250 ns not timed Resolver 323 ns"
    table = bench.markdown_table(made)
    assert "| resolve-singleton | 71 ns | 70 ns | ≤ 120 ns | yes | Needle 194 ns |\n" in table
    assert "| nothing |" not in table and table.endswith("`scripts/bench` repeats it.")
    made.instructions = {"resolve-singleton": 1450.4}
    assert row(made, "resolve-singleton").startswith("resolve-singleton 71 ns 70 ns 1,450 ≤ 400 instructions NO")
    assert row(made, "nothing").endswith(" –")
    limit = BARS["resolve-singleton"].nanoseconds
    for times, holds in (([1, limit, 100 * limit], True), ([1, limit + 1, limit + 2], False)):
        assert bench.verdicts(record(resolve_singleton=times))["resolve-singleton"].holds is holds
    grown = record(resolve_singleton_among_10=[90, 40, 70], resolve_singleton_among_10000=[900, 60, 80])
    verdict = bench.verdicts(grown)["resolve-singleton-among-10000 ÷ 10"]
    assert (verdict.value, verdict.holds) == (1.5, False)
    assert " ×1.50 ≤ ×1.25 NO" in row(grown, "resolve-singleton-among-10000 ÷ 10")


DURATIONS = {1.04: "1.0 ns", 93.4: "93 ns", 6857.2: "6,857 ns", 311_000: "311 µs", 1_300_000: "1.30 ms"}


def test_build_that_fails_shows_the_compilers_messages(toolchain: Toolchain, tmp_path: Path) -> None:
    (tmp_path / bench.PACKAGE).mkdir(parents=True)
    with pytest.raises(BuildFailedError, match=r"RouterBenchmark does not build:\n(.|\n)*Package\.swift"):
        bench.build(tmp_path, toolchain)


@pytest.fixture
def valgrind(tmp_path: Path) -> str:
    """A stand-in that counts 5,000 instructions for any start, 1,000,000 for a first registration, and 7 for each
    repetition."""
    code = "*_, name, repetitions = sys.argv; total = 5000 + 7 * int(repetitions)"
    code += " + (1000000 if name.startswith('register') else 0); "
    code += "print('==1== Collected :', total if name != 'silent' else 'none')"
    (program,) = programs(tmp_path, {"valgrind": f'exec {sys.executable} -c "import sys; {code}" "$@"'})
    return str(program)


def test_count_is_of_a_repetition_or_fails_with_a_reason(
    valgrind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = Program(tmp_path / "RouterBenchmark", {})
    for operation, count in (("resolve-singleton", 7), (WARM, 7), (COLD, 1_000_000)):
        assert program.count(operation, valgrind) == count
    with pytest.raises(ToolError, match="callgrind printed no number of instructions:\n==1== Collected : none"):
        program.count("silent", valgrind)
    monkeypatch.setattr(bench.shutil, "which", lambda name: None)
    monkeypatch.setattr("swiftmodules.swiftpm.toolchain.Toolchain.find", lambda: None)
    assert timed(monkeypatch, FakeProgram(["resolve-singleton"]), "--counts") == 1
    assert "apt install valgrind" in capsys.readouterr().err


def test_start_is_compared_with_that_of_its_libraries(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Counted(Program):
        def instructions(self, valgrind: str, *arguments: str) -> int:
            return counts[" ".join((self.path.name, *arguments))]

    def build(repository: Path, toolchain: Toolchain, product: str, package: Path = bench.PACKAGE) -> Program:
        return Counted(Path(product), {})

    monkeypatch.setattr(bench, "build", build)
    monkeypatch.setattr(bench, "find_valgrind", lambda: "valgrind")
    counts = {"LinkedLibraries": 1000, "App --check": 1600, "App --routes": 1200}
    assert run(REPOSITORY, "bench", "start") == 0
    assert "| App --check | 1,000 | 1,600 | ×1.60 | ≤ ×1.6 | yes |\n" in capsys.readouterr().out
    counts["App --routes"] = 1601
    assert run(REPOSITORY, "bench", "start") == 1
    assert "NO" in capsys.readouterr().out


def growth(many: int, opening: int = 100) -> Growth:
    """Counts of 10 modules, and of 500 that take so much as these."""
    counts = {"start": (1000, many), "validate": (1000, 1000), "open one route": (100, opening)}
    return Growth(("10 modules", "500 modules"), counts, bench_scale.BARS)


def test_growth_is_judged_from_the_fewest_modules_to_the_most() -> None:
    for made, hold in ((growth(50_000), True), (growth(50_001), False), (growth(1, opening=111), False)):
        assert made.hold is hold, made
    assert str(growth(60_000, 109)).splitlines()[:5] == [
        "| instructions | 10 modules | 500 modules | growth | bar | holds |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        "| start | 1,000 | 60,000 | ×60.00 | ≤ ×50 | NO |",
        "| validate | 1,000 | 1,000 | ×1.00 | ≤ ×50 | yes |",
        "| open one route | 100 | 109 | ×1.09 | ≤ ×1.1 | yes |",
    ]


def test_package_has_a_program_for_each_size_and_is_written_where_it_changes(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / bench.PACKAGE, tmp_path / bench.PACKAGE)
    folder = bench_scale.write_package(tmp_path, (10, 20))
    assert "targets: [10, 20].map" in (folder / "Package.swift").read_text()
    modules = [folder / f"Sources/Scale{size}/Modules.swift" for size in (10, 20)]
    assert [file.read_text().count("registrar.intercept(") for file in modules] == [10, 20]
    before = modules[0].stat().st_mtime_ns
    bench_scale.write_package(tmp_path, (10, 20))
    assert modules[0].stat().st_mtime_ns == before


def test_counts_are_differences_of_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Counted(Program):
        def instructions(self, valgrind: str, *arguments: str) -> int:
            _, step, repetitions = arguments
            return {"nothing": 5, "create": 30, "start": 50, "validate": 100, "open": 60 + 7 * int(repetitions)}[step]

    monkeypatch.setattr(bench_scale, "build", lambda *arguments, package: Counted(Path("/nowhere"), {}))
    monkeypatch.setattr(bench_scale, "write_package", lambda repository, sizes: repository / "package")
    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr("swiftmodules.swiftpm.toolchain.Toolchain.find", lambda: None)
    assert run(REPOSITORY, "bench", "scale") == 0
    assert "| open one route | 7 | 7 | 7 | ×1.00 | ≤ ×1.1 | yes |\n" in capsys.readouterr().out
    counts = bench_scale.measure(REPOSITORY, None, (1, 2)).counts  # type: ignore[arg-type]
    assert counts == {"start": [45, 45], "validate": [70, 70], "open one route": [7, 7]}
