"""A live session measured against the other layouts, as docs/BuildSpeed.md shows it, on this repository."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from repo_checkout import plain
from runs import CHOICES, measured
from swiftmodules.measure.record import BY_HAND, SCREEN, Record
from swiftmodules.swiftpm.config import config_file, read_config

__all__ = ["plain"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def record(plain: Path) -> Record:
    """One round of two edits with two copies, until the screen and by hand."""
    choices = replace(
        CHOICES,
        layouts=("live", "interface"),
        copies=(2,),
        edits=("body", "private-top"),
        until=("screen", "by-hand"),
    )
    return measured(plain, choices, config=read_config(config_file(plain)))


def test_every_edit_is_seen_on_each_screen_and_those_of_the_session_done_by_hand(record: Record) -> None:
    assert record.incomplete is None and record.refused == ()
    cells = {(each.layout, each.until, each.edit) for each in record.samples if not each.control}
    assert cells == {
        *(("live", until, edit) for until in (SCREEN, BY_HAND) for edit in ("body", "private-top")),
        *(("interface", SCREEN, edit) for edit in ("body", "private-top")),
    }
    assert {each.layout for each in record.samples if each.control} == {"live"}
    for each in record.samples:
        assert each.seconds and (each.until == BY_HAND or sum(each.phases.values()) == pytest.approx(each.seconds))


def test_a_body_compiles_one_file_live_and_with_a_build(record: Record) -> None:
    bodies = [each for each in record.samples if each.edit == "body" and each.until == SCREEN]
    assert bodies and {each.files for each in bodies} == {1}
