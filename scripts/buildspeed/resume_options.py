"""What the options of `scripts/measure layouts` mean for a run that is resumed."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from buildspeed.command_line import REPOSITORY
from buildspeed.failures import UsageError
from buildspeed.machine import usable_cores
from buildspeed.measurement import Request
from buildspeed.program_session import read_session
from buildspeed.record import Record


def resuming_request(earlier: Record, options: argparse.Namespace, package: Path) -> Request:
    """The request of the run that is resumed. Options may be given again, but not others."""
    if options.output is not None:
        raise UsageError("--output does not go with --resume, which goes on in the folder of its record.")
    made = earlier.options
    for name, given, recorded in (
        ("--quick", options.quick or None, made.quick),
        ("--rounds", options.rounds, made.rounds),
        ("--edits", options.edits or None, made.edits),
        ("--modules", options.modules or None, made.modules),
        ("--layouts", options.layouts or None, made.layouts),
        ("--seed", options.seed, made.seed),
        ("--jobs", options.jobs, made.jobs),
    ):
        if given is not None and given != recorded:
            shown = ",".join(recorded) if isinstance(recorded, tuple) else recorded
            raise UsageError(f"{name} differs from that of the run that is resumed, which is {shown}. Leave it out.")
    is_verified = earlier.verification is not None and earlier.verification.left_out is None
    return Request(
        package=package,
        layouts=made.layouts,
        edits=made.edits,
        modules=made.modules,
        rounds=made.rounds,
        seed=made.seed,
        jobs=made.jobs or usable_cores(),
        earlier=earlier,
        times_rebuilds=not made.quick,
        session=read_session(None, package, None) if is_verified else (),
    )


def resume_command(output: Path, options: argparse.Namespace) -> str:
    """The command that goes on with the unfinished record in a folder."""
    words = ["scripts/measure", "--resume", str(output)]
    if options.package != REPOSITORY:
        words += ["--package", str(options.package)]
    if options.scratch_path:
        words += ["--scratch-path", str(options.scratch_path)]
    return shlex.join(words)
