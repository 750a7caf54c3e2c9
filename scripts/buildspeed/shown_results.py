"""Which committed results are shown where: in documents between markers, in reports as a whole, and in plots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from buildspeed.failures import MeasurementError
from buildspeed.floor import record as floor_record
from buildspeed.floor import report as floor_report
from buildspeed.matrix import RECORD as MATRIX_RECORD
from buildspeed.matrix import read_matrix
from buildspeed.matrix_report import document as matrix_document
from buildspeed.record import read_record
from buildspeed.report import compact_report, markdown, report_body
from buildspeed.scale.plots import QUANTITIES, fingerprint, plot
from buildspeed.scale.record import read_scale_record
from buildspeed.scale.report import plot_name, scale_markdown, scale_summary
from buildspeed.simulation import record as simulation_record
from buildspeed.simulation import report as simulation_report
from routerbench.record import read_record as read_router_record
from routerbench.report import markdown_table

RESULTS = Path("docs/results/layouts/results.json")
ROUTER_RESULTS = Path("docs/results/router/results.json")
SCALE_RESULTS = Path("docs/results/scale/results.json")
FLOOR_RESULTS = Path("docs/results/floor/results.json")
SIMULATE_RESULTS = Path("docs/results/simulate/results.json")
ALL_RESULTS = (RESULTS, ROUTER_RESULTS, SCALE_RESULTS, FLOOR_RESULTS, SIMULATE_RESULTS, MATRIX_RECORD)


@dataclass(frozen=True)
class Measurements:
    """A committed file of results, what a document says of it, and the name in the markers around that, where a
    document has several."""

    results: Path
    text: Callable[[Path], str]
    name: str = ""

    @property
    def begin(self) -> str:
        return f"<!-- {' '.join(filter(None, ('measured: begin', self.name)))} -->\n"

    @property
    def end(self) -> str:
        return f"<!-- {' '.join(filter(None, ('measured: end', self.name)))} -->"


# Documents with a whole table of numbers.
DOCUMENTS: Mapping[Path, Sequence[Measurements]] = {
    Path("README.md"): [Measurements(RESULTS, lambda path: compact_report(read_record(path)))],
    Path("docs/BuildSpeed.md"): [
        Measurements(SCALE_RESULTS, lambda path: scale_summary(read_scale_record(path), "results/scale/"), "scale"),
        Measurements(FLOOR_RESULTS, lambda path: floor_report.report_body(floor_record.read_record(path)), "floor"),
        Measurements(
            SIMULATE_RESULTS,
            lambda path: simulation_report.report_body(simulation_record.read_record(path)),
            "simulate",
        ),
        Measurements(RESULTS, lambda path: report_body(read_record(path))),
    ],
    Path("scripts/repo/benchmarks/README.md"): [
        Measurements(ROUTER_RESULTS, lambda path: markdown_table(read_router_record(path)))
    ],
}
# Documents that are written as a whole.
REPORTS: Mapping[Path, Measurements] = {
    RESULTS.with_name("results.md"): Measurements(RESULTS, lambda path: markdown(read_record(path))),
    SCALE_RESULTS.with_name("results.md"): Measurements(
        SCALE_RESULTS, lambda path: scale_markdown(read_scale_record(path))
    ),
    FLOOR_RESULTS.with_name("results.md"): Measurements(
        FLOOR_RESULTS, lambda path: floor_report.markdown(floor_record.read_record(path))
    ),
    SIMULATE_RESULTS.with_name("results.md"): Measurements(
        SIMULATE_RESULTS, lambda path: simulation_report.markdown(simulation_record.read_record(path))
    ),
    MATRIX_RECORD.with_suffix(".md"): Measurements(MATRIX_RECORD, lambda path: matrix_document(read_matrix(path))),
}


def with_measurements(text: str, path: Path, repository: Path, measurements: Sequence[Measurements]) -> str:
    """A document's text with the numbers of its results between their markers."""
    for each in measurements:
        before, begin, rest = text.partition(each.begin)
        _, end, after = rest.partition(each.end)
        if not begin or not end:
            raise MeasurementError(
                f"{path} has no lines '{each.begin.strip()}' and '{each.end}', between which its numbers go."
            )
        text = f"{before}{begin}\n{each.text(repository / each.results)}\n{end}{after}"
    return text


def drifted_plots(repository: Path) -> dict[Path, Callable[[], str]]:
    """The plots that are not of the committed results, each with what draws it; they are drawn only where they have to
    be, as it takes seconds."""
    record = read_scale_record(repository / SCALE_RESULTS)
    found: dict[Path, Callable[[], str]] = {}
    for shape in dict.fromkeys(each.shape for each in record.sizes):
        for quantity in QUANTITIES:
            path = SCALE_RESULTS.with_name(plot_name(shape, quantity))
            if not (repository / path).is_file() or fingerprint(record) not in (repository / path).read_text():
                found[path] = lambda shape=shape, quantity=quantity: plot(record, shape, quantity)
    return found
