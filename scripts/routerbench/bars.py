"""What each operation may take, and what the best of the peers took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

COLD_REGISTRATION = "register-1000-resolve-last-cold"


@dataclass(frozen=True)
class Bar:
    """The most nanoseconds that an operation's median may be. `peer` tells what the peers' best took, as a median on
    2 cores, with Swift 6.3.1, in release; None where no peer was measured."""

    nanoseconds: float
    peer: str | None = None


@dataclass(frozen=True)
class GrowthBar:
    """The most that an operation among many services may take, as a multiple of what it takes among few."""

    few: str
    many: str
    ratio: float

    @property
    def name(self) -> str:
        return f"{self.many} ÷ {self.few.rpartition('-')[2]}"


# By operation, in the order of the table. Operations without a bar are timed for comparison.
BARS: Mapping[str, Bar] = {
    "resolve-singleton": Bar(120, "Needle 194 ns"),
    "resolve-transient-two-dependencies": Bar(380, "Needle 400 ns"),
    "resolve-transient-depth-5": Bar(1_000, "Resolver 1,073 ns"),
    "resolve-weak-held": Bar(250, "Resolver 323 ns"),
    "build-feature-three-dependencies": Bar(500, "RouterService 6,385 ns"),
    "register-1000-resolve-last-warm": Bar(150e3, "Resolver 311 µs"),
    COLD_REGISTRATION: Bar(1.3e6, "Resolver 1.3 ms"),
    "decode-any-route": Bar(3_500, "RouterService 6,857 ns"),
    "match-url-1": Bar(2_000, "URLMatcher 27 µs"),
    "match-url-1000": Bar(2_000, "URLMatcher 14.9 ms"),
}

# "None may grow": the margin is for noise, and for the few more collisions of a larger table.
GROWTH_BARS = (
    *(
        GrowthBar(f"{operation}-among-10", f"{operation}-among-10000", 1.25)
        for operation in ("resolve-singleton", "resolve-transient-two-dependencies", "resolve-weak-held")
    ),
    GrowthBar("match-url-1", "match-url-1000", 1.25),
)


def in_order(operations: list[str]) -> list[str]:
    """The operations with bars first, as in the table, then the others as they come."""
    return [name for name in BARS if name in operations] + [name for name in operations if name not in BARS]
