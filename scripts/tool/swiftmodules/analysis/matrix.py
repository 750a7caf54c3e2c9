"""The analysis of a record of `matrix`: its rows, and how it differs from another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from swiftmodules.analysis.run import Analysis, Row, in_rows, unsound_warning
from swiftmodules.analysis.verdicts import amount
from swiftmodules.records.kinds import MatrixCell, MatrixRecord
from swiftmodules.records.model import NOT_VERIFIED, SOUND, UNSOUND, Cell, place_name

# Reasons of files that the edit itself changes or adds.
EDITED, ADDED = "edited", "added"


class MatrixAnalysis(Analysis[MatrixRecord]):
    """The analysis of a record of `matrix`."""

    @cached_property
    def cells(self) -> dict[Cell, MatrixCell]:
        return {cell.cell: cell for cell in self.record.cells}

    @cached_property
    def rows(self) -> dict[Row, dict[str, MatrixCell | None]]:
        """Each edit and module, with the cell of every layout, None where it was not found."""
        rows = dict.fromkeys((cell.edit, cell.module) for cell in self.record.cells)
        return in_rows(rows, self.record.options.layouts, self.cells)

    @property
    def warnings(self) -> list[str]:
        return super().warnings + unsound_warning(self.record.verification)

    @property
    def soundness(self) -> str | None:
        """The result of `--verify`, as one sentence; None where it was not requested."""
        verification = self.record.verification
        if verification is None:
            return None
        if verification.left_out is not None:
            return f"Not verified: {verification.left_out}"
        counts, cells = verification.counts(), amount(len(verification.verdicts), "cell")
        if counts[UNSOUND]:
            verb = "is" if counts[UNSOUND] == 1 else "are"
            return f"{counts[UNSOUND]} of {cells} {verb} unsound: an incremental build made a program that is wrong."
        if not counts[SOUND]:
            return f"None of {cells} was verified."
        rest = f" {counts[NOT_VERIFIED]} could not be verified." if counts[NOT_VERIFIED] else ""
        verb = "is" if counts[SOUND] == 1 else "are"
        return f"{counts[SOUND]} of {cells} {verb} sound: the program does what it does after a clean build.{rest}"


@dataclass(frozen=True)
class Change:
    """The difference between the cells of two records, as a sentence. `more` is what the later one compiles or links
    that the earlier one did not; `is_in_both` is false for cells that only one of the records has."""

    cell: Cell
    text: str
    more: tuple[str, ...] = ()
    is_in_both: bool = True

    def __str__(self) -> str:
        return f"{self.cell.name}: {self.text}"


def matrix_changes(before: MatrixRecord, after: MatrixRecord) -> list[Change]:
    """The cells that compile or link something else than they did; then those that only the later record has, of a
    module or an edit that came; and those that only the earlier one has though the later one looked for them."""
    earlier, later = MatrixAnalysis(before).cells, MatrixAnalysis(after).cells
    changed, came, gone = [], [], []
    for cell, now in later.items():
        work = _work(now)
        was = _work(earlier[cell]) if cell in earlier else None
        if was is None:
            text = f"not in the record; compiles {', '.join(sorted(work)) or 'nothing'}"
            came.append(Change(cell, text, is_in_both=False))
        elif was != work:
            more, fewer = sorted(work - was), sorted(was - work)
            parts = [f"compiles {', '.join(more)}, which it did not"] if more else []
            parts += [f"no longer compiles or links {', '.join(fewer)}"] if fewer else []
            changed.append(Change(cell, "; ".join(parts), tuple(more)))
    for cell in earlier:
        if cell not in later and _was_looked_for(cell, after):
            reason = after.missing.get(place_name(str(cell.edit), cell.module), "the module is no longer there")
            gone.append(Change(cell, f"in the record only: {reason}", is_in_both=False))
    return [*changed, *came, *gone]


def _was_looked_for(cell: Cell, after: MatrixRecord) -> bool:
    options = after.options
    # Where the command names modules, the others were left out; otherwise a module that is not there is gone.
    is_chosen = cell.module is None or cell.module in options.modules or "--modules" not in after.command
    return is_chosen and cell.edit in options.edits and cell.layout in options.layouts


def _work(cell: MatrixCell) -> set[str]:
    return {*cell.compiled, *(f"the product {name}" for name in cell.linked)}
