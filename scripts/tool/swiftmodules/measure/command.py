"""The commands of `measure`.

What a command needs is imported when it is called: memory of this process would count as that of the measured builds.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from swiftmodules import options
from swiftmodules.errors import UsageError

if TYPE_CHECKING:
    from swiftmodules.records.kinds import AnyRecord


def run(
    package: options.PackagePath = None,
    *,
    choices: options.RunChoices = options.RunChoices(),
    builds: options.Builds = options.Builds(),
    work: options.Work = options.Work(),
    cluster: options.ClusterChoices = options.ClusterChoices(),
) -> int:
    """Times 'swift build' after edits, in several layouts of the same package, and lists what was compiled.

    The package is only read: a copy is built. In each round, every combination of layout, edit and module is built
    once, in random order, and the first layout twice (A/A control). After the rounds, each cell is verified: the
    program after an incremental build must do what it does after a clean build of the same sources. Each sample is kept
    at once in samples.jsonl in the output folder; an interrupted run is resumed with --resume.

    Results: a table on standard output; results.json, results.md and report.html in the output folder. For trustworthy
    times do not use the machine meanwhile; the lists of compiled files do not depend on it.

    examples:
      {program} --quick
      {program} --rounds 20 --output results
      {program} ../Shop --edits body,Sources/Cart/Cart.swift:signature --layouts interface
      {program} --resume results

    {layouts}

    {edits}
    """
    if choices.quick and choices.rounds:
        raise UsageError("--quick chooses the number of rounds. Leave out --rounds, or --quick.")
    from swiftmodules.experiment.run import measure
    from swiftmodules.records.kinds import RunOptions

    unverified = "--quick" if choices.quick else "--no-verify" if choices.no_verify else None
    return _measured(
        "measure run",
        measure,
        RunOptions,
        package,
        work,
        (choices, builds),
        repeated={"quick": False, "no_verify": bool(unverified)},
        cluster=cluster,
        unverified=f"{unverified} leaves it out." if unverified else None,
    )


def matrix(
    package: options.PackagePath = None,
    *,
    choices: options.MatrixChoices = options.MatrixChoices(),
    variables: options.Variables = options.Variables(),
    work: options.Work = options.Work(),
    cluster: options.ClusterChoices = options.ClusterChoices(),
) -> int:
    """Lists which files 'swift build' compiles after each edit, and why, in each module and layout. Takes no times.

    The reasons are those of the compiler's driver. Beside the compiled files is the smallest set that any build would
    have to compile, as far as names show; files of it that were not compiled are marked with '!', as they may be stale.
    The same code gives the same record on every machine: 'measure compare' finds what has changed since an
    earlier one.

    examples:
      {program} --edits private-top,interface-top --modules Login
      {program} --verify --edits interface-stored-property --layouts interface
      {program} --output results/matrix
    """
    if choices.session and not choices.verify:
        raise UsageError("--session is for --verify, which is not given.")
    from swiftmodules.experiment.matrix import measure
    from swiftmodules.records.kinds import MatrixOptions

    chosen = (choices, variables)
    return _measured("measure matrix", measure, MatrixOptions, package, work, chosen, [choices.verify], cluster=cluster)


def scale(
    package: options.PackagePath = None,
    *,
    choices: options.ScaleChoices = options.ScaleChoices(),
    builds: options.Builds = options.Builds(),
    work: options.Work = options.Work(),
    cluster: options.ClusterChoices = options.ClusterChoices(),
) -> int:
    """Times 'swift build' after edits in packages of growing size: what does each further module cost?

    The packages are made of the given one: with copies of the module that swiftmodules.toml names (scale_module in
    [measure]) in the place of the original. Sizes take turns, so that a machine that grows slower favours none; the
    build folders of all sizes stay until the end, several GB. A size that does not fit into the budget is skipped, and
    the report says so; the first one is always measured.

    examples:
      {program} --sizes 5,10,20 --budget 30
      {program} --rounds 6 --budget 480 --output results/scale
    """
    if choices.no_verify and choices.verify_all:
        raise UsageError("--no-verify and --verify-all contradict each other. Leave one of them out.")
    from swiftmodules.experiment.scale import measure
    from swiftmodules.layouts.generate import SCALE_LAYOUTS
    from swiftmodules.records.kinds import ScaleOptions

    verified = "none" if choices.no_verify else "all" if choices.verify_all else "smallest"
    chosen = (choices, builds)
    layouts = tuple(SCALE_LAYOUTS)
    return _measured(
        "measure scale", measure, ScaleOptions, package, work, chosen, [verified], layouts, cluster=cluster
    )


def live(
    package: options.PackagePath = None,
    *,
    choices: options.LiveChoices = options.LiveChoices(),
    builds: options.Builds = options.Builds(),
    work: options.Work = options.Work(),
) -> int:
    """Times the way from a save to the changed text on the screen: live, and with a build and a restart.

    In packages of growing size, made as in 'measure scale'. A live session runs in a pseudo-terminal, and its screen is
    read until the text that the edit changes is there; the same compile and link are then timed by hand. In the other
    layouts the package is built, and the program started and brought to the same screen. Which texts are looked for,
    and how to come to them, is in [measure.screens] of swiftmodules.toml.

    examples:
      {program} --sizes 5 --rounds 3 --layouts live,interface
      {program} --output results/live
    """
    from swiftmodules.experiment.live import measure
    from swiftmodules.records.kinds import LAYOUTS, LIVE, LiveOptions

    chosen = (choices, builds)
    unverified = "'measure scale' verifies the builds of these layouts."
    return _measured(
        "measure live", measure, LiveOptions, package, work, chosen, (), (LIVE, *LAYOUTS), unverified=unverified
    )


def floor(
    package: options.PackagePath = None,
    *,
    choices: options.FloorChoices = options.FloorChoices(),
    builds: options.Builds = options.Builds(),
    work: options.Work = options.Work(),
) -> int:
    """Compares 'swift build' after an edit with the least that must be done: compile one file, emit its module, link.

    In each round, with the settings of the compiler in random order: a build with nothing to do is timed, the edit is
    made, 'swift build' is timed, and its unavoidable jobs are run again by hand. Settings that may bring a build closer
    to that are compared with the first one, which is built a second time as A/A control. A setting that does not build,
    or makes another program, is noted and left out. [[measure.settings]] in swiftmodules.toml adds settings.

    examples:
      {program} --rounds 6 --clean-rounds 1 --settings default,lld
      {program} --layouts interface,fused --edits body,private-top --rounds 6
      {program} --output results/floor
    """
    from swiftmodules.experiment.floor import measure
    from swiftmodules.records.kinds import FloorOptions

    return _measured("measure floor", measure, FloorOptions, package, work, (choices, builds))


def simulate(
    package: options.PackagePath = None,
    *,
    choices: options.SimulateChoices = options.SimulateChoices(),
    variables: options.Variables = options.Variables(),
    work: options.Work = options.Work(),
) -> int:
    """Predicts builds on 1 to 64 cores, and on any number, from the times of the compiler's jobs on this machine.

    The jobs are timed in builds with one job at a time, and played on any number of cores by the rules of SwiftPM's
    build engine and of the compiler's driver. The same builds are also made with the jobs of --jobs, and the report
    shows how far the predictions are off.

    examples:
      {program} --rounds 1 --layouts interface --edits body
      {program} --sizes 10,40 --edits private-top --layouts interface,fused --rounds 1
      {program} --output results/simulate
    """
    if choices.sizes and choices.modules:
        raise UsageError("With --sizes, edits are made in the first copy. Leave out --modules.")
    from swiftmodules.experiment.simulate import measure
    from swiftmodules.layouts.generate import SCALE_LAYOUTS
    from swiftmodules.records.kinds import LAYOUTS, SimulateOptions

    chosen, layouts = (choices, variables), tuple(SCALE_LAYOUTS) if choices.sizes else LAYOUTS
    return _measured("measure simulate", measure, SimulateOptions, package, work, chosen, [choices.sizes], layouts)


def report(
    records: Annotated[tuple[Path, ...], Parameter(name="RECORD", negative="", help="Their files or folders.")],
    /,
    *,
    choices: options.ReportChoices = options.ReportChoices(),
) -> int:
    """Makes the report of records of any kind again, also of samples.jsonl of a run that was interrupted.

    A page (--html) shows several records together: with that of a run, those of the matrix, scale and simulate.

    examples:
      {program} results
      {program} results --html page.html
      {program} results results/matrix results/scale --html page.html
      {program} results --csv - | cut -d, -f3-6
    """
    if len(records) > 1 and choices.csv:
        raise UsageError("--csv takes one record: the columns of each kind are different.")
    from swiftmodules.analysis.compare import analyse
    from swiftmodules.records.files import read_record, record_bytes, write_atomically
    from swiftmodules.report.csv_lines import csv_text
    from swiftmodules.report.markdown import markdown
    from swiftmodules.report.output import print_report
    from swiftmodules.report.page import html_page

    analyses = [analyse(read_record(path)) for path in records]

    def write(path: Path, text: str) -> None:
        if str(path) == "-":
            sys.stdout.write(text)
        else:
            write_atomically(path, text)

    if choices.html:
        write(choices.html, html_page(analyses))
    if choices.csv:
        write(choices.csv, csv_text(analyses[0].record))
    is_markdown = choices.markdown or not (choices.html or choices.csv or choices.table or choices.json)
    for each in analyses:
        if choices.table:
            print_report(each, options.terminal())
        if choices.json:
            sys.stdout.write(record_bytes(each.record).decode())
        if is_markdown:
            sys.stdout.write(markdown(each))
    return 0


def compare(
    older: Annotated[Path, Parameter(name="A", help="The older record, of any kind.")],
    newer: Annotated[Path, Parameter(name="B", help="The newer record.")],
    /,
    *,
    fail_above: Annotated[options.Share, Parameter(help="The increase above which a cell counts as slower.")] = 0.1,
    different_machines: Annotated[
        options.Flag, Parameter(help="Also compare records of different machines, toolchains or numbers of jobs.")
    ] = False,
) -> int:
    """Shows what has changed from record A to record B, and fails where something became slower, or compiles more.

    The change of times is that of the medians, with its 95% bootstrap interval. A cell is slower where the whole
    interval is above the limit of --fail-above: two runs never take place under quite the same conditions, which no
    interval covers. Records of a matrix hold no times; there a cell fails that compiles or links more.

    examples:
      {program} before after --fail-above 5%
      {program} results/matrix .build/matrix --different-machines
    """
    from swiftmodules.analysis.compare import compare as compared
    from swiftmodules.records.files import read_record
    from swiftmodules.report.output import print_comparison

    comparison = compared(read_record(older), read_record(newer), different_machines)
    print_comparison(comparison, fail_above, options.terminal())
    return 1 if comparison.failures(fail_above) else 0


def _options(kind: type[Any], choices: Sequence[object], layouts: Sequence[str]) -> object:
    """The options of an experiment: those of the command line with the same names, checked, and a new seed where none
    is given."""
    from swiftmodules.edits.catalogue import EDITS, wanted_edit
    from swiftmodules.records.kinds import LAYOUTS

    given = {name: value for part in choices for name, value in vars(part).items() if value is not None}
    given.setdefault("seed", secrets.randbelow(2**32))
    if given.get("edits") == ("all",):
        given["edits"] = tuple(EDITS)
    for edit in given.get("edits", ()):
        wanted_edit(edit)
    known = layouts or LAYOUTS
    for layout in given.get("layouts", ()):
        if layout not in known:
            raise UsageError(f"No layout is called '{layout}'. Choose from: {', '.join(known)}.")
    given["layouts"] = given.get("layouts") or known
    return kind(**{each.name: given[each.name] for each in fields(kind) if each.name in given})


def _measured(
    command: str,
    measure: Callable[..., AnyRecord],
    kind: type[object],
    package: Path | None,
    work: options.Work,
    choices: tuple[object, options.Variables],
    more: Sequence[object] = (),
    layouts: Sequence[str] = (),
    *,
    repeated: Mapping[str, object] = {},
    unverified: str | None = None,
    cluster: options.ClusterChoices = options.ClusterChoices(),
) -> int:
    """Runs an experiment, writes its report, and shows the result."""
    if work.resume and work.output:
        raise UsageError("--output cannot be combined with --resume, which writes to the interrupted run's folder.")
    from swiftmodules.builds.lock import scratch_folder
    from swiftmodules.experiment.progress import progress_view
    from swiftmodules.experiment.runner import Task
    from swiftmodules.swiftpm.config import config_file, read_config
    from swiftmodules.swiftpm.toolchain import Toolchain

    made = _options(kind, choices, layouts)
    folder = options.package_folder(package)
    scratch = scratch_folder(folder, work.scratch_path)
    moment = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    output = work.resume or work.output or scratch / "results" / f"{command.split()[-1]}-{moment}"
    console = options.terminal()

    def repeat(ran: object) -> str:
        chosen = {name: getattr(ran, name) for name in ("rounds", "seed") if hasattr(ran, name)}
        return options.command_line(command.removesuffix(" run"), package, *choices, **chosen, **repeated)

    toolchain = Toolchain.find(variables=choices[1].variable)
    with ExitStack() as entered:
        view = entered.enter_context(progress_view(console))
        machines = None
        if cluster.cluster:
            from swiftmodules.cluster.client import connected

            variables = {name: os.environ[name] for name in choices[1].variable if name in os.environ}
            machines = entered.enter_context(connected(cluster.cluster, cluster, toolchain, variables, view))
        task = Task(
            package=folder,
            output=output,
            scratch=scratch,
            toolchain=toolchain,
            view=view,
            command=repeat,
            config=read_config(config_file(folder)),
            resume=work.resume is not None,
            unverified=unverified,
            session=getattr(choices[0], "session", None),
            cluster=machines,
            first_words=first_words,
        )
        record = measure(made, task, *more)
    # Only now: these need libraries whose memory would count as that of the builds.
    from swiftmodules.analysis.compare import analyse
    from swiftmodules.report.output import print_report, write_report

    analysis = analyse(record)
    write_report(analysis, output)
    print_report(analysis, console)
    console.print(f"\nWrote the record and its report to {output}.", highlight=False, soft_wrap=True)
    return 1 if _is_unsound(record) else 0


def _is_unsound(record: AnyRecord) -> bool:
    """Whether a verified program of a matrix differs from that of a clean build, or none could be verified."""
    from swiftmodules.records.kinds import MatrixRecord

    if not isinstance(record, MatrixRecord) or record.verification is None:
        return False
    counts = record.verification.counts()
    return bool(counts["unsound"]) or counts["not verified"] == sum(counts.values())


def first_words(record: AnyRecord) -> Sequence[str]:
    """Summarises what the first round of a run already shows."""
    from swiftmodules.analysis.run import RunAnalysis
    from swiftmodules.analysis.verdicts import advantage
    from swiftmodules.records.kinds import RunRecord

    if not isinstance(record, RunRecord):
        return ()
    lines = [line.replace("**", "").replace("`", "'") for line in advantage(RunAnalysis(record))]
    return ["After the first round, with one sample of each (the report judges all rounds):", *lines]
