"""The sentences, tables, charts and forms of a report."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from made_records import CONTROL, counted, counts_record, rounds_of, run_record, sample, spread_record
from msgspec.structs import replace
from swiftmodules.measure.charts import chart
from swiftmodules.measure.record import Cell, Commit, LeftOut, Rebuilt, Record, Verdict, Verification
from swiftmodules.measure.report import headline, in_short, judgement_of, markdown, soundness, write_report
from swiftmodules.measure.results import Estimate, Results
from swiftmodules.measure.tables import Table

SVG = "{http://www.w3.org/2000/svg}"


def report(record: Record) -> str:
    """The report, without the spaces that align the columns of tables."""
    return re.sub(r"(?<=\|) +| +(?=\|)", " ", markdown(Results(record)))


def bars(record: Record) -> list[str]:
    """The values and the names of the bars of a chart."""
    texts = ElementTree.fromstring(chart(Results(record)) or "").iter(f"{SVG}text")
    return [text.text or "" for text in texts if "text-anchor" not in text.attrib]


def verdict(layout: str, result: str = "sound", *reasons: str) -> Verdict:
    cell = Cell(layout=layout, edit="body", module="Store")
    return Verdict(cell=cell, result=result, reasons=reasons)  # type: ignore[arg-type]


@pytest.fixture
def times() -> Record:
    """A record with everything that the report of times can show."""
    record = spread_record({"interface": 1, "fused": 2, CONTROL: 1})
    record.left_out = (
        LeftOut(layout="monolith", reason="Gen is a plugin."),
        *(LeftOut(edit="body", module=name, reason="it has no function.") for name in ("Feed", "Cart")),
        LeftOut(edit="member", module="Store", reason="it has no type."),
    )
    verdicts = [verdict("interface"), verdict("fused", "unsound", "after the edit, `App`: exit code 1")]
    record.verification = Verification(program="App", verdicts=verdicts)
    return record


def test_report_of_times_warns_of_unsound_builds_and_names_edits_without_a_place(times: Record) -> None:
    text = report(times)
    for words in (
        "# Rebuilding Tiny after an edit\n\n**Unsound builds:** after these edits",
        "| body | Store | fused | 1 unsound |",
        "1 sound, 1 unsound of 2 cells",
        "- `body Store fused`, unsound: after the edit, `App`: exit code 1",
        "- `body` in Store: a statement in S/Store.swift\n- `body` not in Feed, Cart: it has no function.\n",
        "- `member` not in Store: it has no type.",
    ):
        assert words in text, words
    assert "\n\n\n" not in text and "None" not in text


def test_report_of_counts_has_what_was_recorded_alone() -> None:
    text = report(counts_record(counted("interface")))
    for absent in ("ratio", "## A/A control", "## Soundness", "copies"):
        assert absent not in text
    assert "## Why" in text and "- body M\n  - edited: A.swift" in text
    # The driver gave a reason for some files, and for none.
    partly = counted("interface", compiled={"A.swift": "edited", "B.swift": ""})
    assert "- body M\n  - not reported: B.swift\n  - edited: A.swift" in report(counts_record(partly))
    assert "## Why" not in report(counts_record(counted("interface", compiled={"A.swift": ""})))


def test_headline_counts_wins_and_losses() -> None:
    for fused, noise, words in (
        (2, 0, "faster after 1"),
        (0.5, 0, "slower after 1"),
        (1.0, 0.005, "equally fast within 10% after 1"),
        (1.05, 0.5, "undecided after 1"),
    ):
        record = spread_record({"interface": 1, "fused": fused}, noise=noise)
        assert headline(Results(record)) == [f"Against `fused`, of 1 edit, `interface` was {words}."]
    made = spread_record({"interface": 1, "fused": 1}, noise=0.01)
    ratios = {"body": 1.5, "private-top": 3, "member": 0.7}
    (text,) = headline(Results(run_record(
        replace(each, edit=edit, seconds=(each.seconds or 0) * (ratio if each.layout == "fused" else 1))
        for edit, ratio in ratios.items()
        for each in made.samples
    )))  # fmt: skip
    assert text == "Against `fused`, of 3 edits, `interface` was faster after 2, slower after 1."
    assert headline(Results(spread_record({"interface": 1}))) == ["Nothing was compared in this run."]


def test_interval_that_ends_at_1_decides_nothing() -> None:
    bounds = ((0.5, 1.0, "undecided"), (1.0, 2.0, "undecided"), (0.5, 0.99, "slower"), (1.01, 2.0, "faster"))
    for low, high, verdict in bounds:
        assert judgement_of(Estimate(6, (low + high) / 2, low, high)) == verdict


def test_few_samples_have_ranges_and_no_verdict() -> None:
    made = [*rounds_of({"interface": [1, 2, 4]}), *(sample(n, "fused", 2 * n, files=n) for n in (1, 2, 3))]
    text = report(run_record(made))
    assert "No verdict: 6 rounds are needed. The table shows counts and ranges." in text
    assert "| body | Store | interface | 1 | 2.00 (1.00–4.00) | – |" in text
    assert "| body | Store | fused | 2 (1–3) | 4.00 (2.00–6.00) | ×2.00 (1.50–2.00) |" in text
    assert "median (range) of 3 samples." in text
    assert "median (range) of 2 to 3 samples." in report(run_record(made[1:]))
    assert "This run has none, so nothing shows how large the differences by chance are." in text
    incomplete = report(run_record(made[:1] + made[-1:], incomplete="the run ended after 2 samples"))
    assert incomplete.splitlines()[2] == "**Incomplete:** the run ended after 2 samples"
    assert "| body | Store | fused | 3 | 6.00 |" in incomplete
    assert report(run_record()).startswith("# ")


def test_tests_that_are_built_too_and_copies_are_named() -> None:
    record = run_record([sample(1, "interface", 1)], until="tests", copies=40, copied="Store")
    assert "Every build is `swift build --build-tests`. The package has 40 copies of Store, which" in report(record)


def test_columns_are_aligned_and_one_without_a_text_is_left_out() -> None:
    rows = [{"edit": "body", "files": "1", "links": None}, {"edit": "interface", "files": None, "links": None}]
    assert str(Table.of(rows, texts=1)).splitlines() == [
        "| edit      | files |",
        "| --------- | ----: |",
        "| body      |     1 |",
        "| interface |     – |",
    ]


def test_soundness_is_counted_and_says_whether_tests_were_run() -> None:
    def sentence(*verdicts: Verdict, tests: bool | None = None) -> str:
        return soundness(Verification(program="App", verdicts=list(verdicts), tests=tests))

    sound, skipped = verdict("interface"), verdict("fused", "not verified", "there is no program.")
    compared = "The behaviour of the program after an incremental build was compared with that after a clean build: "
    assert sentence(sound, sound) == f"{compared}2 sound of 2 cells."
    assert sentence(sound, tests=False).endswith("Tests were not run; --verify runs them.")
    assert sentence(sound, tests=True).startswith("The behaviour of the program and the tests after")
    assert sentence(sound, verdict("fused", "unsound")) == f"{compared}1 sound, 1 unsound of 2 cells."
    assert sentence(skipped) == f"{compared}1 not verified of 1 cell."
    left_out = soundness(Verification(left_out="it was left out."))
    assert left_out == "Not verified: it was left out. Nothing shows that the timed builds are right."


def history(**more: object) -> Record:
    commits = tuple(Commit(edit=edit, subject=f"Do {edit} | {edit}") for edit in "abc")
    made = [
        sample(1, layout, seconds, files, module=None, edit=edit)
        for edit, layout, seconds, files in (
            ("a", "interface", 1, 1), ("a", "fused", 2, 3), ("b", "interface", 4, 9), ("b", "fused", 6, 9),
            ("c", "interface", 10, 5),
        )
    ]  # fmt: skip
    return run_record(made, **{"commits": commits, "placements": ()} | more)


def test_history_shows_the_commits_that_every_layout_has() -> None:
    text = report(history())
    assert text.startswith("# Rebuilding Tiny after its own commits\n")
    # The third commit has one layout only.
    assert "| interface | 10 | 5.0 |" in text and "| fused | 12 | 8.0 |" in text
    assert "with 2 jobs at once" in text and chart(Results(history())) is None


def test_history_ends_with_what_all_commits_cost_and_the_commit_of_a_split() -> None:
    record = history()
    (line,) = headline(Results(record))
    assert line == "Over 2 commits, `interface`: 10 compiled files; `fused`: 12 compiled files."
    assert in_short(Results(record)).endswith(line)
    a, b, c = record.commits
    _, split = headline(Results(replace(record, commits=(a, replace(b, splits=("Cart", "Store")), c))))
    assert split == "Commit `b` (Do b | b) splits Cart, Store: 9 compiled files."
    alone = replace(record, samples=[each for each in record.samples if each.layout == "interface"])
    rebuilt = [replace(each, rebuilt=Rebuilt(targets=1, files=2, tests=1, of_tests=3)) for each in alone.samples]
    assert headline(Results(replace(alone, samples=rebuilt))) == [
        "Over 3 commits, `interface`: 15 compiled files, 6 that a cache by source rebuilds, 3 test targets run."
    ]


def with_caches(record: Record, *by_interface: int | None) -> Record:
    """The record with what caches rebuild for each sample: eight files by source."""
    samples = [
        replace(each, rebuilt=Rebuilt(targets=3, files=8, by_interface=count))
        for each, count in zip(record.samples, by_interface, strict=True)
    ]
    return replace(record, samples=samples)


def test_both_kinds_of_caches_are_shown_and_one_without_a_build_is_not_measured() -> None:
    edits = counts_record(counted("interface"), counted("fused", "AB"), until="cached")
    text = report(with_caches(edits, 2, 5))
    assert "| edit | module | layout | files | targets | by source | by interface | links |" in text
    assert "| body | M | fused | 2 | 3 | 8 | 5 | 1 |" in text and "measures" not in text
    assert bars(with_caches(edits, 2, 5)) == [
        *("1 interface by source", "2 interface by interface", "2 fused by source", "5 fused by interface")
    ]
    text = report(with_caches(replace(edits, until="built"), None, None))
    assert "by interface: the source files" in text and "have changed, which '--until cached' measures." in text
    assert "| body | M | fused | 2 | 3 | 8 | 1 |" in text
    commits = history(rounds=0)
    commits.samples = [replace(each, seconds=None, round=0) for each in commits.samples]
    text = report(with_caches(commits, 1, 2, 3, 4, 5))
    assert "| layout | files | targets | by source | by interface |" in text
    assert "| interface | 10 | 6 | 16 | 4 |" in text and "| fused | 12 | 6 | 16 | 6 |" in text
    assert "| interface | 10 | 6 | 16 | not measured |" in report(with_caches(commits, 1, 2, None, 4, 5))
    text = report(with_caches(replace(commits, until="cached"), 1, 2, 3, 4, 5))
    assert "| layout | targets | by source | by interface |" in text


def test_reasons_for_what_was_not_measured_are_given_once() -> None:
    def left(**cell: str) -> LeftOut:
        return LeftOut(**cell, reason="no")  # type: ignore[arg-type]

    found = history(left_out=(*(left(layout="x", edit=edit) for edit in "abc"), left(layout="y", edit="b")))
    assert "- Not measured: `x`, `y b`: no" in report(found)
    one = run_record([sample(1, "interface", 1)], left_out=(left(setting="s"),))
    assert "Not measured: `s`: no" in in_short(Results(one))


def test_terminal_shows_the_table_and_what_makes_it_trustworthy(times: Record) -> None:
    untrusted = in_short(Results(spread_record({"interface": 1, CONTROL: 1.2, "fused": 2})))
    assert untrusted.startswith("**This run cannot be trusted.** The second build of `interface`")
    text = in_short(Results(replace(times, verification=None)))
    assert text.startswith("| edit | module | layout    | files |")
    assert "A/A control: The second build of `interface`" in text


def test_chart_of_times_has_the_ratios() -> None:
    assert bars(run_record(rounds_of({"interface": [1, 2], "fused": [2, 6]}))) == ["2.50 fused"]


def test_chart_of_nothing_is_none_and_names_from_a_package_make_no_elements() -> None:
    assert chart(Results(run_record())) is None
    assert (chart(Results(counts_record(counted("interface")))) or "").count('fill="#3b82d6"') == 1
    hostile = run_record([replace(each, edit='<"&') for each in rounds_of({"interface": [1], "fused": [2]})])
    picture = ElementTree.fromstring(chart(Results(hostile)) or "")
    assert '<"& Store' in ["".join(each.itertext()).strip() for each in picture.iter(f"{SVG}text")]


def test_bars_are_as_long_as_their_values_say() -> None:
    picture = ElementTree.fromstring(
        chart(Results(run_record(rounds_of({"interface": [1, 1], "fused": [2, 8]})))) or ""
    )
    (bar,) = [each.get("width") for each in picture.iter(f"{SVG}rect")]
    whisker = [each.get("d") for each in picture.iter(f"{SVG}path")][-1]
    # The longest value, with its range, takes the whole width.
    assert bar == "237.5" and str(whisker).startswith("M95.0 ") and str(whisker).endswith("H380.0")


def test_run_leaves_its_report_and_chart(tmp_path: Path, times: Record) -> None:
    write_report(Results(times), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chart.svg", "results.md"]
    assert (tmp_path / "results.md").read_text() == markdown(Results(times))
