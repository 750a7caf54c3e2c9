"""Recording what the compiler does, and reading it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from buildspeed.compiler_records import RECORDER, messages, read_records

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
    return {"BUILDSPEED_SWIFTC": str(compiler), "BUILDSPEED_RECORDS": str(tmp_path / "the records")}


def record(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [RECORDER, *arguments], env={**environment, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True
    )


def test_messages_are_read_by_their_length_in_bytes_past_other_lines() -> None:
    output = b"warning: something\n" + message(name="Größe") + b"12 monkeys\n" + message(name="b")
    assert [each["name"] for each in messages(output)] == ["Größe", "b"]


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
    work = read_records(tmp_path, package, {Path("Sources/A/A_File.swift"): Path("A/File.swift")})
    assert work.compiled == ("(generated) where.swift", "A/File.swift")
    assert (work.emitted_modules, work.links, work.linked) == (1, 1, ("App",))


def test_recorder_keeps_the_messages_and_passes_everything_through(recorder: dict[str, str]) -> None:
    result = record(recorder, "-c", "a b.swift", "-parseable-output")
    assert (result.returncode, result.stdout) == (3, "out:-c\nout:a b.swift\nout:-parseable-output\n")
    assert result.stderr == "2\n{}\n"
    assert [file.read_text() for file in Path(recorder["BUILDSPEED_RECORDS"]).iterdir()] == ["2\n{}\n"]


def test_recorder_notes_a_link(recorder: dict[str, str]) -> None:
    assert record(recorder, "-emit-executable", "-o", "App").returncode == 3
    assert [(file.suffix, file.read_text()) for file in Path(recorder["BUILDSPEED_RECORDS"]).iterdir()] == [
        (".link", "-emit-executable\n-o\nApp\n")
    ]


def test_recorder_keeps_nothing_of_a_question(recorder: dict[str, str]) -> None:
    result = record(recorder, "-print-target-info")
    assert (result.returncode, result.stdout, result.stderr) == (3, "out:-print-target-info\n", "2\n{}\n")
    assert list(Path(recorder["BUILDSPEED_RECORDS"]).iterdir()) == []


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
    assert len(list(Path(recorder["BUILDSPEED_RECORDS"]).iterdir())) == 8
