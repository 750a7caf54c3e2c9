"""The fixtures that unit tests share: the toolchain, a parser for code given as text, and a small package."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from shop import Shop, copy_shop
from swiftmodules.swiftpm import package
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package, read_package
from swiftmodules.swiftpm.reader import SourceFile, read_files, read_sources
from swiftmodules.swiftpm.toolchain import Toolchain

TINY = Path(__file__).resolve().parent.parent / "fixtures" / "Tiny"

Parse = Callable[..., SourceFile]


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
    return shutil.copytree(TINY, tmp_path / "a cöpy" / "Tiny")


@pytest.fixture
def shop(toolchain: Toolchain, tmp_path: Path) -> Shop:
    """The package that keeps every rule, in a folder of the test's own."""
    return Shop(copy_shop(tmp_path), toolchain)


@pytest.fixture(scope="session")
def answers() -> dict[tuple[object, ...], tuple[str, str]]:
    """What SwiftPM has answered, and about which folder."""
    return {}


@pytest.fixture
def swiftpm_is_asked_once(monkeypatch: pytest.MonkeyPatch, answers: dict[tuple[object, ...], tuple[str, str]]) -> None:
    """Packages with the same manifest and files have the same description, which takes SwiftPM seconds."""
    ask = package._ask

    def remembered(question: Sequence[str], folder: Path, toolchain: Toolchain, scratch: Path) -> dict[str, Any]:
        files = {path.relative_to(folder) for path in folder.rglob("*.*")}
        key = (*question, (folder / "Package.swift").read_bytes(), frozenset(files), *toolchain.environment.items())
        if key not in answers:
            answers[key] = str(folder), json.dumps(ask(question, folder, toolchain, scratch), ensure_ascii=False)
        known, text = answers[key]
        return dict(json.loads(text.replace(known, str(folder))))

    monkeypatch.setattr(package, "_ask", remembered)


@dataclass(frozen=True)
class Read:
    """A package as measurements read it."""

    package: Package
    sources: Mapping[Path, SourceFile]

    @property
    def modules(self) -> dict[str, Module]:
        return self.package.modules


@pytest.fixture(scope="session")
def tiny_read(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Read:
    """The small package, read once."""
    folder = shutil.copytree(TINY, tmp_path_factory.mktemp("tiny") / "Tiny")
    found = read_package(folder, toolchain)
    return Read(found, read_sources(folder, found, toolchain))
