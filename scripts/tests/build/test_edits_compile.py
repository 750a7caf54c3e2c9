"""Every edit compiles in every module of this repository, and so does its undoing."""

from __future__ import annotations

from pathlib import Path

import pytest
from swiftmodules.build.workspace import Workspace
from swiftmodules.edits.catalogue import EDITS, place_all
from swiftmodules.edits.site import Site
from swiftmodules.layouts.generate import make_layout, without_tests
from swiftmodules.swiftpm.modules import edited_modules
from swiftmodules.swiftpm.package import read_package
from swiftmodules.swiftpm.syntax import read_sources
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module", params=["without tests", "with tests"])
def built(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Site, Workspace]:
    """The layout `interface` after a clean build."""
    package = read_package(REPOSITORY, toolchain)
    if request.param == "without tests":
        package = without_tests(package)
    sources = read_sources(REPOSITORY, package, toolchain)
    workspace = Workspace(make_layout("interface", package, sources), tmp_path_factory.mktemp("interface"), toolchain)
    workspace.build_clean()
    return Site(package, sources), workspace


@pytest.mark.parametrize("edit", EDITS)
def test_edit_of_all_modules_at_once_compiles_and_so_does_its_undoing(built: tuple[Site, Workspace], edit: str) -> None:
    site, workspace = built
    if EDITS[edit].needs_tests != bool(site.package.tests):
        pytest.skip("made in the other package")
    placements = list(place_all([edit], site, edited_modules(site.package))[0].values())
    for number, placement in enumerate(placements):
        # A number that no other edit has, so that nothing can be served from an earlier build.
        workspace.apply(placement, 1000 * list(EDITS).index(edit) + number)
    changed = {placement.compiled(after_undoing=False) for placement in placements} - {None}
    assert compiled(workspace) >= changed
    for placement in placements:
        workspace.undo(placement)
    restored = {placement.compiled(after_undoing=True) for placement in placements} - {None}
    assert compiled(workspace) >= restored


def compiled(workspace: Workspace) -> set[Path]:
    return {Path(file) for file in workspace.build().work.compiled}
