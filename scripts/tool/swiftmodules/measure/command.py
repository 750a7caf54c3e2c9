"""The commands of `measure`.

What a command needs is imported when it is called: `--help` needs nothing of it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from swiftmodules import options
from swiftmodules.command_line import annotate, package_folder, repeating


def measure(
    package: options.PackagePath = None,
    *,
    choices: options.MeasureChoices = options.MeasureChoices(),
    output: options.Output = None,
) -> int:
    """Builds a package after edits, or after its own commits, and shows what was compiled, why, and how long it took:
    in several layouts of the same code, or with several settings.

    The package is only read: a copy is built. In each round, every edit is made and built once in every place, in
    random order, and in the first layout twice (A/A control); each round has new build folders. After the rounds, each
    cell is verified: the program after an incremental build must do what it does after a clean build of the same
    sources. Each sample is kept at once; to resume an interrupted history, repeat the command.

    Results: a table on standard output; results.json and results.md with its charts in the output folder. For
    trustworthy times do not use the machine meanwhile. With --rounds 0 nothing is timed, and the same code gives the
    same files on every machine with as many cores.

    examples:
      {program} --quick
      {program} ../Shop --edits body,public-top --modules Cart --layouts interface
      {program} --copies 40
      {program} --settings default,lld --edits body
      {program} ../Shop --edits history:100
      {program} ../Shop --against main --rounds 0
      {program} ../Shop --against main --edits history:20

    {layouts}

    {edits}
    """
    from swiftmodules.builds.folders import scratch_folder
    from swiftmodules.measure.loop import Run
    from swiftmodules.measure.report import in_short, write_report
    from swiftmodules.measure.results import Results
    from swiftmodules.progress import ProgressView
    from swiftmodules.swiftpm.config import config_of
    from swiftmodules.swiftpm.toolchain import Toolchain

    folder = package_folder(package)
    scratch = scratch_folder(folder)
    output = output or scratch / "results" / _usual_name(choices)
    toolchain, config = Toolchain.find(variables=choices.variable), config_of(folder)
    record = Run(choices, folder, output, scratch, toolchain, ProgressView(), config, package).run()
    write_report(Results(record), output)
    print(f"{in_short(Results(record))}\n\nWrote the record and its report to {output}.")
    return 1 if choices.verify and record.verification and not record.verification.is_sound else 0


def compare(
    older: Annotated[Path, Parameter(name="A", help="The older record.")],
    newer: Annotated[Path, Parameter(name="B", help="The newer record.")],
    /,
) -> int:
    """Shows what an edit compiles and links in record B other than in record A, and fails where that is more.

    Times of two runs are not compared, as they never take place under quite the same conditions: 'measure --against
    REV' measures two states of a package in one run.

    examples:
      {program} before after
      {program} docs/results/matrix .build/measure/results/counts
    """
    from swiftmodules.measure.compare import compare as compared
    from swiftmodules.measure.record import read_record

    found = compared(read_record(older), read_record(newer))
    print(found)
    for each in found.failures:
        annotate("error", f"{each} compiles or links more.")
    return 1 if found.failures else 0


def _usual_name(choices: options.MeasureChoices) -> str:
    """The folder of the results. The same command for a history finds the same folder again."""
    history = [edit.replace(":", "-") for edit in choices.edits if edit.startswith("history:")]
    if not history:
        return datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    command = repeating(None, choices)
    return "-".join([*history, sha256(command.encode()).hexdigest()[:8]])
