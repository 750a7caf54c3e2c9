"""The command `check`: options, groups of rules, output and exemptions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import contents
from made_files import files
from shop import CONFIG, copy_shop, package_of
from swiftmodules.check import RULES, run
from swiftmodules.check.command import find, read_subject
from swiftmodules.errors import UsageError
from swiftmodules.options import CheckChoices as Choices
from swiftmodules.swiftpm.config import read_config
from swiftmodules.swiftpm.toolchain import Toolchain

_PLANTED = "Modules/Basket/Implementation/Planted.swift"
BASE = CONFIG.read_text(encoding="utf-8").partition("[routes]")[0]


@pytest.fixture
def described(toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the description of the clean package as known, in place of asking SwiftPM; one test compares them."""
    monkeypatch.setattr(Toolchain, "find", lambda **_: toolchain)
    package = "swiftmodules.check.command.read_package"
    monkeypatch.setattr(package, lambda folder, *_, **__: package_of(folder))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The clean package, in a path with a space and a letter beyond ASCII."""
    return copy_shop(tmp_path / "a shöp")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The repository's configuration without exemptions."""
    text = CONFIG.read_text(encoding="utf-8").partition("[[exemptions]]")[0]
    return written(tmp_path, text.replace('["swift", "run", "App", "--routes", "--json"]', '["cat", "routes.json"]'))


def written(folder: Path, text: str) -> Path:
    file = folder / "check.toml"
    file.write_text(text, encoding="utf-8")
    return file


def plant(folder: Path) -> None:
    (folder / _PLANTED).write_text("import Foundation\nimport PriceImplementation\n", encoding="utf-8")


def test_import_is_found_as_text_and_nothing_is_changed(
    folder: Path, config: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plant(folder)
    before = contents(folder)
    assert run(folder, Choices(config=config)) == 1
    result = capfd.readouterr()
    assert result.out.splitlines()[:2] == [
        f"{_PLANTED}:2: error: BasketImplementation imports PriceImplementation; an implementation may import "
        "interfaces. [import]",
        "    Use PriceInterface instead, and let the composition root register the implementation.",
    ]
    assert result.err.endswith("\n1 finding, of 1 rule\n")
    assert contents(folder) == before
    # Everything is known now, and found again.
    assert run(folder, Choices(config=config)) == 1
    assert capfd.readouterr().out == result.out
    assert contents(folder) == before


def test_clean_package_has_no_findings_by_any_rule(folder: Path, toolchain: Toolchain, config: Path) -> None:
    subject = read_subject(folder, read_config(config), toolchain)
    assert find(subject, RULES) == []


def test_edge_of_the_manifest_is_found_on_the_line_of_the_dependency(
    folder: Path, config: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    old = '"PriceInterface", "RouterServiceInterface"], path: "Modules/Basket/Implementation"'
    text = (folder / "Package.swift").read_text(encoding="utf-8")
    assert old in text
    (folder / "Package.swift").write_text(text.replace(old, f'\n"PriceImplementation",\n{old}'), encoding="utf-8")
    assert run(folder, Choices(config=config, rules=("edge",), json=True)) == 1
    found = json.loads(capfd.readouterr().out)
    assert (found["package"], found["rules"]) == ("Shop", ["edge"])
    assert [(each["rule"], each["path"], each["line"]) for each in found["findings"]] == [("edge", "Package.swift", 9)]


@pytest.mark.usefixtures("described")
@pytest.mark.parametrize(
    ("switched", "asked", "code"),
    [
        ("", (), 0),
        ("implementations = true", (), 1),
        ("implementations = true\nimplementation-public = false", (), 0),
        ("implementation-public = true\nimplementations = false", (), 1),
        ("boundaries = false\nimplementations = true", (), 1),
        ("implementations = false", ("implementations",), 1),
        ("", ("implementation-public",), 1),
        ("implementations = true", ("boundaries", "interface-namespace"), 0),
    ],
)
def test_conventions_are_checked_where_they_are_switched_on_or_asked_for_by_name_or_by_group(
    folder: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    switched: str,
    asked: tuple[str, ...],
    code: int,
) -> None:
    (folder / _PLANTED).write_text("/// A thing.\npublic struct Thing {}\n", encoding="utf-8")
    config = written(tmp_path, f"{BASE.partition('[rules]')[0]}[rules]\n{switched}\n")
    assert run(folder, Choices(config=config, rules=asked)) == code
    # Boundaries are checked unless they are switched off.
    plant(folder)
    targets = BASE.partition("[rules]")[0]
    capfd.readouterr()
    assert run(folder, Choices(config=written(tmp_path, targets))) == 1
    line, _ = capfd.readouterr().out.splitlines()
    assert line.startswith(f"{_PLANTED}:2: error: BasketImplementation imports")
    assert run(folder, Choices(config=written(tmp_path, f"{targets}[rules]\nimport = false\n"))) == 0


def test_package_with_names_of_its_own_is_checked_by_its_own_rules(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    texts = {
        "Package.swift": "// swift-tools-version: 5.9\nimport PackageDescription\nlet package = Package(\n"
        'name: "Other", targets: [\n.target(name: "MapAPI"),\n.target(name: "Map", dependencies: ["MapAPI"]),\n'
        '.target(name: "Tour", dependencies: ["Map", "MapAPI"]),\n])\n',
        "Sources/MapAPI/Map.swift": "public struct Place {}\n",
        "Sources/Map/Map.swift": "import MapAPI\n",
        "Sources/Tour/Tour.swift": "import class Map.View\n",
    }
    files(tmp_path, texts)
    configuration = written(
        tmp_path,
        '[[targets]]\nkind = "interface"\nnames = ["{module}API"]\nvocabulary = ["*"]\n'
        '[[targets]]\nkind = "implementation"\nnames = ["{module}", "Tour"]\nmay_import = ["interface"]\n',
    )
    assert run(tmp_path, Choices(config=configuration, rules=("import", "edge"), json=True)) == 1
    found = json.loads(capfd.readouterr().out)["findings"]
    assert [(each["rule"], each["path"], each["line"]) for each in found] == [
        ("edge", "Package.swift", 7),
        ("import", "Sources/Tour/Tour.swift", 1),
    ]


@pytest.mark.usefixtures("described")
def test_rule_that_runs_the_program_can_be_left_out(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    config = written(tmp_path, BASE + '\n[routes]\nprotocol = "Route"\ncommand = ["false"]\n')
    assert run(folder, Choices(config=config, no_build=True)) == 0
    capfd.readouterr()
    assert run(folder, Choices(config=config, rules=("routes",))) == 1
    assert "'false' should print the routes that have a handler, but ended with 1:" in capfd.readouterr().out


@pytest.mark.usefixtures("described")
def test_exemption_excuses_its_file_until_nothing_needs_it(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    excuse = f'\n[[exemptions]]\nrule = "import"\npath = "{_PLANTED}"\nreason = "For now."\n'
    config = written(tmp_path, BASE + excuse)
    options = Choices(config=config, rules=("import",))
    plant(folder)
    assert run(folder, options) == 0
    line = (BASE + excuse).splitlines().index(f'path = "{_PLANTED}"') + 1
    config.write_text((BASE + excuse).replace("For now.", " "), encoding="utf-8")
    capfd.readouterr()
    assert run(folder, options) == 1
    assert capfd.readouterr().out.startswith(
        f"{config}:{line}: error: the exemption of {_PLANTED} from the rule 'import'"
    )
    (folder / _PLANTED).unlink()
    assert run(folder, options) == 1
    assert capfd.readouterr().out.startswith(f"{config}:{line}: error: nothing in {_PLANTED} breaks")
    # Only where its rule was looked at.
    config.write_text(BASE + excuse, encoding="utf-8")
    assert run(folder, Choices(config=config, rules=("edge",))) == 0


@pytest.mark.usefixtures("described")
def test_wrong_name_is_a_usage_error(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"No rule or group is called 'nothing'\. Choose from: boundaries, .*syntax,"):
        run(folder, Choices(rules=("nothing",)))
    with pytest.raises(UsageError, match="is not a Swift package"):
        run(Path("/nowhere"), Choices())
    with pytest.raises(UsageError, match="cannot be read"):
        run(folder, Choices(config=Path("/nowhere.toml")))
    (folder / "swiftmodules.toml").write_text("[rules]\nsumary = false\n")
    with pytest.raises(UsageError, match="No rule or group is called 'sumary'"):
        run(folder, Choices())


def test_package_without_a_configuration_is_checked(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(folder, Choices(json=True)) == 1
    # Without the configuration, the router's interface may not be named by every target.
    assert {each["rule"] for each in json.loads(capfd.readouterr().out)["findings"]} == {"unused-edge"}
    (folder / "swiftmodules.toml").write_text("[rules]\nunused-edge = false\n")
    assert run(folder, Choices()) == 0
    assert " rules, 13 targets, 16 files: nothing found" in capfd.readouterr().out
    # So are modules in a circle.
    text = (folder / "Package.swift").read_text(encoding="utf-8")
    for module, used in (("Basket", "Price"), ("Price", "Basket")):
        old = f'name: "{module}Testing", dependencies: ['
        text = text.replace(old, f'{old}"{used}Interface", ')
    (folder / "Package.swift").write_text(text, encoding="utf-8")
    assert run(folder, Choices(rules=("mutual-use",))) == 1
    assert "the modules Basket → Price → Basket use one another" in capfd.readouterr().out


def test_edge_behind_an_environment_variable_is_seen_where_the_variable_is_named(
    folder: Path, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, condition = 'name: "BasketTesting", dependencies: ', 'Context.environment["SHOP"] == nil'
    text = (folder / "Package.swift").read_text(encoding="utf-8")
    text = text.replace(old, f'{old}({condition} ? [] : ["PriceImplementation"]) + ')
    (folder / "Package.swift").write_text(text, encoding="utf-8")
    monkeypatch.setenv("SHOP", "1")
    assert run(folder, Choices(config=config, rules=("edge",))) == 0
    assert run(folder, Choices(config=config, rules=("edge",), variable=("SHOP",))) == 1


def test_rules_are_listed_with_their_groups_and_whether_they_are_on(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, Choices(list_rules=True)) == 0
    listed = capfd.readouterr().out.splitlines()
    assert [line.split()[:2] for line in listed] == [[rule.name, rule.group] for rule in RULES]
    assert {line.split()[1] for line in listed if not line.endswith(" (off)")} == {"boundaries"}
    assert run(CONFIG.parent.parent, Choices(list_rules=True)) == 0
    assert "(off)" not in capfd.readouterr().out
