"""What is read of manifests."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import SCRIPTS, contents
from graphs import architecture, dump, targets

from buildspeed.failures import MeasurementError, UsageError
from buildspeed.toolchain import Toolchain
from modulegraph.architecture import Role
from modulegraph.package_targets import read_targets, targets_from


def test_package_is_read_as_it_stands_and_left_as_it_is(tiny: Path, toolchain: Toolchain) -> None:
    before = contents(tiny)
    package = read_targets(tiny, toolchain)
    assert package.name == "Tiny"
    feed = package.target("FeedImplementation")
    assert feed is not None
    assert (feed.folder, feed.dependencies) == (Path("Feed/Implementation"), ("FeedInterface", "StoreInterface"))
    assert contents(tiny) == before
    assert not (tiny / ".build").exists()


def test_package_that_depends_on_another_is_read_without_it(toolchain: Toolchain) -> None:
    package = read_targets(SCRIPTS / "repo" / "benchmarks", toolchain)
    benchmark = package.target("RouterBenchmark")
    assert benchmark is not None
    assert benchmark.folder == Path("Sources/RouterBenchmark")
    assert benchmark.dependencies == ("GenerateServices",)
    assert benchmark.products == ("RouterServiceInterface", "RouterServiceImplementation")
    plugin = package.target("GenerateServices")
    assert plugin is not None
    assert (plugin.folder, plugin.dependencies) == (Path("Plugins/GenerateServices"), ("ServiceGenerator",))


def test_cycle_is_told_in_full() -> None:
    with pytest.raises(MeasurementError, match=r"need one another: B → C → B\. SwiftPM builds no such package"):
        targets({"A": ["B"], "B": ["C"], "C": ["B"]})


def test_folder_without_a_manifest_is_refused(tmp_path: Path, toolchain: Toolchain) -> None:
    with pytest.raises(UsageError, match=r"is no Swift package: it has no Package\.swift"):
        read_targets(tmp_path, toolchain)


def test_manifest_that_does_not_compile_is_refused_with_the_compilers_words(tiny: Path, toolchain: Toolchain) -> None:
    (tiny / "Package.swift").write_text("// swift-tools-version: 6.0\nlet package = nonsense\n")
    with pytest.raises(MeasurementError, match="cannot find 'nonsense' in scope"):
        read_targets(tiny, toolchain)


@pytest.mark.parametrize("folder", ["Sources", "Sources/Only", "src/Only"])
def test_only_target_is_found_where_swiftpm_finds_it(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir(parents=True)
    described = dump({"Only": [], "OnlyTests": ["Only"]})
    for target in described["targets"]:
        del target["path"]
    package = targets_from(described, tmp_path)
    assert [target.folder for target in package.targets] == [Path(folder), None]


def test_file_belongs_to_the_target_with_the_nearest_folder() -> None:
    described = dump({"Outer": [], "Inner": []})
    described["targets"][0] |= {"path": "Code", "exclude": ["Left"]}
    described["targets"][1]["path"] = "Code/Inner"
    package = targets_from(described, Path("/nowhere"))
    owners = [package.target_of(Path(file)) for file in ("Code/A.swift", "Code/Inner/A.swift", "Code/Left/A.swift")]
    assert [owner and owner.name for owner in owners] == ["Outer", "Inner", None]


def test_product_of_another_package_is_told_from_a_target() -> None:
    described = dump({"Shop": []})
    described["targets"][0]["dependencies"] = [
        {"byName": ["Outside", None]},
        {"product": ["Shop", "elsewhere", None, None]},
    ]
    package = targets_from(described, Path("/nowhere"))
    assert package.targets[0].dependencies == ()
    assert package.targets[0].products == ("Outside", "Shop")


def test_targets_have_the_roles_that_their_names_say() -> None:
    shop = architecture(
        {
            "App": ["CartImplementation"],
            "AppTests": ["App"],
            "CartInterface": [],
            "CartImplementation": ["CartInterface"],
            "CartOffline": ["CartInterface"],
            "CartMocks": ["CartInterface"],
            "CartTests": ["CartImplementation"],
            "Tool": [],
        }
    )
    assert {name: (shop.roles[name], shop.owners[name]) for name in shop.roles} == {
        "App": (Role.PROGRAM, "App"),
        "AppTests": (Role.TESTS, "App"),
        "CartInterface": (Role.INTERFACE, "Cart"),
        "CartImplementation": (Role.IMPLEMENTATION, "Cart"),
        "CartOffline": (Role.IMPLEMENTATION, "Cart"),
        "CartMocks": (Role.FAKES, "Cart"),
        "CartTests": (Role.TESTS, "Cart"),
        "Tool": (Role.OTHER, "Tool"),
    }
