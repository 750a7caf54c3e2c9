"""What every edit compiles, and the comparison with a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import contents, measure

from buildspeed.failures import MeasurementError
from buildspeed.matrix import Matrix, MatrixCell, differences, read_matrix, write_matrix
from buildspeed.matrix_command import RECORD, tell_differences
from buildspeed.plan import Cell

READER = "Store/Implementation/MemoryReader.swift"


def matrix(*cells: MatrixCell) -> Matrix:
    return Matrix("P", "scripts/measure matrix", "Swift 6", ("interface",), ("body",), ("M",), {}, {}, cells)


def cell(*files: str, edit: str = "body", linked: Sequence[str] = ("App",)) -> MatrixCell:
    return MatrixCell(edit, "M", "interface", dict.fromkeys(files, "edited"), 1, tuple(linked))


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


def test_check_names_the_edit_and_the_file_that_it_compiles_since_a_change(tiny: Path) -> None:
    edits = ("--edits", "noop,new-file,private-top", "--modules", "Store", "--layouts", "fused")
    result = measure("matrix", "--package", tiny, *edits, "--output", tiny / RECORD)
    assert result.returncode == 0, result.stderr
    found = {each.edit: each for each in read_matrix(tiny / RECORD).cells}
    assert found["noop"].compiled == {} and found["noop"].linked == ()
    assert found["private-top"].compiled[READER] == "edited"
    assert found["private-top"].compiled["App/Support.swift"] == "interface of the module StoreFused"
    assert found["private-top"].linked == ("App",)
    assert found["new-file"].compiled["Store/Implementation/NewFile.swift"] == "added"

    (tiny / "App/More.swift").write_text("import StoreImplementation\n\nfunc more() -> StoreModule { StoreModule() }\n")
    before = contents(tiny)
    grown = measure("matrix", "--package", tiny, "--check", "--edits", "private-top")
    assert grown.returncode == 1
    assert [line for line in grown.stderr.splitlines() if ": compiles" in line] == [
        "fused private-top Store: compiles App/More.swift, which it did not"
    ]
    assert contents(tiny) == before
