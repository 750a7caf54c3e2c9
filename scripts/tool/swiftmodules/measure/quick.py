"""What a quick run takes: the edits of which all rounds fit into five minutes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

# A quick run begins no round that would end after so many seconds.
QUICK_SECONDS = 300
NO_TIME = "{} rounds with it do not fit into the five minutes of --quick."
NO_INTERFACES = (
    "{} has no interfaces yet, so there is little to compare. '{}' is the command to begin with: it ranks the targets "
    "by what an interface in front of each would have saved."
)


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
