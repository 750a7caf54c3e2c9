"""The command `scripts/check`: on this repository, and on others with SwiftPM's own description of them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import SCRIPTS, contents
from shop import CONFIGURATION, package_of, write_shop
from shop_files import FILES, manifest

from boundaries.cli import main
from boundaries.configuration import Configuration, Gate, read_configuration
from boundaries.gates import applies, run_gate
from boundaries.rules import RULES
from boundaries.subject import Subject, read_subject, subject_of
from buildspeed.failures import UsageError
from buildspeed.toolchain import Toolchain

_PLANTED = "Modules/Basket/Implementation/Planted.swift"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The clean package, in a path with a space."""
    shop = tmp_path / "a shop"
    write_shop(shop)
    return shop


@pytest.fixture
def no_gates(tmp_path: Path) -> Path:
    """The repository's configuration without gates and exemptions."""
    return written(tmp_path, CONFIGURATION.read_text(encoding="utf-8").partition("[[gates]]")[0])


def written(folder: Path, text: str) -> Path:
    file = folder / "check.toml"
    file.write_text(text, encoding="utf-8")
    return file


def plant(folder: Path) -> None:
    (folder / _PLANTED).write_text("import Foundation\nimport PriceImplementation\n", encoding="utf-8")


def subject_without_sources(folder: Path) -> Subject:
    """The package for gates, which look at no sources."""
    return subject_of(folder, read_configuration(CONFIGURATION), package_of(folder, {}, {}), {})


def gate(*command: str, needs: str = "Package.swift") -> Gate:
    return Gate("planted", "generated", "summary", command, "Mend it.", needs)


def test_repository_keeps_its_own_rules(capfd: pytest.CaptureFixture[str]) -> None:
    status = main(["--no-build", "--no-format"])
    assert (status, capfd.readouterr().err) == (0, "")


def test_launcher_finds_an_import_and_changes_nothing(folder: Path, no_gates: Path) -> None:
    plant(folder)
    before = contents(folder)
    command = [SCRIPTS / "check", "--package", folder, "--config", no_gates]
    result = subprocess.run(command, capture_output=True, text=True, cwd="/")
    assert result.returncode == 1
    assert result.stdout.splitlines()[:2] == [
        f"{_PLANTED}:2: error: BasketImplementation imports PriceImplementation; an implementation may import "
        "interfaces. [import]",
        "    Use PriceInterface instead, and let the composition root register the implementation.",
    ]
    assert result.stderr.endswith("\n1 finding, of 1 rule\n")
    assert contents(folder) == before
    assert not (folder / ".build").exists()


def test_swiftpm_says_of_the_package_what_the_tests_say(folder: Path, toolchain: Toolchain) -> None:
    subject = read_subject(folder, read_configuration(CONFIGURATION), toolchain)
    expected = package_of(folder, {}, {})
    assert [(each.name, each.sources) for each in subject.package.targets] == [
        (each.name, each.sources) for each in expected.targets
    ]
    assert [set(each.dependencies) for each in subject.package.targets] == [
        set(each.dependencies) for each in expected.targets
    ]
    assert [finding for rule in RULES for finding in rule.check(subject)] == []


def test_edge_of_the_manifest_is_found_on_the_line_of_the_dependency(
    folder: Path, no_gates: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    old = '"PriceInterface", "RouterServiceInterface"], path: "Modules/Basket/Implementation"'
    text = manifest()
    assert old in text
    (folder / "Package.swift").write_text(text.replace(old, f'\n"PriceImplementation",\n{old}'), encoding="utf-8")
    assert main(["--package", str(folder), "--config", str(no_gates), "--rule", "edge", "--json"]) == 1
    found = json.loads(capfd.readouterr().out)
    assert (found["package"], found["rules"]) == ("Shop", ["edge"])
    assert [(each["rule"], each["path"], each["line"]) for each in found["findings"]] == [("edge", "Package.swift", 9)]


def test_other_rule_is_not_looked_at(folder: Path, no_gates: Path) -> None:
    plant(folder)
    assert main(["--package", str(folder), "--config", str(no_gates), "--rule", "module-readme"]) == 0


def test_github_shows_findings_on_their_lines(folder: Path, no_gates: Path, capfd: pytest.CaptureFixture[str]) -> None:
    plant(folder)
    assert main(["--package", str(folder), "--config", str(no_gates), "--annotations", "github"]) == 1
    first = capfd.readouterr().out.splitlines()[0]
    assert first.startswith(f"::error file={_PLANTED},line=2,title=import::BasketImplementation imports")


def test_gitlab_gets_a_report(folder: Path, no_gates: Path, capfd: pytest.CaptureFixture[str]) -> None:
    plant(folder)
    assert main(["--package", str(folder), "--config", str(no_gates), "--annotations", "gitlab"]) == 1
    first = json.loads(capfd.readouterr().out)[0]
    assert (first["check_name"], first["location"]) == ("import", {"path": _PLANTED, "lines": {"begin": 2}})


def test_package_with_names_of_its_own_is_checked_by_its_own_rules(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for path, text in {
        "Package.swift": "// swift-tools-version: 5.9\nimport PackageDescription\nlet package = Package(\n"
        'name: "Other", targets: [\n.target(name: "MapAPI"),\n.target(name: "Map", dependencies: ["MapAPI"]),\n'
        '.target(name: "Tour", dependencies: ["Map", "MapAPI"]),\n])\n',
        "Sources/MapAPI/Map.swift": "public struct Place {}\n",
        "Sources/Map/Map.swift": "import MapAPI\n",
        "Sources/Tour/Tour.swift": "import class Map.View\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    configuration = written(
        tmp_path,
        '[[targets]]\nkind = "interface"\nnames = ["{module}API"]\nvocabulary = ["*"]\n'
        '[[targets]]\nkind = "implementation"\nnames = ["{module}", "Tour"]\nmay_import = ["interface"]\n',
    )
    options = ["--package", str(tmp_path), "--config", str(configuration), "--json"]
    assert main([*options, "--rule", "import", "--rule", "edge"]) == 1
    found = json.loads(capfd.readouterr().out)["findings"]
    assert [(each["rule"], each["path"], each["line"]) for each in found] == [
        ("edge", "Package.swift", 7),
        ("import", "Sources/Tour/Tour.swift", 1),
    ]


def test_lines_of_a_gate_become_findings(folder: Path) -> None:
    script = (
        "echo 'App/main.swift:3:5: error: too long'; echo 'App/main.swift:3:5: note: see there'; "
        "echo 'App/main.swift:3:5: error: too long'; echo \"$PWD/App/main.swift:4: other\"; "
        "echo 'error: Target App is odd'; exit 3"
    )
    found = run_gate(gate("sh", "-c", script), subject_without_sources(folder))
    assert [(each.path.as_posix(), each.line, each.message) for each in found] == [
        ("App/main.swift", 3, "too long"),
        ("App/main.swift", 4, "other"),
        ("Package.swift", 7, "Target App is odd"),
    ]


def test_gate_that_fails_without_a_place_tells_its_last_words(folder: Path) -> None:
    found = run_gate(gate("sh", "-c", "echo sorry >&2; exit 3"), subject_without_sources(folder))
    assert [(each.line, each.message) for each in found] == [(1, "'sh -c echo sorry >&2; exit 3' ended with 3:\nsorry")]


def test_gate_that_ends_well_finds_nothing(folder: Path) -> None:
    assert run_gate(gate("echo", "App/main.swift:1: error: no"), subject_without_sources(folder)) == []


@pytest.mark.parametrize(("needs", "runs"), [("Package.swift", True), ("scripts/stock", True), ("*.rb", False)])
def test_gate_applies_where_the_package_has_what_it_needs(folder: Path, needs: str, runs: bool) -> None:
    assert applies(gate("false", needs=needs), subject_without_sources(folder)) == runs


def test_stages_can_be_left_out(folder: Path, tmp_path: Path) -> None:
    base = CONFIGURATION.read_text(encoding="utf-8").partition("[routes]")[0]
    failing = [
        f'\n[[gates]]\nrule = "{stage}"\nstage = "{stage}"\nsummary = "s"\ncommand = ["false"]\nfix = "f"\n'
        for stage in ("build", "format")
    ]
    configuration = written(tmp_path, base + "".join(failing))
    options = ["--package", str(folder), "--config", str(configuration)]
    assert main([*options, "--no-build", "--no-format"]) == 0
    assert main([*options, "--no-build", "--rule", "format"]) == 1
    assert main([*options, "--no-format", "--rule", "build"]) == 1


def test_gates_of_the_repository_find_bad_style(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(SCRIPTS.parent / ".swift-format", folder)
    (folder / _PLANTED).write_text("struct Planted {\n  let a = 1\n}\n", encoding="utf-8")
    (folder / "scripts/tool").write_text("#!/usr/bin/env python3\nimport os\n", encoding="utf-8")
    (folder / "scripts/other.py").write_text("a  = 1\n", encoding="utf-8")
    configuration = written(tmp_path, CONFIGURATION.read_text(encoding="utf-8").partition("[[exemptions]]")[0])
    assert main(["--package", str(folder), "--config", str(configuration), "--no-build", "--json"]) == 1
    found = json.loads(capfd.readouterr().out)["findings"]
    assert {(each["rule"], each["path"], each["line"]) for each in found} >= {
        ("swift-format", _PLANTED, 2),
        ("ruff", "scripts/tool", 2),
        ("ruff-format", "scripts/other.py", 1),
    }
    assert {each["rule"] for each in found} == {"swift-format", "ruff", "ruff-format"}


def test_exemption_excuses_its_file_until_nothing_needs_it(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    base = CONFIGURATION.read_text(encoding="utf-8").partition("[routes]")[0]
    excuse = f'\n[[exemptions]]\nrule = "import"\npath = "{_PLANTED}"\nreason = "For now."\n'
    configuration = written(tmp_path, base + excuse)
    options = ["--package", str(folder), "--config", str(configuration), "--rule", "import"]
    plant(folder)
    assert main(options) == 0
    (folder / _PLANTED).unlink()
    capfd.readouterr()
    assert main(options) == 1
    line = (base + excuse).splitlines().index(f'path = "{_PLANTED}"') + 1
    assert capfd.readouterr().out.startswith(f"{configuration}:{line}: error: nothing in {_PLANTED} breaks")
    # Only where its rule was looked at.
    assert main([*options[:-1], "edge"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rule", "nothing"], "no rule is called 'nothing'"),
        (["--package", "/nowhere"], "is no Swift package"),
        (["--config", "/nowhere.toml"], "cannot be read"),
    ],
)
def test_wrong_name_is_a_usage_error(arguments: list[str], message: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 64
    assert message in capfd.readouterr().err


@pytest.mark.parametrize("arguments", [["--nothing"], ["--json", "--annotations", "github"], ["--annotations", "none"]])
def test_wrong_option_is_a_usage_error(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main(arguments)
    assert exit.value.code == 64


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[targets", "is no TOML"),
        ("", "targets"),
        ('[[targets]]\nkind = "feature"\nnames = []\n', "feature"),
        ('[[targets]]\nkind = "tests"\nnames = "A"\n', "targets\\[0\\].names"),
        ('[[targets]]\nkind = "tests"\nname = ["A"]\n', "name"),
    ],
)
def test_configuration_that_does_not_fit_says_where(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_configuration(written(tmp_path, text))


def test_configuration_without_an_interface_of_the_package_is_refused(folder: Path, toolchain: Toolchain) -> None:
    with pytest.raises(UsageError, match="no target of Shop is an interface"):
        read_subject(folder, Configuration(targets=()), toolchain)


def test_rules_are_listed_with_what_they_say(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--list-rules"]) == 0
    listed = [line.split()[0] for line in capfd.readouterr().out.splitlines()]
    assert listed[: len(RULES)] == [rule.name for rule in RULES]
    assert {"swiftpm-imports", "swift-format", "ruff", "generated"} <= set(listed)


def test_every_file_of_the_clean_package_is_written(folder: Path) -> None:
    assert {path.as_posix() for path in contents(folder)} == {*FILES, "Package.swift"}
