"""A package's own commits as edits, in repositories whose counts are known by hand."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from made_files import FIXTURES, committed, contents, copied, git
from runs import CHOICES, files_of, measured, start
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.measure.record import SOUND, read_record
from swiftmodules.measure.report import markdown
from swiftmodules.measure.results import Results
from swiftmodules.options import MeasureChoices
from swiftmodules.steps.history import Repository

READER, TELLER = "Store/Implementation/MemoryReader.swift", "Feed/Implementation/StoredTeller.swift"
INTERFACE = "Store/Interface/Reading.swift"
COUNTS = MeasureChoices(rounds=0, layouts=("interface", "monolith"), edits=("history:20",))
CONDITION = '[.target(name: "StoreInterface", condition: .when(platforms: [.linux, .macOS]))]'
Change = Callable[[str], str]


class History:
    """A repository of the package Tiny, to which commits are added."""

    def __init__(self, folder: Path) -> None:
        self.package = copied(folder / "the shop", "Tiny")
        git(self.package, "init", "--initial-branch", "main")
        self.commit("First")

    def commit(self, subject: str, **changes: Change) -> str:
        for path, change in FILES.items():
            if path in changes:
                file = self.package / change
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(changes[path](file.read_text() if file.exists() else ""))
        return committed(self.package, subject)


FILES = {
    "reader": READER,
    "interface": INTERFACE,
    "new": "Store/Implementation/New.swift",
    "teller": TELLER,
    "manifest": "Package.swift",
    "test": "Tests/StoreTests/Some.swift",
    "notes": "notes.txt",
    "resource": "Store/Implementation/words.txt",
    "attributes": ".gitattributes",
}


def appended(text: str) -> Change:
    return lambda before: before + text


def body(number: int) -> Change:
    return lambda before: before.replace("guard let text", f"_ = {number}\n        guard let text", 1)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path)


def test_several_commits_are_one_step_as_in_a_pull(history: History) -> None:
    history.commit("A body", reader=body(1))
    history.commit("An addition", reader=appended("\nprivate func extra() {}\n"))
    history.commit("Another body", teller=lambda text: text.replace("{\n        ", "{\n        _ = 1\n        ", 1))
    history.commit("Notes", notes=appended("words\n"))
    record = measured(history.package, replace(COUNTS, layouts=("interface",), edits=("history:4",), together=2))
    assert [each.subject for each in record.commits] == [
        "2 commits, the last: An addition",
        "2 commits, the last: Notes",
    ]
    assert [each.files for each in record.samples] == [3, 1]


def test_each_commit_is_counted_from_its_parent(history: History) -> None:
    history.commit("A body", reader=body(1))
    history.commit("An addition", reader=appended("\nprivate func extra() {}\n"))
    history.commit("A test", test=appended("let test = 1\n"))
    before = contents(history.package)
    record = measured(history.package, replace(COUNTS, layouts=("interface",)))
    assert contents(history.package) == before
    assert files_of(record) == {"A body": {"interface": 1}, "An addition": {"interface": 3}, "A test": {"interface": 0}}


def test_link_may_take_the_place_of_a_folder(history: History) -> None:
    committed(history.package, "A folder", {"Words/some.txt": "words"})
    shutil.rmtree(history.package / "Words")
    (history.package / "Words").symlink_to("Store")
    history.commit("A body", reader=body(1))
    record = measured(history.package, replace(COUNTS, layouts=("interface",), edits=("history:1",)))
    assert [each.files for each in record.samples] == [1]


@pytest.mark.slow
def test_each_commit_compiles_what_its_layout_makes_necessary_and_is_of_a_kind(history: History) -> None:
    history.commit("A body", reader=body(1))
    history.commit("Notes alone", notes=appended("Text.\n"), attributes=appended("Store export-ignore\n"))
    history.commit("An addition", reader=appended("\nprivate func extra() {}\n"))
    history.commit("A clash", new=appended("struct StoredTeller {}\n"))
    history.commit("No clash", new=lambda before: before.replace("StoredTeller", "Other"))
    history.commit("An interface", interface=appended("\npublic struct Top {}\n"))
    history.commit("Broken", reader=appended("\nlet wrong: Int = nil\n"))
    history.commit("Mended", reader=lambda before: before.replace("\nlet wrong: Int = nil\n", ""))
    history.commit("A test", test=appended("let test = 1\n"))
    history.commit("A manifest", manifest=appended("\n// A comment.\n"))
    history.commit("Another body", reader=body(2))
    before = contents(history.package)
    record = measured(history.package, replace(COUNTS, verify=True))
    assert contents(history.package) == before
    assert [(each.subject, each.kind) for each in record.commits] == [
        ("A body", "body"),
        ("An addition", "implementation"),
        ("A clash", "file"),
        ("No clash", "implementation"),
        ("An interface", "interface"),
        ("Broken", "implementation"),
        ("Mended", "implementation"),
        ("A test", "tests"),
        ("A manifest", "manifest"),
        ("Another body", "body"),
    ]
    found = files_of(record)
    assert found["A body"] == {"interface": 1, "monolith": 1}
    assert found["An addition"] == {"interface": 3, "monolith": 2}
    assert found["A test"] == {"interface": 0, "monolith": 0}
    assert found["Another body"] == {"interface": 1, "monolith": 1}
    # A layout that cannot hold a commit, and the one after it, is left out of them alone.
    reasons = {(each.layout, each.edit): each.reason for each in record.left_out}
    names = {each.subject: each.edit for each in record.commits}
    assert "StoredTeller" in reasons["monolith", names["A clash"]]
    assert ("interface", names["A clash"]) not in reasons and ("monolith", names["An interface"]) not in reasons
    for subject in ("Broken", "Mended"):
        assert {layout for layout, name in reasons if name == names[subject]} == {"interface", "monolith"}
    assert reasons["interface", names["Mended"]].startswith("what it is measured from does not build: ")
    report = markdown(Results(record))
    assert "| bodies only | 2 | 20% |" in report and "Not measured: `monolith" not in report.partition("##")[0]
    assert record.verification is not None
    # The last commit, and two that are drawn.
    assert [each.result for each in record.verification.verdicts].count(SOUND) >= 4


@pytest.mark.slow
def test_history_of_which_nothing_builds_fails_with_one_sentence(history: History) -> None:
    history.commit("Broken", reader=appended("\nlet wrong: Int = nil\n"))
    history.commit("Still", notes=appended("x"), reader=appended("\n"))
    with pytest.raises(ToolError) as raised:
        measured(history.package, replace(COUNTS, layouts=("interface",), edits=("history:2",)))
    assert str(raised.value).count("cannot convert") <= 2 and "Nothing could be measured" in str(raised.value)


@pytest.mark.slow
def test_killed_history_goes_on_at_its_commit_when_it_is_repeated(history: History) -> None:
    for number in range(4):
        history.commit(f"Body {number}", reader=body(number))
    process = start(history.package, "history:9", 1)
    assert process.stdout is not None
    assert any(line.startswith("[5/") for line in process.stdout)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = read_record(history.package.parent / "output")
    choices = replace(CHOICES, layouts=("interface",), edits=("history:9",))
    record = measured(history.package, choices)
    assert record.samples[: len(kept.samples)] == kept.samples and len(record.samples) == 4 * 2
    assert {each.files for each in record.samples} == {1} and record.incomplete is None


@pytest.mark.slow
def test_history_is_timed_verified_and_grows_with_copies(history: History) -> None:
    list_of_modules = (FIXTURES / "Listed.swift").read_text()
    history.commit("Lists", notes=appended("x"))
    (history.package / "App/Support.swift").write_text(list_of_modules)
    history.commit("A list of modules")
    history.commit("Copied", reader=body(1))
    history.commit("Another", teller=appended("\nprivate func extra() {}\n"))
    (history.package / "swiftmodules.toml").write_text('[measure]\nscale_module = "Store"\nmodules = ["Feed"]\n')
    history.commit("Copied again", reader=body(2))
    choices = replace(CHOICES, copies=(2,), layouts=("fused",), edits=("history:1",), verify=True)
    record = measured(history.package, choices)
    assert [each.subject for each in record.commits] == ["Another"]
    assert [each.reason for each in record.left_out] == ["it changes the module that is copied."]
    assert all((each.seconds or 0) > 0 for each in record.samples)
    assert record.verification is not None
    assert {each.result for each in record.verification.verdicts} == {SOUND}


def test_commits_are_chosen_and_a_repository_without_a_history_is_refused(
    history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history.commit("One", reader=body(1))
    history.commit("Two", reader=body(2), teller=appended("\n"))

    def subjects(count: int = 9) -> list[str]:
        return [each.subject for each in Repository(history.package).commits(count)[0]]

    assert subjects() == ["One", "Two"] and subjects(1) == ["Two"]
    with monkeypatch.context() as later:
        git(history.package, "branch", "left")
        git(history.package, "branch", "right")
        for day, branch in enumerate(("left", "right", "left", "right")):
            later.setenv("GIT_COMMITTER_DATE", f"204{day}-01-01T00:00:00")
            git(history.package, "checkout", branch)
            history.commit(f"{branch} {day}", **{"reader" if branch == "left" else "teller": appended("\n")})
        git(history.package, "merge", "left")
    # The branch that was merged comes first.
    assert subjects(4) == ["left 0", "left 2", "right 1", "right 3"]
    # Characters at which `str.splitlines` divides a text.
    history.commit("Three\v\x1cparts", reader=appended("\n"))
    assert subjects(1) == ["Three\v\x1cparts"]
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "--depth", "1", history.package.as_uri(), str(shallow))
    plain = copied(tmp_path / "plain", "Tiny")
    modules = shutil.copytree(history.package, tmp_path / "modules")
    (modules / ".gitmodules").touch()
    remedy = "without --edits history:N"
    messages = ("is a shallow clone", f"is in no git repository.*{remedy}", f"has submodules.*{remedy}")
    for folder, message in zip((shallow, plain, modules), messages, strict=True):
        with pytest.raises(UsageError, match=message):
            Repository(folder)
