"""The commands of `measure`.

What a command needs is imported when it is called: `--help` needs nothing of it.
"""

from __future__ import annotations

import secrets
import sys
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from json import dumps as encoded
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from swiftmodules import options
from swiftmodules.annotations import annotate
from swiftmodules.command_line import package_folder, repeating, terminal
from swiftmodules.errors import UsageError

if TYPE_CHECKING:
    from swiftmodules.measure.record import Record


def measure(
    package: options.PackagePath = None,
    *,
    choices: options.MeasureChoices = options.MeasureChoices(),
    output: options.Output = None,
) -> int:
    """Builds a package after edits, or after its own commits, and shows what was compiled, why, and how long it took:
    in several layouts of the same code, sizes and settings.

    The package is only read: a copy is built. In each round, every edit is made and built once in every place, in
    random order, and in the first layout twice (A/A control); each round has new build folders. After the rounds, each
    cell is verified: the program after an incremental build must do what it does after a clean build of
    the same sources. Each sample is kept at once; to resume an interrupted history, repeat
    the command.

    Results: a table on standard output; results.json and results.md with its charts in the output folder. For
    trustworthy times do not use the machine meanwhile. With --rounds 0 nothing is timed, and the same code gives the
    same files on every machine with as many cores.

    examples:
      {program} --quick
      {program} ../Shop --edits body,Sources/Cart/Cart.swift:public-top --layouts interface
      {program} --copies 5,20,80
      {program} --settings default,lld --layouts interface --edits body
      {program} ../Shop --edits history:100
      {program} ../Shop --against main --rounds 0
      {program} ../Shop --against main --edits history:20

    {layouts}

    {edits}
    """
    folder = package_folder(package)
    record = _measured(folder, package, _complete(choices, folder), output)
    return 1 if choices.verify and _is_unsound(record) else 0


def report(
    record: Annotated[Path, Parameter(name="RECORD", help="Its file or folder.")],
    /,
) -> int:
    """Prints the report of a record as Markdown, also of samples.jsonl of a run that was interrupted.

    examples:
      {program} results
    """
    from swiftmodules.measure.record import read_record
    from swiftmodules.measure.report import markdown
    from swiftmodules.measure.results import Results

    sys.stdout.write(markdown(Results(read_record(record))))
    return 0


def compare(
    older: Annotated[Path, Parameter(name="A", help="The older record.")],
    newer: Annotated[Path, Parameter(name="B", help="The newer record.")],
    /,
    *,
    fail_above: Annotated[options.Share, Parameter(help="The increase above which a cell counts as slower.")] = 0.1,
    json: Annotated[options.Flag, Parameter(help="Print one JSON object.")] = False,
) -> int:
    """Shows what has changed from record A to record B, and fails where something became slower, or compiles more.

    Times are compared by their medians, with an interval of at least 95%. A cell is slower where the whole
    interval is above the limit of --fail-above: two runs never take place under quite the same conditions, which no
    interval covers. A cell also fails that compiles or links more, except a clean build. Records of different machines,
    toolchains or numbers of jobs are compared by their counts.

    examples:
      {program} before after --fail-above 5%
      {program} docs/results/matrix .build/measure/results/counts
    """
    from swiftmodules.measure.compare import compare as compared
    from swiftmodules.measure.compare import print_comparison
    from swiftmodules.measure.record import read_record

    comparison = compared(read_record(older), read_record(newer))
    if json:
        print(encoded(comparison.as_json(fail_above), indent=1, ensure_ascii=False))
    else:
        print_comparison(comparison, fail_above, terminal())
    failures = comparison.failures(fail_above)
    for each in failures:
        annotate("error", f"{each} became slower, or compiles or links more.")
    return 1 if failures else 0


def _complete(choices: options.MeasureChoices, folder: Path) -> options.MeasureChoices:
    """The choices with 'all' replaced by names, and a seed. Raises `UsageError` for wrong names."""
    from swiftmodules.builds.settings import chosen_settings, settings_of
    from swiftmodules.layouts.generate import LAYOUTS
    from swiftmodules.steps.edit import EDITS, wanted_edit
    from swiftmodules.steps.history import history_count
    from swiftmodules.swiftpm.config import config_file, read_config

    if choices.quick and choices.rounds is not None:
        raise UsageError("--quick chooses the number of rounds. Leave out --rounds, or --quick.")
    is_history = history_count(choices.edits) is not None
    if choices.quick and is_history:
        raise UsageError("--quick cannot replay a history. Leave out --quick, and choose a smaller number.")
    if is_history and any(choices.copies):
        raise UsageError("A history has no copies. Leave out --copies.")
    if choices.against and (choices.layouts or any(choices.copies)):
        raise UsageError(
            "--against chooses the layouts itself, and has no copies. Leave out --layouts and --copies, or --against."
        )
    edits = tuple(EDITS) if choices.edits == ("all",) else choices.edits
    for edit in () if is_history else edits:
        wanted_edit(edit)
    for layout in choices.layouts:
        if layout not in LAYOUTS:
            raise UsageError(f"No layout is called '{layout}'. Choose from: {', '.join(LAYOUTS)}.")
    config = read_config(config_file(folder))
    settings = chosen_settings(choices.settings, config)
    known = settings_of(config)
    engines = [each for each in settings if "--build-system" in known[each].options]
    if choices.until != "built" and engines:
        raise UsageError(
            f"--until {choices.until} needs the native build engine, and '{engines[0]}' is another. Leave out one of "
            "them."
        )
    seed = secrets.randbelow(2**32) if choices.seed is None else choices.seed
    return replace(choices, edits=edits, settings=settings, seed=seed)


def _measured(folder: Path, package: Path | None, choices: options.MeasureChoices, output: Path | None) -> Record:
    """Measures, writes the report, and shows the result."""
    from swiftmodules.builds.folders import scratch_folder
    from swiftmodules.measure.loop import Task, measure
    from swiftmodules.measure.report import print_report, write_report
    from swiftmodules.measure.results import Results
    from swiftmodules.progress import ProgressView
    from swiftmodules.swiftpm.config import config_file, read_config
    from swiftmodules.swiftpm.toolchain import Toolchain

    config, console = read_config(config_file(folder)), terminal()
    scratch = scratch_folder(folder)
    output = output or scratch / "results" / _usual_name(choices)
    toolchain = Toolchain.find(variables=choices.variable)

    def repeat(rounds: int, seed: int, **measured: object) -> str:
        chosen: dict[str, object] = {"rounds": rounds, "quick": False, "seed": seed if rounds else None, **measured}
        chosen |= {"verify": False} if choices.quick else {}
        return repeating("measure", package, choices, **chosen)

    view = ProgressView(terminal(stderr=True))
    record = measure(choices, Task(folder, output, scratch, toolchain, view, repeat, config))
    results = Results(record)
    write_report(results, output)
    print_report(results, console)
    console.print(f"\nWrote the record and its report to {output}.", highlight=False, soft_wrap=True)
    return record


def _usual_name(choices: options.MeasureChoices) -> str:
    """The folder of the results. The same command for a history finds the same folder again."""
    history = [edit.replace(":", "-") for edit in choices.edits if edit.startswith("history:")]
    if not history:
        return datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    command = repeating("measure", None, choices, seed=None)
    return "-".join([*history, sha256(command.encode()).hexdigest()[:8]])


def _is_unsound(record: Record) -> bool:
    """Whether a program differs from the program of a clean build, or no program could be verified."""
    assert record.verification is not None
    counts = record.verification.counts()
    return bool(counts["unsound"]) or counts["not verified"] == sum(counts.values())
