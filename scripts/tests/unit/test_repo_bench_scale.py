"""The benchmark of more and more modules: what it writes, and what it makes of counts. Nothing is built here."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from repo_checkout import REPOSITORY, run

from repo import bench_scale
from repo.bench import PACKAGE, Program
from repo.bench_scale import Scale


def scale(many: int, opening: int = 100) -> Scale:
    """Counts of 10 modules, and of 500 that take so much as these."""
    few = {"start": 1000, "validate": 1000, "open one route": 100}
    return Scale({500: {"start": many, "validate": 1000, "open one route": opening}, 10: few})


def test_growth_is_judged_from_the_fewest_modules_to_the_most() -> None:
    assert scale(50_000).hold and not scale(50_001).hold and not scale(1, opening=111).hold
    assert str(scale(60_000, 109)).splitlines()[2:5] == [
        "| start | 1,000 | 60,000 | ×60.00 | ≤ ×50 | NO |",
        "| validate | 1,000 | 1,000 | ×1.00 | ≤ ×50 | yes |",
        "| open one route | 100 | 109 | ×1.09 | ≤ ×1.1 | yes |",
    ]


def test_package_has_a_program_for_each_size_and_is_written_where_it_changes(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / PACKAGE, tmp_path / PACKAGE)
    folder = bench_scale.write_package(tmp_path, (10, 20))
    modules = folder / "Sources/Scale20/Modules.swift"
    text = modules.read_text()
    assert "targets: [10, 20].map" in (folder / "Package.swift").read_text()
    assert len(re.findall(r"^enum Module\d+ \{$", text, re.MULTILINE)) == 20
    assert text.count("registrar.register(") == 4 * 20 and text.count("registrar.intercept(") == 20
    assert text.count(": Route {") == 3 * 20 and "any Module10.Sessions" in text and "$" not in text
    before = modules.stat().st_mtime_ns
    bench_scale.write_package(tmp_path, (10, 20))
    assert modules.stat().st_mtime_ns == before


def test_counts_are_differences_of_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    class FakeProgram(Program):
        def instructions(self, valgrind: str, *arguments: str) -> int:
            _, step, repetitions = arguments
            return {"nothing": 5, "create": 30, "start": 50, "validate": 100, "open": 60 + 7 * int(repetitions)}[step]

    monkeypatch.setattr(bench_scale, "build", lambda *arguments, package: FakeProgram(Path("/nowhere"), {}))
    monkeypatch.setattr(bench_scale, "write_package", lambda repository, sizes: repository / "package")
    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr("swiftmodules.swiftpm.toolchain.Toolchain.find", lambda: None)
    assert run(REPOSITORY, "bench", "scale") == 0
    counts = bench_scale.measure(REPOSITORY, None, (1, 2)).counts  # type: ignore[arg-type]
    assert counts[1] == counts[2] == {"start": 45, "validate": 70, "open one route": 7}


def test_without_valgrind_nothing_is_built(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr("swiftmodules.swiftpm.toolchain.Toolchain.find", lambda: None)
    assert run(REPOSITORY, "bench", "scale") == 1
    assert "apt install valgrind" in capsys.readouterr().err
