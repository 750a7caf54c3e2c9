"""One rebuild, job by job: what a timeline shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from buildspeed.record_file import read_versioned


@dataclass(frozen=True)
class Job:
    """One job of a build, such as the compilation of a file, with the seconds since the build began at which it
    began and finished. `label` says in a few words what it worked on."""

    kind: str
    target: str
    label: str
    began: float
    finished: float


@dataclass(frozen=True)
class Rebuild:
    """A build after an edit, which took so many seconds, with its jobs."""

    edit: str
    module: str | None
    seconds: float
    jobs: tuple[Job, ...]


@dataclass(frozen=True)
class _TimedJob:
    kind: str
    target: str
    files: tuple[str, ...]
    began: float
    finished: float

    @property
    def label(self) -> str:
        return ", ".join(PurePosixPath(file).name for file in self.files)


@dataclass(frozen=True)
class _Build:
    """`timeline` has the jobs of the last build with most jobs at once, whose seconds are among `checks`."""

    edit: str | None
    module: str | None
    checks: Mapping[str, tuple[float, ...]]
    timeline: tuple[_TimedJob, ...]

    @property
    def rebuild(self) -> Rebuild:
        seconds = self.checks[max(self.checks, key=int)][-1]
        jobs = (Job(each.kind, each.target, each.label, each.began, each.finished) for each in self.timeline)
        return Rebuild(self.edit or "", self.module, seconds, tuple(jobs))


@dataclass(frozen=True)
class _Layout:
    package: str
    layout: str
    builds: tuple[_Build, ...]


@dataclass(frozen=True)
class _Simulation:
    """As much of a record of `scripts/measure simulate` as timelines need."""

    layouts: tuple[_Layout, ...]


def read_rebuilds(path: Path) -> dict[str, Rebuild]:
    """Reads a record of `scripts/measure simulate`: of its first package, by layout, the rebuild after the first edit
    that was made in every layout. Raises `RecordError`."""
    layouts = read_versioned(path, _Simulation, (1,), "scripts/measure simulate").layouts
    builds = {
        each.layout: {(build.edit, build.module): build for build in each.builds if build.edit is not None}
        for each in layouts
        if each.package == layouts[0].package
    }
    first = next(iter(builds.values()), {})
    common = next((key for key in first if all(key in each for each in builds.values())), None)
    return {} if common is None else {layout: each[common].rebuild for layout, each in builds.items()}
