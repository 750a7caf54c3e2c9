"""How every command ends, and how lists and numbers are read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from buildspeed.command_line import run
from buildspeed.failures import InterruptedRunError, UsageError
from scaffolding.command_line import guarded

SCRIPTS = Path(__file__).resolve().parent.parent


def _raising(error: BaseException) -> int:
    raise error


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UsageError("there is no such thing."), 64, "error: there is no such thing.\n"),
        (OSError(28, "No space left on device"), 1, "error: [Errno 28] No space left on device\n"),
        (InterruptedRunError(15), 143, "interrupted by SIGTERM\n"),
    ],
)
def test_errors_become_one_line_and_an_exit_code(
    error: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(lambda: _raising(error)) == code
    assert capsys.readouterr().err == said


def test_scaffolding_says_that_nothing_was_changed(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(lambda: _raising(OSError(28, "No space left on device"))) == 1
    assert capsys.readouterr().err == "error: [Errno 28] No space left on device; nothing was changed.\n"


def test_reader_that_has_gone_ends_a_command_without_a_word() -> None:
    program = (
        "import sys; from buildspeed.command_line import run\n"
        "sys.exit(run(lambda: print('line ' * 100_000) or 0))"
    )  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=SCRIPTS, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(4)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141
