"""Every committed record as `graph --impact` reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from swiftmodules.errors import RecordError
from swiftmodules.graph.architecture import Architecture, architecture_of
from swiftmodules.graph.impact import Impact, edited_file, impact, measured_edits
from swiftmodules.records.files import read_record
from swiftmodules.records.kinds import FloorRecord, MatrixRecord, RunRecord
from swiftmodules.swiftpm.cache import cache_folder
from swiftmodules.swiftpm.package import read_package
from swiftmodules.swiftpm.toolchain import Toolchain

REPOSITORY = Path(__file__).resolve().parents[3]
RECORDS = {
    path: read_record(path) for path in (REPOSITORY / "docs/results").rglob("*.json") if "durations" not in path.name
}
WITH_FILES = [path for path, record in RECORDS.items() if isinstance(record, MatrixRecord | RunRecord | FloorRecord)]


@pytest.fixture(scope="module")
def repository() -> Architecture:
    return architecture_of(read_package(REPOSITORY, Toolchain.find(), cache=cache_folder()))


def reached(repository: Architecture, subject: str) -> Impact:
    return impact(repository, subject, REPOSITORY)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.relative_to(REPOSITORY).as_posix())
def test_record_is_read_or_refused(path: Path) -> None:
    name = RECORDS[path].package
    if path not in WITH_FILES:
        with pytest.raises(RecordError, match="does not list what each edit compiled"):
            measured_edits(REPOSITORY, name, [path])
        return
    edits = measured_edits(REPOSITORY, name, [path])
    assert edits and all(edit.compiled or edit.edit == "manifest-touch" for edit in edits)


def test_every_edit_of_the_matrix_that_is_made_in_a_file_is_found(repository: Architecture) -> None:
    path, matrix = next((path, each) for path, each in RECORDS.items() if isinstance(each, MatrixRecord))
    found = {(edit.edit, edit.file) for edit in measured_edits(REPOSITORY, repository.package.name)}
    for place, description in matrix.placements.items():
        file = edited_file(description)
        assert file is None or (place.split()[0], file) in found
    assert path.relative_to(REPOSITORY) in {edit.source for edit in reached(repository, "Login").targets[0].measured}


def test_each_edit_of_a_file_is_shown_once_with_the_files_of_the_matrix(repository: Architecture) -> None:
    matrix = next(each for each in RECORDS.values() if isinstance(each, MatrixRecord))
    edits = [edit for target in reached(repository, "Login").targets for edit in target.measured]
    assert len(edits) == len({(edit.edit, edit.file) for edit in edits})
    (cell,) = [each for each in matrix.cells if each.cell == ("interface", "private-top", "Login")]
    private = next(edit for edit in edits if edit.edit == "private-top")
    assert {str(file) for file in private.compiled} == set(cell.compiled)


def test_file_reaches_what_its_target_does(repository: Architecture) -> None:
    edit = next(
        edit for edit in measured_edits(REPOSITORY, repository.package.name) if edit.edit == "interface-route-field"
    )
    target = repository.package.target_of(edit.file)
    assert target is not None
    by_file, by_target = (reached(repository, each).targets[0] for each in (str(edit.file), target.name))
    assert set(by_file.measured) == set(by_target.measured)
    assert (by_file.direct, by_file.further) == (by_target.direct, by_target.further)
    assert by_file.measured[0].file == edit.file
