"""Recording what the compiler does, and reading it: jobs, their times, and the reasons for each."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from select import select
from typing import Any

import pytest
from conftest import Parse
from made_files import programs
from made_packages import package_of
from swiftmodules.builds.reasons import ADDED, EDITED, mangled_names, read_reasons, readable, reasons
from swiftmodules.builds.recorder import CompilerWork, Job, Records, compiled_recorder, messages, phases
from swiftmodules.errors import ToolError
from swiftmodules.layouts.layout import GeneratedFile, Layout
from swiftmodules.swiftpm.toolchain import Toolchain

# Compares with what has another type.
about: Any = pytest.approx


def message(**values: object) -> bytes:
    text = json.dumps(values, ensure_ascii=False).encode()
    return str(len(text)).encode() + b"\n" + text + b"\n"


def test_messages_are_read_by_their_length_in_bytes_and_those_cut_off_are_skipped() -> None:
    output = b"warning: something\n" + message(name="Größe") + b"12 monkeys\n" + message(name="b")
    assert [each["name"] for _, each in messages(output)] == ["Größe", "b"]
    assert list(messages(message(name="a")[:-5])) == []


def job_message(kind: str, name: str, process: int, *files: str, pid: int | None = None) -> bytes:
    fields: dict[str, Any] = {"kind": kind, "name": name, "pid": pid or process, "process": {"real_pid": process}}
    if kind == "began":
        fields |= {"inputs": files, "command_executable": "frontend", "command_arguments": ["-c", *files]}
        fields["outputs"] = [{"type": "object", "path": f"{file}.o"} for file in files]
    return message(**fields)


def job_times(records: Path, began: float, originals: Mapping[Path, Path] | None = None) -> list[Job]:
    return [command.job for command in Records(records, Path("/p")).commands(began, originals or {})]


def keep(folder: Path, number: int, arguments: str, run: tuple[int, int], *pieces: tuple[int, bytes]) -> None:
    """Writes what the recorder would. Times are milliseconds."""
    lines = [f"run {run[0] * 1000} {run[1] * 1000}"]
    total = 0
    for moment, text in pieces:
        total += len(text)
        lines.append(f"piece {moment * 1000} {total}")
    (folder / f"{number}.times").write_text("\n".join(lines) + "\n")
    (folder / f"{number}.arguments").write_text("\n".join(arguments.split()) + "\n")
    if pieces:
        (folder / f"{number}.messages").write_bytes(b"".join(text for _, text in pieces))


def test_jobs_of_a_driver_have_the_times_of_their_messages(tmp_path: Path) -> None:
    keep(
        tmp_path,
        7,
        "-module-name Store -parseable-output",
        (1100, 2000),
        (1200, job_message("began", "emit-module", 50) + job_message("began", "compile", 51, "/p/A.swift")),
        (1500, job_message("finished", "compile", 51)),
        (1700, job_message("finished", "emit-module", 50)),
    )
    driver, compiled, emit = job_times(tmp_path, 1.0)
    assert driver == Job("target", "Store", about(0.1), about(1.0))
    assert emit == Job("emit-module", "Store", about(0.2), about(0.7))
    assert compiled == Job("compile", "Store", about(0.2), about(0.5), ("(generated) A.swift",), ("/p/A.swift.o",))
    assert compiled.seconds == about(0.3)


def test_jobs_are_one_for_each_batch_and_have_the_times_of_whole_messages(tmp_path: Path) -> None:
    named = [(-1000, "/p/A.swift"), (-1001, "/p/B.swift")]
    began = b"".join(job_message("began", "compile", 60, file, pid=pid) for pid, file in named)
    finished = b"".join(job_message("finished", "compile", 60, pid=pid) for pid, _ in named)
    keep(tmp_path, 1, "-module-name M -parseable-output", (0, 900), (100, began), (800, finished))
    _, batch = job_times(tmp_path, 0.0, {Path("A.swift"): Path("Modules/A.swift")})
    assert (batch.files, batch.seconds) == (("Modules/A.swift", "(generated) B.swift"), about(0.7))
    text = job_message("began", "compile", 5, "/p/A.swift")
    pieces = ((100, text[:20]), (300, text[20:]), (400, job_message("finished", "compile", 5)))
    keep(tmp_path, 1, "-module-name M -parseable-output", (0, 500), *pieces)
    assert job_times(tmp_path, 0.0)[1].began == about(0.3)


def test_what_swiftpm_starts_is_distinguished_and_a_record_without_times_is_refused(tmp_path: Path) -> None:
    keep(tmp_path, 1, "-print-target-info", (0, 10))
    keep(tmp_path, 2, "-modulewrap /s/Modules/Store.swiftmodule -o /s/Store.swiftmodule.o", (20, 30))
    keep(tmp_path, 3, "-o /s/App -module-name App -emit-executable", (40, 50))
    found = [(job.kind, job.target) for job in job_times(tmp_path, 0.0)]
    assert found == [("question", ""), ("wrap", "Store"), ("link", "App")]
    (tmp_path / "1.times").write_text("")
    with pytest.raises(ToolError, match=r"1\.times has no times of the compiler's jobs"):
        job_times(tmp_path, 0.0)


def test_work_and_phases_are_those_of_the_jobs() -> None:
    def job(kind: str, began: float = 0, finished: float = 1, target: str = "A", *files: str) -> Job:
        return Job(kind, target, began, finished, files)

    compiled = job("compile", 0, 1, "A", "B.swift", "A.swift")
    jobs = [job("target"), compiled, job("emit-module"), job("link", 0, 1, "App")]
    assert CompilerWork.of(jobs) == CompilerWork(("A.swift", "B.swift"), ("App",))
    assert CompilerWork.of([job("question")]).is_nothing
    jobs = [job("question", 0, 0.5), job("target", 1, 5), job("compile", 2, 3), job("emit-module", 2, 4)]
    found = phases([*jobs, job("link", 6, 8)], 9)
    expected = {"start": 1, "planning": 2, "compile": 1, "emit-module": 1, "wrap": 0, "link": 2, "rest": 2}
    assert found == pytest.approx(expected)
    assert phases([], 2.0)["start"] == 2.0
    late = [job("compile", 0, 1), job("link", 2.01, 2.02)]
    assert sum(phases(late, 2.0).values()) == pytest.approx(2)


@pytest.fixture(scope="module")
def recorder(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("a recorder")
    made = compiled_recorder(folder, toolchain)
    moment = made.stat().st_mtime_ns
    # It is compiled once, and SwiftPM finds the toolchain's libraries beside it.
    assert compiled_recorder(folder, toolchain).stat().st_mtime_ns == moment
    assert (made.parent.parent / "lib" / "swift").is_dir()
    return made


def fake_compiler(folder: Path, script: str) -> dict[str, str]:
    """The environment of the recorder, around a compiler that is a script."""
    (compiler,) = programs(folder, {"a compiler": script})
    (folder / "the records").mkdir()
    variables = {"SWIFTMODULES_SWIFTC": str(compiler), "SWIFTMODULES_RECORDS": str(folder / "the records")}
    return {**variables, "PATH": os.defpath}


def test_recorder_passes_everything_through_and_keeps_it(recorder: Path, tmp_path: Path) -> None:
    environment = fake_compiler(tmp_path, 'echo to output "$@"\nprintf "to errors" >&2\nexit 3')
    records = tmp_path / "the records"

    def kept(*arguments: str) -> dict[str, str]:
        result = subprocess.run([recorder, *arguments], env=environment, capture_output=True, text=True, check=False)
        output = f"to output {' '.join(arguments)}\n"
        assert (result.returncode, result.stdout, result.stderr) == (3, output, "to errors")
        found = {file.suffix: file.read_text() for file in records.iterdir()}
        for file in records.iterdir():
            file.unlink()
        return found

    messages = kept("-parseable-output", "a b")
    assert messages.keys() == {".messages", ".arguments", ".times"}
    assert (messages[".messages"], messages[".arguments"]) == ("to errors", "-parseable-output\na b\n")
    assert kept("-emit-executable", "-o", "App").keys() == {".arguments", ".times"}


def test_recorders_at_the_same_time_write_to_files_of_their_own(recorder: Path, tmp_path: Path) -> None:
    environment = fake_compiler(tmp_path, "exit 3")
    command = [recorder, "-parseable-output"]
    running = [subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) for _ in range(8)]
    assert [process.wait() for process in running] == [3] * 8
    assert len(list((tmp_path / "the records").glob("*.messages"))) == 8


def test_recorder_ends_with_the_one_that_reads_though_it_inherited_the_other_end(
    recorder: Path, tmp_path: Path
) -> None:
    environment = fake_compiler(tmp_path, "head -c 300000 /dev/zero >&2")
    read, write = os.pipe()
    with subprocess.Popen([recorder, "-parseable-output"], env=environment, stderr=write, pass_fds=[read]) as process:
        os.close(write)
        os.close(read)
        try:
            process.wait(timeout=10)
        finally:
            process.kill()


def test_recorder_keeps_the_pipe_open_on_which_the_build_engine_waits_for_messages(
    recorder: Path, tmp_path: Path
) -> None:
    """Where it ends before the compiler, the engine reads it again and again, on a core that the compiler needs."""
    read, write = os.pipe()
    environment = fake_compiler(tmp_path, "echo begun; head -n 1") | {"LLBUILD_CONTROL_FD": str(write)}
    with subprocess.Popen(
        [recorder, "-parseable-output"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        pass_fds=[write],
    ) as process:
        os.close(write)
        assert process.stdout and process.stdout.readline() == "begun\n"
        assert select([read], [], [], 0) == ([], [], [])
        process.communicate("end\n", timeout=10)
        assert os.read(read, 1) == b""
    os.close(read)


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
    target, found = reasons(_STORE.encode())
    assert target == "StoreFused"
    assert found == {
        "Reading.swift": EDITED,
        "Edit7.swift": ADDED,
        "Memory Reader.swift": "interface of type '14StoreInterface0A0O@6af3' → interface of top-level name 'x'",
    }
    traced = "Traced: interface of type '1AV' in A b.swift -> implementation of source file from B.swiftdeps in B.swift"
    assert reasons(f"remark: Incremental compilation: {traced}\n".encode())[1] == {"B.swift": "interface of type '1AV'"}
    block = "interface of type '14StoreInterface0A0O@6af3'"
    assert mangled_names([block]) == {"$s14StoreInterface0A0O"}
    names = {"$s14StoreInterface0A0O": "StoreInterface.Store"}
    assert readable(block, names) == "interface of type 'StoreInterface.Store' (one block of it)"
    assert readable("interface of top-level name 'edit7'", {}) == "interface of top-level name 'edit'"
    assert readable("interface of source file from A.swiftdeps", {}) == "interface of the file A.swift"
    assert readable("interface of source file from Store", {}) == "interface of the module Store"
    assert mangled_names(["interface of potential members of 'SS'"]) == {"$sSS"}
    path = "interface of source file from Store → interface of type '3URLV'"
    assert readable(path, {"$s3URLV": "URL"}) == "interface of the module Store → interface of type 'URL'"


def test_files_of_the_same_name_are_distinguished_by_their_target(tmp_path: Path, parse: Parse) -> None:
    for number, target in enumerate(("Feed", "Store")):
        changed = "Scheduling changed input  {compile: Code.swift.o <= Code.swift}" if target == "Store" else "x"
        (tmp_path / f"{number}.messages").write_text(
            f"remark: Incremental compilation: Read dependency graph '/debug/{target}.build/primary.priors'\n"
            f"remark: Incremental compilation: {changed}\n"
            "remark: Incremental compilation: Scheduling new  {compile: Edit7.swift.o <= Edit7.swift}\n"
        )
    code = parse("")
    files = {
        Path(f"{name}/Code.swift"): GeneratedFile(Path(f"Sources/{name}/{name}/Code.swift"), code, name)
        for name in ("Feed", "Store")
    }
    added = {Path("Sources/Store/Store/Edit7.swift"): Path("Store/NewFile.swift")}
    layout = Layout("interface", "", files, package_of({}), added=added)
    assert read_reasons(Records(tmp_path, tmp_path), layout) == {
        "Store/Code.swift": EDITED,
        "Store/NewFile.swift": ADDED,
    }
