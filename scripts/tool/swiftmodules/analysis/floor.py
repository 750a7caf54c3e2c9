"""The analysis of a record of `floor`: where the time of a build goes, and how close each setting comes to the
limit."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from swiftmodules.analysis.cells import Analysis, noisy_samples, ratios_of
from swiftmodules.analysis.stats import LEAST_SAMPLES, Median, Ratio, median_of, ratio_of
from swiftmodules.observed import COMPILE, EMIT_MODULE, LINK, QUESTION, TARGET, WRAP, Job
from swiftmodules.records.kinds import FloorRecord, Rebuild

START, PLANNING, REST = "start", "planning", "rest"

# Time in which several of these run side by side belongs to the first.
_PRECEDENCE = {COMPILE: COMPILE, EMIT_MODULE: EMIT_MODULE, WRAP: WRAP, LINK: LINK, TARGET: PLANNING}

PHASES = {
    START: "`swift build` starts, queries the compiler, and plans, until the first job of the compiler",
    PLANNING: "the compiler's driver decides what is to be compiled, and tidies up",
    COMPILE: "files are compiled",
    EMIT_MODULE: "modules are emitted, while nothing is compiled",
    WRAP: "modules are wrapped into object files for the debugger",
    LINK: "products are linked",
    REST: "SwiftPM between and after the jobs",
}


def phases(jobs: Sequence[Job], seconds: float) -> dict[str, float]:
    """The seconds of each phase in a build that took so long; together they are all of it."""
    work = [job for job in jobs if job.kind != QUESTION]
    first = min((job.began for job in work), default=seconds)
    moments = sorted({0.0, seconds, *(moment for job in work for moment in (job.began, min(job.finished, seconds)))})
    found = dict.fromkeys(PHASES, 0.0)
    for begin, end in pairwise(moments):
        running = {_PRECEDENCE.get(job.kind, COMPILE) for job in work if job.began <= begin and job.finished >= end}
        idle = START if begin < first else REST
        found[next((phase for phase in _PRECEDENCE.values() if phase in running), idle)] += end - begin
    return found


@dataclass(frozen=True)
class SettingSummary:
    """One setting. `over_hand` is how many times as long as by hand a build took, `ratio` and `clean_ratio` compare
    with the first setting in the same rounds and are None for that setting; `clean` is None where there was no clean
    build, the others where no edit was made."""

    setting: str
    edit: Median | None
    null: Median | None
    by_hand: Median | None
    over_hand: Ratio | None
    ratio: Ratio | None
    phases: dict[str, float] | None
    steps: dict[str, float] | None
    clean: Median | None
    clean_ratio: Ratio | None
    first_clean_seconds: float | None
    product_bytes: int | None


class FloorAnalysis(Analysis[FloorRecord]):
    """The analysis of a record of `floor`."""

    @cached_property
    def settings(self) -> list[SettingSummary]:
        """A summary of each setting that has samples, in the order of the report."""
        summaries = [self._summary(setting) for setting in self.record.options.settings]
        return [each for each in summaries if each.edit or each.clean or each.first_clean_seconds is not None]

    @property
    def noise(self) -> tuple[int, int]:
        """The number of noisy samples, and of all samples."""
        return noisy_samples(self.record.samples)

    @property
    def warnings(self) -> list[str]:
        found = super().warnings
        if self.record.options.rounds < LEAST_SAMPLES:
            found.append(f"**No intervals:** {self.record.options.rounds} rounds are too few for one.")
        return found

    @property
    def rebuilds(self) -> Mapping[str, Rebuild]:
        edit, module = self.record.options.edit, self.record.options.module
        return {
            setting: Rebuild(edit=edit, module=module, seconds=max(job.finished for job in jobs), jobs=jobs)
            for setting, jobs in self.record.timelines.items()
            if jobs
        }

    def _summary(self, setting: str) -> SettingSummary:
        record, seed = self.record, self.record.options.seed
        baseline = record.options.settings[0]
        own, first = ([each for each in record.edit_samples if each.layout == name] for name in (setting, baseline))
        clean, first_clean = (
            [each for each in record.clean_samples if each.layout == name] for name in (setting, baseline)
        )
        # The first build of a setting that keeps results has none to take.
        comparable = [sample for sample in clean if sample.kept_results] or clean
        is_first = setting == baseline
        return SettingSummary(
            setting=setting,
            edit=median_of([sample.seconds for sample in own], seed),
            null=median_of([each.null_seconds for each in own if each.null_seconds is not None], seed),
            by_hand=median_of([each.by_hand_seconds for each in own if each.by_hand_seconds], seed),
            over_hand=ratio_of([each.seconds / each.by_hand_seconds for each in own if each.by_hand_seconds], seed),
            ratio=None if is_first else ratio_of(ratios_of(own, first), seed),
            phases=_medians([sample.phases for sample in own if sample.phases], PHASES),
            steps=_medians([sample.steps for sample in own if sample.steps], (own[0].steps or ()) if own else ()),
            clean=median_of([sample.seconds for sample in comparable], seed),
            clean_ratio=None if is_first else ratio_of(ratios_of(comparable, first_clean), seed),
            first_clean_seconds=clean[0].seconds if clean else None,
            product_bytes=clean[0].product_bytes if clean else None,
        )


def _medians(values: Sequence[Mapping[str, float]], names: Iterable[str]) -> dict[str, float] | None:
    if not values:
        return None
    return {name: statistics.median(each.get(name, 0.0) for each in values) for name in names}
