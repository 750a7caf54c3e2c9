"""What a run does: the choices of the user with all that they leave open, and what of it fits into five minutes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

from swiftmodules.builds.machine import usable_cores
from swiftmodules.layouts.generate import FUSED, INTERFACE, LAYOUTS
from swiftmodules.measure.record import Variant
from swiftmodules.options import MeasureChoices
from swiftmodules.steps.edit import DEFAULT_EDITS, EDITS
from swiftmodules.steps.history import history_count

# Without a choice.
ROUNDS = 6
# Where neither the user nor the configuration names modules, and times are taken.
_USUAL_MODULES = 3
# The present state of the package, which `--against` compares with a revision.
NOW = "now"
# A quick run begins no round that would end after so many seconds.
QUICK_SECONDS = 300
NO_TIME = "{} rounds of this edit do not fit into the five minutes of --quick."
NO_INTERFACES = (
    "{} has no interfaces yet, so there is little to compare. Start with '{}', which ranks the targets by what an "
    "interface in front of each would have saved."
)


@dataclass(frozen=True, kw_only=True)
class Plan(MeasureChoices):
    """The choices of a run, with a value for each choice that the user has left open."""

    rounds: int = ROUNDS
    # So many commits are the steps, in place of edits.
    history: int = 0
    # The revision after which its commits come.
    since: str | None = None
    jobs: int = 1
    # Whether the layout `interface` is the package with its own manifest.
    is_copy: bool = False

    @classmethod
    def of(cls, choices: MeasureChoices) -> Plan:
        """Raises `UsageError` for a history that cannot be one."""
        history = history_count(choices.edits) or 0
        rounds = (1 if history else ROUNDS) if choices.rounds is None else choices.rounds
        kinds = choices.edits or (DEFAULT_EDITS if rounds else tuple(EDITS))
        layouts = tuple(LAYOUTS)
        if choices.against:
            layouts = (INTERFACE, FUSED) if history else (choices.against, NOW)
        made: dict[str, Any] = {
            "layouts": choices.layouts or layouts,
            "copies": choices.copies or (0,),
            "settings": choices.settings or ("default",),
            "edits": () if history else kinds,
            "rounds": rounds,
            "history": history,
            "jobs": usable_cores(),
            "since": choices.against if history else None,
            "against": None if history else choices.against,
            "is_copy": choices.against is not None and not history,
        }
        return cls(**{**vars(choices), **made})

    @property
    def is_timed(self) -> bool:
        """Whether samples have times, and what else depends on the machine."""
        return self.rounds > 0

    @property
    def usual_modules(self) -> int | None:
        """How many modules are edited where none are named; None for all."""
        return 1 if self.quick else _USUAL_MODULES if self.is_timed else None

    @property
    def variants(self) -> list[Variant]:
        """Everything that is built again and again, the baseline first."""
        return [
            Variant(layout=layout, copies=copies, setting=setting)
            for copies in self.copies
            for setting in self.settings
            for layout in self.layouts
        ]


class Fit(NamedTuple):
    """How many rounds fit, and how many of the kinds of edits, at least one of each."""

    rounds: int
    kinds: int


def fitting(left: float, first: float, row: float, kinds: Sequence[int], rounds: int) -> Fit:
    """What fits into the seconds that are left, where the first kind of edit took some seconds in its round, of which
    the builds after one edit took `row`. `kinds` has the number of edits of each kind.

    Edits are cut before rounds, as times are judged from all rounds only.
    """
    others = [each - kinds[0] for each in accumulate(kinds)]
    fit = [count for count, more in enumerate(others, 1) if rounds * (first + more * row) <= left]
    return Fit(rounds, fit[-1]) if fit else Fit(max(1, int(left // max(first, 0.001))), 1)
