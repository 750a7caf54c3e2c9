"""The command `graph`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from swiftmodules.cli import main


def printed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert main(["graph", *map(str, arguments)]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    return output.out


def test_package_is_drawn_in_every_form(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "    Feed --> Store\n" in printed(capsys, tiny)
    assert "    FeedImplementation --> " in printed(capsys, "--package", tiny, "--level", "targets")
    assert 'subgraph g1["Store"]' in printed(capsys, tiny, "--module", "Store")
    drawn = json.loads(printed(capsys, tiny, "--json"))
    assert {"source": "Feed", "target": "Store", "kind": "depends on the interface"} in drawn["edges"]
    assert drawn["nodes"][0] == {"name": "App", "role": "program", "group": None, "parts": []}


def test_package_without_modules_is_drawn_by_targets(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tiny / "swiftmodules.toml").write_text(
        '[[targets]]\nkind = "interface"\nnames = ["{module}API"]\n', encoding="utf-8"
    )
    assert "    FeedImplementation --> " in printed(capsys, tiny)


def test_answers_are_printed_as_text_and_as_json(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [tiny, "--why", "Feed", "Store"]
    assert printed(capsys, *asked) == "FeedImplementation → StoreInterface\n"
    assert json.loads(printed(capsys, *asked, "--json"))["path"] == ["FeedImplementation", "StoreInterface"]
    asked = [tiny, "--impact", "Store/Interface/Store.swift"]
    text = printed(capsys, *asked)
    assert text.startswith("An edit in Store/Interface/Store.swift (StoreInterface, interface) reaches at most\n")
    assert "  FeedImplementation: FeedModule.swift, StoredTeller.swift\n" in text
    assert list(json.loads(printed(capsys, *asked, "--json"))["targets"][0]["importing"]) == [
        *("App", "FeedImplementation", "StoreImplementation", "StoreTesting")
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--module", "Stor"], 64, "error: No module is called 'Stor'. Did you mean 'Store'?\n"),
        (["--why", "Fed", "Store"], 64, "error: No module or target is called 'Fed'. Did you mean 'Feed'?\n"),
        (["--impact", "Package.swift"], 1, "error: Package.swift is the graph itself: "),
    ],
)
def test_mistakes_exit_with_their_code_and_one_line(
    arguments: list[str],
    code: int,
    message: str,
    tiny: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tiny)
    assert main(["graph", *arguments]) == code
    output = capsys.readouterr()
    assert output.err.startswith(message) and output.err.count("\n") == 1
    assert output.out == ""
