"""A package's own commits as edits, in repositories whose counts are known by hand."""

from __future__ import annotations

import re
import shutil
import signal
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from made_files import committed, contents, copied, git
from runs import CHOICES, files_of, measured, start
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.measure.record import SOUND, read_record
from swiftmodules.measure.report import markdown
from swiftmodules.measure.results import Results
from swiftmodules.options import MeasureChoices
from swiftmodules.progress import ProgressView
from swiftmodules.steps.history import Repository

READER, TELLER = "Store/Implementation/MemoryReader.swift", "Feed/Implementation/StoredTeller.swift"
INTERFACE, NEW = "Store/Interface/Reading.swift", "Store/Implementation/New.swift"
COUNTS = MeasureChoices(rounds=0, layouts=("interface", "monolith"), edits=("history:20",))
# What is added to the end of a file, or its new text after that before.
Change = str | Callable[[str], str]


def commit(package: Path, subject: str, changes: Mapping[str, Change] = {}) -> str:
    texts = {path: (package / path).read_text() if (package / path).exists() else "" for path in changes}
    for path, change in changes.items():
        texts[path] = texts[path] + change if isinstance(change, str) else change(texts[path])
    return committed(package, subject, texts)


def body(number: int) -> Change:
    return lambda before: before.replace("guard let text", f"_ = {number}\n        guard let text", 1)


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """A repository of the package Tiny, to which commits are added."""
    package = copied(tmp_path / "the shop", "Tiny")
    git(package, "init", "--initial-branch", "main")
    commit(package, "First")
    return package


@pytest.mark.slow
def test_each_commit_compiles_what_its_layout_makes_necessary(history: Path) -> None:
    # What an archive would leave out is there all the same.
    commit(history, "Attributes", {".gitattributes": "Store export-ignore\n"})
    commit(history, "A body", {READER: body(1)})
    commit(history, "Notes alone", {"notes.md": "Text.\n"})
    commit(history, "An addition", {READER: "\nprivate func extra() {}\n"})
    commit(history, "A clash", {NEW: "struct StoredTeller {}\n"})
    commit(history, "No clash", {NEW: lambda before: before.replace("StoredTeller", "Other")})
    commit(history, "An interface", {INTERFACE: "\npublic struct Top {}\n"})
    commit(history, "Broken", {READER: "\nlet wrong: Int = nil\n"})
    commit(history, "Mended", {READER: lambda before: before.replace("\nlet wrong: Int = nil\n", "")})
    commit(history, "A manifest", {"Package.swift": "\n// A comment.\n"})
    commit(history, "Another body", {READER: body(2)})
    before = contents(history)
    record = measured(history, replace(COUNTS, verify=True))
    assert contents(history) == before
    assert [each.subject for each in record.commits] == [
        *("Attributes", "A body", "An addition", "A clash", "No clash", "An interface"),
        *("Broken", "Mended", "A manifest", "Another body"),
    ]
    found = files_of(record)
    assert found["A body"] == {"interface": 1, "monolith": 1}
    assert found["An addition"] == {"interface": 3, "monolith": 2}
    assert found["Another body"] == {"interface": 1, "monolith": 1}
    # A layout that cannot hold a commit, and the one after it, is left out of them alone.
    reasons = {(each.layout, each.edit): each.reason for each in record.left_out}
    names = {each.subject: each.edit for each in record.commits}
    assert "StoredTeller" in reasons["monolith", names["A clash"]]
    assert ("interface", names["A clash"]) not in reasons and ("monolith", names["An interface"]) not in reasons
    for subject in ("Broken", "Mended"):
        assert {layout for layout, name in reasons if name == names[subject]} == {"interface", "monolith"}
    assert reasons["interface", names["Mended"]].startswith("the state before it does not build: ")
    report = markdown(Results(record))
    assert "Not measured: `monolith" not in report.partition("##")[0]
    assert record.verification is not None
    # The last three.
    assert [each.result for each in record.verification.verdicts].count(SOUND) >= 4


@pytest.mark.slow
def test_history_of_which_nothing_builds_fails_with_one_sentence(history: Path) -> None:
    commit(history, "Broken", {READER: "\nlet wrong: Int = nil\n"})
    commit(history, "Still", {"notes.txt": "x", READER: "\n"})
    with pytest.raises(ToolError) as raised:
        measured(history, replace(COUNTS, layouts=("interface",), edits=("history:2",)))
    assert str(raised.value).count("cannot convert") <= 2 and "Nothing could be measured" in str(raised.value)


@pytest.mark.slow
def test_killed_history_goes_on_at_its_commit_when_it_is_repeated(history: Path) -> None:
    for number in range(4):
        commit(history, f"Body {number}", {READER: body(number)})
    process = start(history, "history:9", 1)
    assert process.stdout is not None
    assert any(line.startswith("[5/") for line in process.stdout)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = read_record(history.parent / "output")
    choices = replace(CHOICES, layouts=("interface",), edits=("history:9",))
    shown: list[str] = []
    record = measured(history, choices, view=ProgressView(shown.append))
    assert record.samples[: len(kept.samples)] == kept.samples and len(record.samples) == 4 * 2
    numbers = re.findall(r"^\[(\d+/\d+)\]", "\n".join(shown), re.M)
    assert numbers == [f"{number}/8" for number in range(len(kept.samples) + 1, 9)]
    assert {each.files for each in record.samples} == {1} and record.incomplete is None


def test_commits_are_chosen_and_a_repository_without_a_history_is_refused(
    history: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(history, "One", {READER: body(1)})
    commit(history, "Two", {READER: body(2), TELLER: "\n"})

    def subjects(count: int = 9) -> list[str]:
        return [each.subject for each in Repository(history).commits(count)]

    assert subjects() == ["One", "Two"] and subjects(1) == ["Two"]
    with monkeypatch.context() as later:
        git(history, "branch", "left")
        git(history, "branch", "right")
        for day, branch in enumerate(("left", "right", "left", "right")):
            later.setenv("GIT_COMMITTER_DATE", f"204{day}-01-01T00:00:00")
            git(history, "checkout", branch)
            commit(history, f"{branch} {day}", {READER if branch == "left" else TELLER: "\n"})
        git(history, "merge", "left")
    # Those of a branch are together, so that little is built again between them.
    assert subjects(4) == ["right 1", "right 3", "left 0", "left 2"]
    # Characters at which `str.splitlines` divides a text, and a name that git would quote.
    odd = 'Store/a "b"\t.swift'
    commit(history, "Three\v\x1cparts", {odd: "\n"})
    assert subjects(1) == ["Three\v\x1cparts"]
    assert Repository(history).commits(1)[0].changed == {Path(odd): "A"}
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "--depth", "1", history.as_uri(), str(shallow))
    plain = copied(tmp_path / "plain", "Tiny")
    modules = shutil.copytree(history, tmp_path / "modules")
    (modules / ".gitmodules").touch()
    remedy = "--edits history:N need commits"
    messages = ("is a shallow clone", f"is in no git repository.*{remedy}", f"has submodules.*{remedy}")
    for folder, message in zip((shallow, plain, modules), messages, strict=True):
        with pytest.raises(UsageError, match=message):
            Repository(folder)


def test_versions_of_files_are_read_at_once_also_behind_links(history: Path) -> None:
    first = commit(history, "One", {READER: "\nlet a = 1\n", "Empty.swift": ""})
    (history / "Folder").symlink_to("Store/Implementation")
    (history / "Gone.swift").symlink_to("Nowhere.swift")
    second = commit(history, "Two")
    names = [READER, "Nothing here.swift", f"Folder/{Path(READER).name}", "Gone.swift", "Store", "Empty.swift", READER]
    texts = Repository(history).texts([*((second, Path(name)) for name in names), (f"{first}~1", Path(READER))])
    content = (history / READER).read_bytes()
    assert texts == [content, b"", content, b"", b"", b"", content, content.removesuffix(b"\nlet a = 1\n")]
