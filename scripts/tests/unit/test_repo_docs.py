"""The generated parts of documents: code, graphs and numbers."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from made_files import committed, copied, files, programs
from made_records import rounds_of, run_record
from repo_checkout import REPOSITORY, edit, run
from swiftmodules.errors import ToolError
from swiftmodules.measure.record import record_bytes

from repo.docs.documents import Documents
from repo.docs.record_parts import RECORDS
from repo.docs.recording import record_all

# Parts of one document

GUIDE = """\
import Testing

struct Guide {
    func one() {
        // snippet: inner
        call()

        call(again: true)
        // snippet: end
    }

    // snippet: nothing

    // snippet: end
    /// A snippet: b.
    let a = "// snippet: a"
}
"""
INNER = "```swift\ncall()\n\ncall(again: true)\n```\n"
# What is shown of each source.
CODE = {
    "Guide.swift#inner": INNER,
    # More backquotes than it has.
    "Fence.swift#a": "`````swift\n// ````\n`````\n",
}
BEGIN, END = "<!-- code: Guide.swift#inner -->\n", "<!-- code: end -->\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    texts = {
        "Guide.swift": GUIDE,
        "Fence.swift": "// snippet: a\n// ````\n// snippet: end\n",
        "open.swift": "// snippet: one\nb\n// snippet: two\nc\n// snippet: end\n",
        str(RECORDS / "matrix/results.json"): record_bytes(run_record(rounds_of({"interface": [1]}))).decode(),
    }
    files(tmp_path, texts)
    return tmp_path


def updated(repository: Path, text: str) -> str:
    """A document after its parts were updated."""
    files(repository, {"README.md": text})
    Documents(repository).update()
    return (repository / "README.md").read_text()


def test_code_is_shown_in_a_fence_without_its_markers_and_indentation(repository: Path) -> None:
    text = "".join(f"A\n<!-- code: {source} -->\nx\ny\n{END}" for source in CODE)
    assert updated(repository, text) == "".join(f"A\n<!-- code: {each} -->\n{CODE[each]}{END}" for each in CODE)
    # Within a line, and of another kind, a marker is text.
    text = "<!-- other: begin -->\n`<!-- code: a -->`\nSee `<!-- graph: begin -->` too.\n"
    assert updated(repository, f"{text}{BEGIN}{END}") == f"{text}{BEGIN}{INNER}{END}"


# By the words of a part.
REFUSED = {
    "code: Guide.swift#one": "Guide.swift has no snippet 'one' (it has: inner, nothing). Correct the name",
    "code: Guide.swift#nothing": "Guide.swift#nothing has no code",
    "code: Absent.swift#one": "There is no file 'Absent.swift'. Name it by its path",
    "code: open.swift#one": "open.swift has no snippet 'one' (it has: two). Correct the name",
    "measured: begin matrix bod Store": "the record has no 'bod Store'. It has: body Store",
    "measured: begin matrix body Feed": "the record has no 'body Feed'. It has: body Store",
    "measured: begin body": "no part is called 'body'",
    "measured: begin simulate": "no part is called 'simulate'",
}
UNPAIRED = {
    "T\n<!-- graph: end -->": "2: This line begins or ends a part 'graph', and its other line is missing.",
    "T\n<!-- graph: begin -->\nT": "2: This line begins or ends a part 'graph'",
    "<!-- graph: begin -->\n<!-- graph: begin -->\n<!-- graph: end -->": "1: This line begins or ends a part 'graph'",
    f"{BEGIN}{END}<!-- code: some -->\n<!-- graph: end -->": "3: This line begins or ends a part 'code'",
}


def test_mistake_in_a_part_is_refused_with_its_place(repository: Path) -> None:
    parts = {f"T\n\n<!-- {part} -->\n<!-- {part.split(':')[0]}: end -->": part for part in REFUSED}
    for text, message in (UNPAIRED | {text: f"3: {REFUSED[part]}" for text, part in parts.items()}).items():
        with pytest.raises(ToolError, match=re.escape(f"README.md:{message}")):
            updated(repository, text)


# All documents of a package


def test_every_record_and_module_of_this_repository_is_shown() -> None:
    text = "\n".join(path.read_text() for path in (REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md")))
    for record in (REPOSITORY / RECORDS).glob("*/results.md"):
        assert f"results/{record.parent.name}/results.md" in text, record
    for module in (REPOSITORY / "Modules").iterdir():
        assert f"\n<!-- graph: begin {module.name} -->\n" in (module / "README.md").read_text(), module.name


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small package with documents: one with code, one with numbers, and one with a link and a graph."""
    tiny = copied(tmp_path_factory.mktemp("documented"), "Tiny")
    record = record_bytes(run_record(rounds_of({"interface": [1, 1], "fused": [2, 2]}))).decode()
    texts = {
        **{str(RECORDS / name / "results.json"): record for name in ("layouts", "copies")},
        "Sum.swift": "// snippet: sum\nlet sum = 1 + 1\n// snippet: end\n",
        "Modules/Sum/README.md": "# Sum\n\n<!-- code: Sum.swift#sum -->\n<!-- code: end -->\n",
        "docs/Guide.md": "[`sum`](../Sum.swift)\n<!-- graph: begin Store -->\n<!-- graph: end -->\n",
        "docs/Numbers.md": "<!-- measured: begin copies -->\n<!-- measured: end -->\n",
    }
    files(tiny, texts)
    Documents(tiny).update()
    return tiny


@pytest.fixture
def copy(documented: Path, tmp_path: Path) -> Path:
    return shutil.copytree(documented, tmp_path / "a cöpy" / "Tiny")


def drifts(copy: Path) -> dict[str, str]:
    """The place of each drift, and what it is of."""
    found = {f"{each.document}:{each.line}": each.problem for each in Documents(copy).drifted()}
    return {place: problem.partition("differs from ")[2].partition(". Run")[0] for place, problem in found.items()}


def test_every_kind_of_part_is_written_once(copy: Path) -> None:
    assert drifts(copy) == {}
    assert "\n```swift\nlet sum = 1 + 1\n```\n" in (copy / "Modules/Sum/README.md").read_text()
    assert "    Feed --> StoreInterface\n" in (copy / "docs/Guide.md").read_text()
    assert "![times as long as `interface`, with the ranges](" in (copy / "docs/Numbers.md").read_text()
    assert (copy / RECORDS / "layouts/results.md").is_file()
    times = {path: path.stat().st_mtime_ns for path in copy.rglob("*.*")}
    assert Documents(copy).update() == []
    assert {path: path.stat().st_mtime_ns for path in copy.rglob("*.*")} == times


LIVE, LAYOUTS = RECORDS / "copies", RECORDS / "layouts"
CHANGES = [
    ("Sum.swift", "1 + 1", "2"),
    (f"{LAYOUTS}/results.md", "# Rebuilding", "## Rebuilding"),
    ("Package.swift", '["FeedInterface", "StoreInterface"]', "[]"),
    # A record changes its report.
    (str(RECORDS / "copies/results.json"), '"rounds": 2', '"rounds": 7'),
]
DRIFTS = {
    "Modules/Sum/README.md:3": "Sum.swift#sum",
    "docs/Guide.md:2": "Package.swift",
    f"{LAYOUTS}/results.md:1": str(RECORDS / "layouts/results.json"),
    **{f"{name}:1": str(RECORDS / "copies/results.json") for name in ("docs/Numbers.md", f"{LIVE}/results.md")},
}


def test_changes_are_found_where_they_are_and_all_are_corrected(copy: Path) -> None:
    for changed, old, new in CHANGES:
        edit(copy, changed, old, new)
    assert drifts(copy) == DRIFTS
    assert run(copy, "docs") == 0
    assert drifts(copy) == {}
    # Edits of the generated parts themselves.
    edit(copy, "Modules/Sum/README.md", "sum = 2", "sum = 3")
    edit(copy, f"{LIVE}/chart.svg", "<svg ", "<svg  ")
    edit(copy, "docs/Numbers.md", "![times", "![hours")
    edited = {f"{name}:1": str(RECORDS / "copies/results.json") for name in ("docs/Numbers.md", f"{LIVE}/chart.svg")}
    assert drifts(copy) == {"Modules/Sum/README.md:3": "Sum.swift#sum", **edited}


def test_check_writes_nothing_and_a_bad_link_hides_no_drift(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(copy, "docs", "--check") == 0
    assert run(copy, "docs", "--check", "--picture") == 64
    printed = capsys.readouterr()
    # A snippet, a graph, and the numbers of a record.
    assert printed.out.startswith("checked 3 documents with 3 generated parts and 3 links, and ")
    assert printed.err.startswith("error: --check, --picture, --site and --record exclude one another")
    text = "[`Product`](../Sum.swift)\n[`sum`](../Absent.swift)\n<!-- code: Sum.swift#sum -->\n<!-- code: end -->\n"
    (copy / "docs/Bad.md").write_text(text)
    problems = (
        "docs/Bad.md:1: Sum.swift has no Product. Correct the text of the link, or the link.\n"
        "docs/Bad.md:2: The link leads to Absent.swift, which does not exist. Correct the link, or remove it.\n"
    )
    assert run(copy, "docs", "--check") == 1
    assert capsys.readouterr().err == f"docs/Bad.md:3: This differs from Sum.swift#sum. Run scripts/docs.\n{problems}"
    assert (copy / "docs/Bad.md").read_text() == text
    assert run(copy, "docs") == 1
    assert capsys.readouterr().err == problems
    assert "\nlet sum = 1 + 1\n" in (copy / "docs/Bad.md").read_text()
    (copy / "docs/Bad.md").unlink()
    (copy / "Sum.swift").write_text("// snippet: sum\nlet sum = 2\n// snippet: end\n")
    assert run(copy, "docs", "--check") == 1
    assert "1 + 1" in (copy / "Modules/Sum/README.md").read_text()


def test_mistake_in_one_document_leaves_all_as_they_are(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copy / "Sum.swift").write_text("// snippet: sum\nlet sum = 2\n// snippet: end\n")
    (copy / "docs/Wrong.md").write_text("<!-- code: Absent.swift#one -->\n<!-- code: end -->\n")
    for options in ([], ["--check"]):
        assert run(copy, "docs", *options) == 1
        assert capsys.readouterr().err.startswith("error: docs/Wrong.md:1: There is no file 'Absent.swift'")
    assert "1 + 1" in (copy / "Modules/Sum/README.md").read_text()
    (copy / "docs/Wrong.md").write_text("<!-- graph: begin Stoer -->\n<!-- graph: end -->\n")
    assert run(copy, "docs") == 64
    assert "docs/Wrong.md:1: No module is called 'Stoer'. Did you mean 'Store'?" in capsys.readouterr().err


# Records

# A program that writes records without measuring.
MEASURE = """\
echo "$*" >> "$LOG"
output=$4
mkdir -p "$output"
if [ "$FAILS" = "$1 $2" ]; then
    touch "$output/unfinished.json"
    exit 1
fi
rm -f "$output/unfinished.json"
echo "{}" > "$output/results.json"
"""


def test_records_are_of_a_commit_and_a_stopped_one_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository, log = tmp_path / "repository", tmp_path / "log"
    results = repository / "docs/results"
    programs(repository, {"scripts/measure": MEASURE})
    files(repository, {".gitignore": ".build/\n"})
    files(results, {"records.toml": 'one = "--rounds 1"\ntwo = "--rounds 2"\n'})
    committed(repository)
    monkeypatch.setenv("LOG", str(log))

    monkeypatch.setenv("FAILS", "--rounds 2")
    with pytest.raises(ToolError, match="--record again: what is complete is kept"):
        record_all(repository)
    assert not (results / "one").exists(), "records of two commits do not stand side by side"

    monkeypatch.setenv("FAILS", "")
    assert record_all(repository) == 0
    assert [line.partition(" --output")[0].split("/")[0] for line in log.read_text().splitlines()] == [
        "--rounds 1",
        "--rounds 2",
        "--rounds 2",
    ]
    assert sorted(path.name for path in results.rglob("*.*")) == ["records.toml", "results.json", "results.json"]
