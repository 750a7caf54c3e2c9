"""Every edit in the modules of this repository: it has a place, compiles, and so does its undoing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from repo_checkout import Repository, repository
from swiftmodules.builds.workspace import Workspace
from swiftmodules.edits.catalogue import EDITS, Key, place_all
from swiftmodules.edits.placement import Placement
from swiftmodules.layouts.generate import make_layout, without_tests
from swiftmodules.swiftpm.toolchain import Toolchain

__all__ = ["repository"]

MODULES = ("Display", "FeatureFlags", "HTTPClient", "Login", "Notes", "Profile", "RouterService", "Storage")
# Any other edit without a place is a bug in the edit.
WITHOUT_A_PLACE: dict[Key, str] = {
    **{
        ("interface-route-field", module): "has no route"
        for module in ("Display", "FeatureFlags", "HTTPClient", "RouterService", "Storage")
    },
    ("interface-stored-property", "Profile"): "has no public struct that could store another property",
}


def test_edit_has_a_place_in_every_module_or_a_reason_why_not(repository: Repository) -> None:
    assert tuple(repository.modules) == MODULES
    placements, missing = place_all(EDITS, repository.site, repository.modules)
    assert set(missing) == set(WITHOUT_A_PLACE)
    assert all(WITHOUT_A_PLACE[key] in reason for key, reason in missing.items())
    for name, edit in EDITS.items():
        everywhere = 0 if name in ("noop", "clean") else len(MODULES) if edit.is_per_module else 1
        assert sum(key[0] == name for key in (*placements, *missing)) == everywhere


@pytest.mark.slow
@pytest.mark.parametrize("has_tests", [False, True])
def test_edit_of_all_modules_at_once_compiles_and_so_does_its_undoing(
    repository: Repository, toolchain: Toolchain, tmp_path: Path, has_tests: bool
) -> None:
    """In the layout `interface`, and each edit is undone in the build of the next one."""
    site = repository.site if has_tests else replace(repository.site, package=without_tests(repository.site.package))
    layout = make_layout("interface", site.package, site.sources, repository.modules)
    workspace = Workspace(layout, tmp_path, tmp_path, toolchain)
    workspace.build_clean()
    former: list[Placement] = []
    own = [edit for edit in EDITS if EDITS[edit].needs_tests == has_tests]
    for kind, edit in enumerate([*own, "noop"]):
        for placement in former:
            workspace.undo(placement)
        placements = list(place_all([edit], site, repository.modules)[0].values())
        for number, placement in enumerate(placements):
            # A number that no other edit has, so that nothing can be served from an earlier build.
            workspace.apply(placement, 1000 * kind + number)
        expected = {placement.compiled(after_undoing=False) for placement in placements}
        expected |= {placement.compiled(after_undoing=True) for placement in former}
        found = {Path(file) for file in workspace.build().work.compiled}
        assert found >= expected - {None}, (edit, expected - found)
        former = placements
