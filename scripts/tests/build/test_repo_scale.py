"""The generated modules of `scripts/bench scale` build, have no problems, and are all on the first screen."""

from __future__ import annotations

import pytest
from repo_checkout import REPOSITORY
from swiftmodules.swiftpm.toolchain import Toolchain

from repo import bench_scale
from repo.bench import Program
from repo.programs import built


@pytest.mark.slow
def test_generated_program_takes_each_step(toolchain: Toolchain) -> None:
    package = bench_scale.write_package(REPOSITORY, (50,))
    path = built("Scale50", package, REPOSITORY / ".build" / package.name, toolchain)
    program = Program(path, toolchain.environment)
    for step in ("nothing", "create", "start", "validate", "open", "replace", "restore", "home"):
        assert program.ask("run", step, "2") == ""
