"""The command line and its launcher, where no build is needed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from conftest import SCRIPTS, contents, measure

from buildspeed.arguments import edit_names
from buildspeed.cli import main
from buildspeed.edits import MUTATORS


def exit_code(*arguments: str) -> int:
    try:
        return main(arguments)
    except SystemExit as ending:
        return int(ending.code or 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--edits", "body,bodies"],
            "no edit is called 'bodies'. Choose from: noop, touch, comment, body, private-top, ",
        ),
        (["--layouts", "flat"], "no layout is called 'flat'. Choose from: interface, fused, monolith, direct."),
        (["--layouts", ","], "no layout is named"),
        (["--rounds", "0"], "'0' is no number of rounds; give 1 or more"),
        (["--rounds", "2", "--quick"], "not allowed with argument"),
        (["--jobs", "-1"], "'-1' is no number of jobs; give 1 or more"),
        (["layouts", "--rounds", "0"], "'0' is no number of rounds; give 1 or more"),
        (["matrix", "--rounds", "1"], "unrecognized arguments: --rounds 1"),
        (["matrix", "--edits", "bodies"], "no edit is called 'bodies'"),
        (["matrix", "--package", "/nowhere"], "/nowhere is no Swift package"),
        (
            ["simulate", "--sizes", "5", "--modules", "Login"],
            "edits are made in HTTPClient and Profile1; leave out --modules",
        ),
        (["simulate", "--sizes", "5,0"], "'0' is no number of copies; give 1 or more"),
        (["simulate", "--shape", "ring"], "invalid choice: 'ring'"),
        (["simulate", "--shape", "chain"], "--shape is that of generated packages; name their --sizes too."),
        (
            ["simulate", "--layouts", "packages"],
            "'packages' is a layout of generated packages; name their --sizes too.",
        ),
        (["matrices"], "unrecognized arguments: matrices"),
        (["--fast"], "unrecognized arguments: --fast"),
        (["--package", "/nowhere"], "/nowhere is no Swift package"),
    ],
)
def test_wrong_arguments_are_told_on_standard_error_with_exit_64(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert exit_code(*arguments) == 64
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_unknown_module_is_told_with_the_known_ones_and_leaves_no_trace(tiny: Path) -> None:
    before = contents(tiny)
    result = measure("--package", tiny, "--modules", "Shop")
    assert (result.returncode, result.stderr) == (64, "error: no module is called 'Shop'. Choose from: Feed, Store.\n")
    assert contents(tiny) == before
    assert not (tiny / ".build/measure/work").exists()


def test_help_tells_every_layout_edit_and_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("--help") == 0
    text = capsys.readouterr().out
    for words in ("monolith", "noop", "results.json", "--seed", "64", "130"):
        assert words in text


def run_without(tmp_path: Path, *programs: str) -> subprocess.CompletedProcess[str]:
    """Runs the launcher with a PATH that has only the named programs and a few basic ones."""
    for name in ("dirname", *programs):
        path = subprocess.run(["sh", "-c", f"command -v {name}"], capture_output=True, text=True, check=True)
        (tmp_path / name).symlink_to(path.stdout.strip())
    return subprocess.run(
        ["/bin/sh", SCRIPTS / "measure", "--help"], env={"PATH": str(tmp_path)}, capture_output=True, text=True
    )


def test_launcher_says_where_to_get_a_missing_toolchain(tmp_path: Path) -> None:
    result = run_without(tmp_path)
    assert (result.returncode, result.stdout) == (69, "")
    assert "no Swift toolchain" in result.stderr
    assert "swift.org/install" in result.stderr


def test_launcher_says_where_to_get_a_missing_python(tmp_path: Path) -> None:
    result = run_without(tmp_path, "swift", "swiftc")
    assert result.returncode == 69
    assert "'python3' is not in PATH" in result.stderr
    assert "apt install python3" in result.stderr


def test_launcher_says_when_python_is_too_old(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.8.1\nexit 1\n')
    old.chmod(0o755)
    result = run_without(tmp_path, "swift", "swiftc")
    assert result.returncode == 69
    assert "Python 3.8.1 is too old" in result.stderr


def test_earlier_names_of_edits_mean_the_present_ones() -> None:
    assert edit_names("private,private-top,app,noop") == ("private-top", "app-body", "noop")
    assert edit_names("all") == tuple(MUTATORS)


@pytest.mark.parametrize("subcommand", [[], ["layouts"], ["matrix"], ["verify"]])
def test_every_subcommand_has_help(capsys: pytest.CaptureFixture[str], subcommand: list[str]) -> None:
    assert exit_code(*subcommand, "--help") == 0
    text = capsys.readouterr().out
    assert "--edits" in text and (subcommand or ["matrix"])[-1] in text
