"""Whether a fault shows in a test that `graph --since` does not select: `scripts/test --since` leaves these out."""

from __future__ import annotations

from pathlib import Path

import pytest
from faults import missed
from repo_checkout import REPOSITORY
from swiftmodules.swiftpm.toolchain import Toolchain


@pytest.mark.slow
def test_no_fault_in_this_repository_is_missed(toolchain: Toolchain, tmp_path: Path) -> None:
    found = missed(REPOSITORY, 30, seed=1, toolchain=toolchain, folder=tmp_path.resolve())
    assert found.misses == 0, str(found)
    # Otherwise nothing was planted.
    assert any(each.is_noticed for each in found.groups)
