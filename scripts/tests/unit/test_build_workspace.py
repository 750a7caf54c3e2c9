"""The files of a workspace as it becomes one layout after another, and the command that builds it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from made_files import files, programs
from made_packages import package_of
from swiftmodules.builds.machine import usable_cores
from swiftmodules.builds.recorder import Recorder
from swiftmodules.builds.workspace import Workspace
from swiftmodules.errors import ToolError
from swiftmodules.layouts.layout import Layout
from swiftmodules.swiftpm.toolchain import Toolchain, native_engine

A, B = Path("Sources/A/A.swift"), Path("Sources/B/B.swift")


@pytest.fixture
def first(tmp_path: Path) -> Layout:
    """A layout whose files are copies."""
    made = files(tmp_path / "original", {str(A): "a\n", str(B): "b\n", "Own.swift": "b\n"})
    return Layout("interface", None, {}, package_of({}), copies=dict(zip((A, B, Path("Own.swift")), made, strict=True)))


@pytest.fixture
def workspace(first: Layout, tmp_path: Path, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr(Recorder, "made", lambda folder, package, toolchain: Recorder(folder, package))
    return Workspace(first, tmp_path / "own", toolchain, ("--jobs", "1"))


def times(workspace: Workspace) -> dict[Path, int]:
    paths = [path for path in workspace.package.rglob("*") if path.is_file()]
    return {path.relative_to(workspace.package): path.lstat().st_mtime_ns for path in paths}


def test_only_what_differs_is_written_and_empty_folders_are_removed(workspace: Workspace, first: Layout) -> None:
    before = times(workspace)
    assert before.keys() == {A, B, Path("Own.swift")} and not workspace.become(replace(first))
    assert workspace.become(edited := replace(first, edited={A: b"other\n"})) and not workspace.become(edited)
    assert {path for path, moment in times(workspace).items() if moment != before[path]} == {A}
    assert (workspace.package / A).read_bytes() == b"other\n"
    without = {path: file for path, file in first.copies.items() if path != B}
    assert workspace.become(replace(first, copies=without))
    assert (workspace.package / A).read_bytes() == b"a\n" and not (workspace.package / B).parent.exists()
    assert workspace.become(first) and (workspace.package / B).read_bytes() == b"b\n"


def test_link_may_take_the_place_of_a_folder(workspace: Workspace, first: Layout, tmp_path: Path) -> None:
    link = tmp_path / "original/Sources/Link"
    link.symlink_to("A")
    without = {path: file for path, file in first.copies.items() if path != B}
    assert workspace.become(replace(first, copies={**without, B.parent: link}))
    assert (workspace.package / B.parent / "A.swift").read_bytes() == b"a\n"


def test_link_and_file_of_the_same_content_take_the_place_of_each_other(
    workspace: Workspace, first: Layout, tmp_path: Path
) -> None:
    link = tmp_path / "original/Sources/B/Link.swift"
    link.symlink_to("../../Own.swift")
    linked, here = replace(first, copies={**first.copies, B: link}), workspace.package / B
    assert workspace.become(linked) and here.is_symlink() and not workspace.become(linked)
    # What an edit changes is what the link leads to.
    assert workspace.become(replace(linked, edited={B: b"other\n"})) and here.is_symlink()
    assert (workspace.package / "Own.swift").read_bytes() == b"other\n"
    assert workspace.become(linked) and (workspace.package / "Own.swift").read_bytes() == b"b\n"
    assert workspace.become(first) and not here.is_symlink() and here.read_bytes() == b"b\n"


def test_tests_are_run_by_their_targets_and_those_that_fail_are_named(
    workspace: Workspace, toolchain: Toolchain, tmp_path: Path
) -> None:
    workspace.toolchain = replace(toolchain, bin=tmp_path / "bin")
    programs(tmp_path, {"bin/swift": 'echo "$@" >words'})
    assert workspace.run_tests(["B", "A"]) > 0
    assert (workspace.package / "words").read_text().endswith(" --build-system native --filter ^(A|B)\\.\n")
    for script, reason in (("echo '✘ Test wrong() failed after 1 s'; exit 1", "wrong"), ("exit 3", "exit code 3")):
        programs(tmp_path, {"bin/swift": script})
        with pytest.raises(ToolError, match=rf"tests of A, B fail: {reason}\."):
            workspace.run_tests(["B", "A"])


def test_compiled_files_are_in_order(workspace: Workspace, tmp_path: Path) -> None:
    sources = " ".join(f"-primary-file {workspace.package / path}" for path in (B, A))
    (tmp_path / "own/tools/records").mkdir(parents=True)
    workspace._command[0] = str(tmp_path / "bin/swift")
    record = f"printf '%s\\n' -frontend -c {sources} >'{tmp_path}/own/tools/records/1'"
    programs(tmp_path, {"bin/swift": record})
    assert workspace.build().compiled == [A.as_posix(), B.as_posix()]


def test_native_engine_is_asked_for_where_swiftpm_offers_it(
    workspace: Workspace, first: Layout, tmp_path: Path, toolchain: Toolchain
) -> None:
    native = ["--build-system", "native"]
    place = workspace._command.index("--build-system")
    assert workspace._command[place : place + 2] == native
    other = ("--build-system", "swiftbuild")
    asked = Workspace(first, tmp_path / "other", toolchain, other)
    programs(tmp_path, {"bin/swift": 'echo "$@" >words'})
    asked.toolchain = replace(toolchain, bin=tmp_path / "bin")
    asked.run_tests(["A"])
    assert "native" not in asked._command and "native" not in (asked.package / "words").read_text().split()
    for offered, usage in (((), "--jobs <jobs>"), (tuple(native), "--build-system <system> native, swiftbuild")):
        programs(tmp_path, {f"{len(offered)}/swift": f"echo '{usage}'"})
        assert native_engine(Toolchain(tmp_path / str(len(offered)), "")) == offered


def test_build_has_as_many_jobs_as_cores_unless_its_options_say_another_number(workspace: Workspace) -> None:
    words = workspace._command
    # SwiftPM takes the last number.
    jobs = [number for word, number in pairwise(words) if word == "--jobs"]
    assert jobs == [str(usable_cores()), "1"] and "--build-tests" not in words
