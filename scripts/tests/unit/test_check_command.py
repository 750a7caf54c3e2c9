"""The command `check`: options, groups of rules, output and exemptions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_files import contents, copied, files
from shop import CONFIG
from swiftmodules.check.command import RULES, run
from swiftmodules.errors import UsageError
from swiftmodules.options import CheckChoices as Choices

pytestmark = pytest.mark.usefixtures("swiftpm_is_asked_once")
_PLANTED = "Modules/Basket/Implementation/Planted.swift"
BASE = CONFIG.read_text().partition("[routes]")[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The clean package, in a path with a space and a letter beyond ASCII."""
    return copied(tmp_path / "a shöp", "Shop")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The repository's configuration without exemptions."""
    text = CONFIG.read_text().partition("[[exemptions]]")[0]
    return written(tmp_path, text.replace('["swift", "run", "App", "--routes", "--json"]', '["cat", "routes.json"]'))


def written(folder: Path, text: str) -> Path:
    return files(folder, {"check.toml": text})[0]


def plant(folder: Path) -> None:
    (folder / _PLANTED).write_text("import Foundation\nimport PriceImplementation\n")


def test_import_is_found_and_nothing_is_changed(folder: Path, config: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(folder, Choices(config=config)) == 0
    assert capfd.readouterr().out == f"{len(RULES)} rules, 13 targets, 16 files: nothing found\n"
    plant(folder)
    before = contents(folder)
    assert run(folder, Choices(config=config)) == 1
    result = capfd.readouterr()
    assert result.out.splitlines()[:2] == [
        f"{_PLANTED}:2: error: BasketImplementation imports PriceImplementation; an implementation may import "
        "targets named '*Interface'. [import]",
        "    Use PriceInterface instead, and let the composition root register the implementation.",
    ]
    assert result.err.endswith("\n1 finding, of 1 rule\n")
    assert contents(folder) == before


def test_package_with_its_own_names_is_checked_by_its_rules(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    texts = {
        "Package.swift": "// swift-tools-version: 5.9\nimport PackageDescription\nlet package = Package(\n"
        'name: "Other", targets: [\n.target(name: "MapAPI"),\n.target(name: "Map", dependencies: ["MapAPI"]),\n'
        '.target(name: "Tour", dependencies: ["MapAPI",\n"Map"]),\n])\n',
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
    printed = json.loads(capfd.readouterr().out)
    assert (printed["package"], printed["rules"]) == ("Other", ["edge", "import"])
    assert [(each["rule"], each["path"], each["line"]) for each in printed["findings"]] == [
        ("edge", "Package.swift", 8),
        ("import", "Sources/Tour/Tour.swift", 1),
    ]


# What the configuration switches on, what is asked for, and the exit code of a package that breaks a convention.
SWITCHED: list[tuple[str, tuple[str, ...], int]] = [
    ("", (), 0),
    ("implementations = true", (), 1),
    ("implementations = true\nimplementation-public = false", (), 0),
    ("implementations = false", ("implementations",), 1),
    ("implementations = true", ("boundaries", "interface-namespace"), 0),
]


def test_conventions_are_checked_where_switched_on_or_asked_for(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    targets = BASE.partition("[rules]")[0]
    (folder / _PLANTED).write_text("/// A thing.\npublic struct Thing {}\n")
    for switched, asked, code in SWITCHED:
        config = written(tmp_path, f"{targets}[rules]\n{switched}\n")
        assert run(folder, Choices(config=config, rules=asked)) == code, switched
    # Boundaries are checked unless they are switched off.
    plant(folder)
    capfd.readouterr()
    assert run(folder, Choices(config=written(tmp_path, targets))) == 1
    line, _ = capfd.readouterr().out.splitlines()
    assert line.startswith(f"{_PLANTED}:2: error: BasketImplementation imports")
    assert run(folder, Choices(config=written(tmp_path, f"{targets}[rules]\nimport = false\n"))) == 0


def test_rule_that_builds_can_be_left_out(folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config = written(tmp_path, BASE + '\n[routes]\nprotocol = "Route"\ncommand = ["false"]\n')
    assert run(folder, Choices(config=config, no_build=True)) == 0
    capfd.readouterr()
    assert run(folder, Choices(config=config, rules=("routes",))) == 1
    assert "'false' should print the routes that have a handler, but ended with 1:" in capfd.readouterr().out


def test_exemption_excuses_its_file_if_needed(folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    excuse = f'\n[[exemptions]]\nrule = "import"\npath = "{_PLANTED}"\nreason = "For now."\n'
    config = written(tmp_path, BASE + excuse)
    options = Choices(config=config, rules=("import",))
    plant(folder)
    assert run(folder, options) == 0
    line = (BASE + excuse).splitlines().index(f'path = "{_PLANTED}"') + 1
    config.write_text((BASE + excuse).replace("For now.", " "))
    capfd.readouterr()
    assert run(folder, options) == 1
    assert capfd.readouterr().out.startswith(
        f"{config}:{line}: error: the exemption of {_PLANTED} from the rule 'import'"
    )
    (folder / _PLANTED).unlink()
    assert run(folder, options) == 1
    assert capfd.readouterr().out.startswith(f"{config}:{line}: error: nothing in {_PLANTED} breaks")
    # Only where its rule was looked at.
    config.write_text(BASE + excuse)
    assert run(folder, Choices(config=config, rules=("edge",))) == 0


def test_wrong_name_is_a_usage_error(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"No rule or group is called 'nothing'\. Choose from: boundaries, .*syntax,"):
        run(folder, Choices(rules=("nothing",)))
    (folder / "swiftmodules.toml").write_text("[rules]\nsumary = false\n")
    with pytest.raises(UsageError, match="No rule or group is called 'sumary'"):
        run(folder, Choices())


def test_package_without_a_configuration_is_checked(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(folder, Choices(json=True)) == 1
    # Without the configuration, the router's interface may not be named by every target.
    assert {each["rule"] for each in json.loads(capfd.readouterr().out)["findings"]} == {"unused-edge"}
    (folder / "swiftmodules.toml").write_text("[rules]\nunused-edge = false\n")
    assert run(folder, Choices()) == 0


def test_edge_behind_a_named_variable_is_seen(folder: Path, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, condition = 'name: "BasketTesting", dependencies: ', 'Context.environment["SHOP"] == nil'
    text = (folder / "Package.swift").read_text()
    text = text.replace(old, f'{old}({condition} ? [] : ["PriceImplementation"]) + ')
    (folder / "Package.swift").write_text(text)
    monkeypatch.setenv("SHOP", "1")
    assert run(folder, Choices(config=config, rules=("edge",))) == 0
    assert run(folder, Choices(config=config, rules=("edge",), variable=("SHOP",))) == 1


def test_rules_are_listed_with_groups_and_whether_they_are_on(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(folder, Choices(list_rules=True)) == 0
    listed = capfd.readouterr().out.splitlines()
    assert [line.split()[:2] for line in listed] == [[rule.name, rule.group] for rule in RULES]
    assert {line.split()[1] for line in listed if not line.endswith(" (off)")} == {"boundaries"}
    assert run(CONFIG.parent.parent, Choices(list_rules=True)) == 0
    assert "(off)" not in capfd.readouterr().out
