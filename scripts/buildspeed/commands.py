"""The commands of `scripts/measure`. Each is the function `run` of a module `<name>_command`."""

from __future__ import annotations

from collections.abc import Mapping

DEFAULT = "layouts"

COMMANDS: Mapping[str, str] = {
    DEFAULT: "what this page tells, and what happens when no command is named",
    "report": "makes the report of a record again: Markdown, HTML, CSV or JSON",
    "compare": "tells what has changed between two records, and finds regressions",
    "package": "measures any other Swift package: edits in its files, with its interfaces and without",
    "matrix": "tells which files are compiled after each edit, and why, without times",
    "verify": "compares the program after incremental builds with that of clean ones",
    "scale": "tells what each added module costs, in packages of growing size",
    "floor": "tells how close builds come to the work that cannot be avoided, and which settings bring them closer",
    "simulate": "predicts builds on other numbers of cores from the times of the compiler's jobs",
}
