"""The plan for a change, and how a module is compiled for a running program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Parse
from made_files import programs
from repo_checkout import REPOSITORY
from swiftmodules.live.build import ProblemError, ProgramBuild, problem
from swiftmodules.live.command import Commands, Output
from swiftmodules.live.compile import module_entry
from swiftmodules.live.implementations import Implementations
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


def test_compiler_runs_again_where_a_file_was_saved_meanwhile(tmp_path: Path, toolchain: Toolchain) -> None:
    again = "echo \"error: input file 'A.swift' was modified during the build\"; touch saved; exit 1"
    compiler = programs(tmp_path, {"compiler": f"[ -f saved ] || {{ {again}; }}\necho compiled"})
    assert Commands(tmp_path, toolchain).compile(compiler) == Output(0, "compiled\n")


def test_problem_without_a_file_is_the_line_with_the_error() -> None:
    found = problem("note: a\nclang: error: no space\n", "Linking Note", Path("/p"))
    assert str(found) == "Linking Note failed: clang: error: no space"


def test_sources_of_replaceable_implementations_are_read_before_the_first_edit(
    package: Package, toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = Commands(REPOSITORY, toolchain)
    build = ProgramBuild("App", package, tmp_path, commands)
    found = Implementations(package, Live("Module", "None", ("Display",)), build, commands)
    monkeypatch.setattr(reader, "_PARSED", {})
    found.read_ahead()
    monkeypatch.setattr(reader, "_parsed", lambda *_: pytest.fail("waits for the parser"))
    for name in ("Notes", "Profile"):
        found.variables(f"{name}Implementation")
    with pytest.raises(pytest.fail.Exception):
        found.variables("DisplayImplementation")


def test_implementation_without_one_of_its_files_waits(package: Package, toolchain: Toolchain, tmp_path: Path) -> None:
    module = tmp_path / "ProfileImplementation.swiftmodule"
    module.touch()
    command = ["swiftc", "-module-name", module.stem, "-emit-module-path", str(module), "-parseable-output"]
    fields = {"inputs": [], "outputs": [str(module)], "description": "", "args": command}
    planned = "".join(f"    {name}: {json.dumps(value, separators=(',', ':'))}\n" for name, value in fields.items())
    (tmp_path / "debug.yaml").write_text(f'commands:\n  "C.some":\n    tool: shell\n{planned}')
    commands = Commands(tmp_path, toolchain)
    build = ProgramBuild("App", package, tmp_path, commands)
    found = Implementations(package, Live("Module", "None"), build, commands)
    assert build.commands() == {"ProfileImplementation": command[1:]}
    with pytest.raises(ProblemError, match=r"\.swift is gone"):
        found.target("ProfileImplementation")
