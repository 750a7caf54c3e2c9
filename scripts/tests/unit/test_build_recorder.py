"""Recording what the compiler does, and reading it: the compiled files, and the reasons for each."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from made_files import files, programs
from made_packages import package_of
from swiftmodules.builds.reasons import ADDED, EDITED, mangled_names, read_reasons, readable, reasons
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
    assert mangled_names([block]) == {"$s14StoreInterface0A0O"}
    names = {"$s14StoreInterface0A0O": "StoreInterface.Store"}
    assert readable(block, names) == "interface of type 'StoreInterface.Store' (one block of it)"
    assert readable("interface of top-level name 'edit7'", {}) == "interface of top-level name 'edit'"
    assert readable("interface of source file from A.swiftdeps", {}) == "interface of the file A.swift"
    assert readable("interface of source file from Store", {}) == "interface of the module Store"
    assert mangled_names(["interface of potential members of 'SS'"]) == {"$sSS"}
    path = "interface of source file from Store → interface of type '3URLV'"
    assert readable(path, {"$s3URLV": "URL"}) == "interface of the module Store → interface of type 'URL'"


def test_files_of_the_same_name_have_no_reason(tmp_path: Path) -> None:
    paths = [Path(f"{target}/{name}.swift") for target in ("Feed", "Store") for name in (f"{target}Own", "Code")]
    layout = Layout("interface", None, {}, package_of({}), copies=dict.fromkeys(paths, tmp_path))
    remarks = [
        "Scheduling changed input  {compile: FeedOwn.swift.o <= FeedOwn.swift}",
        "Traced: a in Modules -> b -> implementation of source file from Code.swiftdeps in Code.swift",
        "Traced: a in Modules -> b in Code.swift -> implementation of source file from StoreOwn.swiftdeps in S.swift",
        "Traced: c in Modules -> d -> implementation of source file from FeedOwn.swiftdeps in FeedOwn.swift",
    ]
    output = "".join(f"remark: Incremental compilation: {each}\n" for each in remarks).encode()
    found = {"Feed/FeedOwn.swift": EDITED, "Store/StoreOwn.swift": "a → b"}
    assert read_reasons(output, [path.as_posix() for path in paths], layout) == found
    assert read_reasons(output, ["Store/Code.swift"], layout) == {"Store/Code.swift": "a → b"}
