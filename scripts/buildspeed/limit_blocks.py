"""Finds where a document tells how close builds come to the limit, and how they would be on other machines.

    <!-- floor: begin -->
    …
    <!-- floor: end -->

and the same with `simulate`. What stands between comes from the records. Markers inside a fenced block are part of the
text and mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from buildspeed.code_blocks import CodeBlock, fence_after
from buildspeed.failures import MeasurementError
from buildspeed.floor import record as floor_record
from buildspeed.floor import report as floor_report
from buildspeed.simulation import record as simulation_record
from buildspeed.simulation import report as simulation_report

FLOOR_RESULTS = Path("docs/results/floor/results.json")
SIMULATE_RESULTS = Path("docs/results/simulate/results.json")

_MARKER = re.compile(r"<!--\s*(?P<what>floor|simulate):\s*(?P<word>begin|end)\s*-->\s*")
_BODIES: Mapping[str, tuple[Path, Callable[[Path], str]]] = {
    "floor": (FLOOR_RESULTS, lambda path: floor_report.report_body(floor_record.read_record(path))),
    "simulate": (SIMULATE_RESULTS, lambda path: simulation_report.report_body(simulation_record.read_record(path))),
}


def limit_blocks(text: str, document: Path, repository: Path) -> list[CodeBlock]:
    """The blocks of a document's text in their order; `document` is its name in messages."""
    lines = text.split("\n")
    blocks: list[CodeBlock] = []
    begin: tuple[int, str] | None = None
    fence: str | None = None
    for number, line in enumerate(lines, start=1):
        fence, is_fenced = fence_after(line, fence), fence is not None
        marker = None if is_fenced else _MARKER.fullmatch(line)
        if marker is None:
            continue
        if (marker["word"] == "begin") == (begin is not None) or (begin and begin[1] != marker["what"]):
            raise MeasurementError(
                f"{document}:{number}: This marker has no other to go with it. Each '<!-- {marker['what']}: begin -->' "
                f"needs one '<!-- {marker['what']}: end -->' below it."
            )
        if begin is None:
            begin = number, marker["what"]
            continue
        results, body = _BODIES[begin[1]]
        expected = ["", *body(repository / results).rstrip("\n").split("\n"), ""]
        blocks.append(CodeBlock(begin[0], results.as_posix(), lines[begin[0] : number - 1], expected))
        begin = None
    if begin is not None:
        raise MeasurementError(f"{document}:{begin[0]}: '<!-- {begin[1]}: end -->' is missing below this line.")
    return blocks
