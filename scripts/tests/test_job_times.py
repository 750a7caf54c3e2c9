"""When the jobs of the compiler began and finished."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Subject

from buildspeed.failures import MeasurementError
from buildspeed.job_times import Job, originals_of, read_commands, read_job_times, times_recorder
from buildspeed.layouts import make_layout
from buildspeed.toolchain import Toolchain
from buildspeed.workspace import Workspace


def message(kind: str, name: str, process: int, *files: str, pid: int | None = None) -> bytes:
    fields: dict[str, Any] = {"kind": kind, "name": name, "pid": pid or process, "process": {"real_pid": process}}
    if kind == "began":
        fields |= {"inputs": files, "command_executable": "frontend", "command_arguments": ["-c", *files]}
    text = json.dumps(fields).encode()
    return b"%d\n%s\n" % (len(text), text)


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
        (1200, message("began", "emit-module", 50) + message("began", "compile", 51, "/p/A.swift")),
        (1500, message("finished", "compile", 51)),
        (1700, message("finished", "emit-module", 50)),
    )
    driver, compiled, emit = read_job_times(tmp_path, 1.0)
    assert driver == Job("target", "Store", (), pytest.approx(0.1), pytest.approx(1.0), 7, pytest.approx(0.85))
    assert emit == Job("emit-module", "Store", (), pytest.approx(0.2), pytest.approx(0.7), 7)
    assert compiled == Job("compile", "Store", ("/p/A.swift",), pytest.approx(0.2), pytest.approx(0.5), 7)
    assert compiled.seconds == pytest.approx(0.3)


def test_files_of_a_batch_are_one_job(tmp_path: Path) -> None:
    keep(
        tmp_path,
        1,
        "-module-name M -parseable-output",
        (0, 900, 0),
        (
            100,
            message("began", "compile", 60, "/p/A.swift", pid=-1000)
            + message("began", "compile", 60, "/p/B.swift", pid=-1001),
        ),
        (
            800,
            message("finished", "compile", 60, pid=-1000) + message("finished", "compile", 60, pid=-1001),
        ),
    )
    originals = originals_of(Path("/p"), {Path("A.swift"): Path("Modules/A.swift")})
    _, batch = read_job_times(tmp_path, 0.0, originals)
    assert (batch.files, batch.seconds) == (("Modules/A.swift", "B.swift"), pytest.approx(0.7))


def test_piece_that_ends_within_a_message_does_not_date_it(tmp_path: Path) -> None:
    text = message("began", "compile", 5, "/p/A.swift")
    pieces = ((100, text[:20]), (300, text[20:]), (400, message("finished", "compile", 5)))
    keep(tmp_path, 1, "-module-name M -parseable-output", (0, 500, 0), *pieces)
    assert read_job_times(tmp_path, 0.0)[1].began == pytest.approx(0.3)


def test_what_swiftpm_starts_is_told_apart(tmp_path: Path) -> None:
    keep(tmp_path, 1, "-print-target-info", (0, 10, 9))
    keep(tmp_path, 2, "-modulewrap /s/Modules/Store.swiftmodule -o /s/Store.swiftmodule.o", (20, 30, 9))
    keep(tmp_path, 3, "-o /s/App -module-name App -emit-executable", (40, 50, 9))
    found = [(job.kind, job.target) for job in read_job_times(tmp_path, 0.0)]
    assert found == [("question", ""), ("wrap", "Store"), ("link", "App")]


def test_record_without_times_is_refused(tmp_path: Path) -> None:
    (tmp_path / "1.times").write_text("")
    with pytest.raises(MeasurementError, match=r"1\.times does not tell"):
        read_job_times(tmp_path, 0.0)


def test_recorder_passes_everything_through_and_keeps_it(toolchain: Toolchain, tmp_path: Path) -> None:
    compiler = tmp_path / "compiler"
    compiler.write_text('#!/bin/sh\necho to output "$@"\nprintf "to errors" >&2\nexit 3\n')
    compiler.chmod(0o755)
    recorder = times_recorder(tmp_path, toolchain)
    (tmp_path / "records").mkdir()
    environment = {"BUILDSPEED_SWIFTC": str(compiler), "BUILDSPEED_RECORDS": str(tmp_path / "records")}
    result = subprocess.run(
        [recorder, "-parseable-output", "a b"], env=environment, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout, result.stderr) == (3, "to output -parseable-output a b\n", "to errors")
    (messages,) = (tmp_path / "records").glob("*.messages")
    assert messages.read_text() == "to errors"
    (arguments,) = (tmp_path / "records").glob("*.arguments")
    assert arguments.read_text() == "-parseable-output\na b\n"


@pytest.mark.slow
def test_jobs_of_a_real_build(toolchain: Toolchain, tiny_subject: Subject, tmp_path: Path) -> None:
    layout = make_layout("interface", tiny_subject.package, tiny_subject.sources)
    recorder = times_recorder(tmp_path, toolchain)
    workspace = Workspace(layout, tmp_path / "run", toolchain, 1, (), {"SWIFT_EXEC": str(recorder)})
    build = workspace.build()
    original = originals_of(workspace.package, workspace.originals)
    commands = read_commands(workspace.records, build.began, original)
    jobs = [command.job for command in commands]
    assert {file for job in jobs if job.kind == "compile" for file in job.files} == set(build.work.compiled)
    assert [job.target for job in jobs if job.kind == "link"] == ["App"]
    assert all(0 < job.began < job.finished < build.finished.seconds for job in jobs)
    drivers = {job.driver: job for job in jobs if job.kind == "target"}
    assert {job.target for job in drivers.values()} == {target.name for target in tiny_subject.package.targets}
    for job in jobs:
        if job.kind in ("compile", "emit-module"):
            driver = drivers[job.driver]
            assert driver.began < job.began < job.finished <= driver.finished
            assert driver.cpu_seconds and driver.cpu_seconds > 0
    (compiled,) = [each for each in commands if each.job.kind == "compile" and each.job.target == "FeedInterface"]
    assert compiled.arguments[0].endswith("swift-frontend")
    assert "-primary-file" in compiled.arguments
