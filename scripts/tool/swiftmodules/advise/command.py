"""The command `measure advise`.

What it needs is imported when it is called: `--help` needs nothing of it.
"""

from __future__ import annotations

from json import dumps as encoded
from typing import Annotated

from cyclopts import Parameter

from swiftmodules import options
from swiftmodules.command_line import package_folder, terminal


def advise(
    package: options.PackagePath = None,
    *,
    commits: options.Positive = 200,
    json: Annotated[options.Flag, Parameter(help="Print one JSON object.")] = False,
    variable: options.Repeated = (),
) -> int:
    """Ranks the targets of a package by what an interface in front of each would have saved after the package's own
    commits.

    Builds the package once, for the compiler's index, and predicts for each of the last commits the files that a cache
    by source rebuilds, the files that an incremental build compiles, and the test targets that are run: today, and if
    users saw an interface only. Names the declarations of this interface, and the places in users that call what no
    interface can hold, such as an initialiser of a class: what is saved is shown as these users are, and after these
    places are changed. Lists the interfaces that are there by what changing them cost. 'measure --against REV' measures
    a split that was made.

    examples:
      {program}
      {program} ../Shop --commits 500 --json
    """
    from swiftmodules.advise.advice import find_advice
    from swiftmodules.builds.folders import scratch_folder
    from swiftmodules.measure.report import say
    from swiftmodules.progress import ProgressView
    from swiftmodules.swiftpm.config import config_file, read_config
    from swiftmodules.swiftpm.toolchain import Toolchain

    folder, toolchain = package_folder(package), Toolchain.find(variables=variable)
    view, config = ProgressView(terminal(stderr=True)), read_config(config_file(folder))
    found = find_advice(folder, scratch_folder(folder), toolchain, config, view, commits)
    if json:
        print(encoded(found.as_json, indent=1, ensure_ascii=False))
        return 0
    console = terminal()
    for line in found.lines:
        say(console, line)
    if found.interfaces:
        console.print(found.table.rich())
    return 0
