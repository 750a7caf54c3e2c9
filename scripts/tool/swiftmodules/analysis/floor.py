"""The analysis of a record of `floor`: where the time of a build goes, how close each setting comes to the limit, and
what it does to builds in every layout."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from swiftmodules.analysis.run import Analysis, FileCounts, by_cell, noisy_samples, ratios_of
from swiftmodules.analysis.stats import LEAST_SAMPLES, Interval, Median, Ratio, median_of, ratio_of
from swiftmodules.observed import COMPILE, EMIT_MODULE, LINK, QUESTION, TARGET, WRAP, Job
from swiftmodules.records.kinds import FloorRecord, Rebuild, variant
from swiftmodules.records.model import CONTROL, Cell, Sample, place_name

# How far from 1 a ratio must be to count where there are too few samples for an interval.
_FAR = 0.25
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


@dataclass(frozen=True)
class Effect:
    """What a setting does to one kind of build. `ratio` and `first_files`, the files that the first setting compiles,
    are None for that setting itself; `broken` is why there are no times, where there are none."""

    seconds: Median | None
    files: FileCounts | None
    first_files: FileCounts | None
    ratio: Ratio | None
    broken: str | None

    @property
    def sign(self) -> int:
        """-1 where it makes the build faster, 1 where slower: by the interval, or where there are too few samples for
        one, by a median that is far from 1."""
        if self.ratio is None:
            return 0
        median = self.ratio.median
        interval = self.ratio.interval or Interval(median - _FAR, median + _FAR)
        return -1 if interval.high < 1 else 1 if interval.low > 1 else 0

    @property
    def more_files(self) -> float:
        """How many files more than with the first setting are compiled."""
        return self.files.median - self.first_files.median if self.files and self.first_files else 0


@dataclass(frozen=True)
class Advice:
    """What a setting does in a layout, by the name of the build: that of the edit and its module, or `CLEAN`."""

    setting: str
    layout: str
    effects: Mapping[str, Effect]

    @property
    def broken(self) -> Mapping[str, str]:
        """Why builds cannot be used, by their names."""
        return {name: each.broken for name, each in self.effects.items() if each.broken is not None}

    @property
    def verdict(self) -> str:
        """Whether the advice helps, in a word, or with the kinds of builds where they differ."""
        if self.broken:
            return "breaks"
        compared = {name: each for name, each in self.effects.items() if each.ratio}
        parts = []
        for word, sign in (("helps", -1), ("hurts", 1)):
            names = [name for name, each in compared.items() if each.sign == sign]
            if names:
                parts.append(word if len(names) == len(compared) else f"{word} {', '.join(names)}")
        if parts or not compared:
            return "; ".join(parts)
        if not any(each.ratio.interval for each in compared.values() if each.ratio):
            return "undecided"
        more = [each.more_files for each in compared.values() if each.more_files]
        return "does nothing" + (f", with {'more' if max(more) > 0 else 'fewer'} files" if more else "")


CLEAN = "clean build"


class FloorAnalysis(Analysis[FloorRecord]):
    """The analysis of a record of `floor`."""

    @cached_property
    def settings(self) -> list[SettingSummary]:
        """A summary of each setting that has samples, in the order of the report."""
        summaries = [self._summary(setting) for setting in self.record.options.settings]
        return [each for each in summaries if each.edit or each.clean or each.first_clean_seconds is not None]

    @cached_property
    def advice(self) -> list[Advice]:
        """What each setting does in each layout."""
        options = self.record.options
        found = []
        for layout in options.layouts:
            for setting in options.settings:
                name, first = variant(setting, layout), variant(options.settings[0], layout)
                effects = {text: self._effect(Cell(name, *row), first) for text, row in self.builds.items()}
                found.append(Advice(setting, layout, effects))
        return found

    @cached_property
    def builds(self) -> dict[str, tuple[str | None, str | None]]:
        """The kinds of builds that were timed, by their names: after an edit, and clean."""
        edits = self.record.options.edits
        edited = {(each.edit or "", each.module) for each in self.record.edit_samples}
        rows = sorted(edited, key=lambda row: edits.index(row[0]) if row[0] in edits else len(edits))
        found: dict[str, tuple[str | None, str | None]] = {place_name(*row): row for row in rows}
        return found | ({CLEAN: (None, None)} if self.record.clean_samples else {})

    @cached_property
    def control(self) -> Ratio | None:
        """The ratio of the first setting to itself, of the builds after all edits and in all layouts; None without an
        A/A control."""
        options = self.record.options
        if options.control is None:
            return None
        pooled = [
            ratio
            for layout in options.layouts
            for row in self.builds.values()
            if row[0] is not None
            for ratio in self._ratios(Cell(variant(CONTROL, layout), *row), variant(options.control, layout))
        ]
        return ratio_of(pooled, options.seed)

    @property
    def noise(self) -> tuple[int, int]:
        """The number of noisy samples, and of all samples."""
        return noisy_samples(self.record.samples)

    @property
    def warnings(self) -> list[str]:
        found = super().warnings
        if self.record.options.rounds < LEAST_SAMPLES:
            found.append(f"**No intervals:** {self.record.options.rounds} rounds are too few for one.")
        if self.control is not None and self.control.holds_one is False:
            found.append(
                f"**This run cannot be trusted:** `{self.record.options.control}`, measured a second time, took "
                f"{self.control} times as long as itself, and the 95% interval does not hold 1. Measure again while "
                "nothing else uses the machine."
            )
        return found

    @property
    def rebuilds(self) -> Mapping[str, Rebuild]:
        edit, module = self.record.options.edits[0], self.record.options.module
        return {
            setting: Rebuild(edit=edit, module=module, seconds=max(job.finished for job in jobs), jobs=jobs)
            for setting, jobs in self.record.timelines.items()
            if jobs
        }

    @cached_property
    def _samples(self) -> dict[Cell, Sequence[Sample]]:
        found = by_cell([*self.record.clean_samples, *self.record.edit_samples])
        return {cell: _comparable(samples) for cell, samples in found.items()}

    def _ratios(self, cell: Cell, first: str) -> list[float]:
        return ratios_of(self._samples.get(cell, ()), self._samples.get(cell._replace(layout=first), ()))

    def _effect(self, cell: Cell, first: str) -> Effect:
        seed, broken = self.record.options.seed, self.record.broken
        files, first_files = (
            FileCounts.of([each.files for each in samples]) if samples and cell.edit else None
            for samples in (self._samples.get(cell, ()), self._samples.get(cell._replace(layout=first), ()))
        )
        return Effect(
            seconds=median_of([each.seconds for each in self._samples.get(cell, ())], seed),
            files=files,
            first_files=None if cell.layout == first else first_files,
            ratio=None if cell.layout == first else ratio_of(self._ratios(cell, first), seed),
            broken=broken.get(cell.name, broken.get(cell.layout)),
        )

    def _summary(self, setting: str) -> SettingSummary:
        record, seed = self.record, self.record.options.seed
        baseline = record.options.settings[0]
        by_hand = record.options.edits[0]
        own, first = (
            [each for each in record.edit_samples if each.layout == name and each.edit == by_hand]
            for name in (setting, baseline)
        )
        clean, first_clean = (
            [each for each in record.clean_samples if each.layout == name] for name in (setting, baseline)
        )
        comparable = _comparable(clean)
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


def _comparable(samples: Sequence[Sample]) -> Sequence[Sample]:
    """Without the first clean build of a setting that keeps results, which has none to take."""
    return [sample for sample in samples if sample.kept_results] or samples


def _medians(values: Sequence[Mapping[str, float]], names: Iterable[str]) -> dict[str, float] | None:
    if not values:
        return None
    return {name: statistics.median(each.get(name, 0.0) for each in values) for name in names}
