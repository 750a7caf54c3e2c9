"""Gathers the builds of a layout, and makes of them what the record holds."""

from __future__ import annotations

from dataclasses import dataclass, field

from buildspeed.job_times import Job
from buildspeed.layouts import Layout
from buildspeed.simulation.build_graph import GraphCommand
from buildspeed.simulation.costs import build_costs, file_costs, median_costs, shared_work
from buildspeed.simulation.record import BuildCosts, MeasuredBuild, MeasuredLayout

# The jobs of a build, and its wall seconds.
TimedJobs = tuple[list[Job], float]


@dataclass
class BuildSamples:
    """The builds after one edit, or from nothing, with one job (`costs`) and as they really are (`checks`). `cold`
    are those from nothing for which nothing that is shared was there."""

    edit: str | None
    module: str | None
    costs: list[TimedJobs] = field(default_factory=list)
    cold: list[TimedJobs] = field(default_factory=list)
    checks: dict[int, list[TimedJobs]] = field(default_factory=dict)

    def add_check(self, jobs: int, timed: list[Job], seconds: float) -> None:
        self.checks.setdefault(jobs, []).append((timed, seconds))

    def result(self) -> MeasuredBuild:
        most = max(self.checks)
        return MeasuredBuild(
            edit=self.edit,
            module=self.module,
            costs=tuple(map(_costs, self.costs)),
            shared=shared_work(_median(self.cold), _median(self.costs)) if self.cold else (),
            checks={str(jobs): tuple(seconds for _, seconds in builds) for jobs, builds in self.checks.items()},
            timeline=tuple(self.checks[most][-1][0]),
        )


@dataclass
class LayoutSamples:
    """The builds of a layout. `separate` is one from nothing with a process for each file, of the first round."""

    package: str
    layout: Layout
    graph: tuple[GraphCommand, ...] = ()
    separate: TimedJobs | None = None
    null_seconds: list[float] = field(default_factory=list)
    builds: dict[tuple[str | None, str | None], BuildSamples] = field(default_factory=dict)

    def build(self, edit: str | None, module: str | None) -> BuildSamples:
        """The builds after an edit, None for builds from nothing."""
        return self.builds.setdefault((edit, module), BuildSamples(edit, module))

    def result(self) -> MeasuredLayout:
        """What was measured so far."""
        first = self.builds[None, None].costs[0]
        return MeasuredLayout(
            package=self.package,
            layout=self.layout.name,
            targets=self.layout.target_count,
            files=len(self.layout.files),
            graph=self.graph,
            file_costs=file_costs(_costs(first), _costs(self.separate or ([], 0))),
            null_seconds=tuple(self.null_seconds),
            builds=tuple(build.result() for build in self.builds.values()),
        )


def _median(builds: list[TimedJobs]) -> BuildCosts:
    return median_costs([_costs(build) for build in builds])


def _costs(build: TimedJobs) -> BuildCosts:
    jobs, seconds = build
    return build_costs(jobs, seconds)
