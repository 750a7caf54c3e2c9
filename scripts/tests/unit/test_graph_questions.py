"""Why one target depends on another, and what an edit reaches."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from made_files import files
from made_packages import SHOP, architecture, changed_target, package_of
from msgspec.structs import replace
from swiftmodules.errors import UsageError
from swiftmodules.graph.architecture import Architecture, why
from swiftmodules.graph.since import Since, impact
from swiftmodules.swiftpm.config import USUAL_NAMES, TargetRule
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.target import Target
from swiftmodules.swiftpm.toolchain import Toolchain

CART = "Sources/CartImplementation/CartImplementation.swift"


def test_further_interface_is_a_part_of_its_module() -> None:
    targets = {**SHOP, "RouterProgram": ["RouterInterface"]}
    targets["RouterImplementation"] = ["RouterInterface", "RouterProgram"]
    further = TargetRule("interface", ("{module}Interface", "{module}Program"))
    router = replace(package_of(targets), names=(further, *USUAL_NAMES)).modules["Router"]
    assert router.interface.name == "RouterInterface"
    assert [part.name for part in router.parts] == ["RouterProgram"]
    assert router.names == {"RouterInterface", "RouterProgram", "RouterImplementation"}


REASONS = [
    ("Home", "Cart", "HomeImplementation → CartInterface"),
    ("App", "CartInterface", "App → CartInterface"),
    # A module and its own target.
    ("Cart", "CartInterface", "CartImplementation → CartInterface"),
    ("CartImplementation", "Cart", "CartImplementation → CartInterface"),
    # Tests are not a reason.
    ("HomeTests", "CartImplementation", "HomeTests does not depend on CartImplementation."),
    ("Home", "CartTesting", "Home does not depend on CartTesting."),
    ("Cart", "Home", "Cart does not depend on Home."),
    ("HomeInterface", "CartInterface", "HomeInterface does not depend on CartInterface."),
]


def test_reasons_are_paths_through_targets() -> None:
    for source, target, answer in REASONS:
        assert str(why(architecture(SHOP), source, target)) == answer
    assert why(architecture(SHOP), "App", "CartInterface").path == ("App", "CartInterface")


FEW: dict[str, list[str]] = {name: [] for name in ("One", "Two", "Three", "Four")}
WRONG = {
    ("Crat", "Home"): "No module or target is called 'Crat'. Did you mean 'Cart'?",
    ("Home", "cartinterface"): "No module or target is called 'cartinterface'. Did you mean 'CartInterface'?",
    ("Home", "Home"): "'Home' is named twice",
    ("x", "One"): "No module or target is called 'x'. Choose from: Four, One, Three, Two.",
}


def test_wrong_name_is_refused_and_the_shortest_of_very_many_paths_is_found_at_once() -> None:
    for names, message in WRONG.items():
        with pytest.raises(UsageError, match=f"^{re.escape(message)}"):
            why(architecture(FEW if "x" in names else SHOP), *names)
    command = Target("Check", "command", Path("Plugins/Check"))
    with pytest.raises(UsageError, match=r"Choose from: Four, One, Three, Two\.$"):
        why(Architecture(replace(package_of(FEW), others=(command,))), "x", "One")
    # Two targets in each of 40 rows, each of which depends on both of the next row: 2^40 paths.
    rows = {f"R{row}{side}": [f"R{row + 1}a", f"R{row + 1}b"] for row in range(40) for side in "ab"}
    assert len(why(architecture({**rows, "R40a": [], "R40b": []}), "R0a", "R40a").path) == 41


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The shop with empty sources."""
    sources = (str(path) for target in package_of(SHOP).targets for path in target.sources)
    files(tmp_path, dict.fromkeys((*sources, "Package.swift"), ""))
    return tmp_path


def reach(folder: Path, subject: str, package: Package | None = None) -> Since:
    package = replace(package or package_of(SHOP), folder=folder.resolve())
    return impact(Architecture(package), subject, folder, Toolchain.find())


def test_edit_reaches_the_targets_above_its_target(folder: Path) -> None:
    assert str(reach(folder, "CartImplementation")) == (
        "An edit in CartImplementation:\n  CartImplementation: CartImplementation\n"
        "Targets that a cache by source rebuilds: 3, files in them: 6\n  App, CartImplementation, CartTests\n"
        "  CartTests: CartImplementation → CartImplementation → CartTests\ntests: CartTests"
    )
    assert reach(folder, "HomeTests").rebuilt == ("HomeTests",)
    assert [*reach(folder, "Cart").changed] == ["CartImplementation", "CartInterface"]


def test_file_is_named_from_package_or_working_folder_or_a_link(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder / "Sources")
    expected = [*reach(folder, CART).changed]
    assert expected == ["CartImplementation"]
    assert [*reach(folder, str(folder / CART)).changed] == expected
    assert [*reach(folder, CART.removeprefix("Sources/")).changed] == expected
    # The folder of a target may be a link, also to a place outside of the package.
    (folder / "Sources/CartImplementation").rename(folder.parent / "linked")
    (folder / "Sources/CartImplementation").symlink_to(folder.parent / "linked")
    for name in (CART, str(folder.parent / "linked/CartImplementation.swift")):
        assert [*reach(folder, name).changed] == expected


def test_files_in_other_languages_and_snippets_are_files_of_their_targets(folder: Path) -> None:
    others = {
        "snippet": Target("usage", "snippet", Path("Snippets"), (Path("Snippets/usage.swift"),), ("CartInterface",)),
        "clang": Target("CLib", "clang", Path("CLib"), (Path("CLib/a.c"),)),
    }
    package = replace(package_of(SHOP), others=tuple(others.values()))
    package = changed_target(package, "HomeTests", dependencies=("CLib",))
    files(folder, dict.fromkeys(("CLib/a.c", "CLib/include/a.h", "Snippets/usage.swift"), ""))
    assert "usage" in reach(folder, "CartInterface", package).rebuilt
    assert [*reach(folder, "Snippets/usage.swift", package).changed] == ["usage"]
    for name in ("CLib/a.c", "CLib/include/a.h"):
        assert reach(folder, name, package).rebuilt == ("CLib", "HomeTests")


UNREACHABLE = {
    "Crat": "No module or target is called 'Crat'. Did you mean 'Cart'?",
    "Sources/CartInterface/CartInterfac.swift": "Did you mean 'Sources/CartInterface/CartInterface.swift",
    "/etc/passwd": "/etc/passwd is a file of no package that Shop reaches.",
}


def test_subject_that_is_not_there_is_refused(folder: Path) -> None:
    for subject, message in UNREACHABLE.items():
        with pytest.raises(UsageError, match=re.escape(message)):
            reach(folder, subject)


def test_file_that_is_no_source_reaches_its_target_or_nothing_or_everything(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A file of the working folder comes first.
    monkeypatch.chdir(folder)
    for name in ("NOTES.md", "Sources/CartInterface/README.md", "Makefile"):
        (folder / name).touch()
    assert reach(folder, "NOTES.md").rebuilt == ()
    assert [*reach(folder, "Sources/CartInterface/README.md").changed] == ["CartInterface"]
    for name in ("Makefile", "Package.swift"):
        found = reach(folder, name)
        assert found.everything[0].startswith(name) and found.test_filter == "."
