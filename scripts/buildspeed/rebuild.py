"""One rebuild, job by job: what a timeline shows."""

from __future__ import annotations

from dataclasses import dataclass


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
