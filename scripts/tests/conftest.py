"""What the tests share: the toolchain, this repository, and small packages in a folder of the test's own."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from shop import Shop, package_of, write_shop

from boundaries.sources import SwiftFile as CheckedFile
from boundaries.sources import read_sources
from buildspeed.package_graph import Package, read_package
from buildspeed.private_copy import copy_package
from buildspeed.swift_source import SourceFile, parse_file, parse_package
from buildspeed.toolchain import Toolchain, find_toolchain

SCRIPTS = Path(__file__).resolve().parent.parent
TINY = Path(__file__).with_name("fixtures") / "Tiny"
SMALLEST = TINY.with_name("Smallest")
# Of these tests alone, so that no other run on this machine holds the lock that is in it.
TEMPORARY = Path(tempfile.mkdtemp(prefix="measure-tests-"))
atexit.register(shutil.rmtree, TEMPORARY, ignore_errors=True)


@dataclass(frozen=True)
class Subject:
    """A package as the measurement reads it."""

    package: Package
    sources: Mapping[Path, SourceFile]

    def file(self, path: str) -> SourceFile:
        return self.sources[Path(path)]


@dataclass(frozen=True)
class Parser:
    """Parses Swift code given as text."""

    toolchain: Toolchain
    folder: Path

    def __call__(self, code: str, name: str = "File.swift") -> SourceFile:
        (self.folder / name).write_text(code)
        return parse_file(self.folder, Path(name), ["-swift-version", "6"], self.toolchain)


@pytest.fixture(autouse=True)
def lock_of_these_tests(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Runs in the tests' own process have the lock where `start_measure` has it."""
    # Which else would be in there, too.
    tmp_path_factory.getbasetemp()
    monkeypatch.setattr(tempfile, "tempdir", str(TEMPORARY))


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    return find_toolchain()


@pytest.fixture
def parse(toolchain: Toolchain, tmp_path: Path) -> Parser:
    return Parser(toolchain, tmp_path)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A copy of the package, in a path with a space."""
    return shutil.copytree(TINY, tmp_path / "a copy" / "Tiny")


@pytest.fixture(scope="session")
def tiny_subject(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Subject:
    folder = tmp_path_factory.mktemp("tiny")
    package = read_package(shutil.copytree(TINY, folder / "Tiny"), toolchain, folder / "scratch")
    return Subject(package, parse_package(TINY, package, toolchain))


@pytest.fixture(scope="session")
def clean_sources(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> dict[Path, CheckedFile]:
    """The files of the package that keeps every rule, read once."""
    folder = tmp_path_factory.mktemp("shop")
    write_shop(folder)
    package = package_of(folder, {}, {})
    options = {path: package.parser_options(target) for target in package.targets for path in target.sources}
    return read_sources(folder, options, toolchain)


@pytest.fixture
def shop(toolchain: Toolchain, tmp_path: Path, clean_sources: dict[Path, CheckedFile]) -> Shop:
    """The package that keeps every rule, in a folder of the test's own."""
    write_shop(tmp_path)
    return Shop(tmp_path, toolchain, clean_sources)


@pytest.fixture(scope="session")
def repository_subject(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Subject:
    """This repository with its tests, as a private copy."""
    folder = tmp_path_factory.mktemp("repository")
    copy_package(SCRIPTS.parent, folder / "package")
    package = read_package(folder / "package", toolchain, folder / "scratch", with_tests=True)
    return Subject(package, parse_package(folder / "package", package, toolchain))


def start_measure(*arguments: str | Path, environment: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Starts the launcher in a process group of its own."""
    return subprocess.Popen(
        [SCRIPTS / "measure", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(TEMPORARY), **(environment or {})},
        cwd="/",
        start_new_session=True,
    )


def measure(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs the launcher to its end."""
    process = start_measure(*arguments)
    output, errors = process.communicate()
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def contents(folder: Path) -> dict[Path, bytes]:
    """Every file of a folder, but for `.build`."""
    files = [path for path in folder.rglob("*") if path.is_file() and ".build" not in path.parts]
    return {path.relative_to(folder): path.read_bytes() for path in files}
