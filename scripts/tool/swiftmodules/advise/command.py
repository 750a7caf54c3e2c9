"""The command `measure advise`.

What it needs is imported when it is called: `--help` needs nothing of it.
"""

from __future__ import annotations

from json import dumps as encoded
from typing import Annotated

from cyclopts import Parameter

from swiftmodules import options
from swiftmodules.command_line import package_folder
from swiftmodules.split.command import Parts


def advise(
    package: options.PackagePath = None,
    *,
    commits: options.Positive = 200,
    target: Annotated[
        str | None, Parameter(help="The target to cut [default: a target that has most of the files].")
    ] = None,
    parts: Parts = None,
    json: Annotated[options.Flag, Parameter(help="Print one JSON object.")] = False,
    variable: options.Names = (),
) -> int:
    """Ranks the targets of a package by what an interface in front of each would have saved after the package's own
    commits.

    Builds the package once, for the compiler's index, and predicts for each of the last commits the files that a cache
    by source rebuilds, and the test targets that are run: today, and if users saw an interface only. Names the
    declarations of this interface, and the places in users that call what no interface can hold, such as an initialiser
    of a class: what is saved is shown as these users are, and after these places are changed. Lists the interfaces that
    are there by what changing them cost. 'measure --against REV' counts the files that the compiler compiles before and
    after a split that was made.

    For a target that has most of the files, proposes where to cut it into targets that do not depend on one another in
    a cycle, by the declarations that use one another and by the commits that change them together, and predicts what
    the cut saves after the last fifth of these commits, which have no part in the choice.

    examples:
      {program}
      {program} ../Shop --commits 500 --json
      {program} ../Shop --target Shop --parts 4
    """
    from swiftmodules.advise.advice import find_advice
    from swiftmodules.builds.folders import scratch_folder
    from swiftmodules.progress import ProgressView
    from swiftmodules.swiftpm.config import config_of
    from swiftmodules.swiftpm.toolchain import Toolchain

    folder, toolchain = package_folder(package), Toolchain.find(variables=variable)
    view, config = ProgressView(), config_of(folder)
    found = find_advice(folder, scratch_folder(folder), toolchain, config, view, commits, target, parts)
    if json:
        print(encoded(found.as_json, indent=1, ensure_ascii=False))
        return 0
    print("\n".join(found.lines))
    return 0
