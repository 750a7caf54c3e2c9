"""What every edit compiles, and the comparison with a record."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
from conftest import contents, measure, start_measure
from matrices import cell, matrix

from buildspeed.failures import MeasurementError
from buildspeed.matrix import RECORD, read_matrix, write_matrix
from buildspeed.matrix_check import arrivals, departures, differences
from buildspeed.matrix_command import tell_differences
from buildspeed.plan import Cell

READER = "Store/Implementation/MemoryReader.swift"
TEST = "Tests/ReaderTests.swift"


def test_cell_that_compiles_or_links_more_is_named_with_the_files() -> None:
    (found,) = differences(matrix(cell("A.swift")), matrix(cell("A.swift", "B.swift", linked=("App", "Tool"))))
    assert (found.cell, found.more, found.fewer) == (
        Cell("interface", "body", "M"),
        ("B.swift", "the product Tool"),
        (),
    )
    assert str(found) == "interface body M: compiles B.swift, the product Tool, which it did not"


def test_cell_that_compiles_less_is_a_difference_without_more() -> None:
    (found,) = differences(matrix(cell("A.swift", "B.swift")), matrix(cell("A.swift")))
    assert (found.more, found.fewer) == ((), ("B.swift",))


def test_cells_of_one_record_only_and_other_reasons_are_no_difference() -> None:
    before = matrix(cell("A.swift"), cell("B.swift", edit="touch"))
    other_reason = replace(cell("A.swift"), compiled={"A.swift": "interface of the module X"})
    assert differences(before, matrix(other_reason, cell("B.swift", edit="comment"))) == []


def test_cell_that_came_is_told_with_what_it_compiles() -> None:
    before = matrix(cell("A.swift"))
    after = matrix(cell("A.swift"), cell("B.swift", module="N"), cell(edit="noop", module=None, linked=()))
    assert [str(each) for each in arrivals(before, after)] == [
        "interface body N: not in the record; compiles B.swift, the product App",
        "interface noop: not in the record; compiles nothing",
    ]


def test_cell_that_went_is_told_with_the_reason_where_it_was_looked_for() -> None:
    before = matrix(
        cell("A.swift"),
        cell("B.swift", edit="signature"),
        cell("C.swift", module="Gone"),
        cell("D.swift", edit="touch"),
        cell("E.swift", layout="fused"),
    )
    after = matrix(cell("A.swift"), missing={"signature M": "there is no public function."})
    assert [str(each) for each in departures(before, after)] == [
        "interface signature M: in the record only: there is no public function.",
        "interface body Gone: in the record only: the module is no longer there",
    ]
    assert len(departures(before, after, modules=["M"])) == 1


def test_ratio_compares_with_the_smallest_set_and_a_file_of_it_that_was_not_compiled_is_stale() -> None:
    assert cell("A.swift", "B.swift", "C.swift", smallest=("A.swift", "B.swift")).ratio == 1.5
    assert cell("A.swift", smallest=()).ratio is None
    assert cell("A.swift", smallest=("A.swift", "B.swift")).stale == ("B.swift",)


def test_record_holds_the_ratio_for_other_readers(tmp_path: Path) -> None:
    write_matrix(matrix(cell("A.swift", "B.swift")), tmp_path / "matrix.json")
    (written,) = json.loads((tmp_path / "matrix.json").read_text())["cells"]
    assert (written["smallest"], written["ratio"]) == (["A.swift"], 2.0)


def test_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = matrix(cell("A.swift"))
    write_matrix(written, tmp_path / "matrix.json")
    assert read_matrix(tmp_path / "matrix.json") == written


@pytest.mark.parametrize("text", ["", "[]", '{"schema_version": 99}', '{"schema_version": 1}'])
def test_file_that_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "matrix.json").write_text(text)
    with pytest.raises(MeasurementError, match=r"matrix\.json"):
        read_matrix(tmp_path / "matrix.json")


def test_record_of_another_compiler_is_not_compared(tiny: Path) -> None:
    write_matrix(matrix(cell("A.swift")), tiny / RECORD)
    result = measure("matrix", "--package", tiny, "--check")
    assert result.returncode == 1
    assert "was made with Swift 6, and this is Swift version" in result.stderr


def test_check_fails_where_more_is_compiled_and_passes_where_less_is(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = matrix(cell("A.swift")), matrix(cell("A.swift", "B.swift"))
    assert tell_differences(one, one) == 0
    assert capsys.readouterr().out == f"No edit compiles or links more than {RECORD} says.\n"
    assert tell_differences(two, one) == 0
    assert "no longer compiles or links B.swift" in capsys.readouterr().out
    assert tell_differences(one, two) == 1
    assert "error: more is compiled or linked" in capsys.readouterr().err


def test_what_came_or_went_is_told_and_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    one, other = matrix(cell("A.swift")), matrix(cell("A.swift", module="N"))
    assert tell_differences(one, other) == 0
    output = capsys.readouterr().out
    assert "interface body N: not in the record; compiles A.swift, the product App\n" in output
    assert "interface body M: in the record only: the module is no longer there\n" in output
    assert f"No edit compiles or links more than {RECORD} says. 2 cells are not as there" in output


@pytest.mark.slow
def test_check_names_the_edit_and_the_file_that_it_compiles_since_a_change(tiny: Path) -> None:
    edits = ("--edits", "noop,new-file,private-top,signature", "--modules", "Store", "--layouts", "fused")
    result = measure("matrix", "--package", tiny, *edits, "--output", tiny / RECORD)
    assert result.returncode == 0, result.stderr
    found = {each.edit: each for each in read_matrix(tiny / RECORD).cells}
    assert found["noop"].compiled == {} and found["noop"].linked == () and found["noop"].smallest == ()
    assert found["private-top"].compiled[READER] == "edited"
    assert found["private-top"].compiled["App/Support.swift"].startswith("interface of the module StoreFused → ")
    assert found["private-top"].linked == ("App",)
    assert found["private-top"].smallest == (READER,)
    assert found["new-file"].compiled["Store/Implementation/NewFile.swift"] == "added"
    assert found["signature"].smallest == ("App/Support.swift", "Store/Implementation/StoreModule.swift")

    (tiny / "App/More.swift").write_text("import StoreImplementation\n\nfunc more() -> StoreModule { StoreModule() }\n")
    before = contents(tiny)
    grown = measure("matrix", "--package", tiny, "--check", "--edits", "private-top", "--modules", "Store")
    assert grown.returncode == 1
    assert [line for line in grown.stderr.splitlines() if ": compiles" in line] == [
        "fused private-top Store: compiles App/More.swift, which it did not"
    ]
    assert contents(tiny) == before


@pytest.mark.slow
def test_same_code_gives_the_same_record_in_another_place_and_order(tiny: Path, tmp_path: Path) -> None:
    """With tests, for which there are builds of their own, and with the modules and edits in another order."""
    add_tests(tiny)
    other = tmp_path / "elsewhere" / "Tiny"
    copytree(tiny, other)
    edits = ["private-top", "interface-requirement", "test-body"]
    found = []
    for package, order in ((tiny, edits), (other, edits[::-1])):
        output = package / "matrix.json"
        arguments = ("--layouts", "interface", "--edits", ",".join(order), "--output", output)
        assert measure("matrix", "--package", package, *arguments).returncode == 0
        found.append({each.key: each for each in read_matrix(output).cells})
    assert found[0] == found[1]
    assert len(found[0]) == 5
    tested = found[0][Cell("interface", "test-body", "Store")]
    assert [file for file in tested.compiled if not file.startswith("(generated) ")] == [TEST]
    assert tested.smallest == (TEST,)
    assert not any(TEST in each.compiled for key, each in found[0].items() if key.edit != "test-body")


@pytest.mark.slow
def test_interrupted_run_keeps_what_it_found_and_leaves_an_earlier_record_alone(tiny: Path, tmp_path: Path) -> None:
    output = tmp_path / "matrix.json"
    output.write_text("{}")
    arguments = ("--layouts", "interface", "--edits", "noop,body,private-top", "--output", output)
    process = start_measure("matrix", "--package", tiny, *arguments)
    assert process.stderr is not None
    for line in process.stderr:
        if line == "interface body Store\n":
            break
    process.terminate()
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 143
    unfinished = tmp_path / "unfinished-matrix.json"
    assert f"The 2 cells so far are in {unfinished}.\n" in errors
    assert [(each.edit, each.module) for each in read_matrix(unfinished).cells] == [("noop", None), ("body", "Feed")]
    assert output.read_text() == "{}"


@pytest.mark.slow
def test_no_edit_of_this_repository_compiles_more_than_the_record_says() -> None:
    """The edits on whose reach the layout rests. All others take longer; `scripts/measure matrix --check` has them."""
    edits = "private-top,stored-property,interface-extension-member,interface-requirement"
    result = measure("matrix", "--check", "--layouts", "interface", "--edits", edits)
    assert result.returncode == 0, result.stderr


def add_tests(package: Path) -> None:
    """Gives the package a test target."""
    manifest = package / "Package.swift"
    target = '.testTarget(name: "StoreTests", dependencies: ["StoreImplementation"], path: "Tests"),'
    manifest.write_text(manifest.read_text().replace("    targets: [\n", f"    targets: [\n        {target}\n"))
    (package / TEST).parent.mkdir()
    (package / TEST).write_text(
        "import Testing\n\n@testable import StoreImplementation\n\n@Suite struct ReaderTests {\n"
        "    @Test func reads() {\n        let reader = MemoryReader(texts: [:])\n"
        '        #expect(reader.entry(named: "a") == nil)\n    }\n}\n'
    )
