"""Tells what `scripts/measure verify` found: a table for the terminal, and `results.md`."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from buildspeed.edits import what_it_changes
from buildspeed.plan import Cell
from buildspeed.soundness import NOT_VERIFIED, SOUND, UNSOUND, counted
from buildspeed.tables import markdown_lines
from buildspeed.verification_text import reason_lines
from buildspeed.verify_record import VerifyRecord
from buildspeed.wording import amount

_NOTHING = "–"
_METHOD = (
    "For each cell: the edit is made, the package is built incrementally, and the program is run. A clean build of the "
    "same sources, in another folder, is run in the same way; exit codes, standard output and standard error must be "
    "equal. The edit is undone to the byte, the package is built incrementally once more, and the program must do what "
    "it did in the beginning."
)
_GAPS = (
    "SwiftPM starts the compiler for a target when a module that it names in the manifest has changed. These targets "
    "reach others without naming them, and may be left as they are when the layout of a type there changes:"
)
_NO_GAPS = (
    "Every target names all targets that it reaches, so the compiler is started for each that an edit may concern."
)


def summary(record: VerifyRecord) -> str:
    """The result as one sentence."""
    counts = counted(record.verdicts)
    cells = amount(len(record.verdicts), "cell")
    if counts[UNSOUND]:
        verb = "is" if counts[UNSOUND] == 1 else "are"
        return f"{counts[UNSOUND]} of {cells} {verb} unsound: an incremental build made a program that is wrong."
    if not counts[SOUND]:
        return f"None of {cells} was verified."
    rest = f" {counts[NOT_VERIFIED]} could not be verified." if counts[NOT_VERIFIED] else ""
    verb = "is" if counts[SOUND] == 1 else "are"
    return f"{counts[SOUND]} of {cells} {verb} sound: the program does what it does after a clean build.{rest}"


def verdict_table(record: VerifyRecord) -> Table:
    """Edit × module, with the result in each layout."""
    table = Table(pad_edge=False, box=SIMPLE_HEAD)
    for name in ("edit", "module", *record.layouts):
        table.add_column(name)
    for row in _rows(record):
        table.add_row(*row)
    return table


def markdown(record: VerifyRecord) -> str:
    """The whole report, as `results.md`."""
    return f"# Is {record.package} the same after an incremental build?\n\n{report_body(record)}"


def report_body(record: VerifyRecord) -> str:
    """The whole report but its title."""
    names = ["edit", "module", *record.layouts]
    reasons = reason_lines(record.verdicts)
    parts = [
        *([f"**Incomplete:** {record.incomplete}"] if record.incomplete else []),
        summary(record),
        markdown_lines([names, ["---"] * len(names), *_rows(record)]),
        *(["## What was found", "\n".join(f"- {line}" for line in reasons)] if reasons else []),
        "## How it is found out",
        _METHOD,
        "\n".join(f"- `{run.command(record.program or 'the program')}`{_typed(run.input)}" for run in record.session),
        "## Dependencies that are not named",
        *_gap_parts(record),
        "## Edits",
        "\n".join(_edit_lines(record)),
        f"{record.toolchain}. Repeat with:",
        f"```sh\n{record.command}\n```",
    ]
    return "\n\n".join(parts) + "\n"


def _rows(record: VerifyRecord) -> list[list[str]]:
    found = {verdict.cell: verdict.result for verdict in record.verdicts}
    rows = dict.fromkeys((each.edit, each.module) for each in record.verdicts)
    return [
        [edit, module or "", *(found.get(Cell(layout, edit, module), _NOTHING) for layout in record.layouts)]
        for edit, module in rows
    ]


def _typed(text: str) -> str:
    lines = len(text.splitlines())
    return f", with {amount(lines, 'line')} of input" if lines else ""


def _gap_parts(record: VerifyRecord) -> list[str]:
    lines = [
        f"- `{layout}`: {target} reaches {', '.join(missing)}"
        for layout, gaps in record.gaps.items()
        for target, missing in gaps.items()
    ]
    return [_GAPS, "\n".join(lines)] if lines else [_NO_GAPS]


def _edit_lines(record: VerifyRecord) -> list[str]:
    lines = []
    for edit in record.edits:
        lines.append(f"- `{edit}`: {what_it_changes(edit)}")
        for prefix, texts in (("", record.placements), ("not in ", record.missing)):
            lines += [
                f"  - {prefix}{key.partition(' ')[2] or 'this package'}: {text}"
                for key, text in texts.items()
                if key.partition(" ")[0] == edit
            ]
    return lines
