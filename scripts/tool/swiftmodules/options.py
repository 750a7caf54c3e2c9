"""The options of the commands: frozen dataclasses that the command line fills, and that a record's command repeats.

The text below a field is its help.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

# The package that commands work on by default. The launchers of a repository set it to the repository, as they are
# called from any folder: an option in their command line could not be overridden by one of the user's.
PACKAGE_VARIABLE = "SWIFTMODULES_PACKAGE"


def _names(_: Any, tokens: Sequence[Any]) -> tuple[str, ...]:  # noqa: ANN401
    """Reads `A,B`, given once or several times."""
    found = dict.fromkeys(name.strip() for token in tokens for name in token.value.split(",") if name.strip())
    if not found:
        raise ValueError("It has no name; give names with commas between them, as in 'A,B'.")
    return tuple(found)


# The ends of a step: an incremental build; the builds of what caches of targets do not have; the tests that must run.
End = Literal["built", "cached", "tests"]
Flag = Annotated[bool, Parameter(negative="", show_default=False)]
Names = Annotated[tuple[str, ...], Parameter(converter=_names, n_tokens=1, negative="", show_default=False)]
Positive = Annotated[int, Parameter(validator=Number(gte=1))]
Natural = Annotated[int, Parameter(validator=Number(gte=0))]
# The scripts of a repository name it, from any folder.
_DEFAULT_PACKAGE = os.environ.get(PACKAGE_VARIABLE) or "that of the nearest Package.swift above"
PackagePath = Annotated[
    Path | None,
    Parameter(name="--package", help=f"The folder of the package. By default, {_DEFAULT_PACKAGE}."),
]
Output = Annotated[
    Path | None,
    Parameter(help="The folder of the results [default: a new one in .build/measure; of a history, always the same]."),
]
Variables = Annotated[Names, Parameter(help="The environment variables that the manifest reads, as in --variable A,B.")]
Passed = Annotated[str, Parameter(help="Arguments of the program, after --.")]
# A class with this has its fields among the options of a command, without a name before them.
_flat = Parameter(name="*")


@_flat
@dataclass(frozen=True, kw_only=True)
class GraphChoices:
    variable: Variables = ()
    level: Literal["modules", "targets"] | None = None
    """One node for each [default: modules, or targets in a package without modules]."""
    module: str | None = None
    """Only this module, what it uses, and its users."""
    why: Annotated[tuple[str, str] | None, Parameter(negative="")] = None
    """The shortest path by which module or target A depends on B."""
    impact: str | None = None
    """What an edit of a file, target or module would reach."""
    since: str | None = None
    """What has changed since a revision, and what that reaches."""
    test_filter: Flag = False
    """With --since, print the expression for 'swift test --filter' alone: '.' is all tests, and '^$' none."""
    all: Flag = False
    """With --since, list the test targets that are skipped too."""
    traits: Names = ()
    """The traits that 'swift test' is given, as in --traits A,B [default: what stands behind any trait counts]."""
    json: Flag = False
    """Print the graph or the answer as JSON."""


@_flat
@dataclass(frozen=True, kw_only=True)
class MeasureChoices:
    """What is measured: the values on each axis, and how often."""

    variable: Variables = ()
    layouts: Names = ()
    """How the code is grouped into targets [default: interface,fused,monolith; or interface with several settings]."""
    copies: Natural = 0
    """Copies of the module scale_module of swiftmodules.toml, in a larger package; 0 is the package as it is."""
    settings: Names = ()
    """Ways to build, also those of swiftmodules.toml, or 'all' [default: default]."""
    edits: Names = ()
    """Edits [default: those marked above; all with --rounds 0], 'all', or history:N, the last N commits."""
    modules: Names = ()
    """Modules to edit [default: those of swiftmodules.toml, or the most imported one; all if untimed]."""
    against: str | None = None
    """A commit or branch whose state is compared with the present one; a history takes the commits since then."""
    until: End = "built"
    """What is timed: the incremental build, the build of what a cache by source lacks, or the tests that must run."""
    rounds: Natural | None = None
    """Timed rounds, of which a verdict needs six; 0 lists compiled files and reasons [default: 6; 1 for a history]."""
    quick: Flag = False
    """As many rounds of the edits of one module as fit into about 5 minutes, and no verification."""
    verify: Annotated[bool | None, Parameter(show_default=False)] = None
    """Compare the program and the tests with those of a clean build [default: the program, where times are taken]."""
