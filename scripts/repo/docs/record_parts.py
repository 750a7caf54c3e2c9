"""The numbers of the committed records in documents.

    <!-- measured: begin layouts -->
    …
    <!-- measured: end -->

The name of a record shows its chart, or of a history its table, and `matrix private-top HTTPClient` the files that one
edit compiles.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path, PurePosixPath

from swiftmodules.builds.reasons import EDITED
from swiftmodules.errors import UsageError
from swiftmodules.measure.charts import CHART, chart, description
from swiftmodules.measure.record import Record, decoded, read_record
from swiftmodules.measure.report import markdown, warnings
from swiftmodules.measure.results import LEAST_SAMPLES, Results
from swiftmodules.measure.tables import commits_table
from swiftmodules.observed import amount

from repo import bench

RECORDS = Path("docs/results")
BENCH = RECORDS / "router/results.json"


class Measured:
    """The records of a repository."""

    def __init__(self, repository: Path) -> None:
        self._repository = repository
        found = sorted((repository / RECORDS).glob("*/results.json"))
        self._results = {path.parent.name: Results(read_record(path)) for path in found if path != repository / BENCH}

    def part(self, argument: str) -> tuple[str, list[str]]:
        """The record that an argument is about, and the lines between the markers. Raises `UsageError`."""
        name, _, rest = argument.partition(" ")
        results = self._results.get(name)
        match rest.split():
            case [] if results:
                is_history = results.record.commits
                text = str(commits_table(results)) if is_history else summary(results, f"results/{name}/")
            case [edit, module] if results:
                text = reach(results.record, edit, module)
            case _:
                raise UsageError(f"no part is called '{argument}'. scripts/repo/docs/record_parts.py lists them.")
        return str(_file(name)), text.strip("\n").split("\n")

    def whole_files(self) -> dict[Path, tuple[Path, str]]:
        """The reports and charts beside the records, by their paths: the record that is shown, and the right text."""
        files: dict[Path, tuple[Path, str]] = {}
        for name, results in self._results.items():
            path = _file(name)
            files[path.with_suffix(".md")] = path, markdown(results)
            if drawn := chart(results):
                files[path.with_name(CHART)] = path, drawn
        if (self._repository / BENCH).is_file():
            files[BENCH.with_suffix(".md")] = BENCH, bench.report(decoded(self._repository / BENCH, bench.BenchRecord))
        return files


def _file(name: str) -> Path:
    return RECORDS / name / "results.json"


def summary(results: Results, folder: str) -> str:
    """The chart of a record, in a folder such as `results/copies/`, and how far it can be trusted."""
    image = f"![{description(results)}]({folder}{CHART})"
    control, rounds = results.control, amount(results.record.rounds, "round")
    sentence = f"[The report]({folder}results.md)" + (f" of {rounds}" if results.is_timed else "")
    if control:
        weak = "" if control.is_interval else f" (too few to judge the run by; {LEAST_SAMPLES} are needed)"
        sentence += f"; A/A control: {control}, from {amount(control.count, 'round')}{weak}"
    return "\n\n".join([*warnings(results), image, f"{sentence}."])


def reach(record: Record, edit: str, module: str) -> str:
    """Draws the targets with files that one edit compiles, in each layout, as a Mermaid graph. Raises `UsageError`."""
    samples = [each for each in record.samples if each.row == (edit, module)]
    if not samples:
        known = ", ".join(dict.fromkeys(f"{each.edit} {each.module}" for each in record.samples))
        raise UsageError(f"the record has no '{edit} {module}'. It has: {known}.")
    lines = ["```mermaid", "graph LR"]
    for sample in samples:
        if not isinstance(sample.compiled, dict):
            continue
        folders = Counter(_target_folder(file) for file in sample.compiled)
        edited = {_target_folder(file) for file, reason in sample.compiled.items() if reason == EDITED}
        layout = sample.layout
        lines.append(f'    subgraph {layout}["{layout}: {amount(len(sample.compiled), "file")}"]')
        for number, folder in enumerate(sorted(folders, key=lambda each: (each not in edited, each))):
            node = f'{layout}{number}["{"/".join(folder.parts[-2:])}: {folders[folder]}"]'
            lines.append(f"        {node}" if number == 0 else f"        {layout}0 --> {node}")
        lines.append("    end")
    return "\n".join([*lines, "```"])


def _target_folder(file: str) -> PurePosixPath:
    """`Modules/Notes/Implementation`, or `App`."""
    return PurePosixPath(*PurePosixPath(file).parent.parts[:3])
