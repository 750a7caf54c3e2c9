"""The text of reports, compared with snapshots; and the parts that depend on the record.

UPDATE_SNAPSHOTS=1 rewrites the snapshots; read the difference before it is committed.
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest
from made_records import (
    bench_record,
    build,
    cell,
    conditions,
    floor_record,
    matrix,
    noisy_record,
    rounds_of,
    run_record,
    sample,
    scale_record,
    simulate_record,
    with_options,
)
from msgspec.structs import replace
from rich.console import Console
from swiftmodules.analysis.compare import analyse
from swiftmodules.analysis.run import RunAnalysis
from swiftmodules.errors import UsageError
from swiftmodules.records.kinds import AnyRecord, MatrixRecord, ProgramRun, Resumption, RunRecord
from swiftmodules.records.model import (
    NOT_VERIFIED,
    SOUND,
    UNSOUND,
    Instruments,
    Verdict,
    Verification,
)
from swiftmodules.report.documents import reach, summary
from swiftmodules.report.markdown import markdown
from swiftmodules.report.output import print_report

SNAPSHOTS = Path(__file__).with_name("snapshots")


def full_run() -> RunRecord:
    """A record with everything that a report of a run can show."""
    record = noisy_record({"interface": 1, "fused": 2, "control": 1})
    record.options = with_options(record.options, edits=("noop", "body", "private-member"))
    record.missing = {"private-member Store": "StoreImplementation has no class."}
    record.resumptions = (
        Resumption(moment="2026-01-01T01:00:00+00:00", round=3, reason="it was killed.", torn=(record.samples[0],)),
    )
    record.refused_layouts = {"monolith": "Gen is a plugin."}
    verdicts = [verdict("interface"), verdict("fused", UNSOUND, "after the edit, `App`: exit code 1")]
    record.verification = Verification(verdicts=verdicts)
    return record


def verdict(layout: str, result: str = SOUND, *reasons: str, edit: str = "body") -> Verdict:
    module = "Store" if edit == "body" else None
    return Verdict(layout=layout, edit=edit, module=module, result=result, reasons=reasons)


def full_matrix() -> MatrixRecord:
    reached = {"M/Implementation/B.swift": "interface of type 'A'", "App/main.swift": "interface of the module M"}
    edited = "M/Implementation/A.swift"
    return matrix(
        cell("noop", "interface", [], module=None, linked=(), smallest=()),
        cell("noop", "fused", [], module=None, linked=(), smallest=()),
        cell("private-top", "interface", [edited], reasons=reached, smallest=[edited]),
        cell("private-top", "fused", [edited], smallest=[edited, "App/main.swift"]),
        cell("private-top", "interface", ["N/A.swift"], module="N", smallest=["N/A.swift"]),
        placements={"private-top M": "a private function at the end of M/Implementation/A.swift"},
        missing={"signature N": "N has no public function."},
        program="App",
        session=(ProgramRun(("--check",)), ProgramRun((), "1\n2\n")),
        gaps={"interface": {}, "fused": {"App": ("Store",)}},
        verification=Verification(verdicts=[verdict("interface"), verdict("fused", edit="noop")]),
    )


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("run", full_run()),
        ("matrix", full_matrix()),
        ("scale", scale_record(sizes=(10, 20, 40), skipped=(80,))),
        ("floor", floor_record()),
        ("simulate", simulate_record(build({1: (6.0,), 2: (50.0,)}))),
        ("bench", bench_record()),
    ],
)
def test_report_is_that_of_the_snapshot(name: str, record: AnyRecord) -> None:
    text = markdown(analyse(record))
    snapshot = SNAPSHOTS / f"{name}.md"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        snapshot.write_text(text)
    assert text == snapshot.read_text()
    assert "\n\n\n" not in text


def report(record: AnyRecord) -> str:
    return markdown(analyse(record))


@pytest.fixture
def record() -> RunRecord:
    return run_record([*rounds_of({"interface": [1, 2, 4]}), *(sample(n, "fused", 2 * n, files=n) for n in (1, 2, 3))])


def test_few_samples_have_extremes_in_place_of_intervals(record: RunRecord) -> None:
    text = report(record)
    assert "| body | Store | 1 | 2.00 (1.00–4.00) | 2 (1–3) | 4.00 (2.00–6.00) | 2.00 |" in text
    assert "Judged by the medians alone" in text
    assert "Intervals need 6 samples." in text
    assert "This run has none" in text


def test_warnings_stand_at_the_top_of_every_form() -> None:
    record = noisy_record({"interface": 1, "control": 1.2, "fused": 2})
    analysis = RunAnalysis(record)
    words = "This run cannot be trusted:"
    assert markdown(analysis).splitlines()[2].startswith(f"**{words}** `interface`")
    console = Console(width=140, file=io.StringIO(), record=True)
    print_report(analysis, console)
    assert console.export_text().startswith(f"{words} 'interface'")


def test_incomplete_run_leaves_gaps_and_a_run_without_the_baseline_has_no_ratios(record: RunRecord) -> None:
    incomplete = replace(record, samples=record.samples[:1], incomplete="the run ended after 1 samples")
    text = report(incomplete)
    assert text.splitlines()[2] == "**Incomplete:** the run ended after 1 samples"
    assert "| body | Store | 1 | 1.00 (1.00–1.00) | – | – | – |" in text
    record.options = with_options(record.options, layouts=("fused",))
    record.samples = [each for each in record.samples if each.layout == "fused"]
    assert "| body | Store | 2 (1–3) | 4.00 (2.00–6.00) | – |" in report(record)
    assert "This run has none" in report(run_record())


def test_copy_and_tests_are_described(record: RunRecord) -> None:
    assert "Test targets are left out" in report(record)
    tests = report(replace(record, with_tests=True))
    assert "every build is `swift build --build-tests`" in tests and "Test targets are left out" not in tests
    copied = report(replace(record, is_copy=True))
    assert "## What the interfaces buy\n\n- The edit that costs most in the package as it is:" in copied
    assert "`interface` is a copy of the package with its own manifest." in copied


def test_resources_are_those_that_were_recorded(record: RunRecord) -> None:
    bare = report(replace(record, instruments=None))
    assert "| body | Store | 4.00 | 8.00 |" in bare
    for words in ("MiB:", "noisy", "Load"):
        assert words not in bare
    # The largest process, where the tree could not be seen.
    blind = noisy_record({"interface": 1})
    blind.instruments = Instruments(None, 0.1)
    blind.samples = [replace(each, peak_memory_bytes=None, conditions=conditions(None)) for each in blind.samples]
    text = report(blind)
    assert "| body | Store | 2.00 | 100 |" in text
    assert "MiB: the most memory of the largest process of the build" in text and "noisy" not in text


def test_soundness_of_a_matrix_is_counted() -> None:
    def sentence(*verdicts: Verdict) -> str:
        analysis = analyse(replace(full_matrix(), verification=Verification(verdicts=list(verdicts))))
        return str(getattr(analysis, "soundness"))  # noqa: B009

    assert sentence(verdict("interface"), verdict("fused")).startswith("2 of 2 cells are sound:")
    assert sentence(verdict("interface"), verdict("fused", UNSOUND)).startswith("1 of 2 cells is unsound:")
    skipped = verdict("fused", NOT_VERIFIED, "there is no program.")
    assert sentence(verdict("interface"), skipped).endswith("1 could not be verified.")
    assert sentence(skipped) == "None of 1 cell was verified."
    sound = report(replace(full_matrix(), gaps={"interface": {}, "fused": {}}))
    assert "Every target names all targets that it reaches" in sound
    assert "## Soundness" not in report(replace(full_matrix(), verification=None))
    assert "Not verified: it was left out." in report(
        replace(full_matrix(), verification=Verification(left_out="it was left out."))
    )


def test_one_size_has_no_slope_and_several_packages_are_named() -> None:
    assert "| body | Profile1 | – | – | – |" in report(scale_record(sizes=(5,)))
    record = simulate_record(build({1: (6.0,)}))
    (layout,) = record.layouts
    record.layouts = [layout, replace(layout, files=20, package="Q")]
    record.options = type(record.options)(packages=("P", "Q"))
    titles = [line for line in report(record).splitlines() if line.startswith("### ")]
    assert titles == ["### `P (2 files) interface`", "### `Q (20 files) interface`"]
    assert "Measured with P, Q on " in report(record)
    assert "There was no real build" in report(simulate_record(layouts=[]))


def test_record_without_its_choices_still_has_a_report() -> None:
    for record in (floor_record(), scale_record(), simulate_record(build()), noisy_record({"interface": 1})):
        bare = replace(record, options=type(record.options)())
        assert report(bare).startswith("# ")


def test_summary_names_the_plot_in_its_folder() -> None:
    text = summary(analyse(scale_record()), "results/scale/")
    assert "(results/scale/seconds.svg)" in text
    assert "\n|" not in text
    assert "From 3 rounds, on " in text
    assert "Noise: 18 of 54 samples are noisy. `measure scale" in text


def test_summary_reports_the_control_where_times_were_taken() -> None:
    made = noisy_record({"interface": 1, "fused": 2, "control": 1})
    text = summary(analyse(made), "layouts/")
    assert "(layouts/ratio.svg)" in text and "A/A control: " in text
    assert summary(analyse(full_matrix()), "matrix/").split("\n")[2].startswith("With ")


def test_reach_draws_the_folders_of_the_compiled_files_from_that_of_the_edit() -> None:
    assert reach(full_matrix(), "private-top", "M").split("\n") == [
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


@pytest.mark.parametrize(
    ("edit", "module", "message"),
    [
        ("bod", "M", "the results have no edit 'bod'. They have: "),
        ("private-top", "Logn", "the results have no module 'Logn'. They have: M"),
    ],
)
def test_reach_that_was_not_measured_is_refused(edit: str, module: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        reach(full_matrix(), edit, module)
