"""The edits that a person asks for in a file, and the command line that takes them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import TINY, Subject

from buildspeed import package_command
from buildspeed.edited_files import EditedFile, edited_file, path_in_package, place_in_file
from buildspeed.failures import MeasurementError, UsageError

READER = Path("Store/Implementation/MemoryReader.swift")


def test_kind_follows_the_last_colon() -> None:
    assert edited_file("A/B.swift") == EditedFile("A/B.swift")
    assert edited_file("A/B.swift:touch") == EditedFile("A/B.swift", "touch")
    assert edited_file("A/B.swift:private") == EditedFile("A/B.swift", "private-top")
    assert str(edited_file("A/B.swift:touch")) == "A/B.swift:touch"


@pytest.mark.parametrize(("kind", "reason"), [("bdy", "is not known"), ("app-body", "makes its choice of the file")])
def test_kind_that_takes_no_file_is_refused(kind: str, reason: str) -> None:
    with pytest.raises(UsageError, match=f"the edit '{kind}' {reason}"):
        edited_file(f"A.swift:{kind}")


def test_file_is_found_from_the_package_and_from_where_the_person_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert path_in_package(EditedFile(str(READER)), TINY) == READER
    monkeypatch.chdir(TINY / "Store")
    assert path_in_package(EditedFile("Implementation/MemoryReader.swift"), TINY) == READER
    with pytest.raises(UsageError, match=r"has no file ../conftest\.py"):
        path_in_package(EditedFile("../conftest.py"), TINY)


def test_edit_is_made_in_that_very_file(tiny_subject: Subject) -> None:
    package, sources = tiny_subject.package, tiny_subject.sources
    # A module-wide edit would choose the reader.
    for path in (READER, Path("Store/Implementation/StoreModule.swift")):
        placement = place_in_file(path, "touch", package, sources)
        assert (placement.module, placement.change.compiled(after_undoing=False)) == (path.as_posix(), path)


@pytest.mark.parametrize("edit", ["touch", "private-top", "public-top", "new-file"])
def test_file_without_a_body_takes_edits_that_need_none(tiny_subject: Subject, edit: str) -> None:
    path = Path("Store/Interface/Store.swift")
    assert place_in_file(path, edit, tiny_subject.package, tiny_subject.sources).module == path.as_posix()


def test_body_of_a_main_file_is_its_top_level_code(tiny_subject: Subject) -> None:
    placement = place_in_file(Path("App/main.swift"), "body", tiny_subject.package, tiny_subject.sources)
    assert (placement.edit, placement.description) == ("body", "a statement at the top of App/main.swift")


@pytest.mark.parametrize(
    ("path", "edit", "reason"),
    [
        ("App/main.swift", "public-top", "nobody imports App"),
        ("App/Support.swift", "interface-top", "nobody imports App"),
        ("README.md", "body", "is no Swift file"),
        ("Plugins/Plugin.swift", "body", "in none of the package's targets"),
        ("Package.swift", "body", "the edit 'manifest-touch' is for Package.swift"),
        ("Store/Interface/Store.swift", "private-member", "has no place in"),
    ],
)
def test_edit_that_makes_no_sense_in_a_file_is_refused(
    tiny_subject: Subject, path: str, edit: str, reason: str
) -> None:
    with pytest.raises(UsageError, match=reason):
        place_in_file(Path(path), edit, tiny_subject.package, tiny_subject.sources)


def test_file_of_tests_takes_edits_of_bodies_only(tiny_subject: Subject) -> None:
    package = tiny_subject.package
    (target,) = [target for target in package.targets if target.name == "StoreImplementation"]
    tested = replace(
        package,
        targets=tuple(each for each in package.targets if each != target),
        tests=(replace(target, is_test=True),),
    )
    assert place_in_file(READER, "body", tested, tiny_subject.sources).module == READER.as_posix()
    with pytest.raises(UsageError, match="nobody imports StoreImplementation"):
        place_in_file(READER, "signature", tested, tiny_subject.sources)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["/nowhere"], "/nowhere is no Swift package"),
        ([str(TINY), "--edit", "Nothing.swift"], r"has no file Nothing\.swift"),
        ([str(TINY), "--interface", "API"], r"--interface API: write \{module\} once"),
    ],
)
def test_wrong_words_end_with_one_message(arguments: list[str], reason: str, tmp_path: Path) -> None:
    with pytest.raises(MeasurementError, match=reason):
        package_command.run([*arguments, "--scratch-path", str(tmp_path)])
    assert not (TINY / ".build").exists()


def test_command_repeats_all_choices() -> None:
    words = ["P", "--edit", "A.swift:touch", "--layouts", "fused", "--interface", "{module}API", "--variable", "KIND"]
    options = package_command.parsed([*words, "--jobs", "2"])
    assert package_command.command(options, rounds=3, seed=1) == (
        "scripts/measure package P --edit A.swift:touch --layouts fused --interface '{module}API' "
        "--implementation '{module}Implementation' --variable KIND --rounds 3 --seed 1 --jobs 2"
    )
