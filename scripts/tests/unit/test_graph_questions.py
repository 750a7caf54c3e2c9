"""Why one target depends on another, and what an edit reaches."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

import pytest
from made_packages import SHOP, architecture
from made_records import MACHINE, run_record, sample
from msgspec.structs import replace
from swiftmodules.errors import RecordError, ToolError, UsageError
from swiftmodules.graph.impact import edited_file, impact, measured_edits
from swiftmodules.graph.paths import distances, inverted, paths
from swiftmodules.graph.why import MOST_PATHS, why
from swiftmodules.observed import Revision
from swiftmodules.records.files import write_record
from swiftmodules.records.kinds import (
    FloorOptions,
    FloorRecord,
    MatrixCell,
    MatrixOptions,
    MatrixRecord,
    ScaleOptions,
    ScaleRecord,
)

DIAMOND = {"app": ["left", "right", "base"], "left": ["base"], "right": ["base"], "base": []}
CYCLE = {"start": ["a"], "a": ["b"], "b": ["a", "end"], "end": []}
CART, HOME = (
    "Sources/CartImplementation/CartImplementation.swift",
    "Sources/HomeImplementation/HomeImplementation.swift",
)
OTHER = "Sources/CartImplementation/Other.swift"


@pytest.mark.parametrize(
    ("graph", "starts", "ends", "expected"),
    [
        (DIAMOND, ["app"], ["base"], ["app base", "app left base", "app right base"]),
        (DIAMOND, ["app", "left"], ["base"], ["app base", "left base", "app right base"]),
        (DIAMOND, ["app"], ["left", "base"], ["app base", "app left", "app right base"]),
        (DIAMOND, ["base"], ["app"], []),
        (DIAMOND, ["app"], ["absent"], []),
        (CYCLE, ["start"], ["end"], ["start a b end"]),
    ],
)
def test_paths_come_shortest_first_and_meet_no_other_start_or_end(
    graph: dict[str, list[str]], starts: list[str], ends: list[str], expected: list[str]
) -> None:
    assert [" ".join(path) for path in paths(graph, starts, ends)] == expected


def test_first_of_very_many_paths_come_at_once() -> None:
    # Two nodes in each of 40 rows, each with an edge to both of the next row: 2^40 paths.
    adjacency = {f"{row}{side}": [f"{row + 1}a", f"{row + 1}b"] for row in range(40) for side in "ab"}
    assert [len(path) for path in islice(paths(adjacency, ["0a"], ["40a"]), 3)] == [41, 41, 41]


def test_distance_is_that_of_the_shortest_path() -> None:
    assert distances(DIAMOND, "app") == {"app": 0, "left": 1, "right": 1, "base": 1}
    assert distances(inverted(DIAMOND), "base") == {"base": 0, "app": 1, "left": 1, "right": 1}
    assert set(distances(CYCLE, "a")) == {"a", "b", "end"}


@pytest.mark.parametrize(
    ("source", "target", "answer"),
    [
        ("Home", "Cart", "HomeImplementation → CartInterface"),
        (
            *("App", "CartInterface"),
            "App → CartInterface\nApp → CartImplementation → CartInterface\nApp → HomeImplementation → CartInterface",
        ),
        # A module and its own target.
        ("Cart", "CartInterface", "CartImplementation → CartInterface"),
        ("CartImplementation", "Cart", "CartImplementation → CartInterface"),
        # Tests are not a reason.
        ("HomeTests", "CartImplementation", "HomeTests does not depend on CartImplementation."),
        ("Home", "CartTesting", "Home does not depend on CartTesting."),
        (
            *("Cart", "Home"),
            "Cart does not depend on Home. It is the other way round: Home depends on Cart.",
        ),
        ("HomeInterface", "CartInterface", "HomeInterface does not depend on CartInterface."),
    ],
)
def test_reasons_are_paths_through_targets(source: str, target: str, answer: str) -> None:
    assert str(why(architecture(SHOP), source, target)) == answer


@pytest.mark.parametrize(
    ("package", "names", "message"),
    [
        (SHOP, ("Crat", "Home"), "No module or target is called 'Crat'. Did you mean 'Cart'?"),
        (
            SHOP,
            ("Home", "cartinterface"),
            "No module or target is called 'cartinterface'. Did you mean 'CartInterface'?",
        ),
        (SHOP, ("Home", "Home"), "'Home' is named twice"),
        ({"Only": []}, ("x", "Only"), "No module or target is called 'x'. Choose from: Only."),
    ],
)
def test_wrong_name_is_refused_with_the_nearest_or_with_all_of_few(
    package: Mapping[str, Sequence[str]], names: tuple[str, str], message: str
) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(message)}"):
        why(architecture(package), *names)


def test_only_the_shortest_of_many_paths_are_shown() -> None:
    rows = {f"R{row}{side}": [f"R{row + 1}a", f"R{row + 1}b"] for row in range(9) for side in "ab"}
    explanation = why(architecture({**rows, "R9a": [], "R9b": []}), "R0a", "R9a")
    assert (len(explanation.paths), explanation.has_more) == (MOST_PATHS, True)
    assert str(explanation).endswith("\n… and more; these are the 10 shortest.")


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    """The folder of the shop, with records of edits: a matrix, a run and a floor."""
    for file in (CART, HOME, OTHER, "Sources/CartInterface/README.md", "Package.swift"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    added = "Sources/CartImplementation/Edit1.swift"
    places = {
        "private-top Cart": f"a private function at the end of {CART}",
        "body Cart": f"a statement in `Cart.add` in {CART}",
        "new-file Cart": f"a file with an internal struct beside {CART}",
    }
    cells = [
        MatrixCell(
            edit="private-top",
            module="Cart",
            layout="interface",
            compiled={CART: "edited", HOME: "interface of the module CartImplementation"},
        ),
        MatrixCell(edit="body", module="Cart", layout="fused", compiled={CART: "edited"}),
        MatrixCell(edit="new-file", module="Cart", layout="interface", compiled={added: "added"}),
    ]
    common = {"package": "Shop", "command": "measure matrix", "toolchain": "Swift 6"}
    matrix = MatrixRecord(**common, options=MatrixOptions(), placements=places, cells=cells)
    samples = [sample(1, "interface", 1, edit=edit, compiled=(CART, "Gone.swift")) for edit in ("body", "private-top")]
    samples = [replace(each, module="Cart") for each in samples]
    run = run_record(samples, package="Shop", placements=places)
    floor = FloorRecord(
        **common,
        started="2026-01-01T00:00:00+00:00",
        machine=MACHINE,
        revision=Revision(),
        options=FloorOptions(settings=("default", "lld"), module="Home"),
        placement=f"a statement in `Home.show` in {HOME}",
        samples=[
            sample(1, "default", 1, module="Home", compiled=(HOME,)),
            sample(1, "lld", 1, module="Home", compiled=(HOME, CART)),
        ],
    )
    for name, record in (("floor", floor), ("matrix", matrix), ("run", run)):
        write_record(record, tmp_path / f"docs/results/{name}/results.json")
    (tmp_path / "docs/other.json").write_text("{}")
    return tmp_path


def test_measured_edits_show_what_was_compiled_and_why(measured: Path) -> None:
    reached = impact(architecture(SHOP), "CartImplementation", measured)
    assert str(reached).split("\n") == [
        "An edit in CartImplementation (implementation) reaches",
        "  2 files, as measured (docs/results/matrix/results.json): private-top, a private function at the end of "
        f"{CART}",
        "    CartImplementation: CartImplementation.swift (edited)",
        "    HomeImplementation: HomeImplementation.swift (interface of the module CartImplementation)",
        "  1 file, as measured (docs/results/matrix/results.json): new-file, a file with an internal struct beside "
        f"{CART}",
        "    CartImplementation: Edit1.swift (added)",
        f"  2 files, as measured (docs/results/run/results.json at abc): body, a statement in `Cart.add` in {CART}",
        "    no longer there: Gone.swift",
        "    CartImplementation: CartImplementation.swift",
        "  by the rule of the graph (any other edit), at most",
        "    CartImplementation",
        "    the files that use what changed in: App, CartTests",
    ]
    edits = reached.as_json()["targets"][0]["measured"]
    assert (edits[0]["source"], edits[0]["commit"]) == ("docs/results/matrix/results.json", None)
    assert edits[0]["reasons"][HOME] == "interface of the module CartImplementation"
    assert json.dumps(reached.as_json())


def test_edits_of_a_floor_are_those_of_its_first_setting(measured: Path) -> None:
    (edit,) = impact(architecture(SHOP), HOME, measured).targets[0].measured
    assert (edit.edit, edit.compiled, edit.commit) == ("body", (Path(HOME),), None)


def test_edit_that_was_measured_in_another_file_has_a_note(measured: Path) -> None:
    text = str(impact(architecture(SHOP), OTHER, measured))
    assert text.startswith(f"An edit in {OTHER} (CartImplementation, implementation) reaches\n")
    assert text.count(", as measured in another file of CartImplementation (docs/") == 3
    assert ", as measured (" not in text
    assert "by the rule of the graph (no edit in this file was measured), at most" in text
    for subject, is_elsewhere in ((OTHER, True), (CART, False), ("CartImplementation", False)):
        edits = impact(architecture(SHOP), subject, measured).as_json()["targets"][0]["measured"]
        assert {each["is_in_another_file"] for each in edits} == {is_elsewhere}


def test_file_is_named_from_the_package_or_the_working_folder(measured: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(measured / "Sources")
    shop = architecture(SHOP)
    expected = impact(shop, CART, measured).targets
    assert impact(shop, str(measured / CART), measured).targets == expected
    assert impact(shop, CART.removeprefix("Sources/"), measured).targets == expected


def test_edit_that_was_not_measured_reaches_what_the_graph_implies(tmp_path: Path) -> None:
    assert str(impact(architecture(SHOP), "CartInterface", tmp_path)) == (
        "An edit in CartInterface (interface) reaches\n"
        "  by the rule of the graph (no edit here was measured), at most\n"
        "    CartInterface\n"
        "    the files that use what changed in: App, CartImplementation, CartTesting, CartTests, HomeImplementation\n"
        "    and, where those pass it on in their own API: HomeTests"
    )
    assert "and nothing else, as no target depends on it" in str(impact(architecture(SHOP), "HomeTests", tmp_path))


def test_record_of_another_package_or_without_lists_of_files_is_left_out_and_refused_where_it_is_named(
    measured: Path,
) -> None:
    assert measured_edits(measured, "Other") == []
    record = measured / "docs/results/matrix/results.json"
    assert [edit.edit for edit in measured_edits(measured, "Shop", [record])] == ["private-top", "new-file"]
    with pytest.raises(RecordError, match="is a record of the package Shop, and this is Other"):
        measured_edits(measured, "Other", [record])
    head = {"package": "Shop", "command": "", "toolchain": "", "started": ""}
    scale = ScaleRecord(**head, machine=MACHINE, revision=Revision(), options=ScaleOptions())
    write_record(scale, measured / "docs/scale.json")
    assert len(measured_edits(measured, "Shop")) == 4
    with pytest.raises(RecordError, match="record of 'scale', which does not list what each edit compiled"):
        measured_edits(measured, "Shop", [measured / "docs/scale.json"])


@pytest.mark.parametrize(
    ("subject", "error", "message"),
    [
        ("Crat", UsageError, "No module or target is called 'Crat'. Did you mean 'Cart'?"),
        (
            "Sources/CartInterface/CartInterfac.swift",
            UsageError,
            "Did you mean 'Sources/CartInterface/CartInterface.swift",
        ),
        ("/etc/passwd", UsageError, "There is no file '/etc/passwd' in"),
        ("Sources/CartInterface/README.md", ToolError, "No target compiles Sources/CartInterface/README.md"),
        ("Package.swift", ToolError, "Package.swift is the graph itself"),
    ],
)
def test_subject_without_a_target_is_refused(
    measured: Path, subject: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=re.escape(message)):
        impact(architecture(SHOP), subject, measured)


def test_place_of_an_edit_names_its_file() -> None:
    assert edited_file("a statement in `A.f` in Sources/A b/A.swift") == Path("Sources/A b/A.swift")
    assert edited_file("the time of Modules/A.swift") == Path("Modules/A.swift")
    assert edited_file("a field added to Modules/A.swift") == Path("Modules/A.swift")
    assert edited_file("the time of the manifest") is None
