"""Numbers, code and graph in the documents are those of the committed results, the sources and the package."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import contents

from buildspeed import documents, shown_results
from buildspeed.conventions import application_of, modules_of
from buildspeed.durations import DURATIONS
from buildspeed.failures import MeasurementError
from buildspeed.package_graph import read_package
from buildspeed.record import read_record, write_record
from buildspeed.scale.record import read_scale_record, write_scale_record
from buildspeed.scale.report import plot_name
from buildspeed.shown_results import Measurements
from buildspeed.toolchain import find_toolchain


@pytest.fixture(autouse=True, scope="module")
def same_record_is_told_once() -> Iterator[None]:
    """What documents say of a record is made once for the same bytes, as it takes seconds for all of them, and the
    tests ask again and again."""
    told: dict[tuple[Callable[[Path], str], bytes], str] = {}

    def once(each: Measurements) -> Measurements:
        def text(path: Path) -> str:
            key = (each.text, path.read_bytes())
            if key not in told:
                told[key] = each.text(path)
            return told[key]

        return replace(each, text=text)

    tables = {path: [once(each) for each in several] for path, several in documents.DOCUMENTS.items()}
    reports = {path: once(each) for path, each in documents.REPORTS.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "DOCUMENTS", tables)
        patch.setattr(documents, "REPORTS", reports)
        yield


def test_documents_have_the_numbers_of_the_committed_results_and_the_code_of_the_sources() -> None:
    assert documents.drifted(documents.REPOSITORY) == []


def test_committed_results_name_the_compiled_files_of_every_sample() -> None:
    record = read_record(documents.REPOSITORY / documents.RESULTS)
    edited = [sample for sample in record.samples if sample.edit != "noop"]
    assert edited and all(sample.compiled for sample in edited)
    assert record.incomplete is None


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A repository with the documents that have numbers, and with code in one that has none."""
    plots = [path.relative_to(documents.REPOSITORY) for path in documents.REPOSITORY.glob("docs/results/scale/*.svg")]
    for path in (*documents.DOCUMENTS, *documents.ALL_RESULTS, *documents.REPORTS, *plots):
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        # Their code and graphs are those of files that are not here.
        text = (documents.REPOSITORY / path).read_text()
        target.write_text(text.replace("<!-- code:", "<!-- no code:").replace("<!-- graph:", "<!-- no graph:"))
    (tmp_path / "Sum.swift").write_text("// snippet: sum\nlet sum = 1 + 1\n// snippet: end\n")
    readme = tmp_path / "Modules/Sum/README.md"
    readme.parent.mkdir(parents=True)
    readme.write_text("# Sum\n\n<!-- code: Sum.swift#sum -->\n```swift\nlet sum = 1 + 1\n```\n<!-- code: end -->\n")
    return tmp_path


def test_changed_number_is_found_and_put_right(copy: Path) -> None:
    report = documents.RESULTS.with_name("results.md")
    readme = copy / "README.md"
    original = readme.read_text()
    line = original.splitlines().index("<!-- measured: begin -->") + 1
    readme.write_text(original.replace(" s, ×", " s, ×9"))
    (copy / report).write_text("")
    assert [str(drift) for drift in documents.drifted(copy)] == [
        f"README.md:{line}: This is not what {documents.RESULTS} says. Run scripts/documents.",
        f"{report}:1: This is not what {documents.RESULTS} says. Run scripts/documents.",
    ]
    documents.update(copy)
    assert readme.read_text() == original
    assert documents.drifted(copy) == []


def test_changed_results_of_growth_change_the_text_and_the_plots(copy: Path) -> None:
    results = copy / shown_results.SCALE_RESULTS
    record = read_scale_record(results)
    before = contents(copy)
    record.command = "scripts/measure scale --seed 0"
    write_scale_record(record, results)
    shape, quantity = record.sizes[0].shape, "seconds"
    plot = shown_results.SCALE_RESULTS.with_name(plot_name(shape, quantity))
    drifts = documents.drifted(copy)
    assert {Path("docs/BuildSpeed.md"), plot} <= {drift.document for drift in drifts}
    assert {drift.source for drift in drifts} == {str(shown_results.SCALE_RESULTS)}
    documents.update(copy)
    assert documents.drifted(copy) == []
    assert "`scripts/measure scale --seed 0` repeats it" in (copy / "docs/BuildSpeed.md").read_text()
    assert (copy / plot).read_bytes() != before[plot]


@pytest.mark.parametrize("changed", ["Sum.swift", "Modules/Sum/README.md"])
def test_changed_code_is_found_and_put_right(copy: Path, changed: str) -> None:
    file = copy / changed
    file.write_text(file.read_text().replace("1 + 1", "2"))
    message = "Modules/Sum/README.md:3: This is not what Sum.swift#sum says. Run scripts/documents."
    assert [str(drift) for drift in documents.drifted(copy)] == [message]
    documents.update(copy)
    assert documents.drifted(copy) == []
    expected = "let sum = 2" if changed == "Sum.swift" else "let sum = 1 + 1"
    assert f"\n```swift\n{expected}\n```\n" in (copy / "Modules/Sum/README.md").read_text()


def test_links_parts_and_durations_are_found_where_they_drifted_and_put_right(copy: Path) -> None:
    guide = copy / "docs/Guide.md"
    row = "| a | `b` | c |"
    guide.write_text(
        "# Guide\n\n[`sum`](../Sum.swift#L1)\n"
        f"<!-- measured: begin app-body -->\n{row}\n<!-- measured: end -->\n"
        f"<!-- durations: begin -->\n{row}\n<!-- durations: end -->\n"
    )
    assert [str(drift) for drift in documents.drifted(copy)] == [
        f"docs/Guide.md:{line}: This is not what {source} says. Run scripts/documents."
        for line, source in ((4, documents.RESULTS), (7, DURATIONS), (3, "Sum.swift"))
    ]
    documents.update(copy)
    assert documents.drifted(copy) == []
    text = guide.read_text()
    assert "(../Sum.swift#L2)" in text and "| app-body |  | 1, " in text and "| a | `b` | – |" in text


@pytest.mark.parametrize("place", ["README.md", "CONTRIBUTING.md", "docs/a/Guide.md", "Modules/Sum/README.md"])
def test_code_is_written_into_every_document(copy: Path, place: str) -> None:
    document = copy / place
    document.parent.mkdir(parents=True, exist_ok=True)
    with document.open("a") as file:
        file.write("<!-- code: Sum.swift -->\n<!-- code: end -->\n")
    documents.update(copy)
    end = "<!-- code: Sum.swift -->\n```swift\nlet sum = 1 + 1\n```\n<!-- code: end -->\n"
    assert document.read_text().endswith(end)


def test_mistake_in_one_document_leaves_all_as_they_are(copy: Path) -> None:
    (copy / "Sum.swift").write_text("// snippet: sum\nlet sum = 2\n// snippet: end\n")
    (copy / "docs/Wrong.md").write_text("<!-- code: Absent.swift -->\n<!-- code: end -->\n")
    before = contents(copy)
    with pytest.raises(MeasurementError, match=r"docs/Wrong\.md:1: There is no file 'Absent\.swift'"):
        documents.update(copy)
    assert contents(copy) == before


def test_document_in_step_is_not_written(copy: Path) -> None:
    times = {path: path.stat().st_mtime_ns for path in copy.rglob("*.md")}
    documents.update(copy)
    assert {path: path.stat().st_mtime_ns for path in copy.rglob("*.md")} == times


def test_check_names_drift_and_command_and_ends_with_1(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(documents, "REPOSITORY", copy)
    monkeypatch.setattr("sys.argv", ["scripts/documents", "--check"])
    assert documents.main() == 0
    (copy / "Sum.swift").write_text("// snippet: sum\nlet sum = 2\n// snippet: end\n")
    before = contents(copy)
    assert documents.main() == 1
    message = "Modules/Sum/README.md:3: This is not what Sum.swift#sum says. Run scripts/documents.\n"
    assert capsys.readouterr().err == message
    assert contents(copy) == before
    (copy / "Sum.swift").write_text("let sum = 2\n")
    assert documents.main() == 1
    assert capsys.readouterr().err.startswith("error: Modules/Sum/README.md:3: Sum.swift has no snippet 'sum'")


def test_document_without_markers_is_named(tmp_path: Path) -> None:
    with pytest.raises(MeasurementError, match=r"README\.md has no lines"):
        documents.with_measurements(
            "# A document\n", Path("README.md"), documents.REPOSITORY, documents.DOCUMENTS[Path("README.md")]
        )


def test_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    record = read_record(documents.REPOSITORY / documents.RESULTS)
    write_record(record, tmp_path / "results.json")
    assert read_record(tmp_path / "results.json") == record


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schema_version": 3}', '{"schema_version": 1}', '{"schema_version": 2}']
)
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
    lines = re.findall(r"^    (\w+) [-=]{2}> (.*)$", (documents.REPOSITORY / "README.md").read_text(), re.MULTILINE)
    assert {(source, target) for source, targets in lines for target in targets.split(" & ")} == expected


def test_readme_of_every_module_has_its_graph() -> None:
    for module in (documents.REPOSITORY / "Modules").iterdir():
        assert f"\n<!-- graph: begin {module.name} -->\n" in (module / "README.md").read_text(), module.name


def test_changed_graph_is_found_and_put_right(tiny: Path) -> None:
    for path in (*documents.DOCUMENTS, *documents.ALL_RESULTS):
        (tiny / path).parent.mkdir(parents=True, exist_ok=True)
        text = (documents.REPOSITORY / path).read_text()
        (tiny / path).write_text(text.replace("<!-- code:", "<!-- no code:").replace("<!-- graph:", "<!-- no graph:"))
    guide = tiny / "docs/Guide.md"
    guide.write_text("# Guide\n\n<!-- graph: begin Store -->\n<!-- graph: end -->\n")
    documents.update(tiny)
    assert "    Feed --> StoreInterface\n" in guide.read_text()
    manifest = tiny / "Package.swift"
    manifest.write_text(
        manifest.read_text().replace('dependencies: ["FeedInterface", "StoreInterface"]', "dependencies: []")
    )
    assert [str(drift) for drift in documents.drifted(tiny)] == [
        "docs/Guide.md:3: This is not what Package.swift says. Run scripts/documents."
    ]
    documents.update(tiny)
    assert documents.drifted(tiny) == []
    assert "Feed --> StoreInterface" not in guide.read_text()
