"""What documents say of the limit and of other machines is what the records say."""

from __future__ import annotations

from pathlib import Path

import pytest

from buildspeed.documents import REPOSITORY
from buildspeed.failures import MeasurementError
from buildspeed.floor import record as floor_record
from buildspeed.floor import report as floor_report
from buildspeed.limit_blocks import FLOOR_RESULTS, SIMULATE_RESULTS, limit_blocks
from buildspeed.simulation import record as simulation_record
from buildspeed.simulation import report as simulation_report

GUIDE = Path("docs/Guide.md")


def test_each_block_is_the_report_of_its_record() -> None:
    text = (
        "# Guide\n\n<!-- floor: begin -->\nold\n<!-- floor: end -->\n<!-- simulate: begin -->\n<!-- simulate: end -->\n"
    )
    floor, simulate = limit_blocks(text, GUIDE, REPOSITORY)
    assert (floor.line, floor.reference, floor.present) == (3, FLOOR_RESULTS.as_posix(), ["old"])
    body = floor_report.report_body(floor_record.read_record(REPOSITORY / FLOOR_RESULTS))
    assert "\n".join(floor.expected) == f"\n{body}"
    assert (simulate.line, simulate.reference, simulate.present) == (6, SIMULATE_RESULTS.as_posix(), [])
    assert any("predictions for this machine" in line for line in simulate.expected)


def test_marker_in_a_fence_is_text() -> None:
    assert limit_blocks("```\n<!-- floor: begin -->\n```\n", GUIDE, REPOSITORY) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!-- floor: end -->", r"Guide\.md:1: This marker has no other"),
        ("<!-- floor: begin -->\n<!-- simulate: end -->", r"Guide\.md:2: This marker has no other"),
        ("<!-- floor: begin -->\n<!-- floor: begin -->", r"Guide\.md:2: This marker has no other"),
        ("a\n<!-- simulate: begin -->", r"Guide\.md:2: '<!-- simulate: end -->' is missing"),
    ],
)
def test_marker_without_another_is_told(text: str, message: str) -> None:
    with pytest.raises(MeasurementError, match=message):
        limit_blocks(text, GUIDE, REPOSITORY)


def test_committed_reports_are_those_of_the_committed_records() -> None:
    floor = floor_record.read_record(REPOSITORY / FLOOR_RESULTS)
    simulate = simulation_record.read_record(REPOSITORY / SIMULATE_RESULTS)
    assert (REPOSITORY / FLOOR_RESULTS).with_name("results.md").read_text() == floor_report.markdown(floor)
    assert (REPOSITORY / SIMULATE_RESULTS).with_name("results.md").read_text() == simulation_report.markdown(simulate)
    assert floor.incomplete is None and simulate.incomplete is None
