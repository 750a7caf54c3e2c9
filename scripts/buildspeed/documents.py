"""Writes what was measured into the documents, between markers, or tells that they have drifted apart."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from buildspeed.failures import MeasurementError
from buildspeed.record import Record, read_record, write_atomically
from buildspeed.report import compact_report, markdown, report_body

REPOSITORY = Path(__file__).resolve().parent.parent.parent
RESULTS = Path("docs/results/layouts/results.json")

_BEGIN, _END = "<!-- measured: begin -->\n", "<!-- measured: end -->"

DOCUMENTS: Mapping[Path, Callable[[Record], str]] = {
    Path("README.md"): compact_report,
    Path("docs/BuildSpeed.md"): report_body,
}


def drifted(repository: Path) -> list[Path]:
    """The documents whose numbers are not those of the committed results."""
    texts = _expected(repository)
    return [path for path, text in texts.items() if (repository / path).read_text(encoding="utf-8") != text]


def update(repository: Path) -> None:
    """Writes the numbers of the committed results into the documents."""
    for path, text in _expected(repository).items():
        write_atomically(repository / path, text)


def _expected(repository: Path) -> dict[Path, str]:
    record = read_record(repository / RESULTS)
    texts = {path: (repository / path).read_text(encoding="utf-8") for path in DOCUMENTS}
    expected = {path: with_measurements(text, path, record) for path, text in texts.items()}
    return expected | {RESULTS.with_name("results.md"): markdown(record)}


def with_measurements(text: str, path: Path, record: Record) -> str:
    """A document's text with the numbers of a record between its markers."""
    before, begin, rest = text.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise MeasurementError(f"{path} has no lines '{_BEGIN.strip()}' and '{_END}', between which its numbers go.")
    return f"{before}{begin}\n{DOCUMENTS[path](record)}\n{end}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/documents",
        description=f"Writes the numbers of {RESULTS} into {', '.join(map(str, DOCUMENTS))}, between their markers.",
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where the numbers differ")
    check = parser.parse_args().check
    try:
        if not check:
            update(REPOSITORY)
            return 0
        wrong = drifted(REPOSITORY)
    except MeasurementError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    for path in wrong:
        print(f"{path} does not have the numbers of {RESULTS}. Run scripts/documents.", file=sys.stderr)
    return 1 if wrong else os.EX_OK


if __name__ == "__main__":
    sys.exit(main())
