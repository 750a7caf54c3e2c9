"""Writes what was measured, the code of sources, their lines in links, and the graph of modules into the documents, or
tells what has drifted."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from boundaries.line_links import line_links, source_reader, with_line_links
from buildspeed.code_blocks import CodeBlock, code_blocks, with_code
from buildspeed.durations import duration_tables
from buildspeed.edit_laws import law_tables
from buildspeed.failures import MeasurementError
from buildspeed.matrix import read_matrix
from buildspeed.measured_tables import measured_tables
from buildspeed.record import read_record
from buildspeed.record_file import write_atomically
from buildspeed.shown_results import (
    ALL_RESULTS,
    DOCUMENTS,
    MATRIX_RECORD,
    REPORTS,
    RESULTS,
    SCALE_RESULTS,
    drifted_plots,
    with_measurements,
)
from buildspeed.toolchain import find_toolchain
from modulegraph.architecture import architecture_of
from modulegraph.graph_blocks import graph_blocks
from modulegraph.package_targets import read_targets

REPOSITORY = Path(__file__).resolve().parent.parent.parent

# Documents in which code, graphs and parts of numbers may be shown.
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
    sources = _Sources(repository)
    for path in _documents(repository):
        text = _read(repository / path)
        for each in DOCUMENTS.get(path, ()):
            if with_measurements(text, path, repository, [each]) != text:
                drifts.append(Drift(path, text[: text.index(each.begin)].count("\n") + 1, str(each.results)))
        blocks = sources.blocks(text, path)
        drifts += [Drift(path, each.line, each.reference) for each in blocks if each.present != each.expected]
        links = line_links(text, path, repository, sources.swift_file)
        drifts += [Drift(path, each.line, str(each.source)) for each in links if each.present != each.expected]
    for path, report in REPORTS.items():
        if _read(repository / path) != report.text(repository / report.results):
            drifts.append(Drift(path, 1, str(report.results)))
    drifts += [Drift(path, 1, str(SCALE_RESULTS)) for path in drifted_plots(repository)]
    return drifts


def update(repository: Path) -> None:
    """Writes what the committed results, the sources and the manifest say into the documents."""
    texts = {path: report.text(repository / report.results) for path, report in REPORTS.items()}
    texts |= {path: draw() for path, draw in drifted_plots(repository).items()}
    sources = _Sources(repository)
    for path in _documents(repository):
        text = _read(repository / path)
        text = with_line_links(text, line_links(text, path, repository, sources.swift_file))
        text = with_code(text, sources.blocks(text, path))
        texts[path] = with_measurements(text, path, repository, DOCUMENTS.get(path, ()))
    # Only now, so that a mistake in one document leaves all of them as they are.
    for path, text in texts.items():
        if _read(repository / path) != text:
            write_atomically(repository / path, text)


class _Sources:
    """What documents show, each read when the first document needs it, and once only."""

    def __init__(self, repository: Path) -> None:
        self._repository = repository
        self._toolchain = cache(find_toolchain)
        self._architecture = cache(lambda: architecture_of(read_targets(repository, self._toolchain())))
        self._record = cache(lambda: read_record(repository / RESULTS))
        self.swift_file = source_reader(repository, self._toolchain)

    def blocks(self, text: str, path: Path) -> list[CodeBlock]:
        """The code, the tables and the graphs of a document, in their order."""
        blocks = [
            *code_blocks(text, path, self._repository),
            *measured_tables(text, path, self._record, RESULTS, [each.name for each in DOCUMENTS.get(path, ())]),
            *duration_tables(text, path, self._repository),
            *graph_blocks(text, path, self._architecture),
            *law_tables(text, path, lambda: read_matrix(self._repository / MATRIX_RECORD), MATRIX_RECORD),
        ]
        return sorted(blocks, key=lambda block: block.line)


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
        "none is named. A part of the numbers goes between '<!-- measured: begin <edits> <modules> -->' and "
        "'<!-- measured: end -->', and what commands take into the last column of a table between "
        "'<!-- durations: begin -->' and '<!-- durations: end -->'. A link to lines of a Swift file names a "
        "declaration in backquotes, and gets its lines. Which edits reach whom goes between "
        "'<!-- matrix: begin -->' and '<!-- matrix: end -->', and "
        f"all that {MATRIX_RECORD} tells into {MATRIX_RECORD.with_suffix('.md')}.",
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
