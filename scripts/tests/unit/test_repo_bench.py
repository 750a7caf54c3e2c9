"""The benchmarks: their command lines, and what they make of times and counts. Nothing is built here."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path

import pytest
from made_files import programs
from repo_checkout import REPOSITORY, run
from swiftmodules.builds.lock import building
from swiftmodules.errors import BuildFailedError, ToolError
from swiftmodules.measure.record import decoded
from swiftmodules.swiftpm.toolchain import Toolchain

from repo import bench, bench_scale
from repo.bench import BARS, GROWTH_BARS, Program, build, duration, find_valgrind

ONE, LONG = "resolve-singleton", "register-1000-resolve-last-warm"
MANY = "resolve-singleton-among-10000"
EVERY_OPERATION = (*BARS, *(name for bar in GROWTH_BARS for name in (bar.few, bar.many)))


class FakeProgram(Program):
    """Answers at once."""

    # By operation, the nanoseconds of its batches; by program and arguments, instructions.
    times: Mapping[str, Sequence[float]] = {"nothing": [1], ONE: [1]}
    counts: Mapping[str, int] = {}

    def ask(self, command: str, *arguments: str) -> str:
        if command == "list":
            return "\n".join(self.times)
        times = islice(cycle(self.times[arguments[0]]), int(arguments[1]))
        return json.dumps({"nanosecondsPerOperation": [*times]})

    def instructions(self, valgrind: str, *arguments: str) -> int:
        return self.counts[" ".join((self.path.name, *arguments))]


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch) -> type[FakeProgram]:
    """Every program that is built."""

    class Built(FakeProgram):
        pass

    def made(repository: Path, toolchain: Toolchain, product: str = "Router", package: Path = Path()) -> Program:
        return Built(Path(product), {})

    for module in (bench, bench_scale):
        monkeypatch.setattr(module, "build", made)
        monkeypatch.setattr(module, "find_valgrind", lambda: "valgrind")
    monkeypatch.setenv("COLUMNS", "160")
    return Built


def lines_of(table: str) -> list[str]:
    """The lines of a table, without what separates and aligns its columns."""
    return [" ".join(line.replace("|", " ").split()) for line in table.splitlines()]


def timed(*options: str) -> int:
    return run(REPOSITORY, "bench", *options)


def test_run_beside_a_timed_one_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with building(takes_times=True):
        assert timed() == 75
        assert "is building on this machine already" in capsys.readouterr().err
    assert timed("--rounds", "1") == 0


def test_batches_of_all_rounds_and_the_count_of_a_repetition_are_recorded(
    fake: type[FakeProgram], tmp_path: Path
) -> None:
    fake.times = dict.fromkeys((ONE, LONG), (1,))
    # Starting takes 5,000, and each repetition 7; of what takes long, there are few.
    repetitions = {ONE: (1000, 2000), LONG: (2, 4)}
    fake.counts = {f"Router run {name} {n}": 5_000 + 7 * n for name, own in repetitions.items() for n in own}
    output = tmp_path / "new" / "results.json"
    # The other operations that have a bar are missing.
    assert timed("--rounds", "3", "--counts", "--output", str(output)) == 1
    written = decoded(output, bench.BenchRecord)
    assert {name: len(times) for name, times in written.timings.items()} == {ONE: 15, LONG: 15}
    assert written.instructions == {ONE: 7, LONG: 7}
    assert written.command == f"scripts/bench --rounds 3 --counts --output {output}"


def test_counting_fails_where_a_bar_does_not_hold(fake: type[FakeProgram], capsys: pytest.CaptureFixture[str]) -> None:
    fake.times = dict.fromkeys(EVERY_OPERATION, (1.0,))

    def counted(slow: str = "") -> int:
        """Counts one instruction for each repetition, or of one operation very many."""
        each = {name: 10**9 if name == slow else 1 for name in EVERY_OPERATION}
        repetitions = (2, 4, 1000, 2000)
        fake.counts = {f"Router run {name} {n}": n * count for name, count in each.items() for n in repetitions}
        capsys.readouterr()
        return timed("--rounds", "1", "--counts")

    assert counted() == 0
    for slow in (ONE, LONG, MANY):
        assert counted(slow) == 1
        (row,) = [line for line in lines_of(capsys.readouterr().out) if " NO" in line]
        assert row.startswith(slow)
    fake.times = {name: times for name, times in fake.times.items() if name != "decode-any-route"}
    assert counted() == 1
    assert re.search(r"decode-any-route .* not counted ", capsys.readouterr().out)


DURATIONS = {1.04: "1.0 ns", 93.4: "93 ns", 6857.2: "6,857 ns", 311_000: "311 µs", 1_300_000: "1.30 ms"}


def test_table_has_median_minimum_bar_and_best_peer_and_whether_the_bar_holds(
    fake: type[FakeProgram], capsys: pytest.CaptureFixture[str]
) -> None:
    assert {nanoseconds: duration(nanoseconds) for nanoseconds in DURATIONS} == DURATIONS

    def rows(*options: str, **counts: int) -> list[str]:
        named = {name.replace("_", "-"): count for name, count in counts.items()}
        fake.times = dict.fromkeys(named, (95, 70, 71))
        fake.counts = {f"Router run {name} {n}": count * n for name, count in named.items() for n in (1000, 2000)}
        assert timed("--rounds", "1", *options) == ("--counts" in options)
        return lines_of(capsys.readouterr().out)

    assert "resolve-singleton 71 ns 70 ns ≤ 800 not counted Needle 194 ns" in rows(resolve_singleton=1)
    found = rows("--counts", resolve_singleton=800)
    assert "resolve-singleton 71 ns 70 ns 800 ≤ 800 yes Needle 194 ns" in found
    assert "resolve-weak-held – – – ≤ 1,400 not counted Resolver 323 ns" in found
    assert "resolve-singleton 71 ns 70 ns 801 ≤ 800 NO Needle 194 ns" in rows("--counts", resolve_singleton=801)
    grown = rows("--counts", resolve_singleton_among_10=40, resolve_singleton_among_10000=60)
    assert f"{MANY} ÷ 10 – – ×1.50 ≤ ×1.25 NO" in grown


def test_build_that_fails_shows_the_compilers_messages(
    toolchain: Toolchain, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / bench.PACKAGE).mkdir(parents=True)
    with pytest.raises(BuildFailedError, match="RouterBenchmark does not build; the messages are above"):
        build(tmp_path, toolchain)
    assert "Package.swift" in capfd.readouterr().err


def test_count_is_read_or_fails_with_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (valgrind,) = programs(tmp_path, {"valgrind": 'shift 4; echo "==1== Collected : $1"'})
    program = Program(tmp_path / "RouterBenchmark", {})
    assert program.instructions(str(valgrind), "5000") == 5000
    with pytest.raises(ToolError, match="callgrind printed no number of instructions:\n==1== Collected : none"):
        program.instructions(str(valgrind), "none")
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    with pytest.raises(ToolError, match="apt install valgrind"):
        find_valgrind()


def test_growth_is_judged_from_the_fewest_modules_to_the_most_by_differences_of_runs(
    fake: type[FakeProgram], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_scale, "write_package", lambda repository, sizes: repository / "package")
    steps = {"nothing 1": 5, "create 1": 30, "start 1": 1_005, "validate 1": 1_030, "open 100": 60, "open 200": 10_060}
    steps |= {"replace 10": 60, "replace 20": 1_060, "restore 10": 60, "restore 20": 1_060}
    counts = {f"Scale{size} run {step}": count for size in bench_scale.SIZES for step, count in steps.items()}
    fake.counts = counts = {**counts, "Scale500 run start 1": 50_005, "Scale500 run open 200": 11_060}
    assert timed("scale") == 0
    heading, _, *rows = lines_of(capsys.readouterr().out)
    assert heading == "instructions 10 modules 50 modules 500 modules growth bar holds"
    assert rows[:3] == [
        "start 1,000 1,000 50,000 ×50.00 ≤ ×50 yes",
        "validate 1,000 1,000 1,000 ×1.00 ≤ ×50 yes",
        "open one route 100 100 110 ×1.10 ≤ ×1.1 yes",
    ]
    for more in ("start 1", "open 200"):
        fake.counts = {**counts, f"Scale500 run {more}": counts[f"Scale500 run {more}"] + 100}
        assert timed("scale") == 1
        assert capsys.readouterr().out.count(" NO |") == 1


def test_package_has_a_program_for_each_size_and_is_written_where_it_changes(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / bench.PACKAGE, tmp_path / bench.PACKAGE)
    folder = bench_scale.write_package(tmp_path, (10, 20))
    assert "targets: [10, 20].map" in (folder / "Package.swift").read_text()
    modules = [folder / f"Sources/Scale{size}/Modules.swift" for size in (10, 20)]
    assert [file.read_text().count("registrar.intercept(") for file in modules] == [10, 20]
    before = modules[0].stat().st_mtime_ns
    bench_scale.write_package(tmp_path, (10, 20))
    assert modules[0].stat().st_mtime_ns == before
