"""The fixtures that tests share: the toolchain, a small package, copies of this checkout, and a temporary folder."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from made_files import copied
from repo_checkout import REPOSITORY, run
from swiftmodules.measure.subject import Subject
from swiftmodules.swiftpm import description
from swiftmodules.swiftpm import toolchain as programs
from swiftmodules.swiftpm.config import config_of
from swiftmodules.swiftpm.copy import copy_package
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.package import LEFT_OUT
from swiftmodules.swiftpm.reader import SourceFile, read_files, read_sources
from swiftmodules.swiftpm.toolchain import Toolchain

# A build in a new folder would compile modules of the toolchain first, which takes longer than a small package.
os.environ["SWIFTPM_TESTS_MODULECACHE"] = str(REPOSITORY / ".build/modules")
Parse = Callable[..., SourceFile]
_LONGEST = (
    *("test_live.py", "test_graph_inputs.py", "test_split_branch.py", "test_killed_runs.py", "test_repo_scaffold.py"),
    *("test_measured_packages.py", "test_cut_advice.py", "test_advice.py"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first, so that no worker ends with one of them."""
    places = {name: place for place, name in enumerate(_LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))


@pytest.fixture(scope="session", autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A temporary folder of these tests, so that no other run on this machine holds the lock that is in it."""
    tempfile.tempdir = str(tmp_path_factory.mktemp("temporary"))


@pytest.fixture(scope="session", autouse=True)
def target_is_asked_once() -> Iterator[None]:
    """The toolchain in PATH is for the same target each time."""
    ask, question = programs.read, [shutil.which("swiftc"), "-print-target-info"]
    answer = ask(question, os.environ, Path.cwd())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(programs, "read", lambda words, *others: answer if words == question else ask(words, *others))
        yield


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    return Toolchain.find()


@pytest.fixture
def parse(toolchain: Toolchain, tmp_path: Path) -> Parse:
    """Reads Swift code given as text."""

    def read(code: str, name: str = "File.swift") -> SourceFile:
        (tmp_path / name).write_text(code)
        return read_files(tmp_path, [Path(name)], toolchain)[Path(name)]

    return read


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A copy of a small package, in a path with a space and a letter beyond ASCII."""
    return copied(tmp_path / "a cöpy", "Tiny")


@pytest.fixture(scope="session", autouse=True)
def swiftpm_is_asked_once() -> Iterator[None]:
    """Packages with the same manifest and files have the same description, which takes SwiftPM seconds."""
    ask = description._ask
    # What SwiftPM has answered, and about which folder.
    answers: dict[tuple[object, ...], tuple[str, str]] = {}

    def remembered(question: Sequence[str], folder: Path, toolchain: Toolchain, scratch: Path) -> dict[str, Any]:
        # What the manifest says is in no other file.
        paths = folder.rglob("*.*") if "describe" in question else ()
        known = (path.relative_to(folder) for path in paths)
        files = {path for path in known if LEFT_OUT.isdisjoint(path.parts)}
        manifests = [path.read_bytes() for path in sorted(folder.glob("Package*.swift"))]
        environment = {**toolchain.environment, "TMPDIR": ""}
        key = (*question, folder.name, *manifests, frozenset(files), *environment.items())
        if key not in answers:
            answers[key] = str(folder.parent), json.dumps(ask(question, folder, toolchain, scratch), ensure_ascii=False)
        place, text = answers[key]
        # Packages beside it, and beside the folder around it, are named too.
        places = {place: str(folder.parent), str(Path(place).parent): str(folder.parent.parent)}
        return dict(json.loads(re.sub("|".join(map(re.escape, places)), lambda match: places[match[0]], text)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(description, "_ask", remembered)
        yield


@pytest.fixture(scope="session")
def tiny_subject(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Subject:
    """The small package, read once."""
    folder = copied(tmp_path_factory.mktemp("tiny"), "Tiny")
    found = read_package(folder, toolchain)
    return Subject(found, read_sources(folder, found, toolchain))


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this checkout, which tests leave as it is."""
    folder = tmp_path_factory.mktemp("plain") / "checkout"
    copy_package(REPOSITORY, folder)
    return folder


@pytest.fixture(scope="session")
def repository_subject(plain: Path, toolchain: Toolchain) -> Subject:
    """This package with its tests, read once."""
    found = read_package(plain, toolchain, config_of(plain).names)
    return Subject(found, read_sources(plain, found, toolchain))


@pytest.fixture(scope="session")
def with_badges(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shutil.copytree(plain, tmp_path_factory.mktemp("badges") / "checkout", symlinks=True)
    assert run(folder, "module", "new", "Badges") == 0
    return folder


@pytest.fixture(scope="module")
def shared_checkout(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that the tests of a file share, and may change."""
    return shutil.copytree(plain, tmp_path_factory.mktemp("shared") / "a copy" / "checkout", symlinks=True)


@pytest.fixture
def checkout(plain: Path, tmp_path: Path) -> Path:
    """A copy of this checkout in a path with a space."""
    return shutil.copytree(plain, tmp_path / "a copy" / "checkout", symlinks=True)


@pytest.fixture
def badges(with_badges: Path, tmp_path: Path) -> Path:
    """A copy to which the module Badges was added."""
    return shutil.copytree(with_badges, tmp_path / "a copy" / "checkout", symlinks=True)
