"""The presenters of docs/Adopting.md, type-checked against declarations of what they use of UIKit and SwiftUI."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from repo_checkout import REPOSITORY

DECLARATIONS = REPOSITORY / "scripts/tests/build/apple"
FLAGS = ("-swift-version", "6", "-warnings-as-errors", "-parse-as-library")


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("modules")
    sources = {each.stem: [each] for each in DECLARATIONS.glob("*.swift")}
    sources["RouterServiceInterface"] = [*(REPOSITORY / "Modules/RouterService/Interface").rglob("*.swift")]
    features = [
        part
        for name in ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility")
        for part in ("-enable-upcoming-feature", name)
    ]
    for name, files in sources.items():
        output = folder / f"{name}.swiftmodule"
        found = swiftc([*features, "-emit-module", "-module-name", name, "-o", output, *files])
        assert found == ""
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", ["UIKit", "SwiftUI"])
def test_presenter_is_type_checked_and_a_mistake_in_it_is_found(name: str, modules: Path, tmp_path: Path) -> None:
    presenter = REPOSITORY / f"docs/adopting/{name}Presenter.swift"
    assert swiftc(["-typecheck", "-I", modules, presenter]) == ""
    wrong = tmp_path / presenter.name
    wrong.write_text(presenter.read_text(encoding="utf-8").replace("presentation.close()", "presentation.dismiss()"))
    assert "has no member 'dismiss'" in swiftc(["-typecheck", "-I", modules, wrong])


def swiftc(arguments: Iterable[str | Path]) -> str:
    """The compiler's messages."""
    command = ["swiftc", *FLAGS, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr
