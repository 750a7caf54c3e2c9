"""Every edit compiles in every module of this repository, and so does its undoing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Subject

from buildspeed.conventions import modules_of
from buildspeed.edits import MUTATORS, Site, mutator, place_all
from buildspeed.layouts import make_layout
from buildspeed.toolchain import Toolchain
from buildspeed.workspace import Workspace

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=["without tests", "with tests"])
def built(
    request: pytest.FixtureRequest,
    repository_subject: Subject,
    toolchain: Toolchain,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Site, Workspace]:
    """The layout `interface`, built from nothing."""
    package = repository_subject.package
    if request.param == "without tests":
        package = replace(package, tests=())
    layout = make_layout("interface", package, repository_subject.sources)
    workspace = Workspace(layout, tmp_path_factory.mktemp("interface"), toolchain)
    workspace.build_clean()
    return Site(package, repository_subject.sources), workspace


@pytest.mark.parametrize("edit", MUTATORS)
def test_edit_of_all_modules_at_once_compiles_and_so_does_its_undoing(built: tuple[Site, Workspace], edit: str) -> None:
    site, workspace = built
    if mutator(edit).needs_tests != bool(site.package.tests):
        pytest.skip("made in the other package")
    placements = list(place_all([edit], site, modules_of(site.package))[0].values())
    for number, placement in enumerate(placements):
        # A number that no other edit has, so that nothing can be served from an earlier build.
        workspace.apply(placement, 1000 * list(MUTATORS).index(edit) + number)
    changed = {placement.change.compiled(after_undoing=False) for placement in placements} - {None}
    assert compiled(workspace) >= changed
    for placement in placements:
        workspace.undo(placement)
    restored = {placement.change.compiled(after_undoing=True) for placement in placements} - {None}
    assert compiled(workspace) >= restored


def compiled(workspace: Workspace) -> set[Path]:
    return {Path(file) for file in workspace.build().work.compiled}
