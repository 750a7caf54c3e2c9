"""A copy of this checkout for the tests of its own commands, and those commands run on it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from swiftmodules.steps.placement import Site
from swiftmodules.swiftpm.config import config_file, read_config
from swiftmodules.swiftpm.copy import copy_package
from swiftmodules.swiftpm.package import read_package
from swiftmodules.swiftpm.reader import read_sources
from swiftmodules.swiftpm.toolchain import Toolchain

from repo import cli

REPOSITORY = cli.REPOSITORY


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plain") / "checkout"
    copy_package(REPOSITORY, folder)
    return folder


@pytest.fixture(scope="session")
def with_badges(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shutil.copytree(plain, tmp_path_factory.mktemp("badges") / "checkout", symlinks=True)
    assert run(folder, "module", "new", "Badges") == 0
    return folder


@pytest.fixture(scope="session")
def repository(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The package with its tests, as a private copy."""
    folder = tmp_path_factory.mktemp("repository") / "package"
    copy_package(REPOSITORY, folder)
    package = read_package(folder, toolchain, read_config(config_file(REPOSITORY)).names)
    return Site(package, read_sources(folder, package, toolchain))


@pytest.fixture
def checkout(plain: Path, tmp_path: Path) -> Path:
    """A copy in a path with a space."""
    return shutil.copytree(plain, tmp_path / "a copy" / "checkout", symlinks=True)


@pytest.fixture
def badges(with_badges: Path, tmp_path: Path) -> Path:
    """A copy to which the module Badges was added."""
    return shutil.copytree(with_badges, tmp_path / "a copy" / "checkout", symlinks=True)


def run(checkout: Path, *arguments: str) -> int:
    """Runs a command of the repository on a copy, and returns its exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli, "REPOSITORY", checkout)
        patch.setattr("sys.argv", ["repo", *arguments])
        return cli.main(arguments)


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every file, and every folder as None, but for `.build` and `.git`."""
    paths = [path for path in folder.rglob("*") if {".build", ".git"}.isdisjoint(path.relative_to(folder).parts)]
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in paths}


def edit(checkout: Path, path: str, old: str, new: str) -> None:
    """Replaces text that a file has once."""
    text = (checkout / path).read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path} has {text.count(old)} of {old!r}"
    (checkout / path).write_text(text.replace(old, new), encoding="utf-8")
