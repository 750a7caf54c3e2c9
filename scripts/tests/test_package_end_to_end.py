"""Whole runs of `scripts/measure package`, with real builds."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import contents, measure
from other_packages import copied_fixtures

STALL, TESTS = "Sources/Stall/Stall.swift", "Tests/StallTests/StallTests.swift"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copied_fixtures(tmp_path)


def run(package: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    output = package.parent / "output"
    return measure("package", package, "--rounds", "1", "--jobs", "2", "--output", output, *arguments)


def results(package: Path) -> dict[str, Any]:
    return json.loads((package.parent / "output/results.json").read_text())


def compiled(package: Path, layout: str, edit: str, module: str | None) -> set[str]:
    key = (layout, edit, module)
    (sample,) = [each for each in results(package)["samples"] if (each["layout"], each["edit"], each["module"]) == key]
    return set(sample["compiled"])


@pytest.mark.slow
def test_package_with_resources_programs_products_and_a_local_package(folder: Path) -> None:
    market = folder / "Market"
    before = contents(folder)
    edits = ("--edit", STALL, "--edit", f"{STALL}:public-top", "--edit", TESTS)
    naming = ("--interface", "{module}Interface", "--implementation", "{module}")
    result = run(market, *edits, *naming, "--layouts")
    assert result.returncode == 0, result.stderr
    assert contents(folder / "Market") == {
        path.relative_to("Market"): text for path, text in before.items() if path.parts[0] == "Market"
    }
    found = results(market)
    assert found["options"]["layouts"] == ["interface", "fused"]
    assert found["refused_layouts"] == {"monolith": "one target cannot hold several programs, which Scale, Till are."}
    assert found["modules"][STALL] == {"importing_files": 1, "importing_modules": 1, "target": "Stall"}
    for layout in ("interface", "fused", "control"):
        assert compiled(market, layout, "body", STALL) == {STALL}
        # With what SwiftPM writes to find the tests.
        assert {file for file in compiled(market, layout, "body", TESTS) if "(generated)" not in file} == {TESTS}
        assert "Sources/Till/main.swift" in compiled(market, layout, "public-top", STALL)
    report = (folder / "output/results.md").read_text()
    assert "- In `fused`, one of each of the 3 edits together compiles" in report
    assert f"- `{STALL}` of the target Stall, which is imported by 1 file in 1 other target" in report
    assert "it was not asked for" not in report


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Lathe", "Press"])
def test_package_with_c_plugins_and_macros_is_measured_as_it_is(folder: Path, name: str) -> None:
    result = run(folder / name)
    assert result.returncode == 0, result.stderr
    file = f"Sources/{name}/{name}.swift"
    assert compiled(folder / name, "interface", "body", name) == {file}
    assert compiled(folder / name, "interface", "noop", None) == set()


@pytest.mark.slow
def test_layout_that_does_not_compile_is_left_out_with_the_compilers_first_error(folder: Path) -> None:
    result = run(folder / "Twins", "--edit", "Sources/NamesImplementation/Names.swift", "--layouts", "fused")
    assert result.returncode == 0, result.stderr
    (reason,) = results(folder / "Twins")["refused_layouts"].values()
    assert reason.startswith("it was generated, and does not build: Sources/NamesImplementation/Names.swift:10:14: ")
    assert reason.endswith("error: invalid redeclaration of 'tidy'")
    assert f"'fused' was not measured: {reason}" in result.stdout


@pytest.mark.slow
def test_edit_that_does_not_compile_ends_the_run_with_the_compilers_words(folder: Path) -> None:
    file = folder / "Ring/Sources/AnvilInterface/Anvil.swift"
    file.write_text(file.read_text() + "\npublic func make() {\n    print(0)\n}\n\nfunc edit1() -> Int { 1 }\n")
    result = run(folder / "Ring", "--edit", "Sources/AnvilInterface/Anvil.swift:public-top")
    assert result.returncode == 1
    assert "after the edit 'public-top'" in result.stderr
    assert "Sources/AnvilInterface/Anvil.swift:18:13: error: invalid redeclaration of 'edit1()'" in result.stderr


@pytest.mark.slow
def test_package_that_does_not_build_is_told_with_original_paths(folder: Path) -> None:
    file = folder / "Spices/Sources/Spices/Spice.swift"
    file.write_text(file.read_text() + "let broken: Int = nothing\n")
    result = run(folder / "Market")
    assert result.returncode == 1
    assert f"error: {folder / 'Market'} does not build, so it cannot be measured." in result.stderr
    assert "../Spices/Sources/Spices/Spice.swift:11:19: error: cannot find 'nothing' in scope" in result.stderr
    assert ".build/measure" not in result.stderr


@pytest.mark.slow
def test_package_that_cannot_be_reached_is_told(folder: Path) -> None:
    manifest = folder / "Ring/Package.swift"
    # Nobody listens there.
    needed = '    dependencies: [.package(url: "http://127.0.0.1:9/Far.git", from: "1.0.0")],\n    targets: ['
    manifest.write_text(manifest.read_text().replace("    targets: [", needed, 1))
    result = run(folder / "Ring")
    assert result.returncode == 1
    assert "http://127.0.0.1:9/Far.git" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.slow
def test_manifest_sees_the_variables_that_the_person_names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = folder / "Lathe/Package.swift"
    condition = 'Context.environment["LATHE"] == "yes" ? "Lathe" : "Missing"'
    manifest.write_text(manifest.read_text().replace('.target(name: "Lathe"', f".target(name: {condition}"))
    monkeypatch.setenv("LATHE", "yes")
    assert run(folder / "Lathe").returncode == 1
    assert run(folder / "Lathe", "--variable", "LATHE", "--edit", "Package.swift").returncode == 0
