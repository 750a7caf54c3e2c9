"""Advice to a maintainer: what interfaces save in a package, or would save."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from swiftmodules.measure.record import CLEAN, Cell, Record, Sample
from swiftmodules.measure.results import AXES, Results, Summary, amount
from swiftmodules.options import program

_LAYOUT, _SETTING = AXES["layout"], AXES["setting"]
# In an implementation, these reach the files of other modules; behind an interface they would not.
_ADDITIONS = ("private-top", "internal-top", "public-top", "new-file")
_NEXT = "`{}` ranks the modules by what an interface would have saved after the package's own commits."


def advice(results: Results) -> list[str]:
    """Two sentences: what interfaces save here or would save, and how to find the module to begin with."""
    baseline = _LAYOUT.baseline_of(results.record)
    # The additions to modules in the package as it is, with the files of other targets that they compile.
    reached = [
        (_outside(results.record, summary.samples), _files(summary), summary)
        for cell, summary in _usual(results).items()
        if cell.layout == baseline and cell.edit in _ADDITIONS and cell.module and summary.files
    ]
    if not reached:
        return ["No addition to a module was measured, so nothing shows what an interface would save."]
    outside, _, first = max(reached, key=lambda each: each[:2])
    return [_saved(results) or _would_save(results, first, outside), _NEXT.format(program("measure advise"))]


def _usual(results: Results) -> Mapping[Cell, Summary]:
    """The cells that are built as usual."""
    usual = _SETTING.baseline_of(results.record)
    return {cell: each for cell, each in results.summaries.items() if cell.setting == usual}


def _outside(record: Record, samples: Iterable[Sample]) -> int:
    """The most files that a sample compiled outside of the target with the edited file."""
    counts = [0]
    for sample in samples:
        places = [
            PurePosixPath(each.file or "") for each in record.placements if (each.edit, each.module) == sample.row
        ]
        around = [each for each in record.targets.values() if places and places[0].is_relative_to(each)]
        if isinstance(sample.compiled, Mapping) and around:
            own = max(around, key=len)
            counts.append(sum(not PurePosixPath(file).is_relative_to(own) for file in sample.compiled))
    return max(counts)


def _saved(results: Results) -> str | None:
    """What the interfaces that are there save; None where the package was not measured without them."""
    summaries = _usual(results)
    baseline = _LAYOUT.baseline_of(results.record)
    fused = [each for each in summaries.values() if each.cell.layout == "fused"]
    pairs = [
        (summaries[_LAYOUT.at(each.cell, baseline)], each)
        for each in fused
        if each.cell.edit != CLEAN and _LAYOUT.at(each.cell, baseline) in summaries
    ]
    if not pairs:
        return None
    own, other = max(pairs, key=lambda each: _files(each[1]) - _files(each[0]))
    if _files(other) <= _files(own):
        return "The interfaces of this package save nothing: no measured edit compiles more files in `fused`."
    ratio = other.ratios.get("layout")
    times = f" and takes {ratio} times as long" if ratio and ratio.interval else ""
    return (
        f"The interfaces of this package save most after `{own.cell.edit}` in `{own.cell.module}`: it compiles "
        f"{amount(_files(own), 'file')}, and without interfaces {_files(other):g}{times}."
    )


def _would_save(results: Results, first: Summary, outside: int) -> str:
    if not outside:
        return "An interface would save nothing here: each measured addition stays in its own target."
    module = first.cell.module
    text = (
        f"`{first.cell.edit}` in `{module}` compiles {amount(_files(first), 'file')}, of which an interface in front "
        f"of `{module}` would leave {outside} in other targets alone"
    )
    # The edit of a body in the same module, which reaches nobody.
    body = results.summaries.get(AXES["edit"].at(first.cell, "body"))
    if first.seconds and first.seconds.interval and body and body.seconds:
        text += f": at most {max(first.seconds.median - body.seconds.median, 0):.1f} s of {first.seconds.median:.1f} s"
    return f"{text}."


def _files(summary: Summary) -> float:
    return summary.files.median if summary.files else 0
