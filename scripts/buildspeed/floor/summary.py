"""What the samples of each setting say together."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from buildspeed.floor.phases import PHASES
from buildspeed.floor.record import CleanSample, EditSample, FloorRecord
from buildspeed.inference import Interval, median_interval
from buildspeed.summary import Ratio, ratio_of


@dataclass(frozen=True)
class Seconds:
    """The median of wall seconds, and its interval where there are enough samples."""

    median: float
    interval: Interval | None


@dataclass(frozen=True)
class SettingSummary:
    """One setting. `over_hand` is how many times as long as by hand a build took, `ratio` and `clean_ratio` compare
    with the first setting in the same rounds and are None for that setting; `clean` is None where nothing was built
    from nothing, the others where no edit was made."""

    setting: str
    edit: Seconds | None
    null: Seconds | None
    by_hand: Seconds | None
    over_hand: Ratio | None
    ratio: Ratio | None
    phases: dict[str, float] | None
    steps: dict[str, float] | None
    clean: Seconds | None
    clean_ratio: Ratio | None
    first_clean_seconds: float | None
    product_bytes: int | None


def summarize(record: FloorRecord) -> list[SettingSummary]:
    """A summary of each setting that has samples, in the order of the report."""
    summaries = [_summary(record, setting) for setting in record.options.settings]
    return [each for each in summaries if each.edit or each.clean or each.first_clean_seconds is not None]


def _summary(record: FloorRecord, setting: str) -> SettingSummary:
    seed, baseline = record.options.seed, record.options.settings[0]
    own = [sample for sample in record.samples if sample.setting == setting]
    clean = [sample for sample in record.clean_samples if sample.setting == setting]
    # The first build of a setting that keeps results has none to take.
    comparable = [sample for sample in clean if sample.kept_results] or clean
    is_first = setting == baseline
    return SettingSummary(
        setting=setting,
        edit=_seconds([sample.seconds for sample in own], seed),
        null=_seconds([sample.null_seconds for sample in own], seed),
        by_hand=_seconds([sample.by_hand_seconds for sample in own], seed),
        over_hand=ratio_of([sample.seconds / sample.by_hand_seconds for sample in own], seed),
        ratio=None if is_first else ratio_of(_paired(own, record.samples, baseline), seed),
        phases=_medians(own, lambda sample: sample.phases, PHASES),
        steps=_medians(own, lambda sample: sample.steps, own[0].steps if own else ()),
        clean=_seconds([sample.seconds for sample in comparable], seed),
        clean_ratio=None if is_first else ratio_of(_paired(comparable, record.clean_samples, baseline), seed),
        first_clean_seconds=clean[0].seconds if clean else None,
        product_bytes=clean[0].product_bytes if clean else None,
    )


def _seconds(values: Sequence[float], seed: int) -> Seconds | None:
    return Seconds(statistics.median(values), median_interval(values, seed)) if values else None


def _paired(
    samples: Sequence[EditSample] | Sequence[CleanSample],
    others: Sequence[EditSample] | Sequence[CleanSample],
    baseline: str,
) -> list[float]:
    """The ratios to the baseline in the same round."""
    seconds = {sample.round: sample.seconds for sample in others if sample.setting == baseline}
    return [sample.seconds / seconds[sample.round] for sample in samples if sample.round in seconds]


def _medians(
    samples: Sequence[EditSample], values: Callable[[EditSample], Mapping[str, float]], names: Iterable[str]
) -> dict[str, float] | None:
    if not samples:
        return None
    return {name: statistics.median(values(sample)[name] for sample in samples) for name in names}
