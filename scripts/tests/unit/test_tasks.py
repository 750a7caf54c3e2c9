"""The tasks of a build are passed on from its first output on."""

from __future__ import annotations

from pathlib import Path

from swiftmodules import process
from swiftmodules.tasks import pass_on, tenths


def test_tasks_are_passed_on_while_a_build_runs(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    script = "echo Planning; echo '[1/20] A'; sleep 0.6; printf '[7/20] A\n[8/20] B\n'; sleep 0.6; echo '[20/20] C'"
    finished = process.run(
        ["sh", "-c", script], {"PATH": "/usr/bin:/bin"}, tmp_path, tmp_path / "log", lambda *task: seen.append(task)
    )
    assert (seen, finished.exit_code) == ([(1, 20), (8, 20), (20, 20)], 0)
    assert (tmp_path / "log").read_text().count("\n") == 5


def test_line_without_a_task_is_none_and_each_tenth_is_shown_once() -> None:
    lines: list[str] = []
    show = tenths(lines.append, "Building")
    pass_on("warning: [1/2] no\n", show)
    for done in range(1, 41):
        pass_on(f"[{done}/40] Compiling\n", show)
    assert lines[:2] == ["Building [1/40]", "Building [4/40]"] and lines[-1] == "Building [40/40]" and len(lines) == 11
