"""Going on with a run that has ended before its time."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import SMALLEST, TINY, Subject, contents, measure, start_measure
from records import MACHINE, new_record

from buildspeed.cli import main
from buildspeed.failures import RecordError
from buildspeed.layouts import make_layout
from buildspeed.plan import Cell
from buildspeed.record import Record, Resumption, read_record, write_record
from buildspeed.recorded_run import resumable
from buildspeed.report import markdown
from buildspeed.resuming import Circumstances, contents_of, resumed
from buildspeed.unfinished import read_unfinished

ORDER = [Cell(layout, "body", "Store") for layout in ("interface", "control", "fused")]


def unfinished(samples: int) -> Record:
    """A record of three rounds of which so many samples were taken."""
    record = new_record({"interface": 1.0, "control": 1.0, "fused": 2.0}, count=3)
    return replace(record, samples=record.samples[:samples], incomplete="it was cold.", contents="0" * 64)


def circumstances(record: Record) -> Circumstances:
    return Circumstances(
        package=record.package,
        commit=record.revision.commit,
        contents=record.contents or "",
        toolchain=record.toolchain,
        machine=record.machine,
        placements=record.placements,
        instruments=record.instruments,
    )


@pytest.mark.parametrize(("samples", "kept", "torn", "round"), [(3, 3, 0, 2), (4, 3, 1, 2), (8, 6, 2, 3), (2, 0, 2, 1)])
def test_whole_rounds_are_kept_and_a_torn_one_is_taken_anew(samples: int, kept: int, torn: int, round: int) -> None:
    earlier = unfinished(samples)
    record = resumed(earlier, [ORDER] * 3, "2026-01-02T00:00:00+00:00")
    assert record.samples == earlier.samples[:kept]
    assert record.incomplete is None
    (resumption,) = record.resumptions
    assert resumption.round == round
    assert list(resumption.torn) == earlier.samples[kept:]
    assert len(resumption.torn) == torn
    # The one from before is not changed.
    assert len(earlier.samples) == samples


def test_samples_in_another_order_are_refused() -> None:
    with pytest.raises(RecordError, match="order"):
        resumed(unfinished(4), [ORDER[::-1]] * 3, "now")
    with pytest.raises(RecordError, match="order"):
        resumed(unfinished(7), [ORDER] * 2, "now")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"package": "Other"}, "the package was Tiny, and is Other"),
        ({"commit": "def"}, "the commit was abc, and is def"),
        ({"contents": "1" * 64}, "the digest of the code was 000000000000, and is 111111111111"),
        ({"toolchain": "Swift 7"}, "the toolchain was Swift 6, and is Swift 7"),
        ({"machine": replace(MACHINE, cores=4)}, "the machine was 2 cores, .*, and is 4 cores"),
        ({"placements": {"body Store": "elsewhere"}}, "places of the edits"),
        ({"instruments": None}, "the way to read conditions"),
    ],
)
def test_what_differs_is_told(change: dict[str, Any], said: str) -> None:
    record = unfinished(4)
    same = circumstances(record)
    same.require_those_of(record)
    with pytest.raises(RecordError, match=said):
        replace(same, **change).require_those_of(record)


def test_record_from_before_runs_could_be_resumed_is_refused() -> None:
    record = replace(unfinished(4), contents=None)
    with pytest.raises(RecordError, match="does not tell what its builds read"):
        circumstances(record).require_those_of(record)


def test_digest_is_that_of_all_code_in_all_layouts(tiny_subject: Subject) -> None:
    def digest(subject: Subject) -> str:
        return contents_of(make_layout(name, subject.package, subject.sources) for name in ("interface", "fused"))

    before = digest(tiny_subject)
    assert digest(tiny_subject) == before
    path, file = next(iter(tiny_subject.sources.items()))
    changed = {**tiny_subject.sources, path: replace(file, text=file.text + b"\n")}
    assert digest(Subject(tiny_subject.package, changed)) != before
    language = replace(tiny_subject.package, language_versions=("5",))
    assert digest(Subject(language, tiny_subject.sources)) != before


def test_report_tells_of_the_resumption() -> None:
    record = resumed(unfinished(8), [ORDER] * 3, "2026-01-02T00:00:00+00:00")
    assert (
        "- Resumed: 2026-01-02T00:00:00+00:00, from round 3 on, because it was cold; "
        "2 samples of that round had been taken and were taken anew" in markdown(record)
    )


def test_torn_samples_stay_in_the_record(tmp_path: Path) -> None:
    record = resumed(unfinished(8), [ORDER] * 3, "now")
    write_record(record, tmp_path / "results.json")
    assert read_record(tmp_path / "results.json").resumptions == record.resumptions
    assert isinstance(record.resumptions[0], Resumption)


def test_record_that_goes_on_is_kept_beside_a_complete_one(tmp_path: Path) -> None:
    complete = replace(unfinished(9), incomplete=None)
    write_record(complete, tmp_path / "results.json")
    before = (tmp_path / "results.json").read_bytes()
    resumable(tmp_path, "the command").keep(unfinished(4))
    assert "killed after 4 samples or later" in (read_unfinished(tmp_path)[0].incomplete or "")
    resumable(tmp_path, "the command").keep_interrupted(unfinished(5), KeyboardInterrupt("stop"))
    assert "(stop)" in (read_unfinished(tmp_path)[0].incomplete or "")
    assert (tmp_path / "results.json").read_bytes() == before


def test_record_that_cannot_be_written_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    resumable(tmp_path, "the command").keep(unfinished(4))

    def full(path: Path, text: str, encoding: str) -> None:
        with path.open("w") as file:
            file.write(text[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    resumable(tmp_path, "the command").keep_interrupted(unfinished(5), OSError("full"))
    monkeypatch.undo()
    assert len(read_unfinished(tmp_path)[0].samples) == 4
    said = capsys.readouterr().err
    assert "No space left on device" in said
    assert "Go on from there: the command" in said
    assert [path.name for path in tmp_path.iterdir()] == ["unfinished.json"]


def exit_code(*arguments: str | Path) -> int:
    try:
        return main([str(argument) for argument in arguments])
    except SystemExit as ending:
        return int(ending.code or 0)


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--rounds", "2"], 64, "--rounds differs from that of the run that is resumed, which is 3"),
        (["--quick"], 64, "--quick differs"),
        (["--edits", "noop"], 64, "--edits differs from that of the run that is resumed, which is body"),
        (["--modules", "Feed"], 64, "--modules differs"),
        (["--layouts", "interface"], 64, "which is interface,fused"),
        (["--seed", "2"], 64, "--seed differs"),
        (["--jobs", "1"], 64, "--jobs differs"),
        (["--output", "elsewhere"], 64, "--output does not go with --resume"),
    ],
)
def test_options_of_another_run_do_not_go_with_resume(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], code: int, said: str
) -> None:
    resumable(tmp_path, "the command").keep(unfinished(4))
    assert exit_code("--resume", tmp_path, "--package", TINY, *options) == code
    assert said in capsys.readouterr().err


def test_what_cannot_be_resumed_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("--resume", tmp_path) == 65
    assert "holds no unfinished.json" in capsys.readouterr().err
    assert exit_code("--resume", tmp_path / "nowhere") == 65
    write_record(replace(unfinished(9), incomplete=None), tmp_path / "results.json")
    assert exit_code("--resume", tmp_path / "results.json") == 65
    assert "is complete; there is nothing to resume" in capsys.readouterr().err


def test_run_that_begins_anew_does_not_overwrite_an_unfinished_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    resumable(tmp_path, "the command").keep(unfinished(4))
    before = contents(tmp_path)
    assert exit_code("--package", TINY, "--output", tmp_path) == 64
    assert f"Go on from there: scripts/measure --resume {tmp_path} --package {TINY}" in capsys.readouterr().err
    assert contents(tmp_path) == before


@pytest.mark.parametrize("subcommand", ["scale", "floor", "simulate", "verify"])
def test_run_that_cannot_be_resumed_does_not_overwrite_an_unfinished_record_either(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], subcommand: str
) -> None:
    (tmp_path / "unfinished.json").write_text("hours of work")
    assert exit_code(subcommand, "--package", TINY, "--output", tmp_path) == 64
    said = capsys.readouterr().err
    assert f"{tmp_path / 'unfinished.json'} holds the " in said
    assert f"scripts/measure {subcommand} --report {tmp_path / 'unfinished.json'}\nRemove it to begin anew.\n" in said
    assert (tmp_path / "unfinished.json").read_text() == "hours of work"


@pytest.mark.slow
def test_killed_run_goes_on_where_it_ended_and_only_with_the_same_code(tmp_path: Path) -> None:
    package = shutil.copytree(SMALLEST, tmp_path / "Smallest")
    output = tmp_path / "output"
    arguments = ("--layouts", "interface", "--edits", "noop,body", "--rounds", "2", "--seed", "5", "--output", output)
    process = start_measure("--package", package, *arguments)
    assert process.stdout is not None
    for line in process.stdout:
        # A whole round of two edits in the layout and in the control, and half of the next.
        if line.startswith("[6/"):
            break
    process.kill()
    process.communicate()
    killed = json.loads((output / "unfinished.json").read_text())
    assert len(killed["samples"]) == 6

    file = package / "Note/Implementation/ShortNote.swift"
    code = file.read_text()
    file.write_text(code.replace("a note", "another note"))
    result = measure("--package", package, "--resume", output)
    assert result.returncode == 65
    assert "the digest of the code was" in result.stderr
    assert json.loads((output / "unfinished.json").read_text()) == killed

    file.write_text(code)
    # What the builds do not read may change.
    (package / "notes.txt").write_text("changed meanwhile")
    result = measure("--package", package, "--resume", output, "--rounds", "2")
    assert result.returncode == 0, result.stderr
    assert sorted(path.name for path in output.iterdir()) == ["report.html", "results.json", "results.md"]
    complete = json.loads((output / "results.json").read_text())
    assert complete["samples"][:4] == killed["samples"][:4]
    cells = [(each["round"], each["position"], each["layout"], each["edit"]) for each in complete["samples"]]
    assert cells[:6] == [(each["round"], each["position"], each["layout"], each["edit"]) for each in killed["samples"]]
    assert len(set(cells)) == len(cells) == 8
    (resumption,) = complete["resumptions"]
    assert resumption["torn"] == killed["samples"][4:]
    assert resumption["round"] == 2
    assert resumption["moment"] > complete["started"]
    assert "the run was killed after 6 samples or later" in resumption["reason"]
    assert complete["seconds"] > killed["seconds"]
    for name in ("started", "command", "options", "clean_builds", "contents"):
        assert complete[name] == killed[name]
    assert "- Resumed: " in (output / "results.md").read_text()
