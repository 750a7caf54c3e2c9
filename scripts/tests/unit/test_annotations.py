"""Findings as annotations of a workflow."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_files import FIXTURES
from swiftmodules.annotations import annotate
from swiftmodules.cli import main


def test_annotations_name_file_and_line_and_are_printed_in_a_workflow_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    annotate("error", "nothing")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    annotate("warning", "100%\nof two", tmp_path / "A:b/Package.swift", 3)
    annotate("notice", "Plain.")
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == ["::warning file=A%3Ab/Package.swift,line=3::100%25%0Aof two", "::notice::Plain."]
    assert main(["graph", str(FIXTURES / "Tiny"), "--why", "App", "Nobody"]) == 64
    assert "::error::No module or target is called" in capsys.readouterr().err
