"""The generated modules of `scripts/bench scale` build, have no problems, and are all on the first screen."""

from __future__ import annotations

import pytest
from repo_checkout import REPOSITORY
from swiftmodules.swiftpm.toolchain import Toolchain

from repo import bench, bench_scale


@pytest.mark.slow
def test_generated_program_takes_each_step(toolchain: Toolchain) -> None:
    package = bench_scale.write_package(REPOSITORY, (50,)).relative_to(REPOSITORY)
    program = bench.build(REPOSITORY, toolchain, "Scale50", "debug", package)
    for step in ("nothing", "create", "start", "validate", "open", "home"):
        assert program.ask("run", step, "2") == ""
