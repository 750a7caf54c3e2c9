"""Recording what the compiler does, and reading it: the compiled files, and the reasons for each."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from made_files import files, programs
from made_packages import package_of
from swiftmodules.builds.printed import compiler_errors, first_error
from swiftmodules.builds.reasons import ADDED, EDITED, read_reasons, reasons
from swiftmodules.builds.recorder import Recorder, linked
from swiftmodules.layouts.layout import Layout
from swiftmodules.swiftpm.toolchain import Toolchain


def test_compiled_files_are_the_primary_ones_of_each_process_or_all(tmp_path: Path) -> None:
    batch = "-primary-file /p/C.swift /p/Other.swift -primary-file /p/A.swift -module-name Store"
    processes = [
        f"-frontend -c {batch}",
        "-frontend -emit-module /p/A.swift -module-name Store -o /s/Store.swiftmodule",
        "-modulewrap /s/Modules/Store.swiftmodule -o /s/Store.swiftmodule.o",
        "-frontend -c /p/A.swift /p/B.swift -module-name Whole -o /s/Whole.o",
        "-frontend -emit-pcm -module-name SwiftShims",
        "-print-target-info",
    ]
    files(tmp_path, {f"records/{number}": "\n".join(each.split()) for number, each in enumerate(processes)})
    found = Recorder(tmp_path, Path("/p")).compiled({Path("A.swift"): Path("Modules/A.swift")})
    assert found == ["(generated) B.swift", "(generated) C.swift", "Modules/A.swift"]


def test_linked_products_are_the_programs_that_were_written_since_the_build_began(tmp_path: Path) -> None:
    made = programs(tmp_path, dict.fromkeys(("App", "libStore.so", "Old", "T.xctest/Contents/MacOS/T"), ""))
    for path, moment in zip(made, (13, 11.5, 9, 14), strict=True):
        os.utime(path, (moment, moment))
    files(tmp_path, {"description.json": ""})
    (tmp_path / "App.build").mkdir()
    assert linked(tmp_path, since=10) == ["App", "T", "libStore.so"]


@pytest.fixture
def recorder(toolchain: Toolchain, tmp_path: Path) -> Recorder:
    """One around a compiler that is a script."""
    script = """case $1 in
    die) kill -9 $$;;
    *) echo to output "$@"; printf "to errors" >&2; exit 3
    esac"""
    (compiler,) = programs(tmp_path, {"a toolchain/bin/swift-frontend": script})
    compiler.parent.with_name("lib").mkdir()
    made = Recorder.made(tmp_path / "the tools", tmp_path, toolchain)
    assert (made.folder / "lib" / "swift").is_dir()
    (made.folder / "lib").unlink()
    (made.folder / "lib").symlink_to(compiler.parent.with_name("lib"))
    return made


def frontend(recorder: Recorder) -> Path:
    return recorder.folder / "bin" / "swift-frontend"


def test_recorder_is_compiled_once_and_passes_everything_through(recorder: Recorder, toolchain: Toolchain) -> None:
    moment = frontend(recorder).stat().st_mtime_ns
    other = Recorder.made(recorder.folder / "other", recorder.package, toolchain)
    assert frontend(other).stat().st_mtime_ns == moment
    command = [frontend(recorder), "-frontend", "a b"]
    result = subprocess.run(command, env={}, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (3, "to output -frontend a b\n", "to errors")
    (record,) = (recorder.folder / "records").iterdir()
    assert record.read_text().splitlines() == ["-frontend", "a b"]
    recorder.clear()
    assert list((recorder.folder / "records").iterdir()) == []


def test_recorder_keeps_the_arguments_that_stand_in_files(recorder: Recorder, tmp_path: Path) -> None:
    response = "-c\n'-D=it'\\''s'\n-primary-filelist\nprimary\n-filelist\nsources"
    lists = {"response": response, "primary": "/p/A.swift\n", "sources": "/p/B.swift\n"}
    files(tmp_path, lists)
    subprocess.run([frontend(recorder), "-frontend", "@response"], cwd=tmp_path, capture_output=True, check=False)
    (record,) = (recorder.folder / "records").iterdir()
    words = record.read_text().splitlines()
    expanded = "-primary-filelist -primary-file /p/A.swift -filelist /p/B.swift"
    assert words == ["-frontend", "-c", "-D=it's", *expanded.split()]


def test_recorder_dies_as_the_compiler_does(recorder: Recorder) -> None:
    assert subprocess.run([frontend(recorder), "die"], check=False).returncode == -signal.SIGKILL


def test_recorders_at_the_same_time_write_to_files_of_their_own(recorder: Recorder) -> None:
    command = [frontend(recorder), "-frontend"]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    running = [subprocess.Popen(command, **streams) for _ in range(8)]
    assert [process.wait() for process in running] == [3] * 8
    assert len(list((recorder.folder / "records").iterdir())) == 8


_STORE = """\
1234
{"kind": "began"}
remark: Incremental compilation: Read dependency graph '/a b/debug/StoreFused.build/primary.priors'
remark: Incremental compilation: Scheduling changed input  {compile: Reading.swift.o <= Reading.swift}
remark: Incremental compilation: Scheduling new  {compile: Edit7.swift.o <= Edit7.swift}
remark: Incremental compilation: May skip current input:  {compile: Other.swift.o <= Other.swift}
remark: Incremental compilation: Traced: interface of type '14StoreInterface0A0O@6af3' in Reading.swift -> \
interface of top-level name 'x' -> implementation of source file from Memory Reader.swiftdeps in Memory Reader.swift
remark: Incremental compilation: Traced: interface of top-level name 'edit7' -> implementation of source file from \
Memory Reader.swiftdeps in Memory Reader.swift
remark: something else
"""


def test_reason_is_the_ends_of_the_path_that_was_traced_first_in_words() -> None:
    block = "interface of type '14StoreInterface0A0O@6af3'"
    assert list(reasons(_STORE.encode())) == [
        ("Reading.swift", EDITED),
        ("Edit7.swift", ADDED),
        ("Memory Reader.swift", f"{block} → interface of top-level name 'x'"),
        ("Memory Reader.swift", "interface of top-level name 'edit7'"),
    ]
    traced = "Traced: interface of type '1AV' in A b.swift -> implementation of source file from B.swiftdeps in B.swift"
    output = f"[1/2] remark: Incremental compilation: {traced}\n"
    assert list(reasons(output.encode())) == [("B.swift", "interface of type '1AV'")]


def test_reasons_have_names_as_in_source_code_and_files_of_the_same_name_have_none(
    toolchain: Toolchain, tmp_path: Path
) -> None:
    paths = [Path(f"{target}/{name}.swift") for target in ("Feed", "Store") for name in (f"{target}Own", "Code", "Top")]
    layout = Layout("interface", None, {}, package_of({}), copies=dict.fromkeys(paths, tmp_path))
    block = "interface of type '14StoreInterface0A0O@6af3'"
    remarks = [
        "Scheduling changed input  {compile: FeedOwn.swift.o <= FeedOwn.swift}",
        "Traced: a in Modules -> b -> implementation of source file from Code.swiftdeps in Code.swift",
        f"Traced: {block} in Modules -> interface of top-level name 'edit7' in Code.swift -> implementation of source "
        "file from StoreOwn.swiftdeps in S.swift",
        "Traced: c in Modules -> d -> implementation of source file from FeedOwn.swiftdeps in FeedOwn.swift",
    ]

    def found(remarks: Iterable[str], *compiled: str) -> dict[str, str]:
        printed = "".join(f"remark: Incremental compilation: {each}\n" for each in remarks).encode()
        return read_reasons(printed, compiled, layout, toolchain)

    assert found(remarks, *(path.as_posix() for path in paths)) == {
        **dict.fromkeys((path.as_posix() for path in paths), ""),
        "Feed/FeedOwn.swift": EDITED,
        "Store/StoreOwn.swift": "interface of type 'StoreInterface.Store' (one block of it) → interface of top-level "
        "name 'edit'",
    }
    assert found(remarks, "Store/Code.swift") == {"Store/Code.swift": "a → b"}
    assert found([], "Store/Code.swift") == {"Store/Code.swift": ""}
    # By what the driver traced, what is shown.
    traced = {
        "source file from A.swiftdeps": "the file A.swift",
        "source file from Store": "the module Store",
        "potential members of 'SS'": "potential members of 'Swift.String'",
        "type '3URLV'": "type '3URLV'",
    }
    end = "implementation of source file from Code.swiftdeps in Code.swift"
    for words, shown in traced.items():
        remark = f"Traced: interface of {words} -> {end}"
        assert found([remark], "Store/Code.swift") == {"Store/Code.swift": f"interface of {shown}"}


ERRORS = {
    "note: a\nA.swift:1:2: error: no\nB.swift:1:1: error: nor\nerror: link command failed": "A.swift:1:2: error: no",
    "A.swift:1: undefined reference to '$s1A1fyyF'\nerror: link command failed": "the link fails: "
    "undefined symbol $s1A1fyyF",
    "ld.lld: error: undefined symbol: A.f() -> ()\n": "the link fails: undefined symbol A.f() -> ()",
    "Program crashed: Signal 11": "Program crashed: Signal 11",
    "one\ntwo": "two",
    "": "it printed nothing",
}


def test_first_error_is_that_of_the_compiler_or_the_symbol_that_a_link_misses() -> None:
    assert {message: first_error(message) for message in ERRORS} == ERRORS


def test_errors_of_the_compiler_have_the_file_from_a_folder_and_each_comes_once() -> None:
    printed = "/p/A.swift:1:2: error: no\n/p/A.swift:1:2: error: no\n/q/b.c:3:1: error: so\nA.swift:1:2: warning: a\n"
    assert [*map(str, compiler_errors(printed, Path("/p")))] == ["A.swift:1: no", "/q/b.c:3: so"]
