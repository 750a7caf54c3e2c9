"""Every edit in the modules of this repository, and every layout of it: what is placed, named, built and recorded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from made_files import ran, written
from msgspec.structs import replace as changed
from repo_checkout import REPOSITORY
from runs import PLAIN, measured
from swiftmodules.builds.workspace import Workspace
from swiftmodules.layouts.generate import LAYOUTS, make_layout, without_tests
from swiftmodules.measure.record import read_record
from swiftmodules.measure.subject import Subject
from swiftmodules.measure.verify import dependency_gaps
from swiftmodules.options import MeasureChoices
from swiftmodules.steps.edit import EDITS, place_all
from swiftmodules.swiftpm.copy import copy_package
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
    tests = {target.name for target in repository_subject.package.tests}
    gaps = {target for target in dependency_gaps(made.package) if target not in tests}
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
    ran(toolchain, "swiftc", *options, *sorted(tmp_path.rglob("package/Sources/**/*.swift")))


@pytest.mark.slow
def test_no_edit_compiles_a_file_that_it_does_not_compile_in_the_record(tmp_path: Path) -> None:
    """The edits on whose reach the layout rests; `scripts/measure --rounds 0` makes all, also those that reach nearly
    every file."""
    recorded = read_record(REPOSITORY / "docs/results/matrix/results.json")
    edits = ("private-top", "stored-property", "interface")
    package = tmp_path / "package"
    copy_package(REPOSITORY, package)
    # Which files are compiled depends on the number of jobs, and a machine may have another one.
    with (package / "scripts/swiftmodules.toml").open("a", encoding="utf-8") as config:
        config.write('\n[[measure.settings]]\nname = "recorded"\nmeaning = "as recorded"\n')
        config.write(f'options = ["--jobs", "{recorded.jobs}"]\n')
    choices = MeasureChoices(
        rounds=0, layouts=("interface",), settings=("recorded",), edits=edits, modules=recorded.values("module")
    )
    found = measured(package, choices).samples
    known = {
        changed(each.cell, setting="recorded"): set(each.compiled)
        for each in recorded.samples
        if isinstance(each.compiled, dict)
    }
    # A younger file is in no cell of the record.
    files = {file for compiled in known.values() for file in compiled}
    assert {each.edit for each in found} == set(edits)
    compiled = {each.cell: set(each.compiled) for each in found if isinstance(each.compiled, dict)}
    more = {cell: own & files - known[cell] for cell, own in compiled.items()}
    assert not any(more.values()), {cell: files for cell, files in more.items() if files}
