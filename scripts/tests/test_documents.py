"""The numbers and the graph in the documents are those of the committed results and of the package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from buildspeed import documents
from buildspeed.conventions import application_of, modules_of
from buildspeed.failures import MeasurementError
from buildspeed.package_graph import read_package
from buildspeed.record import read_record, write_record
from buildspeed.toolchain import find_toolchain


def test_documents_have_the_numbers_of_the_committed_results() -> None:
    assert documents.drifted(documents.REPOSITORY) == []


def test_committed_results_name_the_compiled_files_of_every_sample() -> None:
    record = read_record(documents.REPOSITORY / documents.RESULTS)
    edited = [sample for sample in record.samples if sample.edit != "noop"]
    assert edited and all(sample.compiled for sample in edited)
    assert record.incomplete is None


def test_changed_number_is_found_and_put_right(tmp_path: Path) -> None:
    report = documents.RESULTS.with_name("results.md")
    for path in (*documents.DOCUMENTS, documents.RESULTS, report):
        copy = tmp_path / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((documents.REPOSITORY / path).read_bytes())
    readme = tmp_path / "README.md"
    original = readme.read_text()
    readme.write_text(original.replace(" s, ×", " s, ×9"))
    (tmp_path / report).write_text("")
    assert documents.drifted(tmp_path) == [Path("README.md"), report]
    documents.update(tmp_path)
    assert readme.read_text() == original
    assert documents.drifted(tmp_path) == []


def test_document_without_markers_is_named(tmp_path: Path) -> None:
    record = read_record(documents.REPOSITORY / documents.RESULTS)
    with pytest.raises(MeasurementError, match=r"README\.md has no lines"):
        documents.with_measurements("# A document\n", Path("README.md"), record)


def test_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    record = read_record(documents.REPOSITORY / documents.RESULTS)
    write_record(record, tmp_path / "results.json")
    assert read_record(tmp_path / "results.json") == record


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema_version": 2}', '{"schema_version": 1}'])
def test_file_that_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "results.json"
    file.write_text(text)
    with pytest.raises(MeasurementError, match=r"results\.json"):
        read_record(file)


def test_graph_in_the_readme_is_that_of_the_package(tmp_path: Path) -> None:
    toolchain = find_toolchain()
    package = read_package(documents.REPOSITORY, toolchain, tmp_path)
    modules = modules_of(package)
    owners = {name: module for module, targets in modules.items() for name in targets.names}
    expected = {
        (module, owners[dependency])
        for module, targets in modules.items()
        for dependency in targets.implementation.dependencies
        if owners[dependency] not in (module, "RouterService")
    }
    application = application_of(package)
    assert application is not None
    expected |= {(application.name, owners[dependency]) for dependency in application.dependencies}
    lines = re.findall(r"^    (\w+) --> (.*)$", (documents.REPOSITORY / "README.md").read_text(), re.MULTILINE)
    assert {(source, target) for source, targets in lines for target in targets.split(" & ")} == expected
