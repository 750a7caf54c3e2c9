"""What a record of growth says: slopes, skipped sizes, tables and plots."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console
from scale_records import scale_record

from buildspeed.failures import RecordError
from buildspeed.plan import CONTROL, Cell
from buildspeed.scale.budget import TimedSize, estimated_seconds
from buildspeed.scale.comparison import comparisons
from buildspeed.scale.growth import growths, line_through
from buildspeed.scale.plots import fingerprint, plot
from buildspeed.scale.record import ScaleRecord, read_scale_record, write_scale_record
from buildspeed.scale.report import print_scale_report, scale_markdown, scale_summary, skipped_lines


def straight(layout: str, size: int) -> tuple[float, int]:
    """40 ms and half a file for each copy, and 100 ms and 2 files in packages."""
    return (2 + 0.1 * size, 3 + 2 * size) if layout == "packages" else (1 + 0.04 * size, 4 + size // 2)


def repeated(points: Sequence[tuple[int, float]], rounds: int = 6) -> dict[int, dict[int, float]]:
    """Values by size and round that are the same in each round."""
    return {size: dict.fromkeys(range(1, rounds + 1), value) for size, value in points}


def test_slope_of_points_on_a_line_is_that_of_the_line() -> None:
    line = line_through(repeated([(5, 2.5), (10, 4.5), (20, 8.5)]), 1)
    assert line is not None and line.interval is not None
    assert (line.slope, line.intercept, line.explained) == pytest.approx((0.4, 0.5, 1))
    assert (line.interval.low, line.interval.high) == pytest.approx((0.4, 0.4))


def test_slope_is_that_of_the_textbook() -> None:
    # Anscombe's first data set: slope 0.5001, R² 0.6665.
    xs = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    ys = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    line = line_through(repeated(list(zip(xs, ys, strict=True))), 1)
    assert line is not None
    assert (line.slope, line.intercept, line.explained) == pytest.approx((0.5001, 3.0001, 0.6665), abs=1e-4)


def test_two_sizes_give_a_slope_and_one_gives_none() -> None:
    line = line_through(repeated([(5, 1), (10, 2)]), 1)
    assert line is not None and line.interval is not None
    assert (line.slope, line.explained) == (0.2, None)
    assert line_through(repeated([(5, 1)]), 1) is None


def test_cost_that_does_not_grow_has_the_slope_0() -> None:
    line = line_through(repeated([(5, 1), (10, 1), (20, 1)]), 1)
    assert line is not None and line.interval is not None
    assert (line.slope, line.interval.low, line.interval.high, line.explained) == (0, 0, 0, 1)


def test_interval_of_a_slope_needs_rounds_of_all_sizes() -> None:
    values = repeated([(5, 1), (10, 2)])
    del values[10][6]
    line = line_through(values, 1)
    assert line is not None and (line.slope, line.interval) == (0.2, None)


def test_round_that_is_slow_as_a_whole_hardly_moves_a_slope() -> None:
    # A machine that takes up to three times as long in some rounds, and each size 1% longer or shorter by chance.
    generator = random.Random(1)
    slowness = [1, 1.1, 3, 1.05, 2, 1, 1.2, 1]
    together = {
        size: {
            number: slow * (1 + 0.1 * size) * generator.uniform(0.99, 1.01) for number, slow in enumerate(slowness, 1)
        }
        for size in (5, 10, 20)
    }
    # The same values, but what was slow was one size.
    apart = {size: dict(by_round) for size, by_round in together.items()}
    apart[5] = {number: 3 * value / slowness[number - 1] for number, value in together[5].items()}
    line, moved = line_through(together, 1), line_through(apart, 1)
    assert line is not None and line.interval is not None and moved is not None
    assert line.slope == pytest.approx(0.1, rel=0.15) and line.interval.low > 0.05
    assert moved.slope < 0.5 * line.slope


def test_growth_goes_through_the_medians_of_the_sizes() -> None:
    found = growths(scale_record(straight, sizes=(10, 20, 40)), "star")
    growth = found[Cell("packages", "body", "Profile1")]
    assert [(point.size, point.seconds, point.files, point.samples) for point in growth.points] == [
        (10, 3, 23, 3),
        (20, 4, 43, 3),
        (40, 6, 83, 3),
    ]
    assert growth.seconds is not None and growth.files is not None
    assert (growth.seconds.slope, growth.files.slope) == pytest.approx((0.1, 2))
    assert found[Cell("interface", "noop", None)].files is not None


@pytest.mark.parametrize(
    ("shape", "size", "timed", "expected"),
    [
        ("star", 5, [], None),
        # As long as another shape of this size.
        ("chain", 5, [TimedSize("star", 5, 100)], 100),
        ("chain", 10, [TimedSize("star", 5, 100)], None),
        # In proportion, which is rather too much.
        ("star", 10, [TimedSize("star", 5, 100)], 200),
        # By the line through the largest two.
        ("star", 40, [TimedSize("star", 5, 1), TimedSize("star", 10, 100), TimedSize("star", 20, 150)], 250),
        # Never less than the largest took.
        ("star", 40, [TimedSize("star", 10, 100), TimedSize("star", 20, 90)], 90),
        # Its own sizes rather than those of others.
        ("chain", 10, [TimedSize("star", 10, 7), TimedSize("chain", 5, 100)], 200),
    ],
)
def test_time_of_a_size_is_estimated_from_those_measured(
    shape: str, size: int, timed: list[TimedSize], expected: float | None
) -> None:
    assert estimated_seconds(shape, size, timed) == expected


def test_report_has_slopes_sizes_clean_builds_and_what_was_skipped() -> None:
    record = scale_record(straight, sizes=(10, 20, 40), shapes=("star", "chain"), skipped=(80,))
    report = scale_markdown(record)
    assert "| body | Profile1 | 0.50 | 40.0 | 1.00 | 2.00 | 100.0 | 1.00 |" in report
    assert "| body | Profile1 | packages | 23, 3.00 s | 43, 4.00 s | 83, 6.00 s |" in report
    assert "| body | Profile1 | packages | ×2.14 | ×2.22 | ×2.31 |" in report
    assert "| interface | 1000, 100, 12.5 s | 2000, 200, 12.5 s | 4000, 400, 12.5 s |" in report
    assert "![seconds against the number of copies, chain](chain-seconds.svg)" in report
    skipped = (
        "Skipped: 80 copies in the shape `star`: about 20 minutes, judged by the sizes that were measured, while 5 of "
        "`--budget` 30 minutes were left"
    )
    assert skipped in skipped_lines(record)
    assert f"- {skipped}\n" in report
    assert "scripts/measure scale --seed 1" in report


def test_machine_that_slows_down_for_one_size_moves_the_slopes_and_not_the_ratios() -> None:
    def slowed(layout: str, size: int) -> tuple[float, int]:
        seconds, files = straight(layout, size)
        return seconds * (1.5 if size == 5 else 1), files

    steady, moved, cell = scale_record(straight), scale_record(slowed), Cell("packages", "body", "Profile1")
    before, after = growths(steady, "star")[cell].seconds, growths(moved, "star")[cell].seconds
    assert before is not None and after is not None and after.slope < 0.6 * before.slope
    before_ratios, after_ratios = comparisons(steady, "star")[cell], comparisons(moved, "star")[cell]
    assert [ratio.median for ratio in before_ratios.values()] == pytest.approx([2.5 / 1.2, 3 / 1.4, 4 / 1.8])
    assert [ratio.median for ratio in after_ratios.values()] == pytest.approx([2.5 / 1.2, 3 / 1.4, 4 / 1.8])
    assert list(after_ratios) == [5, 10, 20]


def test_without_the_layout_interface_there_are_no_ratios() -> None:
    record = scale_record(straight)
    alone = replace(record, options=replace(record.options, layouts=("packages",)))
    sizes = [replace(each, samples=tuple(s for s in each.samples if s.layout == "packages")) for each in record.sizes]
    assert comparisons(replace(alone, sizes=sizes), "star") == {}
    assert "×" in scale_markdown(record) and "×" not in scale_markdown(replace(alone, sizes=sizes))


def test_summary_for_documents_names_its_plots_in_their_folder() -> None:
    summary = scale_summary(scale_record(straight), "results/scale/")
    assert "(results/scale/star-files.svg)" in summary
    assert "R²" not in summary
    assert "From 3 rounds at each size, on " in summary


def measured_twice(record: ScaleRecord, slowness: float) -> ScaleRecord:
    """The record with a control that takes `slowness` times as long as `interface`, which it repeats."""
    smallest, *others = record.sizes
    repeated = [
        replace(each, layout=CONTROL, seconds=each.seconds * slowness)
        for each in smallest.samples
        if each.layout == "interface"
    ]
    return replace(
        record, sizes=[replace(smallest, control="interface", samples=(*smallest.samples, *repeated)), *others]
    )


def test_summary_for_documents_tells_how_far_the_machine_disturbed_the_run() -> None:
    record = scale_record(straight)
    assert "Noise: 18 of 54 samples are noisy. `scripts/measure" in scale_summary(record, "")
    summary = scale_summary(measured_twice(record, 1), "")
    assert "Noise: 21 of 63 samples are noisy. A/A control: 1.00 (1.00–1.00), from 9 pairs. `scripts" in summary


def test_control_that_differs_from_itself_says_that_the_run_cannot_be_trusted() -> None:
    record = scale_record(straight)
    for report in (scale_markdown, lambda each: scale_summary(each, "")):
        assert "**This run cannot be trusted:**" not in report(measured_twice(record, 1))
        assert "**This run cannot be trusted:**" in report(measured_twice(record, 1.1))
        assert "took 1.10 (1.10–1.10) times as long as itself" in report(measured_twice(record, 1.1))


def test_interrupted_run_says_so_first() -> None:
    record = scale_record(straight, sizes=(5,))
    record.incomplete = "the run ended after 18 samples (interrupted by SIGINT)."
    assert "\n\n**Incomplete:** the run ended after 18 samples" in scale_markdown(record)
    # One size has no slope.
    assert "| body | Profile1 | – | – | – |" in scale_markdown(record)


def test_run_on_a_busy_machine_says_so_first() -> None:
    record = scale_record(straight)
    assert "**Noisy:**" not in scale_markdown(record)
    sizes = [replace(each, samples=tuple(replace(one, noisy=True) for one in each.samples)) for each in record.sizes]
    report = scale_markdown(replace(record, sizes=sizes))
    assert "\n\n**Noisy:** other programs used the machine during 54 of 54 samples." in report


def test_terminal_shows_the_slopes_of_every_shape(capsys: pytest.CaptureFixture[str]) -> None:
    record = scale_record(straight, (10, 20, 40), ("star", "layered"), rounds=(0.9, 0.9, 0.9, 1.1, 1.1, 1.1))
    print_scale_report(record, Console(width=160))
    shown = capsys.readouterr().out
    assert "star: sizes 10, 20, 40" in shown and "layered: sizes 10, 20, 40" in shown
    assert "100.0 (90.0–110.0)" in shown


def test_plot_shows_every_edit_and_layout_in_the_colours_of_the_page() -> None:
    record = scale_record(straight)
    picture = plot(record, "star", "seconds")
    root = ElementTree.fromstring(picture)
    words = {"".join(each.itertext()).strip() for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"noop", "body HTTPClient", "body Profile1", "interface", "packages"} <= words
    assert "prefers-color-scheme: dark" in picture
    # Nothing black or white is left, which could not be read on one of the two.
    assert "#000000" not in picture and "#ffffff" not in picture and "#010203" not in picture
    assert fingerprint(record) in picture
    assert plot(record, "star", "seconds") == picture


def test_plot_follows_the_record() -> None:
    record = scale_record(straight)
    flat = scale_record(lambda layout, size: (1.0, 1))
    assert plot(record, "star", "files") != plot(record, "star", "seconds")
    assert fingerprint(record) != fingerprint(flat)


def test_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    record = scale_record(straight, skipped=(80,))
    write_scale_record(record, tmp_path / "results.json")
    assert read_scale_record(tmp_path / "results.json") == record


def test_record_of_another_kind_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    file.write_text('{"schema_version": 1, "package": "Sample"}')
    with pytest.raises(RecordError, match="no record of scripts/measure scale"):
        read_scale_record(file)
