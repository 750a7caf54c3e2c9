"""The numbers of the committed records in documents.

    <!-- measured: begin live -->
    …
    <!-- measured: end -->

The name of a record shows its first chart, and `bench` its table; `live 40 private-top HTTPClient` one edit with so
many copies, `matrix private-top HTTPClient` the files that one edit compiles, `history waiting` the table of a
package's own commits, and `history gain` the same in short, also with copies.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from swiftmodules.errors import UsageError
from swiftmodules.measure import report, waiting
from swiftmodules.measure.analysis import Analysis
from swiftmodules.measure.charts import charts
from swiftmodules.measure.store import read_record
from swiftmodules.measure.tables import Table

from repo import bench

RESULTS = Path("docs/results")
RECORDS: Mapping[str, Path] = {
    name: RESULTS / name / "results.json"
    for name in ("layouts", "live", "floor", "matrix", "history", "history-copies")
}
BENCH = RESULTS / "router/results.json"


class Measured:
    """The records of a repository, each read and analysed when a document first needs it."""

    def __init__(self, repository: Path) -> None:
        self._repository = repository
        self._analyses: dict[str, Analysis] = {}

    def part(self, argument: str) -> tuple[str, list[str]]:
        """The record that an argument is about, and the lines between the markers. Raises `ToolError`."""
        name = argument.partition(" ")[0]
        if name == "bench":
            text = bench.markdown_table(bench.read_record(self._repository / BENCH))
        else:
            text = self._text(argument).strip("\n")
        return str(RECORDS.get(name, BENCH)), ["", *text.split("\n"), ""]

    def whole_files(self) -> dict[Path, tuple[Path, Callable[[], str]]]:
        """The reports and charts beside the records, by their paths: the record that is shown, and the right text."""
        files: dict[Path, tuple[Path, Callable[[], str]]] = {}
        for name, path in self._found:
            files[path.with_suffix(".md")] = path, partial(lambda name: report.markdown(self._analysis(name)), name)
            for chart, text in charts(self._analysis(name)).items():
                files[path.with_name(chart)] = path, partial(str, text)
        return files

    def older_records(self) -> list[str]:
        """A notice for each record that does not name its commit, or edits a file that has changed since."""
        notices = []
        for name, path in self._found:
            record = self._analysis(name).record
            files = sorted({place.file for place in record.placements if place.file})
            commit = record.revision.commit
            if commit is None:
                notices.append(f"{path} does not name the commit that was measured.")
            elif changed := self._changed(commit, files):
                notices.append(f"{path} is of {commit[:9]}, and edits what has changed since: {', '.join(changed)}.")
        return notices

    def _text(self, argument: str) -> str:
        match argument.split():
            case [name] if name in RECORDS:
                return report.summary(self._analysis(name), f"results/{name}/")
            case [name, "waiting"] if name in RECORDS:
                return str(waiting.waiting_table(self._analysis(name)))
            case ["history", "gain"]:
                tables = [waiting.waiting_table(self._analysis(name)) for name, _ in self._found if "history" in name]
                rows = [(*row[:4], row[5]) for table in tables for row in table.rows[1:]]
                return str(Table((*tables[0].columns[:4], tables[0].columns[5]), rows, texts=1))
            case [name, copies, edit, module] if name in RECORDS and copies.isdecimal():
                return report.one_edit(self._analysis(name), edit, module, int(copies))
            case [name, edit, module] if name in RECORDS:
                return report.reach(self._analysis(name).record, edit, module)
            case _:
                raise UsageError(f"no part is called '{argument}'. scripts/repo/docs/record_parts.py lists them.")

    def _changed(self, commit: str, files: list[str]) -> list[str]:
        """The files that differ from a commit, as far as it is known here."""
        command = ["git", "diff", "--name-only", commit, "HEAD", "--", *files]
        found = subprocess.run(command, cwd=self._repository, capture_output=True, text=True, check=False)
        return found.stdout.split() if files else []

    @property
    def _found(self) -> list[tuple[str, Path]]:
        return [(name, path) for name, path in RECORDS.items() if (self._repository / path).is_file()]

    def _analysis(self, name: str) -> Analysis:
        if name not in self._analyses:
            self._analyses[name] = Analysis(read_record(self._repository / RECORDS[name]))
        return self._analyses[name]
