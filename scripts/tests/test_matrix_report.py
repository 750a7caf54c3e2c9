"""What is told of the matrix: the table, the document, and which edits reach whom."""

from __future__ import annotations

from pathlib import Path

import pytest
from matrices import cell, matrix

from buildspeed import documents
from buildspeed.edit_laws import law_table, law_tables
from buildspeed.matrix import Matrix, read_matrix, write_matrix
from buildspeed.matrix_report import document, markdown_table

FILES = ("M/Implementation/A.swift", "App/main.swift")


@pytest.fixture
def record() -> Matrix:
    """Two edits in two modules and two layouts."""
    reached = {"M/Implementation/B.swift": "interface of type 'A'", "App/main.swift": "interface of the module M"}
    return matrix(
        cell(edit="noop", module=None, linked=(), smallest=()),
        cell(edit="noop", module=None, layout="fused", linked=(), smallest=()),
        cell("M/Implementation/A.swift", edit="private-top", reasons=reached, smallest=FILES[:1]),
        cell("M/Implementation/A.swift", edit="private-top", layout="fused", smallest=FILES),
        cell("N/A.swift", edit="private-top", module="N", smallest=("N/A.swift",)),
        placements={"private-top M": "a private function at the end of M/Implementation/A.swift"},
        missing={"signature N": "N has no public function."},
    )


def test_table_has_files_ratio_and_links_of_each_layout_and_marks_stale_files(record: Matrix) -> None:
    assert markdown_table(record).split("\n")[2:] == [
        "| noop |  | 0 | 0 | – | 0 | 0 | – | 0 |",
        "| private-top | M | 1 or 2 | 3 | 3.0 | 1 | 1 ! | 0.5 | 1 |",
        "| private-top | N | 1 | 1 | 1.0 | 1 | – | – | – |",
    ]


def test_document_tells_reasons_places_and_what_has_none(record: Matrix) -> None:
    text = document(record)
    assert (
        "- private-top M\n"
        "  - edited: M/Implementation/A.swift\n"
        "  - interface of the module M: App/main.swift\n"
        "  - interface of type 'A': M/Implementation/B.swift\n"
        "- private-top N\n"
    ) in text
    assert "  - M: a private function at the end of M/Implementation/A.swift\n" in text
    assert "## Edits that have no place\n\n- `signature N`: N has no public function.\n" in text


def test_laws_tell_where_the_files_are_that_an_edit_reaches(record: Matrix) -> None:
    lines = law_table(record).split("\n")
    assert lines[0].startswith("| edit | modules | smallest | `interface` | ratio | its target | its module | other")
    assert lines[2:4] == [
        "| `noop` |  | 0 | 0 | – |  |  |  |  | 0 |",
        "| `private-top` | 2 | 1 | 1–3 | 1.0–3.0 | 1 |  |  | 1 | 1 |",
    ]


def test_laws_tell_other_targets_and_modules_apart() -> None:
    reached = {"M/Interface/B.swift": "x", "N/C.swift": "x"}
    (line,) = law_table(matrix(cell("M/Implementation/A.swift", reasons=reached))).split("\n")[2:3]
    assert line == "| `body` | 1 | 1 | 3 | 3.0 |  | 1 | 1 |  |"
    added = {"M/Implementation/NewFile.swift": "added"}
    (line,) = law_table(matrix(cell(edit="new-file", reasons=added))).split("\n")[2:3]
    assert line == "| `new-file` | 1 | 1 | 1 | 1.0 |  |  |  |  |"


def test_laws_stand_between_markers_and_their_record_is_read_only_then(record: Matrix) -> None:
    def absent() -> Matrix:
        raise AssertionError("nobody asked")

    assert law_tables("# Nothing\n", Path("A.md"), absent, Path("matrix.json")) == []
    text = "# Laws\n<!-- matrix: begin -->\nold\n<!-- matrix: end -->\n"
    (block,) = law_tables(text, Path("A.md"), lambda: record, Path("matrix.json"))
    assert (block.line, block.reference, list(block.present)) == (2, "matrix.json", ["old"])
    assert "\n".join(block.expected) == f"\n{law_table(record)}\n"


def test_committed_record_is_of_this_package_and_complete() -> None:
    committed = read_matrix(documents.REPOSITORY / documents.MATRIX_RECORD)
    assert committed.package == "ModularSwift"
    places = {(each.edit, each.module) for each in committed.cells}
    assert {(each.edit, each.module, each.layout) for each in committed.cells} == {
        (edit, module, layout) for edit, module in places for layout in committed.layouts
    }


def test_smallest_set_is_the_same_in_every_layout_and_what_is_not_compiled_of_it_need_not_be() -> None:
    committed = read_matrix(documents.REPOSITORY / documents.MATRIX_RECORD)
    sets: dict[tuple[str, str | None], set[tuple[str, ...]]] = {}
    for each in committed.cells:
        sets.setdefault((each.edit, each.module), set()).add(each.smallest)
    assert {place: len(found) for place, found in sets.items() if len(found) > 1} == {}
    # The client's protocol names the request in a requirement, for which the layout of the request does not matter;
    # `scripts/measure verify` finds the program right.
    named_only = ("Modules/HTTPClient/Interface/Client.swift",)
    stale = {each.key for each in committed.cells if each.stale and each.stale != named_only}
    assert stale == set()
    assert {each.edit for each in committed.cells if each.stale} == {"interface-stored-property"}


def test_changed_matrix_is_found_in_its_document_and_put_right(
    tmp_path: Path, record: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = documents.MATRIX_RECORD.with_suffix(".md")
    only = {report: documents.REPORTS[report]}
    monkeypatch.setattr(documents, "REPORTS", only)
    monkeypatch.setattr(documents, "DOCUMENTS", {})
    monkeypatch.setattr(documents, "drifted_plots", lambda repository: {})
    write_matrix(record, tmp_path / documents.MATRIX_RECORD)
    guide = tmp_path / "docs/Guide.md"
    guide.write_text("# Guide\n\n<!-- matrix: begin -->\n<!-- matrix: end -->\n")
    assert [str(drift) for drift in documents.drifted(tmp_path)] == [
        f"docs/Guide.md:3: This is not what {documents.MATRIX_RECORD} says. Run scripts/documents.",
        f"{report}:1: This is not what {documents.MATRIX_RECORD} says. Run scripts/documents.",
    ]
    documents.update(tmp_path)
    assert documents.drifted(tmp_path) == []
    assert "| `private-top` | 2 |" in guide.read_text()
