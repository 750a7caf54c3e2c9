"""Divides the time of a build among its phases, each moment to one of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from buildspeed.job_times import COMPILE, EMIT_MODULE, LINK, QUESTION, TARGET, WRAP, Job

START, PLANNING, REST = "start", "planning", "rest"

# What runs side by side belongs to the first of these.
_PRECEDENCE = {COMPILE: COMPILE, EMIT_MODULE: EMIT_MODULE, WRAP: WRAP, LINK: LINK, TARGET: PLANNING}

PHASES = {
    START: "`swift build` starts, asks the compiler what it can do, and plans, until the first job of the compiler",
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
