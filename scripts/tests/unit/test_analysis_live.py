"""The limits of a live session, judged by records of `live`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from made_records import HEADER, sample
from swiftmodules.analysis.live import LiveAnalysis
from swiftmodules.records.kinds import LiveOptions, LiveRecord, MeasuredSize
from swiftmodules.records.model import Sample
from swiftmodules.report.markdown import markdown, skipped_lines

SIZES = (5, 40, 160)


def live_record(seconds: Mapping[str, Mapping[int, float]], by_hand: float = 0.4) -> LiveRecord:
    """A record of an addition in the client; each round takes a tenth longer than the one before."""
    samples: list[Sample] = []
    for layout, own in seconds.items():
        for size, median in own.items():
            for round in range(1, 7):
                more: dict[str, object] = {"phases": {"build": median, "start": 0.1}}
                if layout == "live":
                    more = {"phases": {"compile": 0.3, "rest": 0.1}, "by_hand_seconds": by_hand * (1 + round / 10)}
                taken = sample(round, layout, median * (1 + round / 10), module="Client", size=size)
                fields = {"edit": "private-top", **more}
                samples.append(Sample(**{name: getattr(taken, name) for name in taken.__struct_fields__} | fields))
    return LiveRecord(
        command="measure live --seed 1",
        **HEADER,
        options=LiveOptions(sizes=SIZES, layouts=tuple(seconds), edits=("private-top",), modules=("Client",), rounds=6),
        placements={"private-top Client": "somewhere"},
        sizes=[MeasuredSize(size=size) for size in SIZES],
        samples=samples,
    )


def test_bars_compare_within_a_round_and_name_the_worst() -> None:
    live = {5: 0.44, 40: 0.48, 160: 0.46}
    found = LiveAnalysis(live_record({"live": live, "fused": {40: 24.0}})).bars
    assert [(bar.name, round(bar.ratio.median, 3), bar.is_met) for bar in found] == [
        ("live to compile and link by hand, private-top Client, 40 copies", 1.2, True),
        ("live with 160 copies to 5, private-top Client", 1.045, True),
        ("fused private-top Client to live, 40 copies", 50, True),
    ]


@pytest.mark.parametrize(
    ("live", "fused", "missed"),
    [({5: 0.4, 40: 0.52, 160: 0.41}, 24.0, 0), ({5: 0.4, 40: 0.4, 160: 0.45}, 24.0, 1), ({5: 0.4, 40: 0.4}, 15.0, 2)],
)
def test_bar_that_is_missed_is_reported(live: Mapping[int, float], fused: float, missed: int) -> None:
    analysis = LiveAnalysis(live_record({"live": live, "fused": {40: fused}}))
    bars = {("by hand", " copies to ", "to live")[place]: True for place in range(3) if place != missed}
    for bar in analysis.bars:
        expected = next((met for words, met in bars.items() if words in bar.name), False)
        assert bar.is_met == expected, bar.name
    assert "missed |" in markdown(analysis)


def test_ratios_are_to_the_live_session() -> None:
    analysis = LiveAnalysis(live_record({"live": {5: 0.5, 40: 0.5}, "interface": {5: 1.0, 40: 2.0}}))
    ratios = next(iter(analysis.comparisons.values()))
    assert {size: ratio.median for size, ratio in ratios.items()} == pytest.approx({5: 2.0, 40: 4.0})


@pytest.mark.parametrize(
    ("layouts", "shown"),
    [(("live", "interface"), ["Above 40 copies, only `live` was measured (`--rebuild-up-to`)"]), (("live",), [])],
)
def test_sizes_without_the_other_layouts_are_named(layouts: tuple[str, ...], shown: list[str]) -> None:
    assert [*skipped_lines(LiveAnalysis(live_record(dict.fromkeys(layouts, dict.fromkeys(SIZES, 0.5)))))] == shown


def test_without_live_all_layouts_are_measured_at_every_size() -> None:
    assert LiveOptions(layouts=("interface", "fused")).layouts_at(160) == ("interface", "fused")
