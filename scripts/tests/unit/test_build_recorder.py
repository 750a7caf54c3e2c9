"""Recording what the compiler does, and reading it: jobs, their times, and the reasons for each."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import Parse
from made_files import files, programs
from made_packages import package_of
from swiftmodules.builds.reasons import ADDED, EDITED, mangled_names, read_reasons, readable, reasons
from swiftmodules.builds.recorder import CompilerWork, Job, Recorder, phases
from swiftmodules.errors import ToolError
from swiftmodules.layouts.layout import GeneratedFile, Layout
from swiftmodules.swiftpm.toolchain import Toolchain

# Compares with what has another type.
about: Any = pytest.approx


def jobs(folder: Path, originals: Mapping[Path, Path] | None = None, began: float = 1) -> list[Job]:
    return Recorder(folder, Path("/p")).jobs(began, originals or {}, folder / "products")


def keep(folder: Path, arguments: str, began: int, finished: int) -> None:
    """Writes what the recorder would. Times are milliseconds."""
    words = [str(began * 1000), str(finished * 1000), *arguments.split()]
    files(folder, {f"records/{began}-{finished}": "\n".join(words)})


def test_jobs_have_the_times_of_processes_and_their_primary_files(tmp_path: Path) -> None:
    batch = "-primary-file /p/A.swift /p/Other.swift -primary-file /p/B.swift -module-name Store -o /s/A.o -o /s/B.o"
    keep(tmp_path, f"-frontend -c {batch}", 1200, 1500)
    keep(tmp_path, "-frontend -emit-module /p/A.swift -module-name Store -o /s/Store.swiftmodule", 1100, 1400)
    keep(tmp_path, "-modulewrap /s/Modules/Store.swiftmodule -o /s/Store.swiftmodule.o", 1600, 1700)
    keep(tmp_path, "-frontend -c /p/A.swift /p/B.swift -module-name Whole -o /s/Whole.o", 1800, 1900)
    keep(tmp_path, "-frontend -emit-pcm -module-name SwiftShims", 2000, 2100)
    keep(tmp_path, "-print-target-info", 1000, 1010)
    emit, compiled, wrap, whole, other = jobs(tmp_path, {Path("A.swift"): Path("Modules/A.swift")})
    named = ("Modules/A.swift", "(generated) B.swift")
    assert emit == Job("emit-module", "Store", about(0.1), about(0.4))
    assert compiled == Job("compile", "Store", about(0.2), about(0.5), named, ("/s/A.o", "/s/B.o"))
    assert compiled.seconds == about(0.3)
    assert wrap == Job("wrap", "Store", about(0.6), about(0.7))
    assert whole == Job("compile", "Whole", about(0.8), about(0.9), named, ("/s/Whole.o",))
    assert (other.kind, other.files) == ("compile", ())
    (tmp_path / "records/1000-1010").write_text("1000")
    with pytest.raises(ToolError, match="1000-1010 has no times of the compiler's jobs"):
        jobs(tmp_path)


def test_links_are_the_programs_that_were_written_since_the_build_began(tmp_path: Path) -> None:
    products = tmp_path / "products"
    keep(tmp_path, "-modulewrap /s/App.swiftmodule", 11_000, 12_000)
    made = programs(products, dict.fromkeys(("App", "libStore.so", "Old", "T.xctest/Contents/MacOS/T"), ""))
    for path, moment in zip(made, (13, 11.5, 9, 14), strict=True):
        os.utime(path, (moment, moment))
    files(products, {"description.json": ""})
    (products / "App.build").mkdir()
    found = [job for job in jobs(tmp_path, began=10) if job.kind == "link"]
    times = {job.target: (job.began, job.finished) for job in found}
    assert times == {"libStore.so": about((1.5, 1.5)), "App": about((2, 3)), "T": about((2, 4))}


def test_work_and_phases_are_those_of_the_jobs() -> None:
    def job(kind: str, began: float = 0, finished: float = 1, target: str = "A", *files: str) -> Job:
        return Job(kind, target, began, finished, files)

    compiled = job("compile", 0, 1, "A", "B.swift", "A.swift")
    work = CompilerWork.of([compiled, compiled, job("emit-module"), job("link", 0, 1, "App")])
    assert work == CompilerWork(("A.swift", "B.swift"), ("App",))
    assert CompilerWork.of([job("wrap")]).is_nothing
    found = phases([job("compile", 2, 3), job("emit-module", 2, 4), job("wrap", 5, 6), job("link", 6, 8)], 9)
    assert found == about({"start": 2, "compile": 1, "emit-module": 1, "wrap": 1, "link": 2, "rest": 2})
    assert phases([], 2.0)["start"] == 2.0
    late = [job("compile", 0, 1), job("link", 2.01, 2.02)]
    assert sum(phases(late, 2.0).values()) == pytest.approx(2)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("the home")


@pytest.fixture
def recorder(home: Path, toolchain: Toolchain, tmp_path: Path) -> Recorder:
    """One around a compiler that is a script."""
    script = """case $1 in
    die) kill -9 $$;;
    *) echo to output "$@"; printf "to errors" >&2; exit 3
    esac"""
    (compiler,) = programs(tmp_path, {"a toolchain/bin/swift-frontend": script})
    compiler.parent.with_name("lib").mkdir()
    made = Recorder.made(tmp_path / "the tools", tmp_path, home, toolchain)
    assert (made.folder / "lib" / "swift").is_dir()
    (made.folder / "lib").unlink()
    (made.folder / "lib").symlink_to(compiler.parent.with_name("lib"))
    return made


def frontend(recorder: Recorder) -> Path:
    return recorder.folder / "bin" / "swift-frontend"


def test_recorder_is_compiled_once_and_passes_everything_through(recorder: Recorder, home: Path) -> None:
    (program,) = home.iterdir()
    moment = program.stat().st_mtime_ns
    Recorder.made(recorder.folder / "other", recorder.package, home, Toolchain.find())
    assert program.stat().st_mtime_ns == moment
    command = [frontend(recorder), "-frontend", "a b"]
    result = subprocess.run(command, env={}, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (3, "to output -frontend a b\n", "to errors")
    (record,) = (recorder.folder / "records").iterdir()
    began, finished, *words = record.read_text().splitlines()
    assert int(began) < int(finished) and words == ["-frontend", "a b"]
    recorder.clear()
    assert list((recorder.folder / "records").iterdir()) == []


def test_recorder_keeps_the_arguments_that_stand_in_files(recorder: Recorder, tmp_path: Path) -> None:
    response = "-c\n'-D=it'\\''s'\n-primary-filelist\nprimary\n-filelist\nsources\n-output-filelist\noutputs"
    lists = {"response": response, "primary": "/p/A.swift\n", "sources": "/p/B.swift\n", "outputs": "A.o\nB.o\n"}
    files(tmp_path, lists)
    subprocess.run([frontend(recorder), "-frontend", "@response"], cwd=tmp_path, capture_output=True, check=False)
    (record,) = (recorder.folder / "records").iterdir()
    _, _, *words = record.read_text().splitlines()
    expanded = "-primary-filelist -primary-file /p/A.swift -filelist /p/B.swift -output-filelist -o A.o -o B.o"
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
    target, block = "StoreFused", "interface of type '14StoreInterface0A0O@6af3'"
    assert list(reasons(_STORE.encode())) == [
        (target, "Reading.swift", EDITED),
        (target, "Edit7.swift", ADDED),
        (target, "Memory Reader.swift", f"{block} → interface of top-level name 'x'"),
        (target, "Memory Reader.swift", "interface of top-level name 'edit7'"),
    ]
    traced = "Traced: interface of type '1AV' in A b.swift -> implementation of source file from B.swiftdeps in B.swift"
    output = f"[1/2] remark: Incremental compilation: {traced}\n"
    assert list(reasons(output.encode())) == [(None, "B.swift", "interface of type '1AV'")]
    assert mangled_names([block]) == {"$s14StoreInterface0A0O"}
    names = {"$s14StoreInterface0A0O": "StoreInterface.Store"}
    assert readable(block, names) == "interface of type 'StoreInterface.Store' (one block of it)"
    assert readable("interface of top-level name 'edit7'", {}) == "interface of top-level name 'edit'"
    assert readable("interface of source file from A.swiftdeps", {}) == "interface of the file A.swift"
    assert readable("interface of source file from Store", {}) == "interface of the module Store"
    assert mangled_names(["interface of potential members of 'SS'"]) == {"$sSS"}
    path = "interface of source file from Store → interface of type '3URLV'"
    assert readable(path, {"$s3URLV": "URL"}) == "interface of the module Store → interface of type 'URL'"


def test_files_of_the_same_name_are_distinguished_by_their_target(parse: Parse) -> None:
    """In the output of either build engine."""
    remarks = [
        "Read dependency graph '/Debug/Feed.build/primary.priors'",
        "Scheduling changed input  {compile: Own.swift.o <= Own.swift}",
        "Read dependency graph '/Tiny.build/Debug/Store-12AB-testable.build/Objects/Store-primary.priors'",
        "Traced: a in Modules -> b -> implementation of source file from Code.swiftdeps in Code.swift",
        "Scheduling changed input  {compile: Code.o <= Code.swift}",
        "Scheduling new  {compile: Edit7.o <= Edit7.swift}",
        "Traced: a in Modules -> b in Own.swift -> implementation of source file from Code.swiftdeps in Code.swift",
    ]
    output = "".join(f"remark: Incremental compilation: {each}\n" for each in remarks).encode()
    sources = {Path(f"{name}.swift"): name.split("/")[0] for name in ("Feed/Code", "Feed/Own", "Store/Code")}
    generated = {
        path: GeneratedFile(Path("Sources", target, path), parse(""), target) for path, target in sources.items()
    }
    added = {Path("Sources/Store/Store/Edit7.swift"): Path("Store/NewFile.swift")}
    layout = Layout("interface", "", generated, package_of({}), added=added)
    compiled = ["Feed/Code.swift", "Feed/Own.swift", "Store/Code.swift", "Store/NewFile.swift"]
    found = {"Feed/Own.swift": EDITED, "Store/Code.swift": EDITED, "Store/NewFile.swift": ADDED}
    assert read_reasons(output, compiled, layout) == found
    assert read_reasons(output, compiled[:2], layout) == {"Feed/Own.swift": EDITED, "Feed/Code.swift": EDITED}
