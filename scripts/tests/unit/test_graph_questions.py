"""Why one target depends on another, and what an edit reaches."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path

import pytest
from made_files import files
from made_packages import SHOP, architecture, package_of
from msgspec.structs import replace
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.graph.architecture import architecture_of
from swiftmodules.graph.impact import Impact, impact
from swiftmodules.graph.paths import distances, inverted, paths
from swiftmodules.graph.why import MOST_PATHS, why
from swiftmodules.swiftpm.declarations import read_imports
from swiftmodules.swiftpm.package import Package, Target
from swiftmodules.swiftpm.syntax import SourceFile
from swiftmodules.swiftpm.text import Source

DIAMOND = {"app": ["left", "right", "base"], "left": ["base"], "right": ["base"], "base": []}
CYCLE = {"start": ["a"], "a": ["b"], "b": ["a", "end"], "end": []}
CART, HOME = (
    "Sources/CartImplementation/CartImplementation.swift",
    "Sources/HomeImplementation/HomeImplementation.swift",
)


PATHS = [
    (DIAMOND, "app", "base", ["app base", "app left base", "app right base"]),
    (DIAMOND, "app left", "base", ["app base", "left base", "app right base"]),
    (DIAMOND, "app", "left base", ["app base", "app left", "app right base"]),
    (DIAMOND, "base", "app", []),
    (DIAMOND, "app", "absent", []),
    (CYCLE, "start", "end", ["start a b end"]),
]


def test_paths_come_shortest_first_and_meet_no_other_start_or_end() -> None:
    for graph, starts, ends, expected in PATHS:
        assert [" ".join(path) for path in paths(graph, starts.split(), ends.split())] == expected


def test_many_paths_come_at_once_and_distances_are_those_of_the_shortest() -> None:
    # Two nodes in each of 40 rows, each with an edge to both of the next row: 2^40 paths.
    adjacency = {f"{row}{side}": [f"{row + 1}a", f"{row + 1}b"] for row in range(40) for side in "ab"}
    assert [len(path) for path in islice(paths(adjacency, ["0a"], ["40a"]), 3)] == [41, 41, 41]
    assert distances(DIAMOND, "app") == {"app": 0, "left": 1, "right": 1, "base": 1}
    assert distances(inverted(DIAMOND), "base") == {"base": 0, "app": 1, "left": 1, "right": 1}
    assert set(distances(CYCLE, "a")) == {"a", "b", "end"}


ALL_PATHS = "App → CartInterface\nApp → CartImplementation → CartInterface\nApp → HomeImplementation → CartInterface"
REASONS = [
    ("Home", "Cart", "HomeImplementation → CartInterface"),
    ("App", "CartInterface", ALL_PATHS),
    # A module and its own target.
    ("Cart", "CartInterface", "CartImplementation → CartInterface"),
    ("CartImplementation", "Cart", "CartImplementation → CartInterface"),
    # Tests are not a reason.
    ("HomeTests", "CartImplementation", "HomeTests does not depend on CartImplementation."),
    ("Home", "CartTesting", "Home does not depend on CartTesting."),
    ("Cart", "Home", "Cart does not depend on Home. It is the other way round: Home depends on Cart."),
    ("HomeInterface", "CartInterface", "HomeInterface does not depend on CartInterface."),
]


def test_reasons_are_paths_through_targets() -> None:
    for source, target, answer in REASONS:
        assert str(why(architecture(SHOP), source, target)) == answer


WRONG = {
    ("Crat", "Home"): "No module or target is called 'Crat'. Did you mean 'Cart'?",
    ("Home", "cartinterface"): "No module or target is called 'cartinterface'. Did you mean 'CartInterface'?",
    ("Home", "Home"): "'Home' is named twice",
    ("x", "Only"): "No module or target is called 'x'. Choose from: Only.",
}


def test_wrong_name_is_refused_and_only_the_shortest_of_many_paths_are_shown() -> None:
    for names, message in WRONG.items():
        with pytest.raises(UsageError, match=f"^{re.escape(message)}"):
            why(architecture({"Only": []} if "Only" in names else SHOP), *names)
    rows = {f"R{row}{side}": [f"R{row + 1}a", f"R{row + 1}b"] for row in range(9) for side in "ab"}
    explanation = why(architecture({**rows, "R9a": [], "R9b": []}), "R0a", "R9a")
    assert (len(explanation.paths), explanation.has_more) == (MOST_PATHS, True)
    assert str(explanation).endswith("\n… and more; these are the 10 shortest.")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The shop with empty sources, but for those that import the cart."""
    texts = {str(path): "" for target in package_of(SHOP).targets for path in target.sources}
    importing = dict.fromkeys((HOME, "Sources/App/Other.swift"), "import CartInterface\n")
    files(tmp_path, texts | importing | {"Package.swift": ""})
    return tmp_path


def reach(folder: Path, subject: str, package: Package | None = None) -> Impact:
    """What an edit reaches; files are read without the compiler."""
    package = package or package_of(SHOP)
    sources = {}
    for path in (path for target in package.targets for path in target.sources):
        source = Source.of(path, (folder / path).read_bytes())
        imports = tuple(read_imports(source))
        sources[path] = SourceFile(path, source.text, source.hidden, source.conditions, imports, (), None)
    return impact(architecture_of(package), subject, folder, sources)


def test_edit_reaches_the_files_that_import_its_target_and_what_these_pass_it_on_to(folder: Path) -> None:
    reached = reach(folder, "CartInterface")
    assert str(reached) == (
        "An edit in CartInterface (interface) reaches at most\n"
        "  CartInterface\n"
        "  App: Other.swift\n"
        "  CartImplementation: CartImplementation.swift, Other.swift\n"
        "  CartTesting: CartTesting.swift, Other.swift\n"
        "  CartTests: CartTests.swift, Other.swift\n"
        "  HomeImplementation: HomeImplementation.swift\n"
        "  where these pass it on in their own API, other files of these targets, and HomeTests"
    )
    assert reached.as_json()["targets"][0]["importing"]["App"] == ("Sources/App/Other.swift",)
    assert json.dumps(reached.as_json())
    assert str(reach(folder, "HomeTests")).endswith("\n  HomeTests, as no target depends on it")
    assert [each.target for each in reach(folder, "Cart").targets] == ["CartInterface", "CartImplementation"]


def test_file_is_named_from_the_package_or_the_working_folder_also_behind_a_link(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder / "Sources")
    expected = reach(folder, CART).targets
    assert str(reach(folder, CART)).startswith(f"An edit in {CART} (CartImplementation, implementation) reaches")
    assert reach(folder, str(folder / CART)).targets == expected
    assert reach(folder, CART.removeprefix("Sources/")).targets == expected
    # The folder of a target may be a link, also to a place outside of the package.
    (folder / "Sources/CartImplementation").rename(folder.parent / "linked")
    (folder / "Sources/CartImplementation").symlink_to(folder.parent / "linked")
    for name in (CART, str(folder.parent / "linked/CartImplementation.swift")):
        assert reach(folder, name).targets == expected


def test_files_in_other_languages_and_snippets_are_files_of_their_targets(folder: Path) -> None:
    others = {
        "snippet": Target("usage", "snippet", Path("Snippets"), (Path("Snippets/usage.swift"),), ("CartInterface",)),
        "clang": Target("CLib", "clang", Path("CLib"), (Path("CLib/a.c"),)),
    }
    package = replace(package_of({**SHOP, "HomeTests": ["CLib"]}), others=tuple(others.values()))
    package = replace(package, targets=tuple(_depending(each, "HomeTests", "CLib") for each in package.targets))
    files(folder, dict.fromkeys(("Snippets/usage.swift", "CLib/a.c", "CLib/include/a.h"), ""))
    assert "  usage: usage.swift\n" in str(reach(folder, "CartInterface", package))
    assert [each.target for each in reach(folder, "Snippets/usage.swift", package).targets] == ["usage"]
    for name in ("CLib/a.c", "CLib/include/a.h"):
        assert str(reach(folder, name, package)) == (
            f"An edit in {name} (CLib, target) reaches at most\n  CLib\n  HomeTests: HomeTests.swift, Other.swift\n"
            "  where these pass it on in their own API, other files of these targets"
        )


def _depending(target: Target, name: str, dependency: str) -> Target:
    return replace(target, dependencies=(*target.dependencies, dependency)) if target.name == name else target


REFUSED = {
    "Crat": (UsageError, "No module or target is called 'Crat'. Did you mean 'Cart'?"),
    CART.replace("on.swift", "o.swift"): (UsageError, f"Did you mean '{CART.removesuffix('.swift')}"),
    "/etc/passwd": (UsageError, "There is no file '/etc/passwd' in"),
    "Sources/App/README.md": (ToolError, "No target compiles Sources/App/README.md"),
    "Package.swift": (ToolError, "Package.swift is the graph itself"),
}


def test_subject_without_a_target_is_refused(folder: Path) -> None:
    (folder / "Sources/App/README.md").touch()
    for subject, (error, message) in REFUSED.items():
        with pytest.raises(error, match=re.escape(message)):
            reach(folder, subject)
