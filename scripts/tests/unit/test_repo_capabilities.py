"""Each capability of the router is used by a line of the App or a module that is compiled without a live session."""

from __future__ import annotations

from pathlib import Path

import pytest
from swiftmodules.swiftpm.reader import read_files
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.docs.capabilities import unused_capabilities

TABLE = "| Capability | How | Where |\n| --- | --- | --- |\n"
SOURCE = """usual()
#if LIVE
live()
#elseif DEBUG
debug()
#else
other()
#endif
usual()
"""


@pytest.mark.parametrize(
    ("row", "unused"),
    [
        *((f"| A | a | [`a`](../App/A.swift#L{line}) |", line == 3) for line in (1, 3, 5, 7, 9)),
        ("| A | a | [`a`](../App/A.swift#L3), [`a`](../App/A.swift#L9-L9) |", False),
        ("| A | `router.replace(_:)` | [`a`](../App/A.swift#L3) |", False),
        ("| A | a | |", True),
        ("| A | a | [`a`](../App/Missing.swift#L1) |", True),
        ("| A | a | [`a`](../Tests/A.swift#L1) |", True),
        ("| A | a | [A](../App/A.swift) |", True),
    ],
)
def test_row_needs_a_line_that_is_compiled(toolchain: Toolchain, tmp_path: Path, row: str, unused: bool) -> None:
    for folder in ("App", "Tests"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "A.swift").write_text(SOURCE)
    sources = read_files(tmp_path, map(Path, ("App/A.swift", "Tests/A.swift")), toolchain)
    found = list(unused_capabilities(f"Text\n\n{TABLE}{row}\n", Path("docs/Guide.md"), sources))
    assert [line for line, _ in found] == ([5] if unused else [])
    assert all("uses 'A'" in problem for _, problem in found)


def test_other_tables_are_left_alone() -> None:
    assert not list(unused_capabilities("| What | How |\n| --- | --- |\n| A | a |\n", Path("README.md"), {}))
