"""The parts of a run on a cluster that need none: what is sent, what must be equal, and the addresses."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_files import files, programs
from swiftmodules.cli import main
from swiftmodules.errors import ToolError
from swiftmodules.measure.worker import packed, require_equal, unpack


def test_package_arrives_with_its_modes_and_links(tmp_path: Path) -> None:
    folder = tmp_path / "sent"
    files(folder, {"größer/A.swift": "let a = 1\n"})
    programs(folder, {"tool.sh": "exit"})
    (folder / "link").symlink_to("größer/A.swift")
    unpack(packed(folder), tmp_path / "there")
    there = tmp_path / "there"
    assert sorted(path.name for path in there.rglob("*")) == ["A.swift", "größer", "link", "tool.sh"]
    assert (there / "größer" / "A.swift").read_text() == "let a = 1\n"
    assert (there / "tool.sh").stat().st_mode & 0o777 == 0o755
    assert str((there / "link").readlink()) == "größer/A.swift"


def test_machine_that_is_not_alike_is_refused_with_both_versions() -> None:
    here = {"toolchain": "Swift 6", "version of swiftmodules": "def"}
    require_equal(here, "b", here)
    with pytest.raises(ToolError, match="b has another toolchain: Swift 5, and the command runs with Swift 6"):
        require_equal(here, "b", here | {"toolchain": "Swift 5"})


def test_address_of_another_form_is_refused_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    for address in ("127.0.0.1:8786", "tcp://127.0.0.1", "tcp://a b:1"):
        for words in (["measure", "--cluster", address], ["worker", address]):
            assert main(words) == 64
            assert "give one such as tcp://127.0.0.1:8786" in capsys.readouterr().err


def test_missing_cluster_is_named_with_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Package.swift").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("swiftmodules.measure.cluster._CONNECT_SECONDS", 0.5)
    # Port 9 (discard) takes no connections.
    assert main(["measure", "--rounds", "0", "--cluster", "tcp://127.0.0.1:9"]) == 1
    error = capsys.readouterr().err
    assert "No scheduler answers at tcp://127.0.0.1:9" in error and "'swiftmodules worker tcp://" in error
