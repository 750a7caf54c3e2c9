"""The sentences, tables and forms of a report.

UPDATE_SNAPSHOTS=1 rewrites the snapshots; read the difference before it is committed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from made_records import (
    MACHINE,
    counted,
    counts_record,
    growing_record,
    noisy_record,
    printed,
    rounds_of,
    run_record,
    sample,
    settings_record,
)
from msgspec.structs import replace
from swiftmodules.errors import UsageError
from swiftmodules.measure.advise import advice
from swiftmodules.measure.analysis import Analysis
from swiftmodules.measure.page import write_report
from swiftmodules.measure.record import (
    SCREEN,
    Cell,
    Commit,
    Missing,
    Place,
    ProgramRun,
    Record,
    Refusal,
    Resumption,
    Sample,
    Verdict,
    Verification,
)
from swiftmodules.measure.report import (
    markdown,
    one_edit,
    print_report,
    reach,
    refusals,
    summary,
)
from swiftmodules.measure.store import read_record
from swiftmodules.measure.tables import main_table
from swiftmodules.measure.verdicts import headline, soundness

SNAPSHOTS = Path(__file__).with_name("snapshots")


def report(record: Record) -> str:
    return markdown(Analysis(record))


def shown(record: Record) -> str:
    return printed(lambda console: print_report(Analysis(record), console))


def verdict(layout: str, result: str = "sound", *reasons: str, edit: str = "body") -> Verdict:
    cell = Cell(layout=layout, edit=edit, module="Store" if edit == "body" else None)
    return Verdict(cell=cell, result=result, reasons=reasons)  # type: ignore[arg-type]


def full_times() -> Record:
    """A record with everything that the report of times can show."""
    record = noisy_record({"interface": 1, "fused": 2, "control": 1})
    record.missing = (Missing(edit="body", module="Feed", reason="FeedImplementation has no function."),)
    record.resumptions = (Resumption(moment="2026-01-01T01:00:00+00:00", round=3, reason="it was killed."),)
    record.refused = (Refusal(layout="monolith", reason="Gen is a plugin."),)
    verdicts = [verdict("interface"), verdict("fused", "unsound", "after the edit, `App`: exit code 1")]
    session = (ProgramRun(("--check",)), ProgramRun((), "1\n2\n"))
    record.verification = Verification(program="App", session=session, verdicts=verdicts)
    record.gaps = {"interface": {}, "fused": {"App": ("Store",)}}
    return record


def full_counts() -> Record:
    reached = {"M/Implementation/B.swift": "interface of type 'A'", "App/main.swift": "interface of the module M"}
    edited = "M/Implementation/A.swift"
    return counts_record(
        counted("noop", "interface", [], module=None, linked=(), smallest=()),
        counted("noop", "fused", [], module=None, linked=(), smallest=()),
        counted("private-top", "interface", [edited], reasons=reached, smallest=(edited,)),
        counted("private-top", "fused", [edited], smallest=(edited, "App/main.swift")),
        counted("private-top", "interface", ["N/A.swift"], module="N", smallest=("N/A.swift",)),
        placements=(Place(edit="private-top", module="M", description="a private function", file=edited),),
        missing=(Missing(edit="signature", module="N", reason="N has no public function."),),
    )


@pytest.mark.parametrize(("name", "record"), [("times", full_times()), ("counts", full_counts())])
def test_report_is_that_of_the_snapshot(name: str, record: Record) -> None:
    text = report(record)
    snapshot = SNAPSHOTS / f"{name}.md"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        snapshot.write_text(text)
    assert text == snapshot.read_text()
    assert "\n\n\n" not in text and "None" not in text


HEADLINES = [
    (2, 0, "faster after **1** of 1 edit, `body Store`, where `fused` took 2.00 (2.00–2.00) times as long; slower "
           "after **none**."),
    (0.5, 0, "faster after **none** of 1 edit; slower after **1**, `body Store`, where `fused` took 0.50 "
             "(0.50–0.50) times as long."),
    (1.0, 0.005, "faster after **none** of 1 edit; slower after **none**; equally fast within 10% after 1."),
    (1.05, 0.5, "faster after **none** of 1 edit; slower after **none**; undecided after 1."),
]  # fmt: skip


def test_headline_counts_wins_and_losses_and_names_the_largest() -> None:
    for fused, noise, words in HEADLINES:
        record = noisy_record({"interface": 1, "fused": fused}, noise=noise)
        assert headline(Analysis(record))[0] == f"Against `fused`, `interface` was {words}"
    made = noisy_record({"interface": 1, "fused": 1}, noise=0.01)
    ratios = {"touch": 0.4, "body": 1.5, "private-top": 3, "comment": 0.7, "public-top": 2, "signature": 0.5}
    several = run_record(
        replace(each, edit=edit, seconds=(each.seconds or 0) * (ratio if each.layout == "fused" else 1))
        for edit, ratio in ratios.items()
        for each in made.samples
    )
    (text,) = headline(Analysis(several))
    assert "faster after **3** of 6 edits, most after `private-top Store`, where `fused` took 3.0" in text
    assert "slower after **3**, most after `touch Store`, where `fused` took 0.4" in text
    for alone in (noisy_record({"interface": 1}), noisy_record({"fused": 1})):
        assert headline(Analysis(alone)) == ["Nothing was compared in this run."]


def test_few_samples_have_extremes_in_place_of_intervals_and_no_verdict() -> None:
    (judged,) = headline(Analysis(run_record([sample(1, "interface", 1), sample(1, "fused", 3)])))
    assert judged == "Nothing is judged: a verdict needs 6 rounds. The table has counts and ranges."
    made = [*rounds_of({"interface": [1, 2, 4]}), *(sample(n, "fused", 2 * n, files=n) for n in (1, 2, 3))]
    text = report(run_record(made))
    assert "| body | Store | 1 | 2.00 (1.00–4.00) | 2 (1–3) | 4.00 (2.00–6.00) | ×2.00 |" in text
    assert "Intervals need 6 samples." in text and "This run has none" in text
    incomplete = report(run_record(made[:1] + made[-1:], incomplete="the run ended after 2 samples"))
    assert incomplete.splitlines()[2] == "**Incomplete:** the run ended after 2 samples"
    assert "| body | Store | 1 | 1.00 | 3 | 6.00 |" in incomplete
    assert report(run_record()).startswith("# ")


def test_layouts_and_tests_are_described() -> None:
    record = noisy_record({"interface": 1, "fused": 2})
    assert "Tests are not compiled." in report(record)
    assert "Every build is `swift build --build-tests`" in report(replace(record, with_tests=True))
    assert "`interface` is a copy of the package with its own manifest." in report(replace(record, is_copy=True))


def test_several_machines_are_named_with_their_controls() -> None:
    made = noisy_record({"interface": 1, "fused": 2, "control": 1}, count=20)
    made.samples = [replace(each, machine="ab"[each.round % 2]) for each in made.samples]
    made.samples += [replace(each, round=100) for each in made.samples[-3:]]
    made.machines = {"a": MACHINE, "b": MACHINE}
    text = report(made)
    assert "seconds are of `a` alone" in text and "- On `b`: 1.0" in text
    assert f"- Machine `b`: {MACHINE.summary}; 30 samples" in text


def test_many_values_are_rows_and_few_are_columns() -> None:
    def columns(count: int) -> list[str]:
        made = [sample(1, "interface", 1, setting=f"s{number}") for number in range(count)]
        return list(main_table(Analysis(run_record(made))).columns)

    assert columns(2) == ["edit", "module", *("s0: files", "s0: seconds", "s1: files", "s1: seconds", "s1: to s0")]
    assert columns(6) == ["edit", "module", "setting", "files", "seconds", "to s0"]


def test_soundness_is_counted() -> None:
    def sentence(*verdicts: Verdict) -> str:
        return soundness(Verification(verdicts=list(verdicts)))

    assert sentence(verdict("interface"), verdict("fused")).startswith("2 of 2 cells are sound:")
    assert sentence(verdict("interface"), verdict("fused", "unsound")).startswith("1 of 2 cells is unsound:")
    skipped = verdict("fused", "not verified", "there is no program.")
    assert sentence(verdict("interface"), skipped).endswith("1 could not be verified.")
    assert sentence(skipped) == "None of 1 cell was verified."
    left_out = soundness(Verification(left_out="it was left out."))
    assert left_out == "Not verified: it was left out. Nothing shows that the timed builds are right."
    assert "## Soundness" not in report(full_counts())


def test_terminal_shows_the_table_and_what_makes_it_trustworthy() -> None:
    untrusted = shown(noisy_record({"interface": 1, "control": 1.2, "fused": 2}))
    assert untrusted.startswith("This run cannot be trusted: the second build of 'interface'")
    text = shown(noisy_record({"interface": 1, "fused": 2, "control": 1}))
    first, second = [line.split() for line in text.splitlines()[1:3]]
    assert (first, second) == (
        ["interface", "fused"],
        ["edit", "module", "files", "seconds", "files", "seconds", "to", "interface"],
    )
    assert "A/A control: The second build of 'interface'" in text and "`" not in text
    assert "×0.50" in shown(settings_record(5))
    commits = (Commit(edit="a", subject="A", kind="body", files=1), Commit(edit="b", subject="B", kind="body", files=1))
    refused = [Refusal(layout=layout, edit=edit, reason="no") for layout, edit in (("x", "a"), ("x", "b"), ("y", "b"))]
    history = replace(noisy_record({"interface": 1}), commits=commits, refused=tuple(refused))
    assert refusals(history) == ["Not measured: `x`, `b y`: no"]
    plain = replace(history, commits=(), refused=(Refusal(setting="s", copies=0, reason="no"),))
    assert refusals(plain) == ["Not measured: `s`: no"]
    assert "1 !" in shown(full_counts()) and "Not measured: 'whole': error: no index" in shown(settings_record())


def test_run_leaves_its_record_and_reports(tmp_path: Path) -> None:
    for name, record, charts in (
        ("times", noisy_record({"interface": 1, "fused": 2}), ["ratio.svg"]),
        ("counts", full_counts(), ["files.svg"]),
        ("copies", growing_record(), ["ratio.svg"]),
    ):
        write_report(Analysis(record), tmp_path / name)
        left = sorted(path.name for path in (tmp_path / name).iterdir())
        assert left == sorted([*charts, "results.json", "results.md"])
        assert read_record(tmp_path / name) == record


def test_summary_names_the_chart_in_its_folder_and_the_control() -> None:
    text = summary(Analysis(growing_record()), "results/live/")
    assert "(results/live/ratio.svg)" in text and "\n|" not in text
    assert "From 3 rounds, on " in text and "Noise: 18 of 54 samples are noisy. `measure" in text
    assert "A/A control: " in summary(Analysis(noisy_record({"interface": 1, "fused": 2, "control": 1})), "layouts/")
    assert "\nWith Swift 6." in summary(Analysis(full_counts()), "counts/")


def test_one_edit_is_shown_in_each_layout() -> None:
    made = [sample(1, layout, seconds, 3, until=SCREEN, copies=5) for layout, seconds in (("live", 1), ("fused", 4))]
    text = one_edit(Analysis(run_record(made)), "body", "Store", 5)
    assert "| layout | compiled files | on the screen | to `live` |" in text
    assert "| `fused` | 3 | 4.0 s | ×4.00 |" in text and "| `live` | 3 | 1.0 s |  |" in text
    assert "the ratios are medians from 1 round, on " in text
    with pytest.raises(UsageError, match=r"the record has no copies '7'\. It has: 5"):
        one_edit(Analysis(run_record(made)), "body", "Store", 7)


def test_reach_draws_the_folders_of_the_compiled_files_from_that_of_the_edit() -> None:
    assert reach(full_counts(), "private-top", "M").split("\n") == [
        "```mermaid",
        "graph LR",
        '    subgraph interface["interface: 3 files"]',
        '        interface0["M/Implementation: 2"]',
        '        interface0 --> interface1["App: 1"]',
        "    end",
        '    subgraph fused["fused: 1 file"]',
        '        fused0["M/Implementation: 1"]',
        "    end",
        "```",
    ]
    for edit, module, message in (("bod", "M", "no edit 'bod'"), ("private-top", "Logn", "no module 'Logn'")):
        with pytest.raises(UsageError, match=re.escape(message)):
            reach(full_counts(), edit, module)


def reaching(outside: int, module: str, layout: str = "interface", seconds: float = 5) -> Sample:
    files = dict.fromkeys([f"{module}/A.swift", *(f"App/{number}.swift" for number in range(outside))], "")
    return sample(1, layout, seconds, edit="private-top", module=module, compiled=files)


def advised(*samples: Sample) -> list[str]:
    made = [sample(1, "interface", 1, module="Cart", edit="body"), *samples]
    places = tuple(
        Place(edit="private-top", module=name, description="", file=f"{name}/A.swift") for name in ("Cart", "Prices")
    )
    targets = {"Cart": "Cart", "Prices": "Prices", "App": "App"}
    return advice(Analysis(run_record(made, placements=places, targets=targets)))


def test_advice_says_what_an_interface_would_save_and_how_to_find_the_first_module() -> None:
    assert advised(reaching(7, "Cart"), reaching(3, "Prices")) == [
        "`private-top` in `Cart` compiles 8 files, of which an interface in front of `Cart` would leave 7 in other "
        "targets alone: at most 4.0 s of 5.0 s.",
        "`swiftmodules measure advise` ranks the modules by what an interface would have saved after the package's own "
        "commits.",
    ]


def test_advice_says_what_interfaces_save() -> None:
    saved, _ = advised(reaching(1, "Cart"), reaching(9, "Cart", "fused", 15))
    assert saved == (
        "The interfaces of this package save most after `private-top` in `Cart`: it compiles 2 files, and without "
        "interfaces 10 and takes 3.00 times as long."
    )
    equal = advised(reaching(1, "Cart"), reaching(1, "Cart", "fused"))
    assert equal[0].startswith("The interfaces of this package save nothing: no measured edit compiles more files")
    assert advised(reaching(0, "Cart"))[0] == (
        "An interface would save nothing here: each measured addition stays in its own target."
    )
    assert advised() == ["No addition to a module was measured, so nothing shows what an interface would save."]
