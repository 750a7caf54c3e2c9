"""Tells what an edit reaches, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from buildspeed.wording import amount
from modulegraph.impact import Impact, TargetImpact
from modulegraph.measured_reach import MeasuredEdit


def impact_text(impact: Impact) -> str:
    """A paragraph for each target: what was measured with the files, and what the rule of the graph says."""
    return "\n\n".join("\n".join(_target_lines(impact, each)) for each in impact.targets)


def _target_lines(impact: Impact, target: TargetImpact) -> list[str]:
    lines = [f"An edit in {target.target} ({target.role}) reaches"]
    for edit in target.measured:
        lines += _measured_lines(impact, edit)
    which = "any other edit" if target.measured else "no edit here was measured"
    lines.append(f"  by the rule of the graph ({which}), at most")
    lines.append(f"    {target.target}")
    if target.direct:
        lines.append(f"    the files that use what changed in: {', '.join(target.direct)}")
    if target.further:
        lines.append(f"    and, where those pass it on in their own API: {', '.join(target.further)}")
    if not target.direct:
        lines.append("    and nothing else, as no target depends on it")
    return lines


def _measured_lines(impact: Impact, edit: MeasuredEdit) -> list[str]:
    commit = f" at {edit.commit[:7]}" if edit.commit else ""
    lines = [
        f"  {amount(len(edit.compiled), 'file')}, as measured ({edit.source}{commit}): {edit.edit}, {edit.description}"
    ]
    for target, files in impact.by_target(edit.compiled).items():
        lines += [f"    {target}: {files}" for files in _with_reasons(edit, files)]
    return lines


def _with_reasons(edit: MeasuredEdit, files: Sequence[Path]) -> list[str]:
    """The names of files, those that were compiled for the same reason together with it."""
    by_reason: dict[str | None, list[str]] = {}
    for file in files:
        by_reason.setdefault(edit.reasons.get(file), []).append(file.name)
    return [", ".join(names) + (f" ({reason})" if reason else "") for reason, names in by_reason.items()]
