"""The command line of `scripts/graph`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import SCRIPTS

from modulegraph.cli import main


def test_launcher_draws_this_repository_from_anywhere() -> None:
    result = subprocess.run([SCRIPTS / "graph"], capture_output=True, text=True, cwd="/", check=True)
    assert result.stdout.startswith('graph TD\n    App[["App"]]\n')


def printed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert main([str(argument) for argument in arguments]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    return output.out


def test_another_package_is_drawn_in_every_format(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "    Feed --> Store\n" in printed(capsys, "--package", tiny)
    assert "FeedImplementation --> " in printed(capsys, "--package", tiny, "--level", "targets")
    assert "StoreTesting" in printed(capsys, "--package", tiny, "--tests")
    assert 'subgraph g1["Store"]' in printed(capsys, "--package", tiny, "--module", "Store")
    assert '"Feed" -> "Store"' in printed(capsys, "--package", tiny, "--format", "dot")
    root = ElementTree.fromstring(printed(capsys, "--package", tiny, "--format", "svg"))
    assert root.attrib["aria-label"] == "Modules of Tiny"


def test_package_without_modules_is_drawn_by_targets(capsys: pytest.CaptureFixture[str]) -> None:
    output = printed(capsys, "--package", SCRIPTS / "repo" / "benchmarks")
    assert "GenerateServices --> ServiceGenerator" in output


def test_answers_are_printed_as_text_and_as_json(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--package", tiny, "--why", "Feed", "Store"]
    assert printed(capsys, *asked) == "FeedImplementation → StoreInterface\n"
    assert json.loads(printed(capsys, *asked, "--json"))["paths"] == [["FeedImplementation", "StoreInterface"]]
    asked = ["--package", tiny, "--impact", "Store/Interface/Store.swift"]
    assert "An edit in StoreInterface (interface) reaches\n" in printed(capsys, *asked)
    assert json.loads(printed(capsys, *asked, "--json"))["targets"][0]["rule"]["direct"] == [
        *("App", "FeedImplementation", "StoreImplementation", "StoreTesting")
    ]
    asked = ["--package", tiny, "--statistics"]
    assert "instability" in printed(capsys, *asked)
    numbers = json.loads(printed(capsys, *asked, "--json"))
    assert numbers["modules"][0] == {
        **{"name": "App", "role": "program"},
        **{"fan_in": 0, "fan_out": 2, "depth": 2, "instability": 1.0},
    }


@pytest.mark.parametrize(
    "arguments",
    [
        ["--format", "png"],
        ["--why", "App"],
        ["--why", "App", "Login", "--statistics"],
        ["--json"],
        ["--statistics", "--format", "svg"],
        ["--impact", "App", "--everything"],
        ["--why", "App", "Login", "--tests"],
        ["--module", "Login", "--level", "targets"],
        ["--tests", "--level", "modules"],
        ["--stat"],
    ],
)
def test_wrong_options_end_with_64(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 64
    assert "error: " in capsys.readouterr().err


def test_mistakes_end_with_their_code_and_one_line(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mistakes = [
        (["--module", "Stor"], 64, "error: no module is called 'Stor'. Did you mean 'Store'?\n"),
        (["--why", "Fed", "Store"], 64, "error: no module or target is called 'Fed'. Did you mean 'Feed'?\n"),
        (["--impact", "Package.swift"], 1, "error: Package.swift is the graph itself: "),
    ]
    for arguments, code, message in mistakes:
        assert main(["--package", str(tiny), *arguments]) == code
        output = capsys.readouterr()
        assert output.err.startswith(message) and output.err.count("\n") == 1
        assert output.out == ""
    assert main(["--package", str(tmp_path)]) == 64


def test_help_names_every_option_and_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    text = capsys.readouterr().out
    for word in ("--format", "--level", "--module", "--why", "--impact", "--statistics", "--json", "--package", "64"):
        assert word in text
