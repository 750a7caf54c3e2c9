"""Why one target depends on another, what an edit reaches, and the numbers of the graph."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from graphs import SHOP, architecture, dump

from buildspeed import documents
from buildspeed.failures import MeasurementError, UsageError
from buildspeed.record import read_record
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
    record = read_record(documents.REPOSITORY / documents.RESULTS)
    expected = {
        file
        for sample in record.samples
        if (sample.layout, sample.edit, sample.module) == ("interface", "private-top", "Login")
        for file in sample.compiled
    }
    implementation = next(each for each in impact(repository, "Login").targets if each.role == "implementation")
    private = next(edit for edit in implementation.measured if edit.edit == "private-top")
    assert {str(file) for file in private.compiled} == expected
    text = impact_text(impact(repository, "Login"))
    assert f"{len(expected)} files, as measured ({documents.RESULTS} at " in text
    assert "by the rule of the graph (any other edit), at most\n    LoginImplementation\n" in text


def test_edit_in_a_file_reaches_what_its_target_does(repository: Architecture) -> None:
    file = "Modules/Login/Interface/SignIn.swift"
    by_file, by_target = impact(repository, file), impact(repository, "LoginInterface")
    assert by_file.targets == by_target.targets
    assert [edit.edit for edit in by_file.targets[0].measured] == ["interface-extension-member"]
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
