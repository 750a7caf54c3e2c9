"""The command `check`: options, output, gates and exemptions."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import contents
from msgspec.structs import replace
from shop import CONFIG, copy_shop, package_of
from swiftmodules.check import RULES, Options, run
from swiftmodules.check.command import find, read_subject
from swiftmodules.check.gates import applies, run_gate
from swiftmodules.check.subject import Subject
from swiftmodules.errors import UsageError
from swiftmodules.swiftpm.config import Gate, Remedy, read_config
from swiftmodules.swiftpm.toolchain import Toolchain

_PLANTED = "Modules/Basket/Implementation/Planted.swift"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of these tests' own."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(autouse=True)
def own_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWIFTMODULES_CACHE", str(cache))


@pytest.fixture
def described(toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the description of the clean package as known, in place of asking SwiftPM; one test compares them."""
    monkeypatch.setattr(Toolchain, "find", lambda: toolchain)
    package = "swiftmodules.check.command.read_package"
    monkeypatch.setattr(package, lambda folder, *_, **__: package_of(folder))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The clean package, in a path with a space and a letter beyond ASCII."""
    return copy_shop(tmp_path / "a shöp")


@pytest.fixture
def no_gates(tmp_path: Path) -> Path:
    """The repository's configuration without gates and exemptions."""
    text = CONFIG.read_text(encoding="utf-8").partition("[[gates]]")[0]
    return written(tmp_path, text.replace('["swift", "run", "App", "--routes", "--json"]', '["cat", "routes.json"]'))


def written(folder: Path, text: str) -> Path:
    file = folder / "check.toml"
    file.write_text(text, encoding="utf-8")
    return file


def plant(folder: Path) -> None:
    (folder / _PLANTED).write_text("import Foundation\nimport PriceImplementation\n", encoding="utf-8")


def subject_without_sources(folder: Path, toolchain: Toolchain) -> Subject:
    """The package for gates, which look at no sources."""
    package = package_of(folder)
    targets = tuple(replace(each, sources=()) for each in package.targets)
    return Subject(folder, read_config(CONFIG), replace(package, targets=targets), {}, toolchain)


def gate(*command: str, needs: str = "Package.swift", inputs: tuple[str, ...] = ()) -> Gate:
    return Gate("planted", "generated", "summary", command, "Mend it.", needs, inputs)


def test_import_is_found_as_text_and_nothing_is_changed(
    folder: Path, no_gates: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plant(folder)
    before = contents(folder)
    assert run(Options(folder, no_gates)) == 1
    result = capfd.readouterr()
    assert result.out.splitlines()[:2] == [
        f"{_PLANTED}:2: error: BasketImplementation imports PriceImplementation; an implementation may import "
        "interfaces. [import]",
        "    Use PriceInterface instead, and let the composition root register the implementation.",
    ]
    assert result.err.endswith("\n1 finding, of 1 rule\n")
    assert contents(folder) == before
    # Everything is known now, and found again.
    assert run(Options(folder, no_gates)) == 1
    assert capfd.readouterr().out == result.out
    assert contents(folder) == before


def test_clean_package_has_no_findings_by_any_rule(folder: Path, toolchain: Toolchain, no_gates: Path) -> None:
    subject = read_subject(folder, read_config(no_gates), toolchain)
    assert find(subject, [rule.name for rule in RULES]) == []


def test_edge_of_the_manifest_is_found_on_the_line_of_the_dependency(
    folder: Path, no_gates: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    old = '"PriceInterface", "RouterServiceInterface"], path: "Modules/Basket/Implementation"'
    text = (folder / "Package.swift").read_text(encoding="utf-8")
    assert old in text
    (folder / "Package.swift").write_text(text.replace(old, f'\n"PriceImplementation",\n{old}'), encoding="utf-8")
    assert run(Options(folder, no_gates, rules=("edge",), json=True)) == 1
    found = json.loads(capfd.readouterr().out)
    assert (found["package"], found["rules"]) == ("Shop", ["edge"])
    assert [(each["rule"], each["path"], each["line"]) for each in found["findings"]] == [("edge", "Package.swift", 9)]


@pytest.mark.usefixtures("described")
def test_rules_are_switched_off_by_the_configuration_unless_they_are_asked_for(folder: Path, no_gates: Path) -> None:
    plant(folder)
    no_gates.write_text(no_gates.read_text(encoding="utf-8") + "\n[rules]\nimport = false\nedge = true\n")
    assert run(Options(folder, no_gates)) == 0
    assert run(Options(folder, no_gates, rules=("import",))) == 1
    assert run(Options(folder, no_gates, rules=("module-readme",))) == 0


@pytest.mark.usefixtures("described")
def test_systems_for_ci_get_findings_in_their_form(
    folder: Path, no_gates: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plant(folder)
    assert run(Options(folder, no_gates, annotations="github")) == 1
    first = capfd.readouterr().out.splitlines()[0]
    assert first.startswith(f"::error file={_PLANTED},line=2,title=import::BasketImplementation imports")
    assert run(Options(folder, no_gates, annotations="gitlab")) == 1
    (found,) = json.loads(capfd.readouterr().out)
    assert (found["check_name"], found["location"]) == ("import", {"path": _PLANTED, "lines": {"begin": 2}})


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
    assert run(Options(tmp_path, configuration, rules=("import", "edge"), json=True)) == 1
    found = json.loads(capfd.readouterr().out)["findings"]
    assert [(each["rule"], each["path"], each["line"]) for each in found] == [
        ("edge", "Package.swift", 7),
        ("import", "Sources/Tour/Tour.swift", 1),
    ]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (
            (
                *("sh", "-c"),
                "echo 'App/main.swift:3:5: error: too long'; echo 'App/main.swift:3:5: note: see there'; "
                "echo 'App/main.swift:3:5: error: too long'; echo \"$PWD/App/main.swift:4: other\"; "
                "echo 'error: Target App is odd'; exit 3",
            ),
            [
                ("App/main.swift", 3, "too long"),
                ("App/main.swift", 4, "other"),
                ("Package.swift", 7, "Target App is odd"),
            ],
        ),
        (
            ("sh", "-c", "echo sorry >&2; exit 3"),
            [("Package.swift", 1, "'sh -c echo sorry >&2; exit 3' ended with 3:\nsorry")],
        ),
        (("echo", "App/main.swift:1: error: no"), []),
        (
            ("/nowhere/tool",),
            [
                (
                    *("Package.swift", 1),
                    "'/nowhere/tool' ended with 127:\n[Errno 2] No such file or directory: '/nowhere/tool'",
                )
            ],
        ),
    ],
)
def test_lines_of_a_gate_become_findings_or_else_its_last_words(
    folder: Path, toolchain: Toolchain, command: tuple[str, ...], expected: list[tuple[str, int, str]]
) -> None:
    found = run_gate(gate(*command), subject_without_sources(folder, toolchain))
    assert [(each.path.as_posix(), each.line, each.message) for each in found] == expected


@pytest.mark.parametrize(("needs", "runs"), [("Package.swift", True), ("scripts/stock", True), ("*.rb", False)])
def test_gate_applies_where_the_package_has_what_it_needs(
    folder: Path, toolchain: Toolchain, needs: str, runs: bool
) -> None:
    assert applies(gate("false", needs=needs), subject_without_sources(folder, toolchain)) == runs


def test_fix_fits_the_message(folder: Path, toolchain: Toolchain) -> None:
    """A compile error is not answered by 'remove the import'."""
    build = next(each for each in read_config(CONFIG).gates if each.rule == "swiftpm-imports")
    lines = [
        "App/main.swift:1:5: error: cannot find 'a' in scope",
        "error: Target BasketTests imports another target (PriceTesting) in the package without declaring it a "
        "dependency.",
    ]
    script = replace(build, command=("sh", "-c", f'printf "%s\\n" "{lines[0]}" "{lines[1]}"; exit 1'))
    fixes = [each.fix for each in run_gate(script, subject_without_sources(folder, toolchain))]
    assert fixes == [
        "Correct the code, and build again.",
        "Remove the import, or add the dependency to the manifest where the dependency rule allows it.",
    ]
    assert build.remedies and isinstance(build.remedies[0], Remedy)


def test_gate_with_inputs_runs_again_when_one_has_changed(folder: Path, toolchain: Toolchain, cache: Path) -> None:
    counted = gate("sh", "-c", "echo x >>count; cat fails 2>&1 && exit 1 || exit 0", inputs=("**/*.md",))
    subject = subject_without_sources(folder, toolchain)

    def runs() -> int:
        run_gate(counted, subject, cache)
        return len((folder / "count").read_text().splitlines())

    assert [runs(), runs()] == [1, 1]
    (folder / "README.md").write_text("# Other\n")
    (folder / "fails").write_text("no\n")
    assert [runs(), runs()] == [2, 3]
    (folder / "fails").unlink()
    assert [runs(), runs()] == [4, 4]


def test_gate_looks_only_at_files_that_it_does_not_know_as_clean(
    folder: Path, toolchain: Toolchain, cache: Path
) -> None:
    listing = gate("sh", "-c", 'echo "$@" >seen', "sh", "{swift files}", inputs=(".swift-format",))
    subject = subject_without_sources(folder, toolchain)
    assert run_gate(listing, subject, cache) == []
    assert "App/main.swift" in (folder / "seen").read_text()
    (folder / "App/Composition.swift").write_text("// Other.\n")
    assert run_gate(listing, subject, cache) == []
    assert (folder / "seen").read_text() == "App/Composition.swift\n"


@pytest.mark.usefixtures("described")
def test_stages_can_be_left_out(folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    base = CONFIG.read_text(encoding="utf-8").partition("[routes]")[0]
    failing = [
        f'\n[[gates]]\nrule = "{stage}"\nstage = "{stage}"\nsummary = "s"\ncommand = ["false"]\nfix = "f"\n'
        for stage in ("build", "format")
    ]
    routes = '\n[routes]\nprotocol = "Route"\ncommand = ["false"]\n'
    config = written(tmp_path, base + routes + "".join(failing))
    assert run(Options(folder, config, no_build=True, no_format=True)) == 0
    assert run(Options(folder, config, rules=("format",), no_build=True)) == 1
    assert run(Options(folder, config, rules=("build",), no_format=True)) == 1
    capfd.readouterr()
    assert run(Options(folder, config, rules=("route-handler",))) == 1
    assert "'false' should print the routes that have a handler, but ended with 1:" in capfd.readouterr().out


@pytest.mark.usefixtures("described")
def test_gates_of_the_repository_find_bad_style(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(CONFIG.parent.parent / ".swift-format", folder)
    (folder / _PLANTED).write_text("struct Planted {\n  let a = 1\n}\n", encoding="utf-8")
    (folder / "scripts/tool").write_text("#!/usr/bin/env python3\nimport os\n", encoding="utf-8")
    (folder / "scripts/other.py").write_text("a  = 1\n", encoding="utf-8")
    config = written(tmp_path, CONFIG.read_text(encoding="utf-8").partition("[[exemptions]]")[0])
    assert run(Options(folder, config, no_build=True, json=True)) == 1
    found = json.loads(capfd.readouterr().out)["findings"]
    assert {(each["rule"], each["path"], each["line"]) for each in found} >= {
        ("swift-format", _PLANTED, 2),
        ("ruff", "scripts/tool", 2),
        ("ruff-format", "scripts/other.py", 1),
    }
    assert {each["rule"] for each in found} == {"swift-format", "ruff", "ruff-format"}


@pytest.mark.usefixtures("described")
def test_exemption_excuses_its_file_until_nothing_needs_it(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    base = CONFIG.read_text(encoding="utf-8").partition("[routes]")[0]
    excuse = f'\n[[exemptions]]\nrule = "import"\npath = "{_PLANTED}"\nreason = "For now."\n'
    config = written(tmp_path, base + excuse)
    options = Options(folder, config, rules=("import",))
    plant(folder)
    assert run(options) == 0
    line = (base + excuse).splitlines().index(f'path = "{_PLANTED}"') + 1
    config.write_text((base + excuse).replace("For now.", " "), encoding="utf-8")
    capfd.readouterr()
    assert run(options) == 1
    assert capfd.readouterr().out.startswith(
        f"{config}:{line}: error: the exemption of {_PLANTED} from the rule 'import'"
    )
    (folder / _PLANTED).unlink()
    assert run(options) == 1
    assert capfd.readouterr().out.startswith(f"{config}:{line}: error: nothing in {_PLANTED} breaks")
    # Only where its rule was looked at.
    config.write_text(base + excuse, encoding="utf-8")
    assert run(Options(folder, config, rules=("edge",))) == 0


@pytest.mark.usefixtures("described")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": ("nothing",)}, "No rule is called 'nothing'. Choose from: syntax,"),
        ({"package": Path("/nowhere")}, "is not a Swift package"),
        ({"config": Path("/nowhere.toml")}, "cannot be read"),
    ],
)
def test_wrong_name_is_a_usage_error(folder: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run(Options(**{"package": folder, **options}))
    (folder / "swiftmodules.toml").write_text("[rules]\nsumary = false\n")
    with pytest.raises(UsageError, match=r"No rule is called 'sumary'\. Choose from: syntax,"):
        run(Options(folder))


def test_package_without_a_configuration_is_checked(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(Options(folder, json=True)) == 1
    # Without the configuration, the router's interface may not be named by every target.
    assert {each["rule"] for each in json.loads(capfd.readouterr().out)["findings"]} == {"unused-edge"}
    (folder / "swiftmodules.toml").write_text("[rules]\nunused-edge = false\n")
    assert run(Options(folder)) == 0
    assert " 13 targets, 16 files: nothing found" in capfd.readouterr().out


def test_repository_keeps_its_own_rules(capfd: pytest.CaptureFixture[str]) -> None:
    rules = tuple(rule.name for rule in RULES if not rule.needs_build)
    status = run(Options(CONFIG.parent.parent, rules=rules))
    assert (status, capfd.readouterr().err) == (0, "")


def test_rules_are_listed_with_their_summaries(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(Options(CONFIG.parent.parent, list_rules=True)) == 0
    listed = [line.split()[0] for line in capfd.readouterr().out.splitlines()]
    assert listed[: len(RULES)] == [rule.name for rule in RULES]
    assert {"swiftpm-imports", "swift-format", "ruff", "generated"} <= set(listed)
