"""The plan for a change, and how a module is compiled for a running program."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from conftest import Parse
from repo_checkout import REPOSITORY
from swiftmodules.live.build import ProgramBuild
from swiftmodules.live.command import Commands, ProblemError
from swiftmodules.live.implementations import Implementations, module_entry
from swiftmodules.live.plan import Restart, plan
from swiftmodules.live.watch import Change
from swiftmodules.swiftpm import reader
from swiftmodules.swiftpm.config import Live, read_config
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.toolchain import Toolchain

CONTENT = "Modules/Profile/Implementation/OverviewContent.swift"


@pytest.fixture(scope="module")
def package(toolchain: Toolchain) -> Package:
    config = read_config(REPOSITORY / "scripts" / "swiftmodules.toml")
    return read_package(REPOSITORY, toolchain, config.names).program("App")


RESTARTS = {
    "Modules/Profile/Interface/Overview.swift": "belongs to ProfileInterface, an interface",
    "Modules/Display/Implementation/Page.swift": "belongs to DisplayImplementation, which a running program keeps",
    "App/Launch.swift": "belongs to App",
    "Package.swift": "changed",
}


def test_edits_beside_those_of_implementations_are_restarts_with_a_reason(package: Package) -> None:
    edited, new = Path(CONTENT), Path(CONTENT).with_name("New.swift")
    changes = {
        Change(added=frozenset({new})): "New.swift was added to ProfileImplementation",
        Change(removed=frozenset({edited})): "OverviewContent.swift was removed from ProfileImplementation",
    }
    for file, reason in RESTARTS.items():
        for files in ({Path(file)}, {Path(file), edited}):
            changes[Change(frozenset(files))] = f"{Path(file).name} {reason}"
    for change, reason in changes.items():
        assert plan(change, package, ["Display", "RouterService"]) == Restart(reason)


def test_module_entry_is_the_one_public_type_that_conforms_to_the_protocol(parse: Parse) -> None:
    one = "public struct NoteModule: Module {}\nstruct OtherModule {}\npublic final class Note {}\n"
    assert module_entry([parse(one)], "Module") == "NoteModule"
    assert module_entry([parse(f"/*\npublic struct OldModule {{}}\n*/\n{one}")], "Module") == "NoteModule"
    assert (
        module_entry([parse("public struct NoteModule: Module {}\npublic struct OtherModule: Module {}\n")], "Module")
        is None
    )


PROBLEMS = {
    "echo note: a; for n in 3 4; do echo /p/A.swift:$n:1: error: no type; done; exit 1": "A.swift:3: no type",
    "echo note: a; echo clang: error: no space >&2; exit 1": "Linking failed: no space",
    "exit 1": "Linking failed: it printed nothing",
    "kill -KILL $$": "Linking was ended by SIGKILL. Save again to repeat it.",
}


def test_problem_is_the_first_error_in_a_line_that_says_what_to_do(toolchain: Toolchain, tmp_path: Path) -> None:
    commands = Commands(tmp_path, toolchain)
    for script, message in PROBLEMS.items():
        with pytest.raises(ProblemError, match=f"^{re.escape(message)}$"):
            commands.run("Linking", ["/bin/sh", "-c", script])
    stopping = threading.Timer(0.2, commands.stop)
    stopping.start()
    for script in ("exec sleep 60", "true"):
        with pytest.raises(ProblemError, match=r"^Linking was stopped, because the session ends\.$"):
            commands.run("Linking", ["/bin/sh", "-c", script])
    stopping.join()


def test_replaceable_implementations_are_prepared_before_the_first_edit_while_nothing_else_happens(
    package: Package, toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = Commands(REPOSITORY, toolchain)
    build = ProgramBuild("App", package, tmp_path, commands)
    found = Implementations(package, Live("Module", "None", ("Display",)), build, commands)
    monkeypatch.setattr(reader, "_PARSED", {})
    parsed = []
    parse = reader._parsed
    monkeypatch.setattr(reader, "_parsed", lambda texts, program: parsed.append(texts) or parse(texts, program))
    found.prepare(is_interrupted=lambda: len(parsed) == 1)
    assert len(parsed) == 1
    found.prepare(is_interrupted=lambda: False)
    monkeypatch.setattr(reader, "_parsed", lambda *_: pytest.fail("waits for the parser"))
    for name in ("Notes", "Profile"):
        assert found.variables(f"{name}Implementation") == []


def test_build_begins_again_where_a_file_was_saved_meanwhile(
    package: Package, toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "saved"
    again = f"[ -f '{marker}' ] && echo '{tmp_path}' && exit; touch '{marker}'"
    modified = f"{again}; echo error: input file A.swift was modified during the build; exit 1"
    commands = Commands(tmp_path, toolchain)
    run = commands.run
    monkeypatch.setattr(commands, "run", lambda what, *_: run(what, ["/bin/sh", "-c", modified]))
    build = ProgramBuild("App", package, tmp_path, commands)
    build.build()
    assert build.program == tmp_path / "App"


def test_implementation_without_one_of_its_files_waits(package: Package, toolchain: Toolchain, tmp_path: Path) -> None:
    commands = Commands(tmp_path, toolchain)
    found = Implementations(package, Live("Module", "None"), ProgramBuild("App", package, tmp_path, commands), commands)
    with pytest.raises(ProblemError, match=r"\.swift is gone"):
        found.library("ProfileImplementation", [])
