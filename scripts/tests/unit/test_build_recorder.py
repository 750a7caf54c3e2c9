"""Recording what the compiler does, and reading it: jobs, their times, and the reasons for each."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import Parse
from msgspec.structs import replace
from swiftmodules.builds.reasons import ADDED, EDITED, mangled_names, read_reasons, readable, reasons
from swiftmodules.builds.recorder import RECORDER, Records, messages, times_recorder
from swiftmodules.errors import ToolError
from swiftmodules.layouts.layout import GeneratedFile, Layout
from swiftmodules.observed import Job
from swiftmodules.swiftpm.toolchain import Toolchain

# Compares with what has another type.
about: Any = pytest.approx

FAKE_COMPILER = """#!/bin/sh
printf 'out:%s\\n' "$@"
printf '2\\n{}\\n' >&2
exit 3
"""


def message(**values: object) -> bytes:
    text = json.dumps(values, ensure_ascii=False).encode()
    return str(len(text)).encode() + b"\n" + text + b"\n"


@pytest.fixture
def recorder(tmp_path: Path) -> dict[str, str]:
    """The environment for the recorder, around a compiler that prints its arguments and fails."""
    compiler = tmp_path / "a compiler"
    compiler.write_text(FAKE_COMPILER)
    compiler.chmod(0o755)
    (tmp_path / "the records").mkdir()
    return {"SWIFTMODULES_SWIFTC": str(compiler), "SWIFTMODULES_RECORDS": str(tmp_path / "the records")}


def record(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [RECORDER, *arguments], env={**environment, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True
    )


def test_messages_are_read_by_their_length_in_bytes_past_other_lines() -> None:
    output = b"warning: something\n" + message(name="Größe") + b"12 monkeys\n" + message(name="b")
    assert [each["name"] for _, each in messages(output)] == ["Größe", "b"]


def test_messages_that_are_cut_off_are_skipped() -> None:
    assert list(messages(message(name="a")[:-5])) == []


def test_compiled_files_are_named_by_their_originals(tmp_path: Path) -> None:
    package = tmp_path / "package"
    (tmp_path / "1.messages").write_bytes(
        message(kind="began", name="compile", inputs=[str(package / "Sources/A/A_File.swift")])
        + message(kind="finished", name="compile")
        + message(kind="skipped", name="compile", inputs=[str(package / "Sources/A/Other.swift")])
        + message(kind="began", name="emit-module", inputs=[])
    )
    (tmp_path / "2.messages").write_bytes(message(kind="began", name="compile", inputs=["/else/where.swift"]))
    (tmp_path / "3.link").write_text("-emit-executable\n-o\n/a b/App\n-Xlinker\n")
    work = Records(tmp_path, package).work({Path("Sources/A/A_File.swift"): Path("A/File.swift")})
    assert work.compiled == ("(generated) where.swift", "A/File.swift")
    assert (work.emitted_modules, work.linked) == (1, ("App",))


def test_recorder_keeps_the_messages_and_passes_everything_through(recorder: dict[str, str]) -> None:
    result = record(recorder, "-c", "a b.swift", "-parseable-output")
    assert (result.returncode, result.stdout) == (3, "out:-c\nout:a b.swift\nout:-parseable-output\n")
    assert result.stderr == "2\n{}\n"
    assert [file.read_text() for file in Path(recorder["SWIFTMODULES_RECORDS"]).iterdir()] == ["2\n{}\n"]


def test_recorder_notes_a_link(recorder: dict[str, str]) -> None:
    assert record(recorder, "-emit-executable", "-o", "App").returncode == 3
    assert [(file.suffix, file.read_text()) for file in Path(recorder["SWIFTMODULES_RECORDS"]).iterdir()] == [
        (".link", "-emit-executable\n-o\nApp\n")
    ]


def test_recorder_keeps_nothing_of_a_question(recorder: dict[str, str]) -> None:
    result = record(recorder, "-print-target-info")
    assert (result.returncode, result.stdout, result.stderr) == (3, "out:-print-target-info\n", "2\n{}\n")
    assert list(Path(recorder["SWIFTMODULES_RECORDS"]).iterdir()) == []


def test_recorders_at_the_same_time_write_to_files_of_their_own(recorder: dict[str, str]) -> None:
    environment = {**recorder, "PATH": "/usr/bin:/bin"}
    running = [
        subprocess.Popen(
            [RECORDER, "-parseable-output"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(8)
    ]
    assert [process.wait() for process in running] == [3] * 8
    assert len(list(Path(recorder["SWIFTMODULES_RECORDS"]).iterdir())) == 8


def job_message(kind: str, name: str, process: int, *files: str, pid: int | None = None) -> bytes:
    fields: dict[str, Any] = {"kind": kind, "name": name, "pid": pid or process, "process": {"real_pid": process}}
    if kind == "began":
        fields |= {"inputs": files, "command_executable": "frontend", "command_arguments": ["-c", *files]}
    return message(**fields)


def job_times(records: Path, began: float, originals: Mapping[Path, Path] | None = None) -> list[Job]:
    return [command.job for command in Records(records, Path("/p")).commands(began, originals or {})]


def keep(folder: Path, number: int, arguments: str, run: tuple[int, int, int], *pieces: tuple[int, bytes]) -> None:
    """Writes what the recorder would. Times are milliseconds."""
    lines = [f"run {run[0] * 1000} {run[1] * 1000} {run[2] * 1000}"]
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
        (1100, 2000, 850),
        (1200, job_message("began", "emit-module", 50) + job_message("began", "compile", 51, "/p/A.swift")),
        (1500, job_message("finished", "compile", 51)),
        (1700, job_message("finished", "emit-module", 50)),
    )
    driver, compiled, emit = job_times(tmp_path, 1.0)
    store = replace(driver, cpu_seconds=None)
    assert driver == Job(
        kind="target", target="Store", began=about(0.1), finished=about(1.0), driver=7, cpu_seconds=about(0.85)
    )
    assert emit == replace(store, kind="emit-module", began=about(0.2), finished=about(0.7))
    assert compiled == replace(
        store, kind="compile", files=("(generated) A.swift",), began=about(0.2), finished=about(0.5)
    )
    assert compiled.seconds == about(0.3)


def test_files_of_a_batch_are_one_job(tmp_path: Path) -> None:
    keep(
        tmp_path,
        1,
        "-module-name M -parseable-output",
        (0, 900, 0),
        (
            100,
            job_message("began", "compile", 60, "/p/A.swift", pid=-1000)
            + job_message("began", "compile", 60, "/p/B.swift", pid=-1001),
        ),
        (
            800,
            job_message("finished", "compile", 60, pid=-1000) + job_message("finished", "compile", 60, pid=-1001),
        ),
    )
    _, batch = job_times(tmp_path, 0.0, {Path("A.swift"): Path("Modules/A.swift")})
    assert (batch.files, batch.seconds) == (("Modules/A.swift", "(generated) B.swift"), about(0.7))


def test_piece_that_ends_within_a_message_does_not_date_it(tmp_path: Path) -> None:
    text = job_message("began", "compile", 5, "/p/A.swift")
    pieces = ((100, text[:20]), (300, text[20:]), (400, job_message("finished", "compile", 5)))
    keep(tmp_path, 1, "-module-name M -parseable-output", (0, 500, 0), *pieces)
    assert job_times(tmp_path, 0.0)[1].began == about(0.3)


def test_what_swiftpm_starts_is_distinguished(tmp_path: Path) -> None:
    keep(tmp_path, 1, "-print-target-info", (0, 10, 9))
    keep(tmp_path, 2, "-modulewrap /s/Modules/Store.swiftmodule -o /s/Store.swiftmodule.o", (20, 30, 9))
    keep(tmp_path, 3, "-o /s/App -module-name App -emit-executable", (40, 50, 9))
    found = [(job.kind, job.target) for job in job_times(tmp_path, 0.0)]
    assert found == [("question", ""), ("wrap", "Store"), ("link", "App")]


def test_record_without_times_is_refused(tmp_path: Path) -> None:
    (tmp_path / "1.times").write_text("")
    with pytest.raises(ToolError, match=r"1\.times has no times of the compiler's jobs"):
        job_times(tmp_path, 0.0)


def test_recorder_passes_everything_through_and_keeps_it(toolchain: Toolchain, tmp_path: Path) -> None:
    compiler = tmp_path / "compiler"
    compiler.write_text('#!/bin/sh\necho to output "$@"\nprintf "to errors" >&2\nexit 3\n')
    compiler.chmod(0o755)
    recorder = times_recorder(tmp_path, toolchain)
    (tmp_path / "records").mkdir()
    environment = {"SWIFTMODULES_SWIFTC": str(compiler), "SWIFTMODULES_RECORDS": str(tmp_path / "records")}
    result = subprocess.run(
        [recorder, "-parseable-output", "a b"], env=environment, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout, result.stderr) == (3, "to output -parseable-output a b\n", "to errors")
    (messages,) = (tmp_path / "records").glob("*.messages")
    assert messages.read_text() == "to errors"
    (arguments,) = (tmp_path / "records").glob("*.arguments")
    assert arguments.read_text() == "-parseable-output\na b\n"


def test_recorder_ends_with_the_one_that_reads_although_it_inherited_the_other_end(
    toolchain: Toolchain, tmp_path: Path
) -> None:
    compiler = tmp_path / "compiler"
    compiler.write_text("#!/bin/sh\nhead -c 300000 /dev/zero >&2\n")
    compiler.chmod(0o755)
    (tmp_path / "records").mkdir()
    environment = {
        "SWIFTMODULES_SWIFTC": str(compiler),
        "SWIFTMODULES_RECORDS": str(tmp_path / "records"),
        "PATH": os.defpath,
    }
    read, write = os.pipe()
    with subprocess.Popen(
        [times_recorder(tmp_path, toolchain), "-parseable-output"], env=environment, stderr=write, pass_fds=[read]
    ) as process:
        os.close(write)
        os.close(read)
        try:
            process.wait(timeout=10)
        finally:
            process.kill()


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


def test_reason_is_the_ends_of_the_path_that_was_traced_first() -> None:
    target, found = reasons(_STORE.encode())
    assert target == "StoreFused"
    assert found == {
        "Reading.swift": EDITED,
        "Edit7.swift": ADDED,
        "Memory Reader.swift": "interface of type '14StoreInterface0A0O@6af3' → interface of top-level name 'x'",
    }


def test_reason_is_given_once_where_the_file_uses_what_changed_itself() -> None:
    traced = "Traced: interface of type '1AV' in A b.swift -> implementation of source file from B.swiftdeps in B.swift"
    assert reasons(f"remark: Incremental compilation: {traced}\n".encode())[1] == {"B.swift": "interface of type '1AV'"}


def test_reason_is_given_without_what_differs_from_edit_to_edit() -> None:
    block = "interface of type '14StoreInterface0A0O@6af3'"
    assert mangled_names([block]) == {"$s14StoreInterface0A0O"}
    names = {"$s14StoreInterface0A0O": "StoreInterface.Store"}
    assert readable(block, names) == "interface of type 'StoreInterface.Store' (one block of it)"
    assert readable("interface of top-level name 'edit7'", {}) == "interface of top-level name 'edit'"
    assert readable("interface of source file from A.swiftdeps", {}) == "interface of the file A.swift"
    assert readable("interface of source file from Store", {}) == "interface of the module Store"
    assert mangled_names(["interface of potential members of 'SS'"]) == {"$sSS"}
    assert mangled_names(["interface of top-level name 'SS'"]) == set()
    path = "interface of source file from Store → interface of type '3URLV'"
    assert readable(path, {"$s3URLV": "URL"}) == "interface of the module Store → interface of type 'URL'"
    assert readable(EDITED, {}) == EDITED


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
    layout = Layout("interface", "", files, 2)
    added = {Path("Sources/Store/Store/Edit7.swift"): Path("Store/NewFile.swift")}
    assert read_reasons(Records(tmp_path, tmp_path), layout, layout.originals() | added) == {
        "Store/Code.swift": EDITED,
        "Store/NewFile.swift": ADDED,
    }
