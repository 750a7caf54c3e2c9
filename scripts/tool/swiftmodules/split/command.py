"""The command `measure split`.

What it needs is imported when it is called: `--help` needs nothing of it.
"""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from swiftmodules import options
from swiftmodules.command_line import package_folder, program

Parts = Annotated[
    int | None,
    Parameter(help="Cut it into so many targets [default: as many as save enough].", validator=Number(gte=2)),
]


def split(
    package: options.PackagePath = None,
    *,
    target: str,
    parts: Parts = None,
    files: Annotated[
        options.Names, Parameter(help="Cut these files off, with all that they use, in place of what is proposed.")
    ] = (),
    branch: Annotated[str, Parameter(help="The new branch [default: cut- and the target's name].")] = "",
    commits: options.Positive = 200,
    variable: options.Names = (),
) -> int:
    """Cuts a large target into several, as 'measure advise' proposes, on a new branch.

    Works in a copy of the last commit, and leaves the checkout as it is. Moves declarations into the files of new
    targets, raises their access as far as other targets use them, writes the initialisers that the compiler makes up
    for structures, and changes imports and the manifest. Then it builds, repairs what the compiler refuses in at most
    five rounds, and runs the tests. There is a commit only if all tests pass that passed before.

    Refuses a target with resources or macros, a manifest that does not write its targets out, a change of a file behind
    a link, and a cut that saves less than a tenth. Interfaces in front of classes are not made: 'measure advise' lists
    the places that need them.

    examples:
      {program} --target Shop
      {program} ../Shop --target Shop --parts 3
      {program} ../Shop --target Shop --files Money.swift,Price.swift
    """
    from swiftmodules.builds.folders import run_folder, scratch_folder
    from swiftmodules.errors import ToolError
    from swiftmodules.progress import ProgressView
    from swiftmodules.split.branch import Whole, require_new_branch
    from swiftmodules.steps.history import Repository
    from swiftmodules.swiftpm.config import config_of
    from swiftmodules.swiftpm.toolchain import Toolchain

    folder, toolchain = package_folder(package), Toolchain.find(variables=variable)
    view, config, repository = ProgressView(), config_of(folder), Repository(folder)
    branch = branch or f"cut-{'-'.join(target.lower().split())}"
    with run_folder(scratch_folder(folder), toolchain, takes_times=False) as (work, kept):
        require_new_branch(repository, branch)
        try:
            done = Whole(repository, work, kept, config, view, target, files, commits).cut(branch, parts)
        except ToolError as error:
            raise type(error)(str(error).replace(f"{work}/tree", "")) from error
    for line in done.lines(program("measure"), folder):
        print(line)
    return 0
