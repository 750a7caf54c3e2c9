"""The durations of commands, from the clone that they are timed in to the column of the table."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from buildspeed import durations_command
from buildspeed.code_blocks import with_code
from buildspeed.durations import (
    DURATIONS,
    Duration,
    DurationRecord,
    commands_in,
    duration_tables,
    in_words,
    read_durations,
    write_durations,
)
from buildspeed.failures import MeasurementError, UsageError

DOCUMENT = Path("CONTRIBUTING.md")
TABLE = """\
# Title

| A | `scripts/untimed` | B |

<!-- durations: begin -->
| You want to | Command | Takes |
| --- | --- | ---: |
| See `that` | `touch made` | old |
| Run it, with `input` | `test -e made && cat` | – |
<!-- durations: end -->
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a committed document and libraries that git ignores."""
    folder = tmp_path / "checkout"
    (folder / ".build/python/abc").mkdir(parents=True)
    (folder / DOCUMENT).write_text(TABLE)
    (folder / ".gitignore").write_text(".build\n")
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    for command in (["init", "--quiet"], ["add", "."], [*identity, "commit", "--quiet", "--message", "Begin"]):
        subprocess.run(["git", "-C", folder, *command], check=True)
    return folder


def test_commands_are_those_of_the_tables_in_their_order() -> None:
    assert commands_in(TABLE, DOCUMENT) == ["touch made", "test -e made && cat"]


def test_commands_run_in_order_in_a_clone_and_the_checkout_stays_as_it_is(checkout: Path, tmp_path: Path) -> None:
    before = sorted(checkout.rglob("*"))
    kept: list[DurationRecord] = []
    record = durations_command.measure(checkout, print, kept.append)
    assert [each.command for each in record.durations] == commands_in(TABLE, DOCUMENT)
    assert [each.durations for each in kept] == [record.durations[:1], record.durations]
    assert all(0 <= each.seconds < 30 for each in record.durations)
    assert sorted(checkout.rglob("*")) == before
    write_durations(record, tmp_path / "durations.json")
    assert read_durations(tmp_path / "durations.json") == record


def test_slow_command_is_timed_and_libraries_are_shared(checkout: Path) -> None:
    document = checkout / DOCUMENT
    document.write_text(TABLE.replace("test -e made && cat", "sleep 0.3 && ls .build/python/abc"))
    fast, slow = durations_command.measure(checkout, print, lambda _: None).durations
    assert slow.seconds >= 0.3 > fast.seconds


def test_command_that_fails_is_told_with_what_it_printed_and_left_out(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout / DOCUMENT).write_text(
        TABLE.replace("touch made", "echo nothing there; exit 3").replace("test -e made", "ls .gitignore")
    )
    (only,) = durations_command.measure(checkout, print, lambda _: None).durations
    assert only.command == "ls .gitignore && cat"
    message = "error: 'echo nothing there; exit 3' of CONTRIBUTING.md ended with status 3:\nnothing there\n"
    assert capsys.readouterr().out.startswith(message)


def test_missing_commands_are_timed_later_and_the_others_stay(checkout: Path, tmp_path: Path) -> None:
    (checkout / DOCUMENT).write_text(
        TABLE.replace("touch made", "echo nothing there; exit 3").replace("test -e", "test ! -e")
    )
    first = durations_command.measure(checkout, print, lambda _: None)
    (checkout / DOCUMENT).write_text(TABLE.replace("test -e", "test ! -e"))
    record = durations_command.measure(checkout, print, lambda _: None, first)
    added, stayed = record.durations
    assert (added.command, added.commit) == ("touch made", first.commit)
    assert (stayed,) == first.durations and stayed.commit is None
    write_durations(record, tmp_path / DURATIONS)
    text = with_code(TABLE, duration_tables(TABLE, DOCUMENT, tmp_path))
    assert " Timed later, in another clone: `touch made`. What writes " in text
    # Nothing is left to do.
    assert durations_command.measure(checkout, pytest.fail, pytest.fail, record) == record
    with pytest.raises(UsageError, match="another machine or toolchain"):
        durations_command.measure(checkout, print, lambda _: None, replace(record, toolchain="Swift 5"))


def test_column_and_conditions_are_written_from_the_record_and_the_rest_stays(checkout: Path, tmp_path: Path) -> None:
    record = durations_command.measure(checkout, print, lambda _: None)
    durations = (Duration("touch made", 95.0), Duration("gone", 1.0))
    write_durations(type(record)(**(vars(record) | {"durations": durations})), tmp_path / DURATIONS)
    once = with_code(TABLE, duration_tables(TABLE, DOCUMENT, tmp_path))
    table, _, conditions = once.partition("\n\nEach timed once, ")
    untouched = TABLE.replace("begin -->\n", "begin -->\n\n").removesuffix("\n<!-- durations: end -->\n")
    assert table == untouched.replace("| old |", "| 2 min |")
    assert record.machine.summary in conditions and conditions.endswith("repeats it.\n\n<!-- durations: end -->\n")
    assert with_code(once, duration_tables(once, DOCUMENT, tmp_path)) == once


def test_without_a_record_every_command_has_a_dash(tmp_path: Path) -> None:
    once = with_code(TABLE, duration_tables(TABLE, DOCUMENT, tmp_path))
    assert "| `touch made` | – |\n" in once and "\n\nNone of these has been timed yet; " in once


def test_command_that_makes_a_record_of_its_own_is_not_run_and_took_what_the_record_says(tmp_path: Path) -> None:
    text = TABLE.replace("touch made", "scripts/measure floor --output docs/results/floor")
    assert commands_in(text, DOCUMENT) == ["test -e made && cat"]
    assert "docs/results/floor` | – |\n" in with_code(text, duration_tables(text, DOCUMENT, tmp_path))
    (tmp_path / "docs/results/floor").mkdir(parents=True)
    (tmp_path / "docs/results/floor/results.json").write_text('{"seconds": 620.5}')
    assert "docs/results/floor` | 10 min |\n" in with_code(text, duration_tables(text, DOCUMENT, tmp_path))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "under 1 s"), (1.4, "1 s"), (12.0, "10 s"), (47, "50 s"), (89, "90 s"), (90, "2 min"), (620, "10 min")],
)
def test_duration_is_told_as_a_person_would(seconds: float, words: str) -> None:
    assert in_words(seconds) == words


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema_version": 2}', '{"schema_version": 1}'])
def test_file_that_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / DURATIONS.name
    path.write_text(text)
    with pytest.raises(MeasurementError, match=r"durations\.json"):
        read_durations(path)
