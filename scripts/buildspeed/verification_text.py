"""What a report of times says of the programs whose builds were timed."""

from __future__ import annotations

from collections.abc import Iterable

from buildspeed.soundness import NOT_VERIFIED, SOUND, UNSOUND, Verdict, Verification, counted
from buildspeed.wording import amount


def unsound_warning(verification: Verification | None) -> list[str]:
    """A warning for the top of the report, where there is something to warn of."""
    unsound = verification.unsound if verification else []
    if not unsound:
        return []
    names = ", ".join(f"`{verdict.cell.name}`" for verdict in unsound)
    return [
        f"**Unsound builds:** after these edits the incremental build makes a program that does something else than "
        f"that of a clean build, so their times are those of a wrong result: {names}."
    ]


def verification_section(verification: Verification | None) -> list[str]:
    """A section on the soundness of the builds. None for records that are older than the question."""
    if verification is None:
        return []
    parts = ["## Soundness", verification_sentence(verification)]
    lines = [f"- {line}" for line in reason_lines(verification.verdicts)]
    return [*parts, "\n".join(lines)] if lines else parts


def verification_sentence(verification: Verification) -> str:
    """What was verified, and with what results."""
    if verification.left_out is not None:
        return f"Not verified: {verification.left_out} Nothing shows that the builds that were timed are right."
    counts = counted(verification.verdicts)
    cells = amount(len(verification.verdicts), "cell")
    return (
        "Each cell was verified once after the samples: the program that the incremental build makes must do what that "
        "of a clean build of the same sources does, after the edit and after it was undone. Of "
        f"{cells}, {counts[SOUND]} are sound, {counts[UNSOUND]} unsound, and {counts[NOT_VERIFIED]} could not be "
        "verified."
    )


def reason_lines(verdicts: Iterable[Verdict]) -> list[str]:
    """What differed in each unsound cell, and why others were not verified."""
    return [f"`{each.cell.name}`, {each.result}: {reason}" for each in verdicts for reason in each.reasons]
