"""The commands of `measure`, with experiments that build nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import pytest
from made_records import rounds_of, run_record
from msgspec.structs import replace
from swiftmodules import options
from swiftmodules.cli import main
from swiftmodules.experiment import floor, matrix, run, scale, simulate
from swiftmodules.experiment.runner import Task
from swiftmodules.measure import first_words
from swiftmodules.records.files import read_record, record_bytes, write_record
from swiftmodules.records.kinds import (
    FloorOptions,
    LiveOptions,
    MatrixOptions,
    MatrixRecord,
    RunOptions,
    RunRecord,
    ScaleOptions,
    SimulateOptions,
)
from swiftmodules.records.model import Verdict, Verification

RESULTS = Path(__file__).resolve().parents[3] / "docs" / "results"
RECORD = run_record(rounds_of({"interface": [1, 1.1], "fused": [2, 2.1]}), rounds=2)


@dataclass
class Asked:
    """The arguments that an experiment was called with."""

    options: Any = None
    task: Any = None
    more: list[object] = field(default_factory=list)


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Takes the place of all experiments, in a folder with a package."""
    found = Asked()

    def measure(options: object, task: Task, *more: object) -> object:
        found.options, found.task, found.more = options, task, list(more)
        if isinstance(options, MatrixOptions):
            return MatrixRecord(package="Tiny", command="", toolchain="", options=options)
        return replace(RECORD, command=task.command(options))

    for module in (floor, matrix, run, scale, simulate):
        monkeypatch.setattr(module, "measure", measure)
    (tmp_path / "Package.swift").touch()
    (tmp_path / "swiftmodules.toml").write_text('[measure]\nmodules = ["Cart"]\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return found


def typed(words: str) -> int:
    return main(words.split())


def test_run_passes_its_options_and_writes_its_report(
    asked: Asked, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = (
        "measure --rounds 2 --edits body,A.swift:signature --modules Cart --layouts interface,fused --jobs 3 --seed 0"
    )
    assert main([*arguments.split(), "--no-verify", "--session", "typed.txt", "--output", "out"]) == 0
    assert asked.options == RunOptions(
        **{"layouts": ("interface", "fused"), "edits": ("body", "A.swift:signature"), "modules": ("Cart",)},
        **{"rounds": 2, "seed": 0, "jobs": 3},
    )
    task: Task = asked.task
    assert (task.package, task.output, task.resume, task.session) == (tmp_path, Path("out"), False, Path("typed.txt"))
    assert (task.unverified, task.config.measure.modules) == ("--no-verify leaves it out.", ("Cart",))
    assert tmp_path in task.scratch.parents
    assert task.command(asked.options) == (
        "swiftmodules measure --rounds 2 --edits body,A.swift:signature --modules Cart --layouts interface,fused "
        "--no-verify --session typed.txt --seed 0 --jobs 3"
    )
    assert read_record(tmp_path / "out").command == task.command(asked.options)
    assert "Wrote the record and its report to out." in capsys.readouterr().out


def test_default_run_is_measured_with_new_random_choices_in_a_folder_of_its_own(asked: Asked, tmp_path: Path) -> None:
    assert main(["measure"]) == 0
    first = asked.options
    assert (first.rounds, first.layouts, first.edits) == (10, ("interface", "fused", "monolith"), ())
    assert asked.task.unverified is None and asked.task.output.parent == asked.task.scratch / "results"
    assert main(["measure", "run", "--quick"]) == 0
    assert asked.options.quick and asked.options.seed != first.seed
    assert asked.task.unverified == "--quick leaves it out."
    assert asked.task.command(asked.options).endswith(f" --rounds 10 --no-verify --seed {asked.options.seed}")
    assert main(["measure", "--resume", "out"]) == 0
    assert (asked.task.resume, asked.task.output) == (True, Path("out"))


def test_all_edits_are_those_of_the_catalogue(asked: Asked) -> None:
    assert main(["measure", "--edits", "all"]) == 0
    assert {"noop", "test-body", "manifest-touch"} < set(asked.options.edits)


@pytest.mark.parametrize("kind", [RunOptions, MatrixOptions, ScaleOptions, FloorOptions, SimulateOptions])
def test_run_is_resumed_without_naming_its_options_again(asked: Asked, kind: type[Any]) -> None:
    # A value that differs from the default counts as an option that was given.
    command = kind.__name__.removesuffix("Options").lower()
    assert typed(f"measure {command} {'' if kind is MatrixOptions else '--seed 0'}") == 0
    assert asked.options == kind()


def test_other_experiments_pass_their_options(asked: Asked) -> None:
    assert typed("measure scale --sizes 10,5 --layouts packages --budget 30 --verify-all --seed 1") == 0
    assert asked.options == ScaleOptions(
        sizes=(5, 10), layouts=("packages",), rounds=3, seed=1, budget_minutes=30, edits=()
    )
    assert asked.more == ["all"]
    assert typed("measure floor --settings default,lld --module Cart --clean-rounds 1 --seed 1") == 0
    assert asked.options == FloorOptions(settings=("default", "lld"), module="Cart", clean_rounds=1, seed=1)
    assert typed("measure simulate --sizes 5 --jobs 1,4 --seed 1") == 0
    assert asked.options == SimulateOptions(jobs=(1, 4), seed=1, layouts=("interface", "fused", "monolith", "packages"))
    assert asked.more == [(5,)]
    assert typed("measure matrix --edits body --modules Cart --verify") == 0
    assert asked.options == MatrixOptions(edits=("body",), modules=("Cart",))
    assert (asked.more, asked.task.command(asked.options)) == (
        [True],
        "swiftmodules measure matrix --edits body --modules Cart --verify",
    )


@pytest.mark.parametrize(
    ("results", "code"),
    [(["sound"], 0), (["sound", "not verified"], 0), (["unsound", "sound"], 1), (["not verified"], 1)],
)
def test_matrix_fails_where_a_program_is_wrong_or_none_was_verified(
    results: list[str], code: int, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdicts = [Verdict(layout="interface", edit="body", result=each, reasons=("r",)) for each in results]

    def measure(options: MatrixOptions, task: Task, verify: bool) -> MatrixRecord:
        verification = Verification(verdicts=verdicts)
        return MatrixRecord(package="", command="", toolchain="", options=options, verification=verification)

    monkeypatch.setattr(matrix, "measure", measure)
    assert main(["measure", "matrix", "--verify"]) == code


def test_first_round_shows_what_it_can() -> None:
    record = read_record(RESULTS / "layouts")
    assert isinstance(record, RunRecord)
    lines = first_words(replace(record, samples=[each for each in record.samples if each.round == 1]))
    assert lines[0].startswith("After the first round, with one sample of each")
    assert len(lines) > 2 and not any("**" in line or "`" in line for line in lines)
    assert first_words(MatrixRecord(package="", command="", toolchain="", options=MatrixOptions())) == ()


@pytest.fixture
def record(tmp_path: Path) -> Path:
    write_record(RECORD, tmp_path / "a" / "results.json")
    return tmp_path / "a"


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ([], lambda text: text.startswith("# ") and "| edit |" in text),
        (["--markdown"], lambda text: text.startswith("# ")),
        (["--table"], lambda text: "interface" in text and "|" not in text),
        (["--json"], lambda text: json.loads(text)["kind"] == "run"),
        (["--csv", "-"], lambda text: text.startswith("round,position,layout,") and text.count("\n") == 5),
        (["--html", "-"], lambda text: text.lower().startswith("<!doctype html>")),
        (["--json", "--csv", "-"], lambda text: text.startswith("round,") and text.endswith("}\n")),
    ],
)
def test_report_has_every_form(
    form: list[str], expected: Callable[[str], bool], record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["measure", "report", str(record), *form]) == 0
    assert expected(capsys.readouterr().out)


def test_report_is_written_to_files_and_shows_several_records(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = ["--html", str(tmp_path / "new" / "page.html"), "--csv", str(tmp_path / "a.csv")]
    assert main(["measure", "report", str(record / "results.json"), *files]) == 0
    assert capsys.readouterr().out == ""
    assert (tmp_path / "a.csv").read_text().startswith("round,")
    both = [str(record), str(RESULTS / "matrix/results.json")]
    assert main(["measure", "report", *both, "--html", str(tmp_path / "both.html")]) == 0
    assert (tmp_path / "both.html").stat().st_size > (tmp_path / "new" / "page.html").stat().st_size
    assert main(["measure", "report", *both, "--json"]) == 0
    assert capsys.readouterr().out == "".join(record_bytes(read_record(Path(each))).decode() for each in both)


def test_file_that_is_not_a_record_exits_with_65(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text("{}")
    assert main(["measure", "report", str(tmp_path / "a.json")]) == 65
    assert main(["measure", "compare", str(tmp_path / "a.json"), str(tmp_path / "b.json")]) == 65
    assert capsys.readouterr().err.count("error: ") == 2


def test_comparison_fails_where_something_became_slower_than_the_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, seconds in (("before", 1.0), ("after", 1.2)):
        samples = rounds_of({"interface": [seconds + number / 1000 for number in range(10)]})
        write_record(run_record(samples, ["interface"], rounds=10), tmp_path / name / "results.json")
    compared = ["measure", "compare", str(tmp_path / "before"), str(tmp_path / "after")]
    assert [main(compared), main([*compared, "--fail-above", "30%"])] == [1, 0]
    assert "Slower by more than 10%: interface body Store." in capsys.readouterr().out
    after = read_record(tmp_path / "after")
    assert isinstance(after, RunRecord)
    other = replace(after, machine=replace(after.machine, cores=8))
    write_record(other, tmp_path / "other" / "results.json")
    compared = ["measure", "compare", str(tmp_path / "after"), str(tmp_path / "other")]
    assert [main(compared), main([*compared, "--different-machines"])] == [65, 0]


@pytest.mark.parametrize(
    ("choices", "recorded"),
    [
        (options.ScaleChoices, ScaleOptions),
        (options.LiveChoices, LiveOptions),
        (options.FloorChoices, FloorOptions),
        (options.SimulateChoices, SimulateOptions),
    ],
)
def test_run_with_other_options_can_be_resumed_without_them(choices: Any, recorded: Any) -> None:  # noqa: ANN401
    # Where the defaults are the same, an option that was left out differs from no recorded one.
    for each in fields(recorded):
        assert getattr(choices(), each.name, None) in (None, (), each.default), each.name
