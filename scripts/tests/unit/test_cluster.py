"""The parts of a run on a cluster that need none: archives, what must be equal, shares, and what a record holds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from made_records import MACHINE, run_record, sample
from msgspec.structs import replace as changed
from swiftmodules.cli import main
from swiftmodules.cluster.archive import Archive, Facts
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.experiment.requests import Lost, Request, Share
from swiftmodules.experiment.runner import Runner, Task
from swiftmodules.records.files import SampleLog
from swiftmodules.records.kinds import RunOptions, RunRecord
from test_experiment_runner import made_task


@dataclass
class FakeAnswer:
    request: Request
    machine: str = "a"
    lost: Sequence[Lost] = ()

    def value(self) -> Any:  # noqa: ANN401
        return self.request.number


@dataclass
class FakeCluster:
    machines: dict[str, Any] = field(default_factory=lambda: {"a": MACHINE})
    asked: list[int] = field(default_factory=list)

    def offer(self, root: Path, package: Path) -> None: ...

    def ask(self, request: Request, alone: bool = False) -> FakeAnswer:
        self.asked.append(request.number)
        return FakeAnswer(request)


def files(folder: Path) -> dict[str, tuple[str, int]]:
    paths = [path for path in folder.rglob("*") if path.is_file() or path.is_symlink()]
    return {
        path.relative_to(folder).as_posix(): (
            (str(path.readlink()), 0) if path.is_symlink() else (path.read_text(), path.stat().st_mode)
        )
        for path in paths
    }


@pytest.fixture
def sent(tmp_path: Path) -> Path:
    folder = tmp_path / "sent"
    (folder / "größer").mkdir(parents=True)
    (folder / "größer" / "A.swift").write_text("let a = 1\n")
    (folder / "tool.sh").write_text("#!/bin/sh\n")
    (folder / "tool.sh").chmod(0o755)
    (folder / "link").symlink_to("größer/A.swift")
    return folder


def test_archive_has_the_files_with_their_modes_and_links(sent: Path, tmp_path: Path) -> None:
    archive = Archive.of(sent)
    archive.unpack(tmp_path / "there")
    assert files(tmp_path / "there") == files(sent)


def test_archive_is_named_by_its_content(sent: Path, tmp_path: Path) -> None:
    before = Archive.of(sent)
    os.utime(sent / "tool.sh", (0, 0))
    assert Archive.of(sent) == before
    (sent / "tool.sh").chmod(0o644)
    after = Archive.of(sent)
    assert after.name != before.name
    with pytest.raises(ToolError, match="did not arrive as it was sent"):
        changed(before, data=after.data).unpack(tmp_path / "there")
    assert not (tmp_path / "there").exists()


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"toolchain": "Swift 5"}, "the machine b has another toolchain: Swift 5, and the command runs with Swift 6. "),
        ({"platform": "Darwin arm64"}, "another platform: Darwin arm64, and the command runs with Linux x86_64"),
        ({"program": "abc"}, "another version of swiftmodules: abc, and the command runs with def"),
    ],
)
def test_machine_that_is_not_alike_is_refused_with_both_versions(other: dict[str, str], said: str) -> None:
    here = Facts("Swift 6", "Linux x86_64", "def")
    here.require_equal("b", here)
    with pytest.raises(ToolError, match=said):
        here.require_equal("b", changed(here, **other))


def test_share_sends_all_pieces_at_once_from_the_first_that_is_asked_for() -> None:
    cluster = FakeCluster()
    pieces = [([number, f"again {number}"], Request("round", (), number=number)) for number in range(1, 6)]
    share = Share(cluster, pieces)
    assert cluster.asked == []
    assert share.answer(3).value() == 3
    assert cluster.asked == [3, 4, 5]
    assert share.answer("again 3") is share.answer(3)
    assert share.answer(5).value() == 5
    assert cluster.asked == [3, 4, 5]


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return replace(made_task(tmp_path, tmp_path), cluster=FakeCluster())


def test_record_lists_the_machines_and_each_rerun_once(task: Task) -> None:
    runner = Runner(task, RunRecord, RunOptions())
    runner.begin(run_record())
    answer = FakeAnswer(Request("round", (), number=2), lost=[Lost("b", "2026-01-01T00:00:00+00:00")])
    for _ in range(3):
        runner.answered(answer, 2)
    assert runner.record.machines == {"a": MACHINE}
    assert [(each.round, each.machine) for each in runner.record.reruns] == [(2, "b")]


@pytest.mark.parametrize(("machine", "said"), [(None, "not begun on a cluster. Resume it without"), ("a", "with --cl")])
def test_run_is_resumed_only_where_it_began(task: Task, machine: str | None, said: str) -> None:
    log = SampleLog.begin(task.output / "samples.jsonl", run_record())
    log.append(sample(1, "interface", 1.0, machine=machine))
    task = replace(task, resume=True, cluster=None if machine else task.cluster)
    with pytest.raises(UsageError, match=said):
        Runner(task, RunRecord, RunOptions())


@pytest.mark.parametrize("address", ["127.0.0.1:8786", "tcp://127.0.0.1", "http://host:1", "tcp://a b:1"])
def test_address_of_another_form_is_refused_with_an_example(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["measure", "--cluster", address], ["worker", address]):
        assert main(words) == 64
        assert "give one such as tcp://127.0.0.1:8786" in capsys.readouterr().err


def test_cluster_that_is_not_there_is_named_with_the_commands_that_start_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Package.swift").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("swiftmodules.cluster.client._CONNECT_SECONDS", 0.5)
    # Port 9 (discard) takes no connections.
    assert main(["measure", "matrix", "--cluster", "tcp://127.0.0.1:9"]) == 1
    error = capsys.readouterr().err
    assert "No scheduler answers at tcp://127.0.0.1:9" in error and "'swiftmodules worker tcp://" in error
