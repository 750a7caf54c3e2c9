"""Tells the result of `scripts/measure simulate`, in Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from buildspeed.inference import LEAST_SAMPLES
from buildspeed.simulation.prediction import CORES, Check, checks, contention_of, predict
from buildspeed.simulation.record import MeasuredLayout, SimulationRecord
from buildspeed.tables import markdown_lines
from buildspeed.wording import amount

# What the error of a prediction is to stay below.
MOST_ERROR = 0.15


def markdown(record: SimulationRecord) -> str:
    """The whole report, as `results.md`."""
    return f"# Builds past this machine\n\n{report_body(record)}"


def report_body(record: SimulationRecord) -> str:
    """The whole report but its title."""
    warnings = [f"**Incomplete:** {record.incomplete}"] if record.incomplete else []
    several, found = _has_several(record), checks(record)
    parts = [*warnings, check_sentence(found, several), _check_table(record, found, several), _model_part(record)]
    for layout in record.layouts:
        parts += [f"### `{_title(layout, several)}`", _prediction_table(record, layout), *_paths(record, layout)]
    parts.append(_conditions(record))
    return "\n\n".join(parts) + "\n"


def check_sentence(found: Sequence[Check], several: bool) -> str:
    """How far predictions were from real builds, which are of `several` packages or one."""
    if not found:
        return "No real build was there to check a prediction."
    worst = max(found, key=lambda check: abs(check.error))
    typical = statistics.median(abs(check.error) for check in found)
    beyond = [f"{_name(each, several)}, {_error(each)}" for each in found if abs(each.error) >= MOST_ERROR]
    verdict = f"All but {len(beyond)} stay" if beyond else "All stay"
    listed = f": {'; '.join(beyond)}." if beyond else "."
    return (
        f"Of {len(found)} predictions for this machine, the median differs from real builds by {typical:.0%}, and the "
        f"farthest by {worst.error:+.0%} ({_name(worst, several)}). {verdict} below {MOST_ERROR:.0%}{listed}"
    )


def _check_table(record: SimulationRecord, found: Sequence[Check], several: bool) -> str:
    rows = [["layout", "build", "jobs", "predicted", "measured", "error"], ["---", "---", *["---:"] * 4]]
    for check in found:
        texts = [f"{check.predicted:.2f}", f"{check.measured:.2f}", _error(check)]
        rows.append([_title(check.layout, several), check.build.name, str(check.jobs), *texts])
    return markdown_lines(rows) + (
        f"\n\nIn seconds, medians of {_numbers_of_samples(record)}. measured: real builds, which the predictions do "
        "not know. error: the median of those of all times, each from builds that were made one after another, and in "
        f"brackets its 95% interval where there are {LEAST_SAMPLES} or more."
    )


def _numbers_of_samples(record: SimulationRecord) -> str:
    builds = [build for layout in record.layouts for build in layout.builds]
    clean = max((len(build.costs) for build in builds if build.edit is None), default=0)
    edited = max((len(build.costs) for build in builds if build.edit is not None), default=0)
    return f"{amount(clean, 'build')} from nothing" + (f", and {edited} after each edit" if edited else "")


def _error(check: Check) -> str:
    interval = check.interval
    return f"{check.error:+.0%}" + (f" ({interval.low:+.0%} to {interval.high:+.0%})" if interval else "")


def _prediction_table(record: SimulationRecord, layout: MeasuredLayout) -> str:
    header = ["build", *(_cores(cores) for cores in CORES)]
    rows = [header, ["---", *["---:"] * len(CORES)]]
    for build in layout.builds:
        rows.append([build.name, *(f"{predict(record, layout, build, cores).seconds:.2f}" for cores in CORES)])
    return markdown_lines(rows)


def _paths(record: SimulationRecord, layout: MeasuredLayout) -> list[str]:
    lines = [f"- {build.name}: {' → '.join(predict(record, layout, build, None).path)}" for build in layout.builds]
    return ["The critical path, with as many cores as there is work for:", "\n".join(lines)]


def _model_part(record: SimulationRecord) -> str:
    contention = contention_of(record)
    slower = (
        f"with {contention.processes} at once, a compiler job takes {contention.factor:.2f} times as long as alone"
        if record.contention
        else "whether jobs slow each other down was not measured"
    )
    return (
        "Predicted from the time of every job with `--jobs 1`, from the order in which SwiftPM's engine must run its "
        "commands, and from how jobs slow each other down: "
        f"{slower}; how it is with more cores is not known, and taken to be the same."
    )


def _conditions(record: SimulationRecord) -> str:
    packages = ", ".join(dict.fromkeys(layout.package for layout in record.layouts)) or "no package"
    return (
        f"Measured with {packages} on {record.machine.summary}, with {record.toolchain}. `{record.command}` repeats it."
    )


def _has_several(record: SimulationRecord) -> bool:
    return len(record.options.packages) > 1


def _name(check: Check, several: bool) -> str:
    return f"{_title(check.layout, several)} {check.build.name} with {amount(check.jobs, 'job')}"


def _title(layout: MeasuredLayout, several: bool) -> str:
    return f"{layout.package} ({layout.files} files) {layout.layout}" if several else layout.layout


def _cores(cores: int | None) -> str:
    if cores is None:
        return "unlimited"
    return amount(cores, "core")
