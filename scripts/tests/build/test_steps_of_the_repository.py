"""Every edit in the modules of this repository, and every layout of it: what is placed, named, built and recorded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from made_files import ran, written
from repo_checkout import REPOSITORY
from runs import PLAIN, measured
from swiftmodules.builds.workspace import Workspace
from swiftmodules.closure import reached
from swiftmodules.layouts.generate import LAYOUTS, make_layout, without_tests
from swiftmodules.measure.subject import Subject
from swiftmodules.options import MeasureChoices
from swiftmodules.steps.edit import EDITS, place_all
from swiftmodules.swiftpm.toolchain import Toolchain

MODULES = ("Display", "FeatureFlags", "HTTPClient", "Home", "Login", "Notes", "Profile", "RouterService", "Storage")


def test_edit_has_a_place_in_every_module(repository_subject: Subject) -> None:
    package, sources = repository_subject.package, repository_subject.sources
    assert tuple(package.modules) == MODULES
    placements, missing = place_all(EDITS, package, sources, package.modules)
    assert missing == {} and len(placements) == len(EDITS) * len(MODULES)


@pytest.mark.slow
def test_all_edits_of_all_modules_compile_together(
    repository_subject: Subject, toolchain: Toolchain, tmp_path: Path
) -> None:
    """In the layout `interface`. That each is noticed by a build, every sample requires."""
    package, sources = without_tests(repository_subject.package), repository_subject.sources
    layout = make_layout("interface", package, sources)
    placements = place_all(EDITS, package, sources, package.modules)[0].values()
    edited: dict[Path, bytes] = {}
    for file in {each.file for each in placements}:
        own = [(number, each) for number, each in enumerate(placements) if each.file == file]
        made = (part.numbered(number) for number, each in own for part in each.insertions)
        edited[layout.files[file].path] = layout.files[file].content(made)
    workspace = Workspace(replace(layout, edited=edited), tmp_path, toolchain, options=PLAIN)
    assert len(workspace.build().compiled) > 100


@pytest.mark.parametrize("layout", LAYOUTS)
def test_targets_of_this_repository_name_what_they_reach(repository_subject: Subject, layout: str) -> None:
    made = make_layout(layout, repository_subject.package, repository_subject.sources)
    of = made.package.dependencies_of
    gaps = {each.name for each in made.package.code if reached(of(each.name), of).keys() - {*of(each.name)}}
    # Fakes name their own module only, which in `fused` brings the interfaces that its implementation uses; none of
    # them is part of the App. Profile needs nothing of Storage, which FeatureFlags brings.
    fused = {
        "FeatureFlagsTesting",
        "HomeTesting",
        "LoginTesting",
        "NotesTesting",
        "ProfileTesting",
        "ProfileFused",
    }
    assert gaps == (fused if layout == "fused" else set())


def test_no_two_modules_have_names_that_clash_in_one_target(
    repository_subject: Subject, tmp_path: Path, toolchain: Toolchain
) -> None:
    package, sources = without_tests(repository_subject.package), repository_subject.sources
    written(make_layout("monolith", package, sources), tmp_path / "package")
    options = ["-typecheck", "-wmo", "-module-name", "App", "-package-name", "app", "-swift-version", "6"]
    # No name in a body is known outside of it.
    without_bodies = ["-Xfrontend", "-experimental-skip-non-inlinable-function-bodies"]
    ran(toolchain, "swiftc", *options, *without_bodies, *sorted(tmp_path.rglob("package/Sources/**/*.swift")))


@pytest.mark.slow
def test_edit_in_an_implementation_compiles_files_of_its_module_and_some_of_the_app() -> None:
    """Few of the App: an extension of a foreign type in the router's implementation had eleven more compiled."""
    choices = MeasureChoices(
        rounds=0, layouts=("interface",), edits=("private-top", "member", "stored-property"), modules=MODULES
    )
    found = measured(REPOSITORY, choices).samples
    assert len(found) == len(choices.edits) * len(MODULES)
    for each in found:
        compiled = [Path(file) for file in each.compiled]
        assert compiled, each.cell
        others = [file for file in compiled if file.parts[:2] != ("Modules", each.module)]
        assert all(file.parts[0] == "App" for file in others) and len(others) <= 6, (each.cell, others)
