"""Generating the layouts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Subject

from buildspeed.failures import MeasurementError
from buildspeed.layouts import LAYOUTS, Layout, make_layout
from buildspeed.package_graph import Package, read_package
from buildspeed.toolchain import Toolchain


def layout(subject: Subject, name: str) -> Layout:
    return make_layout(name, subject.package, subject.sources)


def text(layout: Layout, original: str) -> str:
    return layout.files[Path(original)].content().decode()


def test_interface_keeps_every_file_as_it_is(tiny_subject: Subject) -> None:
    files = layout(tiny_subject, "interface").files
    assert {path: file.content() for path, file in files.items()} == {
        path: file.text for path, file in tiny_subject.sources.items()
    }


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_holds_every_file_once(tiny_subject: Subject, name: str) -> None:
    files = layout(tiny_subject, name).files
    assert set(files) == set(tiny_subject.sources)
    assert len({file.path for file in files.values()}) == len(files)


def test_fused_users_import_the_concrete_module_once(tiny_subject: Subject) -> None:
    fused = layout(tiny_subject, "fused")
    assert text(fused, "App/Support.swift").startswith("import FeedFused\n\nimport StoreFused\n\n\nfunc")
    assert text(fused, "Store/Testing/FakeReader.swift").startswith("public import StoreFused\n")
    assert text(fused, "Store/Implementation/MemoryReader.swift").startswith("\n\n/// „Täglich“")


def test_fused_keeps_the_targets_that_are_no_part_of_a_pair(tiny_subject: Subject) -> None:
    manifest = layout(tiny_subject, "fused").manifest
    names = [line.split('"')[1] for line in manifest.splitlines() if line.startswith("            name: ")]
    assert names == ["App", "FeedFused", "StoreFused", "StoreTesting"]
    assert 'dependencies: [.target(name: "FeedFused"), .target(name: "StoreFused")]' in manifest


def test_monolith_imports_nothing_of_the_package_and_tells_same_named_files_apart(tiny_subject: Subject) -> None:
    monolith = layout(tiny_subject, "monolith")
    assert all(b"import " not in file.content() for file in monolith.files.values())
    paths = {path.as_posix(): original.as_posix() for path, original in monolith.originals().items()}
    assert paths["Sources/App/App/App_Support.swift"] == "App/Support.swift"
    assert paths["Sources/App/FeedImplementation/FeedImplementation_Support.swift"] == (
        "Feed/Implementation/Support.swift"
    )
    assert "Sources/App/App/main.swift" in paths


@pytest.mark.parametrize("name", LAYOUTS)
def test_generated_manifest_keeps_settings_modes_and_platforms(
    tiny_subject: Subject, toolchain: Toolchain, tmp_path: Path, name: str
) -> None:
    layout(tiny_subject, name).write(tmp_path / "package")
    generated = read_package(tmp_path / "package", toolchain, tmp_path / "scratch")
    original = tiny_subject.package
    assert (generated.tools_version, generated.platforms, generated.language_versions) == (
        original.tools_version,
        original.platforms,
        original.language_versions,
    )
    assert {str(target.settings) for target in generated.targets} == {str(original.targets[0].settings)}


@pytest.mark.parametrize(("name", "imported"), [("interface", "LoginImplementation"), ("fused", "LoginFused")])
def test_tests_stay_targets_of_their_own_and_import_what_is_merged(
    repository_subject: Subject, name: str, imported: str
) -> None:
    generated = layout(repository_subject, name)
    assert generated.has_tests
    assert '.testTarget(\n            name: "LoginTests"' in generated.manifest
    assert f"@testable import {imported}\n" in text(generated, "Tests/LoginTests/SignInTests.swift")


def test_layout_of_a_package_that_was_read_without_tests_has_none(tiny_subject: Subject) -> None:
    generated = layout(tiny_subject, "interface")
    assert not generated.has_tests
    assert "testTarget" not in generated.manifest


LLD = {
    "tool": "linker",
    "kind": {"unsafeFlags": {"_0": ["-use-ld=lld"]}},
    "condition": {"platformNames": ["linux"]},
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_program_is_linked_as_in_the_package(tiny_subject: Subject, name: str) -> None:
    package = tiny_subject.package
    targets = [
        replace(each, settings=(*each.settings, LLD)) if each.is_executable else each for each in package.targets
    ]
    found = make_layout(name, replace(package, targets=tuple(targets)), tiny_subject.sources)
    assert found.manifest.count('linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]') == 1


def test_targets_with_different_settings_are_not_merged(tiny_subject: Subject) -> None:
    package = tiny_subject.package
    changed = [replace(each, settings=()) if each.name == "FeedInterface" else each for each in package.targets]
    with pytest.raises(MeasurementError, match="FeedImplementation and FeedInterface have different settings"):
        make_layout("fused", replace(package, targets=tuple(changed)), tiny_subject.sources)


def test_cycle_that_fusing_would_make_is_refused(tiny_subject: Subject) -> None:
    package = with_dependency(tiny_subject.package, "StoreImplementation", "FeedInterface")
    with pytest.raises(MeasurementError, match="FeedFused → StoreFused → FeedFused"):
        make_layout("fused", package, tiny_subject.sources)
    make_layout("interface", package, tiny_subject.sources)


def test_setting_that_cannot_be_carried_is_refused(tiny_subject: Subject) -> None:
    setting = {"tool": "c", "kind": {"headerSearchPath": {"_0": "include"}}}
    targets = tuple(replace(each, settings=(setting,)) for each in tiny_subject.package.targets)
    with pytest.raises(MeasurementError, match="headerSearchPath"):
        make_layout("interface", replace(tiny_subject.package, targets=targets), tiny_subject.sources)


def test_package_with_outside_dependencies_is_refused(tiny_subject: Subject) -> None:
    package = replace(tiny_subject.package, dependencies=({"fileSystem": []},))
    with pytest.raises(MeasurementError, match=r"depends on other packages.*'scripts/measure package'"):
        make_layout("interface", package, tiny_subject.sources)


def test_conditions_of_settings_are_carried(tiny_subject: Subject) -> None:
    condition = {"config": "debug", "platformNames": ["linux"]}
    setting = {"tool": "swift", "kind": {"define": {"_0": "X"}}, "condition": condition}
    targets = tuple(replace(each, settings=(setting,)) for each in tiny_subject.package.targets)
    generated = make_layout("fused", replace(tiny_subject.package, targets=targets), tiny_subject.sources)
    assert '.define("X", .when(platforms: [.linux], configuration: .debug))' in (generated.manifest or "")


def with_dependency(package: Package, target: str, dependency: str) -> Package:
    targets = [
        replace(each, dependencies=(*each.dependencies, dependency)) if each.name == target else each
        for each in package.targets
    ]
    return replace(package, targets=tuple(targets))
