"""Writes what was measured, the code of sources and the graph of modules into the documents, between markers, or tells
what has drifted."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from buildspeed.code_blocks import CodeBlock, code_blocks, with_code
from buildspeed.failures import MeasurementError
from buildspeed.record import read_record
from buildspeed.record_file import write_atomically
from buildspeed.report import compact_report, markdown, report_body
from buildspeed.scale.plots import QUANTITIES, Quantity, fingerprint, plot
from buildspeed.scale.record import ScaleRecord, read_scale_record
from buildspeed.scale.report import plot_name, scale_markdown, scale_summary
from buildspeed.toolchain import find_toolchain
from modulegraph.architecture import Architecture, architecture_of
from modulegraph.graph_blocks import graph_blocks
from modulegraph.package_targets import read_targets
from routerbench.record import read_record as read_router_record
from routerbench.report import markdown_table

REPOSITORY = Path(__file__).resolve().parent.parent.parent
RESULTS = Path("docs/results/layouts/results.json")
ROUTER_RESULTS = Path("docs/results/router/results.json")
SCALE_RESULTS = Path("docs/results/scale/results.json")


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


# The documents with numbers. Code and graphs may be shown in each of `_MARKDOWN`.
DOCUMENTS: Mapping[Path, Sequence[Measurements]] = {
    Path("README.md"): [Measurements(RESULTS, lambda path: compact_report(read_record(path)))],
    Path("docs/BuildSpeed.md"): [
        Measurements(SCALE_RESULTS, lambda path: scale_summary(read_scale_record(path), "results/scale/"), "scale"),
        Measurements(RESULTS, lambda path: report_body(read_record(path))),
    ],
    Path("Modules/RouterService/README.md"): [
        Measurements(ROUTER_RESULTS, lambda path: markdown_table(read_router_record(path)))
    ],
}
# The reports that stand beside results as a whole.
REPORTS: Mapping[Path, Measurements] = {
    each.results.with_name("results.md"): each
    for each in (
        Measurements(RESULTS, lambda path: markdown(read_record(path))),
        Measurements(SCALE_RESULTS, lambda path: scale_markdown(read_scale_record(path))),
    )
}
ALL_RESULTS = (RESULTS, ROUTER_RESULTS, SCALE_RESULTS)
_MARKDOWN = ("*.md", "docs/**/*.md", "Modules/*/README.md")


@dataclass(frozen=True)
class Drift:
    """A part of a document, from a line on, that is not what its source says."""

    document: Path
    line: int
    source: str

    def __str__(self) -> str:
        return f"{self.document}:{self.line}: This is not what {self.source} says. Run scripts/documents."


def drifted(repository: Path) -> list[Drift]:
    """The parts of documents that are not what the committed results, the sources and the manifest say."""
    drifts = []
    architecture = _architecture_reader(repository)
    for path in _documents(repository):
        text = _read(repository / path)
        for each in DOCUMENTS.get(path, ()):
            if with_measurements(text, path, repository, [each]) != text:
                drifts.append(Drift(path, text[: text.index(each.begin)].count("\n") + 1, str(each.results)))
        blocks = _blocks(text, path, repository, architecture)
        drifts += [Drift(path, each.line, each.reference) for each in blocks if each.present != each.expected]
    for path, report in REPORTS.items():
        if _read(repository / path) != report.text(repository / report.results):
            drifts.append(Drift(path, 1, str(report.results)))
    record = read_scale_record(repository / SCALE_RESULTS)
    for path in _plots(record):
        # Not drawn again for this, which takes seconds.
        if fingerprint(record) not in _read(repository / path):
            drifts.append(Drift(path, 1, str(SCALE_RESULTS)))
    return drifts


def update(repository: Path) -> None:
    """Writes what the committed results, the sources and the manifest say into the documents."""
    texts = {path: report.text(repository / report.results) for path, report in REPORTS.items()}
    record = read_scale_record(repository / SCALE_RESULTS)
    for path, (shape, quantity) in _plots(record).items():
        if fingerprint(record) not in _read(repository / path):
            texts[path] = plot(record, shape, quantity)
    architecture = _architecture_reader(repository)
    for path in _documents(repository):
        text = _read(repository / path)
        text = with_code(text, _blocks(text, path, repository, architecture))
        texts[path] = with_measurements(text, path, repository, DOCUMENTS.get(path, ()))
    # Only now, so that a mistake in one document leaves all of them as they are.
    for path, text in texts.items():
        if _read(repository / path) != text:
            write_atomically(repository / path, text)


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


def _plots(record: ScaleRecord) -> dict[Path, tuple[str, Quantity]]:
    """The pictures of the committed results, with the shape and the quantity of each."""
    shapes = dict.fromkeys(each.shape for each in record.sizes)
    return {
        SCALE_RESULTS.with_name(plot_name(shape, quantity)): (shape, quantity)
        for shape in shapes
        for quantity in QUANTITIES
    }


def _blocks(text: str, path: Path, repository: Path, architecture: Callable[[], Architecture]) -> list[CodeBlock]:
    """The code and the graphs of a document, in their order."""
    blocks = [*code_blocks(text, path, repository), *graph_blocks(text, path, architecture)]
    return sorted(blocks, key=lambda block: block.line)


def _architecture_reader(repository: Path) -> Callable[[], Architecture]:
    """Reads the package when the first graph needs it, and once only."""
    return cache(lambda: architecture_of(read_targets(repository, find_toolchain())))


def _documents(repository: Path) -> list[Path]:
    found = {path.relative_to(repository) for pattern in _MARKDOWN for path in repository.glob(pattern)}
    return sorted((found | set(DOCUMENTS)) - set(REPORTS))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/documents",
        description=f"Writes the numbers of {', '.join(map(str, ALL_RESULTS))} into {', '.join(map(str, DOCUMENTS))}, "
        "between their markers, and the code of source files into every document, between "
        "'<!-- code: <path>#<snippet> -->' and '<!-- code: end -->'. The snippet stands in the file between "
        "'// snippet: <name>' and '// snippet: end'; without '#<snippet>' the whole file is shown. The graph of a "
        "module goes between '<!-- graph: begin <module> -->' and '<!-- graph: end -->', that of all modules where "
        "none is named.",
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where a document differs")
    check = parser.parse_args().check
    try:
        if not check:
            update(REPOSITORY)
            return 0
        drifts = drifted(REPOSITORY)
    except MeasurementError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    for drift in drifts:
        print(drift, file=sys.stderr)
    return 1 if drifts else os.EX_OK


if __name__ == "__main__":
    sys.exit(main())
