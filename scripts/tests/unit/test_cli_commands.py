"""How commands end, what their help says, how options are read and repeated, and what `graph` prints."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from itertools import takewhile
from pathlib import Path
from unittest.mock import Mock

import pytest
from cyclopts import App
from made_files import FIXTURES, committed, files
from swiftmodules import options
from swiftmodules.cli import main
from swiftmodules.command_line import PROGRAM_VARIABLE, annotate, package_folder, repeating, run_app
from swiftmodules.errors import InterruptedRunError, ToolError, UsageError
from swiftmodules.interrupts import run_interruptibly
from swiftmodules.options import MeasureChoices as Choices
from swiftmodules.steps.edit import DEFAULT_EDITS
from swiftmodules.swiftpm.config import read_config
from swiftmodules.swiftpm.toolchain import Toolchain

TOOL = Path(options.__file__).resolve().parent.parent
COMMANDS = ["graph", "measure", "measure advise", "measure split", "measure compare"]


def ending(result: object) -> int:
    """The exit code of a command that returns the result, or raises it if it is an error."""
    app = App(name="scripts/try", version_flags=[])

    @app.default
    def do() -> object:
        if isinstance(result, BaseException):
            raise result
        return result() if callable(result) else result

    return run_interruptibly(lambda: run_app(app, []))


MISSING = (
    "error: This command needs the Python library '{}', which is not installed. Install it with the others of the "
    "command: pip install 'swiftmodules[{}]'.\n"
)
ENDS: list[tuple[BaseException, int, str]] = [
    (UsageError("there is no such thing."), 64, "error: there is no such thing.\n"),
    (ToolError("no such tool."), 1, "error: no such tool.\n"),
    (OSError(28, "No space left on device"), 1, "error: [Errno 28] No space left on device\n"),
    (InterruptedRunError(15), 143, "interrupted by SIGTERM\n"),
    *(
        (ModuleNotFoundError(f"No module named '{name}'", name=name), 69, MISSING.format(name, extra))
        for name, extra in (("jinja2", "measure"), ("watchfiles", "live"))
    ),
]


def test_results_and_errors_become_an_exit_code_and_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert [ending(code) for code in (None, 0, 1)] == [0, 0, 1]
    for error, code, message in ENDS:
        assert ending(error) == code
        assert capsys.readouterr().err == message


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_ends_a_command_with_its_code(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    # As at a terminal, also where these tests run under nohup.
    inherited = signal.signal(number, signal.default_int_handler)
    try:
        assert ending(lambda: os.kill(os.getpid(), number)) == 128 + number
        assert capsys.readouterr().err == f"interrupted by {signal.Signals(number).name}\n"
        assert signal.getsignal(number) is signal.default_int_handler
        # Under nohup, a command outlives its terminal.
        signal.signal(number, signal.SIG_IGN)
        if number == signal.SIGHUP:
            assert ending(lambda: os.kill(os.getpid(), number)) == 0
    finally:
        signal.signal(number, inherited)


def test_closed_output_ends_a_command_silently() -> None:
    program = (
        "import sys; from cyclopts import App; from swiftmodules.command_line import run_app; app = App()\n"
        "app.default(lambda: print('line ' * 100_000))\nsys.exit(run_app(app, []))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(TOOL)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(4)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141


WRONG = """
grpah | Unknown command "grpah". Did you mean "graph"?
measure --rounds=-1 | Invalid value "-1" for --rounds. Must be >= 0.
measure --layouts , | It has no name; give names with commas between them
measure --copies=-1 | Invalid value "-1" for --copies. Must be >= 0.
graph --level files | Invalid value "files" for --level. Choose from: "modules", "targets".
graph --why App | --why
graph --levle | Unknown option: --levle. Did you mean --level?
"""
CONTRADICTIONS = """
measure --quick --rounds 2 | --quick chooses the number of rounds.
measure --quick --edits history:3 | --quick cannot replay a history.
measure --edits history:3 --copies 2 | A history has no copies. Leave out --copies.
measure --until cached --settings swiftbuild | --until cached needs the native build engine
measure --settings default,lld --layouts interface,fused | A run cannot compare 2 layouts and 2 settings.
measure --settings default,lld --against main | A run cannot compare 2 layouts and 2 settings.
measure --layouts flat | No layout is called 'flat'. Choose from: interface, fused, monolith.
measure /nowhere | /nowhere is not a Swift package: it has no Package.swift.
graph --why App Login --impact App | --why and --impact cannot be combined
graph --module Login --level targets | --level and --module cannot be combined
graph /nowhere | /nowhere is not a Swift package
"""


@pytest.mark.parametrize(
    ("line", "has_hint"),
    [(line, texts is WRONG) for texts in (WRONG, CONTRADICTIONS) for line in texts.split("\n")[1:-1]],
)
def test_wrong_option_exits_with_64_and_a_line(line: str, has_hint: bool, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, _, message = line.partition(" | ")
    assert main(arguments.split()) == 64
    printed = capsys.readouterr()
    first, *hint, end = printed.err.split("\n")
    assert first.startswith("error: ") and message in first
    assert (printed.out, end, len(hint)) == ("", "", has_hint)
    assert all(each.startswith("See 'swiftmodules") and each.endswith("--help'.") for each in hint)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_short_with_examples_that_exist(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv(PROGRAM_VARIABLE, f"scripts/{command.split()[0]}")
    assert main([*command.split(), "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"Usage: scripts/{command}")
    assert text.count("\n") < (105 if command == "measure" else 45)
    assert "{" not in text
    if command == "measure":
        words = "compare --quick 64 130 monolith stored-property"
        assert all(word in text for word in (*words.split(), "results.json", "--rounds"))
        assert {line.split()[0] for line in text.splitlines() if line.endswith(" (default)")} == {*DEFAULT_EDITS}
    # A flag that is not given is off.
    assert "[default: False]" not in text
    examples = text.partition("examples:\n")[2].split("\n\n")[0].split("\n")
    assert examples
    for example in filter(str.strip, examples):
        words = shlex.split(example.partition(" | ")[0].partition(" > ")[0])
        assert words[0] == f"scripts/{command.split()[0]}"
        for option in (word for word in words if word.startswith("--")):
            assert option in text


def test_help_of_an_option_is_one_line_because_its_line_breaks_would_be_shown() -> None:
    lines = Path(options.__file__).read_text().splitlines()
    assert all(line.count('"""') == 2 for line in lines if line.startswith('    """'))


def test_package_is_of_the_nearest_manifest_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "Shop" / "Sources" / "Cart"
    inner.mkdir(parents=True)
    (tmp_path / "Shop" / "Package.swift").touch()
    monkeypatch.chdir(inner)
    assert package_folder(None) == tmp_path / "Shop"
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"a folder above it has a Package\.swift\. Name the folder"):
        package_folder(None)
    monkeypatch.setenv(options.PACKAGE_VARIABLE, str(tmp_path / "Shop"))
    assert package_folder(None) == tmp_path / "Shop"
    assert package_folder(Path("Shop")) == tmp_path / "Shop"
    # As in the command that repeats a run.
    assert repeating(Path("../My Shop"), Choices()) == "swiftmodules measure '../My Shop'"
    monkeypatch.setenv(PROGRAM_VARIABLE, "scripts/measure")
    assert repeating(None, Choices()) == "scripts/measure"


@pytest.mark.parametrize("command", ["graph", "measure", "measure advise", "measure split --target Shop"])
def test_commands_keep_the_variables_that_a_manifest_reads(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = Mock(side_effect=ToolError("no toolchain"))
    monkeypatch.setattr(Toolchain, "find", find)
    (tmp_path / "Package.swift").touch()
    assert main([*command.split(), "--package", str(tmp_path), "--variable", "A,B"]) == 1
    find.assert_called_with(variables=("A", "B"))


def test_readme_has_commands_and_configuration_that_exist(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (TOOL / "README.md").read_text()
    shell, toml = (re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL) for language in ("sh", "toml"))
    (tmp_path / "swiftmodules.toml").write_text("".join(toml))
    kinds = [rule.kind for rule in read_config(tmp_path / "swiftmodules.toml").targets]
    assert kinds == ["interface", "implementation"]
    for line in filter(lambda line: line.startswith("swiftmodules "), "".join(shell).split("\n")):
        words = line.partition("#")[0].split()[1:]
        assert main([*takewhile(lambda word: not word.startswith("--"), words), "--help"]) == 0
        help_text = capsys.readouterr().out
        assert all(word in help_text for word in words if word.startswith("--"))


def test_graph_draws_and_answers_as_text_and_as_json(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def printed(*arguments: str) -> str:
        assert main(["graph", str(tiny), *arguments]) == 0
        output = capsys.readouterr()
        assert output.err == ""
        return output.out

    assert 'subgraph g1["Store"]' in printed("--module", "Store")
    drawn = json.loads(printed("--json"))
    assert {"source": "Feed", "target": "Store", "kind": "depends on it"} in drawn["edges"]
    assert drawn["nodes"][0] == {"name": "App", "role": "program", "group": None}
    assert printed("--why", "Feed", "Store") == "FeedImplementation → StoreInterface\n"
    reached = json.loads(printed("--impact", "Store/Interface/Store.swift", "--json"))
    assert reached["rebuilt"] == ["App", "FeedImplementation", "StoreImplementation", "StoreInterface", "StoreTesting"]
    assert "    FeedImplementation --> " in printed("--level", "targets")
    committed(tiny)
    assert printed("--since", "HEAD") == "Changed since HEAD: nothing that is built\ntests:\n"
    assert json.loads(printed("--since", "HEAD", "--json"))["tests"] == []
    files(tiny, {"Feed/Implementation/New.swift": "struct New {}\n"})
    removed = '        .target(name: "StoreTesting", dependencies: ["StoreInterface"], path: "Store/Testing"),\n'
    manifest = (tiny / "Package.swift").read_text()
    files(tiny, {"Package.swift": manifest.replace(removed, "")})
    assert printed("--since", "HEAD").splitlines() == [
        *("Changed since HEAD:", "  FeedImplementation: New.swift", "  StoreTesting: Package.swift: removed"),
        *("Targets that a cache by source rebuilds: 2, files in them: 6", "  App, FeedImplementation", "tests:"),
    ]
    assert main(["graph", str(tiny), "--since", "gone"]) == 64
    assert "has no revision 'gone'. Name a commit, a branch or a tag." in capsys.readouterr().err
    (tiny / "swiftmodules.toml").write_text('[[targets]]\nkind = "interface"\nnames = ["{module}API"]\n')
    assert "    FeedImplementation --> " in printed()


def test_annotations_name_a_file_and_are_printed_in_a_workflow_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    annotate("error", "nothing")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    annotate("warning", "100%\nof two", tmp_path / "A:b/Package.swift")
    annotate("notice", "Plain.")
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == ["::warning file=A%3Ab/Package.swift,line=1::100%25%0Aof two", "::notice::Plain."]
    assert main(["graph", str(FIXTURES / "Tiny"), "--why", "App", "Nobody"]) == 64
    assert "::error::No module or target is called" in capsys.readouterr().err
