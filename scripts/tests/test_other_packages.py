"""Copying packages of all kinds, and which layouts can be generated from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from conftest import Subject
from other_packages import STALLS, OtherPackage, copied_fixtures, read_other_package

from buildspeed.clashes import refuse_clashes, refuse_questions
from buildspeed.conventions import modules_of
from buildspeed.failures import MeasurementError
from buildspeed.layouts import copied_layout, make_layout
from buildspeed.local_packages import copy_with_local_packages
from buildspeed.manifest import package_dependency
from buildspeed.most_imported import most_imported
from buildspeed.naming import Naming
from buildspeed.package_graph import Resource, package_from
from buildspeed.resuming import contents_of
from buildspeed.toolchain import Toolchain

Packages = Callable[[str], OtherPackage]


@pytest.fixture(scope="session")
def packages(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Packages:
    return cache(lambda name: read_other_package(name, tmp_path_factory.mktemp(name), toolchain))


def refusal(package: OtherPackage, layout: str, naming: Naming | None = None) -> str:
    with pytest.raises(MeasurementError) as error:
        package.layout(layout, *([naming] if naming else []))
    return str(error.value)


def test_copy_holds_the_local_package_at_the_same_relative_path(packages: Packages, tmp_path: Path) -> None:
    market = packages("Market")
    assert [path.name for path in market.copy.others] == ["Spices"]
    layout = copied_layout("interface", market.subject.package, market.subject.sources, market.copy)
    layout.write(tmp_path / "package")
    assert layout.place == Path("Market")
    assert (tmp_path / "package/Market/../Spices/Sources/Spices/Spice.swift").is_file()
    assert (tmp_path / "package/Market/Package.swift").read_bytes() == (
        market.copy.package / "Package.swift"
    ).read_bytes()
    assert layout.originals()[Path("../Spices/Sources/Spices/Spice.swift")]


def test_missing_local_package_is_told_by_its_original_path(toolchain: Toolchain, tmp_path: Path) -> None:
    folder = copied_fixtures(tmp_path)
    (folder / "Spices/Package.swift").unlink()
    with pytest.raises(MeasurementError) as error:
        copy_with_local_packages(folder / "Market", tmp_path / "root", toolchain, tmp_path / "scratch")
    assert f"{folder / 'Market'} needs a local package that cannot be used: {folder / 'Spices'} is no" in str(
        error.value
    )


def test_fused_keeps_resources_products_settings_and_other_packages(packages: Packages) -> None:
    layout = packages("Market").layout("fused", STALLS)
    assert layout.manifest is not None
    assert '.package(path: "../Spices")' in layout.manifest
    assert 'name: "StallFused"' in layout.manifest
    assert '.product(name: "Spices", package: "Spices")' in layout.manifest
    assert 'resources: [.process("Stall/Signs")]' in layout.manifest
    assert 'linkerSettings: [.linkedLibrary("m")]' in layout.manifest
    assert '.library(name: "Stalls", type: .dynamic, targets: ["StallFused"])' in layout.manifest
    copied = {path.as_posix() for path in layout.copies}
    assert {"Market/Sources/StallFused/Stall/Signs/open.txt", "Spices/Package.swift"} <= copied
    assert "Market/Package.swift" not in copied


def test_layouts_without_a_copy_carry_no_resources_and_say_who_can(packages: Packages) -> None:
    subject = packages("Market").subject
    with pytest.raises(MeasurementError, match=r"Stall has resources; it depends on other packages.*measure package"):
        make_layout("interface", subject.package, subject.sources)


@pytest.mark.parametrize(
    ("package", "layout", "reason"),
    [
        ("Market", "monolith", "one target cannot hold several programs, which Scale, Till are"),
        ("Market", "fused", "no pairs of targets that are called {module}Interface and {module}Implementation"),
        ("Lathe", "fused", "CTurning is in C, C++ or Objective-C."),
        ("Lathe", "monolith", "CTurning is in C, C++ or Objective-C."),
        ("Press", "fused", "PressMacros is a macro; Typesetting is a plugin; Press uses the plugin Typesetting."),
        ("Ring", "fused", "its targets need one another: AnvilFused → HammerFused → AnvilFused."),
        (
            "Twins",
            "monolith",
            "Sources/NamesInterface/Name.swift and Sources/Register/Register.swift, which would both be in Monolith, "
            "declare a type Entry.",
        ),
    ],
)
def test_layout_that_cannot_be_generated_says_why(packages: Packages, package: str, layout: str, reason: str) -> None:
    assert reason in refusal(packages(package), layout)


def test_package_without_a_program_becomes_one_library(packages: Packages) -> None:
    layout = packages("Ring").layout("monolith")
    assert layout.target_count == 1
    assert '.target(\n            name: "Monolith"' in (layout.manifest or "")


@pytest.mark.parametrize(
    ("dependency", "obstacles"),
    [
        ({"byName": ["Other", None]}, ()),
        ({"target": ["Other", {"platformNames": ["linux"]}]}, ("One depends on Other under a condition",)),
        ({"product": ["P", "Q", {"A": "B"}, None]}, ("One gives modules of P other names",)),
    ],
)
def test_dependency_that_no_manifest_can_carry_is_an_obstacle(
    dependency: dict[str, object], obstacles: tuple[str, ...]
) -> None:
    dump = {
        "name": "Two",
        "toolsVersion": {"_version": "6.0.0"},
        "platforms": [],
        "swiftLanguageVersions": None,
        "dependencies": [],
        "targets": [{"name": "One", "dependencies": [dependency], "settings": []}],
    }
    one = {"name": "One", "module_type": "SwiftTarget", "type": "library", "path": "Sources/One", "sources": []}
    tests = {"name": "CTests", "module_type": "ClangTarget", "type": "test", "path": "Tests", "sources": []}
    description = {"path": "/package", "targets": [one, tests]}
    assert package_from(dump, description).obstacles == obstacles
    assert (
        "CTests is in C, C++ or Objective-C"
        in package_from(
            {**dump, "targets": [*dump["targets"], {"name": "CTests", "dependencies": []}]},
            description,
            with_tests=True,
        ).obstacles
    )


def test_private_types_of_the_same_name_do_not_clash(packages: Packages) -> None:
    subject = packages("Twins").subject
    register, names = Path("Sources/Register/Register.swift"), Path("Sources/NamesInterface/Name.swift")
    hidden = replace(
        subject.sources[names], types=tuple(replace(each, is_private=True) for each in subject.sources[names].types)
    )
    refuse_clashes("monolith", "Monolith", subject.package.targets, {**subject.sources, names: hidden})
    assert [type.is_private for type in subject.sources[register].types] == [False, True]


def test_resources_of_the_same_name_clash(packages: Packages) -> None:
    subject = packages("Ring").subject
    sign = Resource(Path("Signs"), {"process": {}}, ("open.txt",))
    members = [replace(target, resources=(sign,)) for target in subject.package.targets]
    with pytest.raises(MeasurementError, match=r"AnvilImplementation and AnvilInterface.* have a resource open\.txt"):
        refuse_clashes("monolith", "Monolith", members, subject.sources)


def test_question_whether_a_merged_module_is_there_is_refused(tiny_subject: Subject) -> None:
    file = tiny_subject.file("Store/Interface/Store.swift")
    asking = replace(file, text=file.text + b"#if canImport(StoreInterface)\n#endif\n")
    refuse_questions("fused", asking, {"StoreInterface": "StoreInterface"})
    with pytest.raises(MeasurementError, match=r"asks 'canImport\(StoreInterface\)'"):
        refuse_questions("fused", asking, {"StoreInterface": "StoreFused"})


def test_most_imported_modules_come_first(packages: Packages) -> None:
    def names(package: str, naming: Naming | None = None) -> list[str]:
        subject = packages(package).subject
        read = replace(subject.package, naming=naming) if naming else subject.package
        return list(most_imported(read, subject.sources))

    assert names("Market") == ["StallInterface", "Stall"]
    assert names("Market", STALLS) == ["Stall"]
    assert names("Ring") == ["Anvil", "Hammer"]
    # Nothing is imported, so it is the largest target.
    assert names("Lathe") == ["Lathe"]


def test_modules_are_told_by_the_patterns_that_a_person_gives(packages: Packages) -> None:
    package = packages("Market").subject.package
    assert modules_of(package) == {}
    module = modules_of(replace(package, naming=STALLS))["Stall"]
    assert (module.interface.name, module.implementation.name) == ("StallInterface", "Stall")


@pytest.mark.parametrize(
    ("requirement", "words"),
    [
        ({"range": [{"lowerBound": "1.0.0", "upperBound": "2.0.0"}]}, '"1.0.0"..<"2.0.0"'),
        ({"exact": ["1.0.0"]}, 'exact: "1.0.0"'),
        ({"branch": ["main"]}, 'branch: "main"'),
    ],
)
def test_package_from_elsewhere_keeps_its_requirement(requirement: dict[str, object], words: str) -> None:
    values = {"identity": "c", "location": {"remote": [{"urlString": "https://a.b/c"}]}, "requirement": requirement}
    dependency = {"sourceControl": [{**values, "traits": [{"name": "default"}]}]}
    assert package_dependency(dependency, Path("/package")) == f'.package(url: "https://a.b/c", {words})'


def test_digest_of_a_copy_tells_of_every_file(packages: Packages, tmp_path: Path) -> None:
    package = packages("Market")
    layout = copied_layout("interface", package.subject.package, package.subject.sources, package.copy)
    changed = tmp_path / "Spice.swift"
    changed.write_text("changed")
    other = {path: changed if path.name == "Spice.swift" else file for path, file in layout.copies.items()}
    assert contents_of([layout]) != contents_of([replace(layout, copies=other)])
