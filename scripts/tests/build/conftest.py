"""Fixtures of the tests with real builds."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from swiftmodules.swiftpm.toolchain import Toolchain


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Has the tests of a file, and all tests of the live App, run by one worker, as they share what they build."""
    for item in items:
        stem = item.path.stem
        item.add_marker(pytest.mark.xdist_group("live" if stem in ("test_live", "test_live_changes") else stem))


@pytest.fixture(scope="session", autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A temporary folder of these tests, so that no other run on this machine holds the lock that is in it."""
    folder = tmp_path_factory.mktemp("temporary")
    tempfile.tempdir = str(folder)
    return folder


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    return Toolchain.find()
