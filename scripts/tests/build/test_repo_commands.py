"""Every command that README and CONTRIBUTING name is run: here, or by the test that stands beside it."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from repo_checkout import REPOSITORY
from test_repo_walk import WALK, Command

_COMMAND = re.compile(r"`((?:swift |git |scripts/(?!\S+\.\w))[^`\n]*\n?[^`\n]*)`|^\$ (.+)$", re.M)
_APP = "swift run App"

# What a command that takes a moment prints, with what is built already.
SHOWN = {
    "git clone URL-OF-THIS-REPOSITORY ModularSwift && cd ModularSwift": "",
    "swift run App": "== Home ==\nModular Swift: features that meet at interfaces\n  1  Notes — ",
    "swift run App --help": "--open URL",
    "swift run App --routes": "app://profile/:user/edit",
    "swift run App --check": " 0 problems",
    "scripts/graph": 'graph TD\n    App[["App"]]\n',
}
_REFUSED = "test_import_of_another_implementation_is_refused_by_the_build"
# Commands that build, and the tests that run them or what they are made of.
ELSEWHERE = {
    "swift run App --open app://badges": "test_screen_opens_in_the_app",
    "echo 'import NotesImplementation' > Modules/Home/Implementation/Shortcut.swift": _REFUSED,
    "swift build --explicit-target-dependency-import-check error": _REFUSED,
    "rm Modules/Home/Implementation/Shortcut.swift": _REFUSED,
    "scripts/graph --why Profile HTTPClient": "test_graph_draws_and_answers_as_text_and_as_json",
    "scripts/graph --impact Login": "test_graph_draws_and_answers_as_text_and_as_json",
    "scripts/graph --since main": "test_graph_draws_and_answers_as_text_and_as_json",
    "scripts/live": "test_save_in_an_implementation_replaces_the_module_and_keeps_the_session",
    "scripts/module run Profile": "test_profile_alone_signs_in_without_a_form_and_edits_the_fake",
    "scripts/module run Profile --live": "test_save_in_the_implementation_is_replaced_on_the_screen_of_the_feature",
    "scripts/module run Badges": "test_command_shows_the_build_and_becomes_the_feature",
    "scripts/module new Badges --uses Login --route --service": "test_tests_of_added_modules_and_of_the_app_pass",
    "scripts/measure --quick": "test_quick_run_takes_the_rounds_that_fit",
    "scripts/measure PATH --quick": "test_quick_run_takes_the_rounds_that_fit",
    "scripts/measure PATH --against main": "test_edits_are_made_in_the_same_declarations_before_and_after_a_split",
    "scripts/measure advise PATH": "test_prediction_is_what_a_real_split_costs",
    "scripts/measure split PATH --target X": "test_difficult_package_is_cut_and_its_tests_pass",
    "scripts/graph --package PATH --since main": "test_graph_draws_and_answers_as_text_and_as_json",
}
# The program that runs this test, and its steps.
SELF = {"scripts/test", "scripts/test --since main", "swift test", "swift test --filter ProfileTests"}
SELF |= {"scripts/docs", "scripts/docs --check", "swift package check"}
SELF |= {"swift format --in-place --recursive App Modules Tests Package.swift"}


def commands(document: str) -> set[str]:
    text = (REPOSITORY / document).read_text(encoding="utf-8")
    return {" ".join((code or line).split()) for code, line in _COMMAND.findall(text)}


def walk() -> set[str]:
    """The commands of the tutorial, which `test_repo_walk` runs in order."""
    return {step.line for step in WALK if isinstance(step, Command)}


def test_every_command_of_the_documents_is_run_and_no_other_is_listed() -> None:
    named = commands("README.md") | commands("CONTRIBUTING.md")
    assert named - walk() == (SHOWN.keys() | ELSEWHERE.keys() | SELF) - walk()
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.parent.glob("*/test_*.py"))
    assert [test for test in ELSEWHERE.values() if f"def {test}(" not in tests] == []
    asked = " ".join(re.findall(r"scripts/graph --(?:why|impact) ([\w ]+)", "\n".join(named))).split()
    assert asked and [each for each in asked if not (REPOSITORY / "Modules" / each).is_dir()] == []


@pytest.mark.parametrize("command", SHOWN)
def test_command_prints_what_its_reader_expects(command: str, tmp_path: Path) -> None:
    if command.startswith("git clone"):
        command = command.replace("URL-OF-THIS-REPOSITORY", shlex.quote(str(REPOSITORY)))
        done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0 and (tmp_path / "ModularSwift/Package.swift").is_file(), done.stderr
        return
    # Nothing is built or changed here, and no lock of SwiftPM is waited for.
    run = command.replace(_APP, ".build/debug/App --ephemeral")
    # The scripts work from any folder.
    folder = tmp_path if run.startswith("scripts/") else REPOSITORY
    words = shlex.split(run.replace("scripts/", f"{REPOSITORY}/scripts/"))
    done = subprocess.run(words, cwd=folder, input="q\n", capture_output=True, text=True)
    assert done.returncode == 0 and SHOWN[command] in done.stdout, f"{done.stdout}\n{done.stderr}"
