"""Every layout of this repository and every edit in its modules: it has a place, compiles, and so does its undoing."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from repo_checkout import REPOSITORY
from runs import measured
from swiftmodules.builds.workspace import Workspace
from swiftmodules.edits.catalogue import EDITS, Key, place_all
from swiftmodules.edits.placement import Insertion, Placement
from swiftmodules.edits.site import Site
from swiftmodules.layouts.generate import LAYOUTS, make_layout, without_tests
from swiftmodules.measure.record import SOUND, Cell
from swiftmodules.measure.store import read_record
from swiftmodules.measure.verify import Verifier, dependency_gaps, read_session
from swiftmodules.options import MeasureChoices
from swiftmodules.swiftpm.config import config_file, read_config
from swiftmodules.swiftpm.copy import copy_package
from swiftmodules.swiftpm.modules import Module, Naming, find_modules
from swiftmodules.swiftpm.package import read_package
from swiftmodules.swiftpm.syntax import read_sources
from swiftmodules.swiftpm.toolchain import Toolchain

MODULES = ("Display", "FeatureFlags", "HTTPClient", "Login", "Notes", "Profile", "RouterService", "Storage")
# Any other edit without a place is a bug in the edit.
WITHOUT_A_PLACE: dict[Key, str] = {
    **{
        ("interface-route-field", module): "has no route"
        for module in ("Display", "FeatureFlags", "HTTPClient", "RouterService", "Storage")
    },
    ("interface-stored-property", "Profile"): "has no public struct that could store another property",
}


@dataclass(frozen=True)
class Repository:
    site: Site
    modules: dict[str, Module]

    def placements(self, edit: str) -> list[Placement]:
        return list(place_all([edit], self.site, self.modules)[0].values())


@pytest.fixture(scope="module")
def repository(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """This repository with its tests, as a private copy."""
    folder = tmp_path_factory.mktemp("repository") / "package"
    copy_package(REPOSITORY, folder)
    package = read_package(folder, toolchain)
    naming = Naming.of(read_config(config_file(REPOSITORY)).targets)
    return Repository(Site(package, read_sources(folder, package, toolchain)), find_modules(package, naming))


def test_edit_has_a_place_in_every_module_or_a_reason_why_not(repository: Repository) -> None:
    assert tuple(repository.modules) == MODULES
    placements, missing = place_all(EDITS, repository.site, repository.modules)
    assert set(missing) == set(WITHOUT_A_PLACE)
    assert all(WITHOUT_A_PLACE[key] in reason for key, reason in missing.items())
    for name, edit in EDITS.items():
        everywhere = 0 if name in ("noop", "clean") else len(MODULES) if edit.is_per_module else 1
        assert sum(key[0] == name for key in (*placements, *missing)) == everywhere


@pytest.mark.parametrize("layout", LAYOUTS)
def test_targets_of_this_repository_name_what_they_reach(repository: Repository, layout: str) -> None:
    site = repository.site
    made = make_layout(layout, site.package, site.sources, repository.modules)
    tests = {target.name for target in site.package.tests}
    gaps = {target for target in dependency_gaps(made.dependencies) if target not in tests}
    # Fakes name their own module only, which in `fused` brings the interfaces that its implementation uses; none of
    # them is part of the App. Profile needs nothing of Storage, which FeatureFlags brings.
    fused = {"FeatureFlagsTesting", "LoginTesting", "NotesTesting", "ProfileTesting", "ProfileFused"}
    assert gaps == (fused if layout == "fused" else set())


@pytest.fixture(scope="module", params=["without tests", "with tests"])
def built(
    request: pytest.FixtureRequest,
    repository: Repository,
    toolchain: Toolchain,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Repository, Workspace]:
    """The layout `interface`, built."""
    site = repository.site
    if request.param == "without tests":
        site = replace(site, package=without_tests(site.package))
    layout = make_layout("interface", site.package, site.sources, repository.modules)
    folder = tmp_path_factory.mktemp("interface")
    workspace = Workspace(layout, folder, folder, toolchain)
    workspace.build_clean()
    return Repository(site, repository.modules), workspace


@pytest.mark.slow
@pytest.mark.parametrize("edit", EDITS)
def test_edit_of_all_modules_at_once_compiles_and_so_does_its_undoing(
    built: tuple[Repository, Workspace], edit: str
) -> None:
    repository, workspace = built
    if EDITS[edit].needs_tests != bool(repository.site.package.tests):
        pytest.skip("made in the other package")
    placements = repository.placements(edit)
    for number, placement in enumerate(placements):
        # A number that no other edit has, so that nothing can be served from an earlier build.
        workspace.apply(placement, 1000 * list(EDITS).index(edit) + number)
    changed = {placement.compiled(after_undoing=False) for placement in placements} - {None}
    assert compiled(workspace) >= changed
    for placement in placements:
        workspace.undo(placement)
    restored = {placement.compiled(after_undoing=True) for placement in placements} - {None}
    assert compiled(workspace) >= restored


def compiled(workspace: Workspace) -> set[Path | None]:
    return {Path(file) for file in workspace.build().work.compiled}


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_property_of_a_struct_that_crosses_two_interfaces_is_sound_here(
    repository: Repository, toolchain: Toolchain, tmp_path: Path, layout: str
) -> None:
    """`AnyRoute` is stored in a struct of Profile's interface, which Profile's implementation stores and passes on."""
    package, sources = without_tests(repository.site.package), repository.site.sources
    path = Path("Modules/RouterService/Interface/Links/AnyRoute.swift")
    (type,) = [each for each, _ in sources[path].walk() if each.name == "AnyRoute" and each.is_type]
    # A variable: one of its initialisers assigns `self`.
    part = Insertion(type.body_end or 0, "\n    var edit{n} = {n}\n")
    placement = Placement("stored-property", "RouterService", "in AnyRoute", path, (part,))
    made = make_layout(layout, package, sources, repository.modules)
    workspace = Workspace(made, tmp_path / layout, tmp_path, toolchain, jobs=2)
    workspace.build_clean()
    verifier = Verifier(tmp_path / "run", read_session(REPOSITORY / "scripts" / "verify-session.txt", "App"))
    cell = Cell(layout=layout, edit="stored-property", module="RouterService")
    verdict = verifier.verify(workspace, cell, placement, 1)
    assert (verdict.result, verdict.reasons) == (SOUND, ())


def test_no_two_modules_have_names_that_clash_in_one_target(
    repository: Repository, tmp_path: Path, toolchain: Toolchain
) -> None:
    package, sources = without_tests(repository.site.package), repository.site.sources
    layouts = {name: make_layout(name, package, sources, repository.modules) for name in LAYOUTS}
    layouts["monolith"].write(tmp_path / "package")
    command = [toolchain.swiftc, "-typecheck", "-wmo", "-module-name", "App", *package.parser_options(package.code[0])]
    done = subprocess.run(
        [*command, *sorted(tmp_path.rglob("package/Sources/**/*.swift"))],
        env=toolchain.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_no_edit_compiles_a_file_that_it_does_not_compile_in_the_record(tmp_path: Path) -> None:
    """The edits on whose reach the layout rests; `scripts/measure --rounds 0` makes all."""
    recorded = read_record(REPOSITORY / "docs/results/matrix/results.json")
    edits = ("private-top", "stored-property", "interface-extension-member", "interface-requirement")
    package = tmp_path / "package"
    copy_package(REPOSITORY, package)
    choices = MeasureChoices(rounds=0, layouts=("interface",), edits=edits, modules=recorded.values("module"))
    found = measured(package, choices).samples
    known = {each.cell: set(each.compiled) for each in recorded.samples if isinstance(each.compiled, dict)}
    # A younger file is in no cell of the record.
    files = {file for compiled in known.values() for file in compiled}
    assert {each.edit for each in found} == set(edits)
    compiled = {each.cell: set(each.compiled) for each in found if isinstance(each.compiled, dict)}
    more = {cell: own & files - known[cell] for cell, own in compiled.items()}
    assert not any(more.values()), {cell: files for cell, files in more.items() if files}
