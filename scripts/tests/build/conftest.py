"""Fixtures of the tests with real builds."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from swiftmodules.swiftpm.toolchain import Toolchain


@pytest.fixture(scope="session", autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A temporary folder of these tests, so that no other run on this machine holds the lock that is in it."""
    folder = tmp_path_factory.mktemp("temporary")
    tempfile.tempdir = str(folder)
    return folder


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    return Toolchain.find()
