"""The command line of `scripts/measure scale`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import SCRIPTS, contents, measure
from scale_records import scale_record

from buildspeed import scale_command
from buildspeed.arguments import layout_names
from buildspeed.failures import UsageError
from buildspeed.layouts import LAYOUTS
from buildspeed.private_copy import copy_package
from buildspeed.scale.record import write_scale_record


def test_direct_is_another_name_of_fused() -> None:
    assert layout_names(LAYOUTS)("direct,monolith,fused") == ("fused", "monolith")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sizes", "5,0"], "'0' is no number of copies"),
        (["--shapes", "ring"], "no shape is called 'ring'. Choose from: star, chain, layered."),
        (["--budget", "0"], "'0' is no number of minutes"),
        (["--budget", "soon"], "'soon' is no number of minutes"),
        (["--layouts", "parcels"], "no layout is called 'parcels'"),
        (["--no-verify", "--verify-all"], "not allowed with argument --no-verify"),
    ],
)
def test_wrong_option_is_told(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        scale_command.run(arguments)
    assert end.value.code == 64
    assert message in capsys.readouterr().err


def test_edit_of_tests_is_refused_as_copies_have_none() -> None:
    with pytest.raises(UsageError, match="test-body"):
        scale_command.run(["--edits", "test-body"])


def test_folder_that_is_no_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no Swift package"):
        scale_command.run(["--package", str(tmp_path)])


def test_report_and_plots_are_made_again_from_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "a run" / "results.json"
    write_scale_record(scale_record(lambda _, size: (size / 10, size), shapes=("star", "chain")), record)
    assert scale_command.run(["--report", str(record), "--output", str(tmp_path / "here")]) == 0
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == [
        "chain-files.svg",
        "chain-seconds.svg",
        "results.md",
        "star-files.svg",
        "star-seconds.svg",
    ]
    assert "star: sizes 5, 10, 20" in capsys.readouterr().out


@pytest.mark.slow
def test_run_measures_what_fits_into_the_budget_and_says_what_does_not(tmp_path: Path) -> None:
    package, output = tmp_path / "a checkout", tmp_path / "output"
    copy_package(SCRIPTS.parent, package)
    before = contents(package)
    result = measure(
        *("scale", "--package", package, "--output", output, "--sizes", "1,2", "--shapes", "chain", "--rounds", "1"),
        *("--layouts", "interface,direct,packages", "--edits", "noop,private-top", "--budget", "0.01", "--jobs", "2"),
        # Larger sizes verify nothing, so that the time for it is no part of the estimate.
        "--no-verify",
    )
    assert result.returncode == 0, result.stderr
    results = json.loads((output / "results.json").read_text())
    (measured,) = results["sizes"]
    assert (measured["shape"], measured["size"], measured["control"]) == ("chain", 1, "interface")
    files = {(each["layout"], each["edit"], each["module"]): each["compiled_files"] for each in measured["samples"]}
    for layout in ("interface", "control", "fused", "packages"):
        assert files[(layout, "noop", None)] == 0
    # The same code is compiled in packages, and more of it where users depend on the implementation.
    for module in ("HTTPClient", "Profile1"):
        edited = ("private-top", module)
        assert files[("interface", *edited)] == files[("packages", *edited)] == files[("control", *edited)]
        assert files[("fused", *edited)] > files[("interface", *edited)]
    (skipped,) = results["skipped"]
    assert (skipped["shape"], skipped["size"]) == ("chain", 2)
    assert skipped["estimated_seconds"] == pytest.approx(2 * measured["seconds"], rel=0.2)
    assert "Skipped: chain of 2: it would take about" in result.stdout
    assert "- Skipped: 2 copies in the shape `chain`: about" in (output / "results.md").read_text()
    assert sorted(path.name for path in output.iterdir()) == [
        "chain-files.svg",
        "chain-seconds.svg",
        "results.json",
        "results.md",
    ]
    assert results["incomplete"] is None
    assert contents(package) == before
    assert [path.name for path in (package / ".build/measure").iterdir()] == ["lock"]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "verified"), [((), [2, 0]), (("--verify-all",), [2, 2])])
def test_every_cell_is_verified_at_the_smallest_size_or_at_all(
    tmp_path: Path, options: tuple[str, ...], verified: list[int]
) -> None:
    package, output = tmp_path / "checkout", tmp_path / "output"
    copy_package(SCRIPTS.parent, package)
    result = measure(
        *("scale", "--package", package, "--output", output, "--sizes", "1,2", "--shapes", "star", "--rounds", "1"),
        *("--layouts", "interface,packages", "--edits", "app-body", *options),
    )
    assert result.returncode == 0, result.stderr
    results = json.loads((output / "results.json").read_text())
    verdicts = [each["verification"]["verdicts"] for each in results["sizes"]]
    assert [len(each) for each in verdicts] == verified
    assert {verdict["result"] for each in verdicts for verdict in each} == {"sound"}
    assert ("--verify-all" in results["command"]) is bool(options)
