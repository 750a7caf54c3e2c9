"""The commands of `measure`.

What a command needs is imported when it is called: `--help` needs nothing of it.
"""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import ExitStack
from dataclasses import asdict, fields, replace
from datetime import UTC, datetime
from json import dumps as encoded
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from cyclopts import Parameter

from swiftmodules import options
from swiftmodules.errors import UsageError

if TYPE_CHECKING:
    from swiftmodules.measure.record import Record
    from swiftmodules.swiftpm.config import Config


_AFTER_ONE = "After the first round, with one sample of each (the report judges all rounds):"


def measure(
    package: options.PackagePath = None,
    *,
    choices: options.MeasureChoices = options.MeasureChoices(),
    work: options.Work = options.Work(),
    cluster: options.ClusterChoices = options.ClusterChoices(),
) -> int:
    """Times 'swift build' after edits, and lists what was compiled, along a few axes: layouts of the same package,
    sizes, settings, edits, modules, and where the time ends.

    The package is only read: a copy is built. In each round, every combination is built once, in random order, and the
    first layout twice (A/A control). After the rounds, each cell is verified: the program after an incremental build
    must do what it does after a clean build of the same sources. Each sample is kept at once in samples.jsonl in the
    output folder; an interrupted run is resumed with --resume.

    Results: a table on standard output; results.json and results.md with its charts in the output folder. For
    trustworthy times do not use the machine meanwhile. With --rounds 0 nothing is timed, and the same code gives the
    same record on every machine.

    examples:
      {program} --quick
      {program} ../Shop --edits body,Sources/Cart/Cart.swift:public-top --layouts interface
      {program} --copies 5,20,80 --rounds 6
      {program} --settings default,lld --until built,by-hand --edits clean,body
      {program} --layouts live,interface --until screen --copies 5
      {program} ../Shop --edits history:100
      {program} --resume results

    {layouts}

    {edits}
    """
    if work.resume:
        package, choices = _resumed(package, choices, work)
    _require_compatible(choices)
    _require_known(choices)
    record = _measured(options.package_folder(package), package, choices, work, cluster)
    return 1 if choices.verify and _is_unsound(record) else 0


def report(
    record: Annotated[Path, Parameter(name="RECORD", help="Its file or folder.")],
    /,
    *,
    choices: options.ReportChoices = options.ReportChoices(),
) -> int:
    """Makes the report of a record again, also of samples.jsonl of a run that was interrupted.

    examples:
      {program} results
      {program} results --html page.html
    """
    from swiftmodules.files import write_atomically
    from swiftmodules.measure.analysis import Analysis
    from swiftmodules.measure.page import html_page
    from swiftmodules.measure.report import markdown, print_report
    from swiftmodules.measure.store import read_record

    analysis = Analysis(read_record(record))
    if choices.table:
        print_report(analysis, options.terminal())
    if choices.html:
        page = html_page(analysis)
        sys.stdout.write(page) if str(choices.html) == "-" else write_atomically(choices.html, page)
    if choices.markdown or not (choices.html or choices.table):
        sys.stdout.write(markdown(analysis))
    return 0


def compare(
    older: Annotated[Path, Parameter(name="A", help="The older record.")],
    newer: Annotated[Path, Parameter(name="B", help="The newer record.")],
    /,
    *,
    fail_above: Annotated[options.Share, Parameter(help="The increase above which a cell counts as slower.")] = 0.1,
    different_machines: Annotated[
        options.Flag, Parameter(help="Also compare records of different machines, toolchains or numbers of jobs.")
    ] = False,
) -> int:
    """Shows what has changed from record A to record B, and fails where something became slower, or compiles more.

    The change of times is that of the medians, with an interval of at least 95%. A cell is slower where the whole
    interval is above the limit of --fail-above: two runs never take place under quite the same conditions, which no
    interval covers. Where a record has no times, a cell fails that compiles or links more.

    examples:
      {program} before after --fail-above 5%
      {program} docs/results/matrix .build/measure/results/counts --different-machines
    """
    from swiftmodules.measure.compare import compare as compared
    from swiftmodules.measure.compare import print_comparison
    from swiftmodules.measure.store import read_record

    comparison = compared(read_record(older), read_record(newer), different_machines)
    print_comparison(comparison, fail_above, options.terminal())
    return 1 if comparison.failures(fail_above) else 0


def advise(
    package: options.PackagePath = None,
    *,
    commits: options.Positive = 200,
    layout: Annotated[
        Literal["interface", "fused"], Parameter(help="The package as it is, or with each module in one target.")
    ] = "interface",
    json: Annotated[options.Flag, Parameter(help="Print one JSON object.")] = False,
    variable: options.Repeated = (),
) -> int:
    """Ranks the modules of a package by what an interface in front of each would save after the package's own commits.

    Builds the package once, for the compiler's index, and predicts for each of the last commits the files that it
    compiles today, and would compile if users of the edited module saw an interface only: the declarations that they
    use. 'measure --edits history:N' measures what commits compile; 'check' lists edges that nobody uses.

    examples:
      {program}
      {program} ../Shop --commits 500 --json
    """
    from swiftmodules.builds.lock import scratch_folder
    from swiftmodules.edits.history import Choice
    from swiftmodules.measure.progress import progress_view
    from swiftmodules.measure.report import say
    from swiftmodules.measure.split import advice_lines, find_splits
    from swiftmodules.swiftpm.config import config_file, read_config
    from swiftmodules.swiftpm.toolchain import Toolchain

    folder, toolchain = options.package_folder(package), Toolchain.find(variables=variable)
    with progress_view(options.terminal(stderr=True)) as view:
        scratch, config = scratch_folder(folder, None), read_config(config_file(folder))
        found, count = find_splits(folder, scratch, toolchain, config, view, layout, Choice(commits))
    if json:
        print(encoded({"commits": count, "targets": [asdict(each) for each in found]}, indent=1))
    else:
        for line in advice_lines(found, count):
            say(options.terminal(), line)
    return 0


def _resumed(
    package: Path | None, choices: options.MeasureChoices, work: options.Work
) -> tuple[Path, options.MeasureChoices]:
    """The package and the options of the run that is resumed."""
    from swiftmodules.measure.store import read_origin

    assert work.resume is not None
    if work.output:
        raise UsageError("--output cannot be combined with --resume, which writes to the interrupted run's folder.")
    origin = read_origin(work.resume)
    if package is not None and package.resolve() != Path(origin.package):
        raise UsageError(f"The run in {work.resume} is of {origin.package}. Leave out {package}.")
    for each in fields(choices):
        value, before = getattr(choices, each.name), getattr(origin.choices, each.name)
        if value not in (each.default, before):
            shown = ",".join(map(str, before)) if isinstance(before, tuple) else before
            option = each.name.replace("_", "-")
            raise UsageError(
                f"--{option} differs from that of the run that is resumed, which is {shown}. Leave it out."
            )
    return Path(origin.package), origin.choices


def _require_compatible(choices: options.MeasureChoices) -> None:
    known = get_args(options.Until)
    for until in choices.until:
        if until not in known:
            raise UsageError(f"No time ends at '{until}'. Choose from: {', '.join(known)}.")
    if choices.quick and choices.rounds is not None:
        raise UsageError("--quick chooses the number of rounds. Leave out --rounds, or --quick.")
    if choices.rounds == 0 and "clean" in choices.edits:
        raise UsageError(
            "A clean build compiles everything; it is there to be timed. Leave out 'clean', or --rounds 0."
        )
    if choices.rounds == 0 and choices.until != ("built",):
        raise UsageError("With --rounds 0 nothing is timed. Leave out --until, or name the number of rounds.")
    if "live" in choices.layouts and "screen" not in choices.until:
        raise UsageError("A live session is timed until its screen shows the edit. Add --until screen.")


def _require_known(choices: options.MeasureChoices) -> None:
    from swiftmodules.edits.catalogue import wanted_edit
    from swiftmodules.edits.history import history_count
    from swiftmodules.layouts.generate import LAYOUTS
    from swiftmodules.measure.plan import LIVE

    is_history = history_count(choices.edits) is not None
    if not is_history and (choices.since or choices.paths or choices.most_files):
        raise UsageError("--since, --paths and --most-files choose commits. Add --edits history:N, or leave them out.")
    for edit in () if choices.edits == ("all",) or is_history else choices.edits:
        wanted_edit(edit)
    known = (*LAYOUTS, LIVE)
    for layout in choices.layouts:
        if layout not in known:
            raise UsageError(f"No layout is called '{layout}'. Choose from: {', '.join(known)}.")


def _complete(choices: options.MeasureChoices, config: Config) -> options.MeasureChoices:
    """The choices with 'all' replaced by names, and a seed."""
    from swiftmodules.edits.catalogue import EDITS
    from swiftmodules.measure.settings import chosen_settings

    edits = tuple(name for name in EDITS if name != "clean") if choices.edits == ("all",) else choices.edits
    seed = secrets.randbelow(2**32) if choices.seed is None else choices.seed
    # So that the run can be resumed from another folder.
    session = choices.session and choices.session.absolute()
    settings = chosen_settings(choices.settings, config, "clean" in edits)
    return replace(choices, edits=edits, settings=settings, session=session, seed=seed)


def _measured(
    folder: Path,
    package: Path | None,
    choices: options.MeasureChoices,
    work: options.Work,
    cluster: options.ClusterChoices,
) -> Record:
    """Measures, writes the report, and shows the result."""
    from swiftmodules.builds.lock import scratch_folder
    from swiftmodules.measure.advise import advice
    from swiftmodules.measure.analysis import Analysis
    from swiftmodules.measure.loop import Task, measure
    from swiftmodules.measure.page import write_report
    from swiftmodules.measure.progress import progress_view
    from swiftmodules.measure.report import print_report, say
    from swiftmodules.swiftpm.config import config_file, read_config
    from swiftmodules.swiftpm.toolchain import Toolchain

    config = read_config(config_file(folder))
    scratch = scratch_folder(folder, work.scratch_path)
    moment = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    output = work.resume or work.output or scratch / "results" / moment
    console = options.terminal()

    def repeat(rounds: int, seed: int) -> str:
        chosen: dict[str, object] = {"rounds": rounds, "quick": False}
        chosen |= {"seed": seed if rounds else None}
        chosen |= {"verify": False} if choices.quick else {}
        return options.command_line("measure", package, choices, **chosen)

    toolchain = Toolchain.find(variables=choices.variable)
    with ExitStack() as entered:
        view = entered.enter_context(progress_view(console))
        machines = None
        if cluster.cluster:
            from swiftmodules.measure.cluster import Cluster

            variables = {name: os.environ[name] for name in choices.variable if name in os.environ}
            machines = entered.enter_context(Cluster(cluster.cluster, toolchain, variables, view))
        task = Task(
            package=folder,
            output=output,
            scratch=scratch,
            toolchain=toolchain,
            view=view,
            command=repeat,
            config=config,
            resume=work.resume is not None,
            cluster=machines,
            first_words=lambda record: [_AFTER_ONE, *advice(Analysis(record))],
        )
        record = measure(_complete(choices, config), task)
    analysis = Analysis(record)
    write_report(analysis, output)
    print_report(analysis, console)
    for line in advice(analysis) if choices.quick else ():
        say(console, line)
    console.print(f"\nWrote the record and its report to {output}.", highlight=False, soft_wrap=True)
    return record


def _is_unsound(record: Record) -> bool:
    """Whether a verified program differs from that of a clean build, or none could be verified."""
    assert record.verification is not None
    counts = record.verification.counts()
    return bool(counts["unsound"]) or counts["not verified"] == sum(counts.values())
