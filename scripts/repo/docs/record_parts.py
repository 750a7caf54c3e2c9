"""The numbers of the committed records in documents.

    <!-- measured: begin scale -->
    …
    <!-- measured: end -->

`bench` shows the table of that record, and the name of another one its plot; `live 40 private-top HTTPClient` one edit
at one size, and `matrix private-top HTTPClient` the files that one edit compiles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

from swiftmodules.analysis.compare import AnyAnalysis, analyse
from swiftmodules.analysis.live import LiveAnalysis
from swiftmodules.analysis.matrix import MatrixAnalysis
from swiftmodules.errors import RecordError, UsageError
from swiftmodules.records.files import read_kind, read_record
from swiftmodules.records.kinds import BenchRecord
from swiftmodules.report import documents, markdown, plots

from repo import bench

RESULTS = Path("docs/results")
RECORDS: Mapping[str, Path] = {
    "layouts": RESULTS / "layouts/results.json",
    "scale": RESULTS / "scale/results.json",
    "live": RESULTS / "live/results.json",
    "floor": RESULTS / "floor/results.json",
    "simulate": RESULTS / "simulate/results.json",
    "matrix": RESULTS / "matrix/results.json",
    "bench": RESULTS / "router/results.json",
}

_Analysis = TypeVar("_Analysis")


class Measured:
    """The records of a repository, each read and analysed when a document first needs it."""

    def __init__(self, repository: Path) -> None:
        self._repository = repository
        self._analyses: dict[str, AnyAnalysis] = {}

    def part(self, argument: str) -> tuple[str, list[str]]:
        """The record that an argument is about, and the lines between the markers. Raises `ToolError`."""
        text = self._text(argument)
        return str(RECORDS[argument.partition(" ")[0]]), ["", *text.strip("\n").split("\n"), ""]

    def whole_files(self) -> dict[Path, tuple[Path, Callable[[], str]]]:
        """The reports and plots beside the records, by their paths: the record that is shown, and the right text."""
        files: dict[Path, tuple[Path, Callable[[], str]]] = {}
        for name, path in RECORDS.items():
            if name != "bench" and (self._repository / path).is_file():
                files[path.with_suffix(".md")] = (
                    path,
                    partial(lambda name: markdown.markdown(self._analysis(name)), name),
                )
                for plot, text in plots.plots(self._analysis(name)).items():
                    files[path.with_name(plot)] = path, partial(str, text)
        return files

    def _text(self, argument: str) -> str:
        match argument.split():
            case ["live", size, edit, module]:
                return documents.live_layouts(self._of("live", LiveAnalysis), size, edit, module)
            case ["matrix", edit, module]:
                return documents.reach(self._of("matrix", MatrixAnalysis).record, edit, module)
            case ["bench"]:
                return bench.markdown_table(read_kind(self._repository / RECORDS["bench"], BenchRecord))
            case [name] if name in RECORDS and plots.plots(self._analysis(name)):
                return documents.summary(self._analysis(name), f"results/{name}/")
            case _:
                raise UsageError(f"no part is called '{argument}'. scripts/repo/docs/record_parts.py lists them.")

    def _of(self, name: str, kind: type[_Analysis]) -> _Analysis:
        found = self._analysis(name)
        if not isinstance(found, kind):
            raise RecordError(f"{RECORDS[name]} is a record of another kind than the documents show there.")
        return found

    def _analysis(self, name: str) -> AnyAnalysis:
        if name not in self._analyses:
            self._analyses[name] = analyse(read_record(self._repository / RECORDS[name]))
        return self._analyses[name]
