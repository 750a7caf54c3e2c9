"""Why one target depends on another, what an edit reaches, and the numbers of the graph."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from graphs import SHOP, architecture, dump
from matrices import cell, matrix

from buildspeed import documents
from buildspeed.failures import MeasurementError, UsageError
from buildspeed.matrix import RECORD as MATRIX_RECORD
from buildspeed.matrix import read_matrix, write_matrix
from buildspeed.toolchain import Toolchain
from modulegraph.architecture import Architecture, architecture_of
from modulegraph.impact import impact
from modulegraph.impact_text import impact_text
from modulegraph.package_targets import read_targets, targets_from
from modulegraph.statistics import statistics
from modulegraph.why import MOST_PATHS, why


@pytest.fixture(scope="module")
def repository(toolchain: Toolchain) -> Architecture:
    return architecture_of(read_targets(documents.REPOSITORY, toolchain))


def test_paths_go_through_targets_also_where_modules_are_named() -> None:
    shop = architecture(SHOP)
    assert str(why(shop, "Home", "Cart")) == "HomeImplementation → CartInterface"
    assert str(why(shop, "App", "CartInterface")) == (
        "App → CartInterface\nApp → CartImplementation → CartInterface\nApp → HomeImplementation → CartInterface"
    )
    assert why(shop, "HomeTests", "CartImplementation").paths == ()


def test_tests_of_a_module_are_no_reason() -> None:
    assert why(architecture(SHOP), "Home", "CartTesting").paths == ()


def test_module_and_its_own_target_are_told_apart() -> None:
    shop = architecture(SHOP)
    assert why(shop, "Cart", "CartInterface").paths == (("CartImplementation", "CartInterface"),)
    assert why(shop, "CartImplementation", "Cart").paths == (("CartImplementation", "CartInterface"),)


def test_missing_dependency_is_told_with_the_other_direction() -> None:
    shop = architecture(SHOP)
    reverse = "Cart does not depend on Home. It is the other way round: Home depends on Cart."
    assert str(why(shop, "Cart", "Home")) == reverse
    neither = why(shop, "HomeInterface", "CartInterface")
    assert str(neither) == "HomeInterface does not depend on CartInterface."


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("Crat", "Home"), "no module or target is called 'Crat'. Did you mean 'Cart'?"),
        (("Home", "cartinterface"), "no module or target is called 'cartinterface'. Did you mean 'CartInterface'?"),
        (("Home", "Home"), "'Home' is named twice"),
    ],
)
def test_wrong_name_is_refused_with_the_nearest(names: tuple[str, str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        why(architecture(SHOP), *names)
    assert str(caught.value).startswith(message)


def test_wrong_name_among_few_is_refused_with_all() -> None:
    with pytest.raises(UsageError, match=r"'x'\. Choose from: Only\."):
        why(architecture({"Only": []}), "x", "Only")


def test_only_the_shortest_of_many_paths_are_told() -> None:
    rows = {f"R{row}{side}": [f"R{row + 1}a", f"R{row + 1}b"] for row in range(9) for side in "ab"}
    explanation = why(architecture({**rows, "R9a": [], "R9b": []}), "R0a", "R9a")
    assert (len(explanation.paths), explanation.has_more) == (MOST_PATHS, True)
    assert str(explanation).endswith("\n… and more; these are the 10 shortest.")


def test_edit_that_was_measured_reaches_what_was_compiled(repository: Architecture) -> None:
    record = read_matrix(documents.REPOSITORY / MATRIX_RECORD)
    expected = {
        file
        for cell in record.cells
        if (cell.layout, cell.edit, cell.module) == ("interface", "private-top", "Login")
        for file in cell.compiled
    }
    implementation = next(each for each in impact(repository, "Login").targets if each.role == "implementation")
    private = next(edit for edit in implementation.measured if edit.edit == "private-top")
    assert {str(file) for file in private.compiled} == expected
    text = impact_text(impact(repository, "Login"))
    assert f"{len(expected)} files, as measured ({MATRIX_RECORD}): private-top" in text
    assert "by the rule of the graph (any other edit), at most\n    LoginImplementation\n" in text


def test_edit_in_a_file_reaches_what_its_target_does(repository: Architecture) -> None:
    file = "Modules/Login/Interface/SignIn.swift"
    by_file, by_target = impact(repository, file), impact(repository, "LoginInterface")
    assert by_file.targets == by_target.targets
    assert {"interface-extension-member", "interface-route-field"} <= {
        edit.edit for edit in by_file.targets[0].measured
    }
    absolute = impact(repository, str(documents.REPOSITORY / file))
    assert absolute.targets == by_file.targets


def test_edit_that_was_not_measured_reaches_what_the_rule_of_the_graph_says() -> None:
    shop = architecture(SHOP)
    assert impact_text(impact(shop, "CartInterface")) == (
        "An edit in CartInterface (interface) reaches\n"
        "  by the rule of the graph (no edit here was measured), at most\n"
        "    CartInterface\n"
        "    the files that use what changed in: App, CartImplementation, CartTesting, CartTests, HomeImplementation\n"
        "    and, where those pass it on in their own API: HomeTests"
    )
    assert "and nothing else, as no target depends on it" in impact_text(impact(shop, "HomeTests"))


def test_results_of_another_package_say_nothing(tmp_path: Path) -> None:
    results = tmp_path / documents.RESULTS
    results.parent.mkdir(parents=True)
    record = json.loads((documents.REPOSITORY / documents.RESULTS).read_text())
    described = dump({"LoginInterface": [], "LoginImplementation": ["LoginInterface"]})
    described["targets"][0]["path"] = "Modules/Login/Interface"
    login = architecture_of(targets_from(described, tmp_path))
    for name, count in ((described["name"], 1), ("Other", 0)):
        results.write_text(json.dumps({**record, "package": name}))
        assert len(impact(login, "LoginInterface").targets[0].measured) == count


@pytest.fixture
def measured(tmp_path: Path) -> Architecture:
    """The shop, with a record of three edits, one of them in another layout."""
    cart, home = "Sources/CartImplementation/Cart.swift", "Sources/HomeImplementation/Home.swift"
    added = "Sources/CartImplementation/NewFile.swift"
    for file in (cart, home):
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).touch()
    reason = "interface of the module CartImplementation"
    record = matrix(
        cell(cart, edit="private-top", module="Cart", reasons={home: reason}),
        cell(cart, edit="body", module="Cart", layout="fused"),
        cell(edit="new-file", module="Cart", reasons={added: "added"}),
        placements={
            "private-top Cart": f"a private function at the end of {cart}",
            "body Cart": f"a statement in `Cart.add` in {cart}",
            "new-file Cart": f"a file with an internal struct beside {cart}",
        },
        package="Shop",
    )
    write_matrix(record, tmp_path / MATRIX_RECORD)
    return architecture(SHOP, tmp_path)


def test_matrix_tells_the_reason_for_each_file(measured: Architecture) -> None:
    assert impact_text(impact(measured, "CartImplementation")).split("\n")[:7] == [
        "An edit in CartImplementation (implementation) reaches",
        f"  2 files, as measured ({MATRIX_RECORD}): private-top, "
        "a private function at the end of Sources/CartImplementation/Cart.swift",
        "    CartImplementation: Cart.swift (edited)",
        "    HomeImplementation: Home.swift (interface of the module CartImplementation)",
        f"  1 file, as measured ({MATRIX_RECORD}): new-file, "
        "a file with an internal struct beside Sources/CartImplementation/Cart.swift",
        "    CartImplementation: NewFile.swift (added)",
        "  by the rule of the graph (any other edit), at most",
    ]
    told = impact(measured, "CartImplementation").as_json()["targets"][0]["measured"][0]
    assert (told["source"], told["commit"]) == (MATRIX_RECORD.as_posix(), None)
    assert told["reasons"]["Sources/HomeImplementation/Home.swift"] == "interface of the module CartImplementation"


def test_matrix_comes_before_the_samples_of_the_same_edit(repository: Architecture) -> None:
    edits = [each for target in impact(repository, "Login").targets for each in target.measured]
    assert len(edits) == len({(each.edit, each.file) for each in edits})
    by_source = {each.edit: each.source for each in edits}
    assert by_source["private-top"] == MATRIX_RECORD


def test_file_that_was_compiled_and_is_gone_is_told_as_such(tmp_path: Path) -> None:
    reached = impact(architecture(SHOP, tmp_path), "CartInterface")
    (tmp_path / "Sources/CartInterface").mkdir(parents=True)
    (tmp_path / "Sources/CartInterface/Cart.swift").touch()
    present, gone = Path("Sources/CartInterface/Cart.swift"), Path("Sources/CartInterface/Old.swift")
    assert reached.by_target([present, gone]) == {"CartInterface": [present], "no longer there": [gone]}


@pytest.mark.parametrize(
    ("subject", "error", "message"),
    [
        ("Logn", UsageError, "no module or target is called 'Logn'. Did you mean 'Login'?"),
        ("Modules/Login/Interface/SigIn.swift", UsageError, "Did you mean 'Modules/Login/Interface/SignIn.swift'?"),
        ("/etc/passwd", UsageError, "there is no file '/etc/passwd' in"),
        ("Modules/Login/README.md", MeasurementError, "no target compiles Modules/Login/README.md"),
        ("Package.swift", MeasurementError, "Package.swift is the graph itself"),
    ],
)
def test_what_no_target_has_is_refused(
    repository: Architecture, subject: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=re.escape(message)):
        impact(repository, subject)


def test_numbers_are_those_of_the_graph() -> None:
    numbers = statistics(architecture(SHOP))
    modules = {row.name: (row.fan_in, row.fan_out, row.depth, row.instability) for row in numbers.modules}
    assert modules == {
        "App": (0, 3, 3, 1.0),
        "Home": (1, 2, 2, 2 / 3),
        "Cart": (2, 1, 1, 1 / 3),
        "Router": (3, 0, 0, 0.0),
    }
    targets = {row.name: (row.fan_in, row.fan_out, row.depth, row.instability) for row in numbers.targets}
    assert targets["CartInterface"] == (3, 1, 1, 0.25)
    assert "CartTests" not in targets
    with_tests = {row.name: row.fan_in for row in statistics(architecture(SHOP), tests=True).targets}
    assert with_tests["CartInterface"] == 5


def test_target_alone_has_no_instability() -> None:
    (row,) = statistics(architecture({"Only": []})).targets
    assert (row.fan_in, row.fan_out, row.depth, row.instability) == (0, 0, 0, None)


def test_modules_that_need_one_another_are_told() -> None:
    mutual = {**SHOP, "CartImplementation": ["CartInterface", "HomeInterface"]}
    numbers = statistics(architecture(mutual))
    assert numbers.cycles == (("Cart", "Home"),)
    assert {row.name: row.depth for row in numbers.modules} == {"App": 2, "Home": 1, "Cart": 1, "Router": 0}
