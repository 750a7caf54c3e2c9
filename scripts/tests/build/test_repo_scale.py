"""The generated modules of `scripts/bench scale` build, and their graph has no problems."""

from __future__ import annotations

import pytest
from repo_checkout import REPOSITORY
from swiftmodules.swiftpm.toolchain import Toolchain

from repo import bench, bench_scale


@pytest.mark.slow
def test_generated_program_takes_each_step(toolchain: Toolchain) -> None:
    package = bench_scale.write_package(REPOSITORY, (11,)).relative_to(REPOSITORY)
    program = bench.build(REPOSITORY, toolchain, "Scale11", "debug", package)
    for step in ("nothing", "create", "start", "validate", "open"):
        assert program.ask("run", step, "2") == ""
