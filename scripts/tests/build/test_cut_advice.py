"""Where `measure advise` proposes to cut one large target, and what it predicts of that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import copy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from made_files import committed, history
from made_packages import changed_target
from msgspec.structs import replace
from runs import task
from swiftmodules.advise.advice import Advice, _built, find_advice
from swiftmodules.builds.printed import compiler_errors
from swiftmodules.cli import main
from swiftmodules.errors import BuildFailedError, UsageError
from swiftmodules.progress import ProgressView
from swiftmodules.split.costs import Commits, Edit, edits
from swiftmodules.split.cut import Cut
from swiftmodules.split.parts import Parts
from swiftmodules.split.proposal import Proposal, large_target, propose
from swiftmodules.split.repair import repairs
from swiftmodules.split.tree import Failure
from swiftmodules.steps.history import Commit
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.target import Target

MANIFEST = """// swift-tools-version: 6.0
import PackageDescription
let package = Package(
    name: "Shop",
    targets: [.target(name: "Shop"), .testTarget(name: "ShopTests", dependencies: ["Shop"])]
)
"""
# Two features over a value, each of which has a cycle in it.
STATE: Mapping[str, str] = {
    "Package.swift": MANIFEST,
    "Sources/Shop/Money.swift": "import Foundation\n\npublic struct Money {\n    var cents = 0\n}\n",
    "Sources/Shop/Cart.swift": "public struct Cart {\n    var lines: [CartLine] = []\n}\n",
    "Sources/Shop/CartLine.swift": """struct CartLine {
    var price = Money()

    var isAlone: Bool { Cart().lines.count == 1 }
}
""",
    "Sources/Shop/CartTotal.swift": "func total(_ cart: Cart) -> Int { cart.lines.map(\\.price.cents).reduce(0, +) }\n",
    "Sources/Shop/Search.swift": "public struct Search {\n    var query: SearchQuery\n}\n",
    "Sources/Shop/SearchQuery.swift": """@usableFromInline struct SearchQuery {
    var most: Money
    var text: String
}
""",
    "Sources/Shop/SearchRun.swift": "func run(_ search: Search) -> [String] { [search.query.text] }\n",
    "Tests/ShopTests/CartTests.swift": "@testable import Shop\nfunc cart() -> Int { total(Cart()) }\n",
    "Tests/ShopTests/SearchTests.swift": "@testable import Shop\nfunc search(_ one: Search) -> [String] { run(one) }\n",
}


@pytest.fixture(scope="module")
def advice(tmp_path_factory: pytest.TempPathFactory) -> Advice:
    folder = tmp_path_factory.mktemp("cut") / "Shop"
    names = ("Cart", "SearchRun", "CartTotal", "Search", "SearchQuery")
    history(folder, STATE, *(f"Sources/Shop/{name}.swift" for name in names))
    made = task(folder, view=ProgressView(lambda text: None))
    return find_advice(made.package, made.scratch, made.toolchain, made.config, made.view, 20, "Shop", 2)


@pytest.fixture(scope="module")
def found(advice: Advice) -> Proposal:
    assert advice.cut is not None
    return advice.cut


def test_target_that_no_other_uses_is_cut_and_gets_no_interface(advice: Advice, found: Proposal) -> None:
    assert [each.target for each in advice.targets] == ["Shop"]
    assert advice.lines == [*found.lines]


def named(found: Proposal) -> dict[str, int]:
    """The pieces by their names."""
    return {piece.title: number for number, piece in enumerate(found.parts.graph.pieces)}


def again(found: Proposal, *names: str, parts: int | None = None) -> Proposal:
    """The cut where ten commits edit the same declarations."""
    pieces = frozenset(named(found)[name] for name in names)
    return propose(found.parts.graph, [Edit(pieces, frozenset())] * 10, parts)


def test_large_target_is_cut_where_commits_edit_it_apart(found: Proposal) -> None:
    cut, search, *rest = found.lines
    assert cut == (
        "Cut `Shop`: in 2 targets, after the last 2 of the 10 commits that edit it, fewer than 100, which show little, "
        # One commit leaves the four files of the cart; Shop has a file more, which passes these on.
        "by which the cut was not chosen, a cache by source rebuilds 18 → 12 files (-33%)."
    )
    assert search == "  ShopCartLine: 4 files (CartLine, total(_:), Cart, Money, added0(), added2(), …)"
    assert rest == [
        "  Shop: 3 files (SearchQuery, run(_:), Search, added3(), added4(), added1(), …); needs ShopCartLine",
        "  Of 24 declarations, 0 become package.",
        "  For one part more, the cycle between Cart and CartLine has to be broken in 1 place:",
        "    Sources/Shop/Cart.swift:2 CartLine",
    ]
    json = found.as_json
    assert json["parts"][0]["files"] == [
        f"Sources/Shop/{each}.swift" for each in ("Cart", "CartLine", "CartTotal", "Money")
    ]
    assert json["to_break"] == [{"from": "Cart", "to": "CartLine", "places": ["Sources/Shop/Cart.swift:2 CartLine"]}]


def test_declarations_that_other_parts_use_become_visible(found: Proposal) -> None:
    cut = again(found, "Cart", parts=5)
    assert [cut.parts.names[part] for part in cut.parts.below] == [
        "ShopMoney",
        "ShopCartLine",
        "ShopSearchQuery",
        "ShopSearch",
    ]
    # The total reads through lines and prices, and the type of the lines is seen with them.
    assert [each.removeprefix("Sources/Shop/") for each in cut.raised] == [
        "Cart.swift:2 lines",
        "CartLine.swift:1 CartLine",
        "CartLine.swift:2 price",
        "Money.swift:3 Money.init",
        "Money.swift:4 cents",
        "SearchQuery.swift:1 SearchQuery",
        "SearchQuery.swift:3 text",
    ]


def of_package(parts: Parts, package: Package) -> Parts:
    """The same parts in a package of other settings."""
    graph = copy(parts.graph)
    graph.package, graph.whole = package, package.by_name["Shop"]
    return Parts(graph, parts.part_of)


def test_imports_stand_above_what_is_raised_and_public_declarations_are_not_for_inlining(found: Proposal) -> None:
    parts = again(found, "Cart", parts=5).parts
    moved = Path("Sources/ShopSearchQuery/SearchQuery.swift")
    for version, raised in (("6.0", b"@usableFromInline package struct"), ("5.8", b"public struct")):
        package = replace(parts.package, tools_version=version)
        text = Cut(of_package(parts, package)).files()[moved]
        assert text is not None and text.startswith(b"import ShopMoney\n\n%b SearchQuery {\n" % raised)


@pytest.mark.parametrize(("setting", "access"), [("InternalImportsByDefault", b"package "), ("", b"")])
def test_imports_are_as_visible_as_what_may_show_their_types(found: Proposal, setting: str, access: bytes) -> None:
    parts = again(found, "Cart", parts=5).parts
    feature = {"tool": "swift", "kind": {"enableUpcomingFeature": {"_0": setting}}}
    package = changed_target(parts.package, "Shop", settings=(feature,))
    text = Cut(of_package(parts, package)).files()[Path("Sources/ShopMoney/Money.swift")]
    assert text is not None and text.startswith(b"%bimport Foundation\n\npublic struct Money {" % access)


def test_parts_are_passed_on_of_which_users_could_see_something(found: Proposal) -> None:
    files = Cut(again(found, "Cart", parts=5).parts).files()
    exported = files[Path("Sources/Shop/ShopExports.swift")]
    assert exported == b"@_exported import ShopMoney\n@_exported import ShopCartLine\n@_exported import ShopSearch\n"


def test_nothing_is_cut_where_every_commit_edits_what_all_use(found: Proposal) -> None:
    cut = again(found, "Money")
    assert (len(cut.parts.members), cut.is_worth_it) == (1, False)
    line, *_ = cut.lines
    assert line.startswith("No cut of `Shop` saves 10%: in 1 target, after the last 2 of the 10 commits")


def test_commit_that_edits_the_part_on_top_rebuilds_that_alone(found: Proposal) -> None:
    cut = again(found, "Search", parts=2)
    # Its three files, the one that passes the rest on, and both files of tests.
    assert (cut.before.files, cut.after.files) == (2 * 9, 2 * 6)


def test_commit_counts_by_its_declarations_and_by_all_inputs_of_other_targets(found: Proposal) -> None:
    commit = Commit("a" * 40, "b" * 40, "Some", {Path("Sources/Shop/Cart.swift"): "M", Path("Tests/words.txt"): "M"})
    differences: Any = SimpleNamespace(targets=["Shop", "ShopTests"])
    changes: Any = SimpleNamespace(moved=lambda commit: {}, names=lambda commit, files: {"Cart"})
    made = edits(found.parts.graph, Commits([(commit, differences)], changes))
    assert made == [Edit(frozenset({named(found)["Cart"]}), frozenset({"ShopTests"}))]


def test_command_passes_the_target_and_the_number_of_parts_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    committed(tmp_path, "First", STATE)
    asked: list[object] = []

    def advice(*arguments: object) -> Advice:
        asked.extend(arguments[-3:])
        return Advice(1, [])

    monkeypatch.setattr("swiftmodules.advise.advice.find_advice", advice)
    words = ["--package", str(tmp_path), "--commits", "9", "--target", "Shop", "--parts", "3"]
    assert main(["measure", "advise", *words]) == 0
    assert asked == [9, "Shop", 3]
    assert capsys.readouterr().out == "No interface would pay.\n"
    assert main(["measure", "advise", *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["commits"] == 1


def test_package_whose_tests_do_not_build_is_built_without_them() -> None:
    failing: dict[bool, Failure] = {}
    tree: Any = SimpleNamespace(build=lambda with_tests=True: failing.get(with_tests))
    copy: Any = SimpleNamespace(original_names=str)
    view = ProgressView(lambda text: None)
    assert _built(tree, True, copy, view) and not _built(tree, False, copy, view)
    failing[True] = Failure([], "no tests here")
    assert not _built(tree, True, copy, view)
    failing[False] = Failure([], "nothing here")
    with pytest.raises(BuildFailedError, match="nothing here"):
        _built(tree, True, copy, view)


def test_target_is_large_that_has_most_of_the_files() -> None:
    def package(**sizes: int) -> Package:
        return Package("Some", "6.0", targets=tuple(target(name, size) for name, size in sizes.items()))

    def target(name: str, size: int) -> Target:
        return Target(name, "library", Path(name), tuple(Path(name, f"{number}.swift") for number in range(size)))

    assert large_target(package(A=30, B=29)) == "A"
    assert large_target(package(A=30, B=29, C=2)) is None
    assert large_target(package(A=19, B=1)) is None
    assert large_target(package(A=19, B=1), "B") == "B"
    with pytest.raises(UsageError, match="builds no target 'C' in Swift"):
        large_target(package(A=19, B=1), "C")


def test_errors_of_the_compiler_raise_access_or_move_declarations(found: Proposal, tmp_path: Path) -> None:
    cut = Cut(again(found, "Cart", parts=2).parts)
    below, piece = cut.parts.below[0], named(found)
    assert cut.parts.part_of[piece["Cart"]] == below != cut.parts.part_of[piece["SearchQuery"]]

    def repaired(message: str, file: str = f"{cut.parts.names[below]}/Cart.swift") -> list[str]:
        log = f"{tmp_path}/Sources/{file}:1:5: error: {message}\n"
        failure = Failure(compiler_errors(log, tmp_path), log)
        assert str(failure) == f"Sources/{file}:1: {message}"
        return [*repairs(cut, failure.errors)]

    inaccessible = "is inaccessible due to 'internal' protection level"
    assert repaired(f"'isAlone' {inaccessible}") == []
    assert repaired(f"'isAlone' {inaccessible}", "Shop/Search.swift") == ["raise isAlone"]
    assert repaired(f"'isAlone' {inaccessible}", "Shop/Search.swift") == []
    assert repaired(f"'Search' initializer {inaccessible}") == ["write the initialiser of Search"]
    # A type of another module that hides one of the target gets its name in the target that uses it.
    ambiguous = "'Money' is ambiguous for type lookup in this context"
    assert repaired(ambiguous, "Shop/Search.swift") == ["alias Money in Shop"]
    assert repaired(ambiguous, "Shop/Search.swift") == []
    exports = cut.files()[Path("Sources/Shop/ShopExports.swift")]
    assert exports is not None and exports.endswith(f"\ntypealias Money = {cut.parts.names[below]}.Money\n".encode())
    # What is above moves along; what nobody in the target declares may be seen with the imports of other files.
    moved = repaired("cannot find type 'SearchQuery' in scope")
    assert moved[-1] == f"move SearchQuery to {cut.parts.names[below]}"
    assert cut.parts.part_of[piece["SearchQuery"]] == below
    assert repaired("cannot find 'Date' in scope") == ["import Foundation in Cart.swift"]
    assert repaired("cannot find 'Date' in scope") == []
