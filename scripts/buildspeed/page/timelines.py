"""The timelines: the jobs of one rebuild in each layout, one beside another where they ran at the same time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from buildspeed.page.axis import Axis, axis_to
from buildspeed.rebuild import Job, Rebuild


@dataclass(frozen=True)
class Bar:
    """A job, at its place on the axis in percent. `color` is the number of its kind."""

    job: Job
    color: int
    left: float
    width: float


@dataclass(frozen=True)
class Timeline:
    """The jobs of one layout, in lanes in which one follows another."""

    layout: str
    rebuild: Rebuild
    lanes: tuple[tuple[Bar, ...], ...]


@dataclass(frozen=True)
class Timelines:
    """All layouts on one axis of seconds, so that their lengths compare."""

    axis: Axis
    kinds: tuple[str, ...]
    timelines: tuple[Timeline, ...]


def timelines(rebuilds: Mapping[str, Rebuild]) -> Timelines | None:
    """None where no rebuild was recorded."""
    if not rebuilds:
        return None
    ends = [end for each in rebuilds.values() for end in (each.seconds, *(job.finished for job in each.jobs))]
    axis = axis_to(max(ends))
    kinds = tuple(dict.fromkeys(job.kind for each in rebuilds.values() for job in each.jobs))
    drawn = (Timeline(layout, each, _lanes(each, axis, kinds)) for layout, each in rebuilds.items())
    return Timelines(axis, kinds, tuple(drawn))


def _lanes(rebuild: Rebuild, axis: Axis, kinds: tuple[str, ...]) -> tuple[tuple[Bar, ...], ...]:
    """Each job in the first lane that is free when it begins."""
    lanes: list[list[Bar]] = []
    for job in sorted(rebuild.jobs, key=lambda job: (job.began, job.finished)):
        left = axis.percent(job.began)
        bar = Bar(job, kinds.index(job.kind), left, round(axis.percent(job.finished) - left, 2))
        free = next((lane for lane in lanes if lane[-1].job.finished <= job.began), None)
        if free is None:
            lanes.append([bar])
        else:
            free.append(bar)
    return tuple(map(tuple, lanes))
