"""Every edit in the modules of this repository: it has a place, all compile, and all are undone to the byte."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from repo_checkout import Repository, repository
from runs import PLAIN, contents
from swiftmodules.builds.workspace import Workspace
from swiftmodules.edits.catalogue import EDITS, Key, place_all
from swiftmodules.edits.placement import Insertion, Placement
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
def test_all_edits_of_all_modules_compile_together_and_are_undone(
    repository: Repository, toolchain: Toolchain, tmp_path: Path
) -> None:
    """In the layout `interface`, but for those of tests, with which all tests would be built. That each is noticed by a
    build, and its undoing too, every sample requires."""
    layout = make_layout(
        "interface", without_tests(repository.site.package), repository.site.sources, repository.modules
    )
    workspace = Workspace(layout, tmp_path, tmp_path, toolchain, options=PLAIN)
    before = contents(workspace.package)
    edits = [name for name, each in EDITS.items() if not each.needs_tests]
    placements = list(place_all(edits, repository.site, repository.modules)[0].values())
    assert {each.edit for each in placements} == {*edits} - {"clean", "noop"}
    inserted: dict[Path, list[Insertion]] = {}
    applied: list[Placement] = []
    for number, each in enumerate(placements):
        if each.file and each.insertions:
            numbered = [replace(part, text=part.text.replace("{n}", str(number))) for part in each.insertions]
            inserted.setdefault(each.file, []).extend(numbered)
        else:
            applied.append(each)
    applied += [Placement("all", None, "", file, tuple(parts)) for file, parts in inserted.items()]
    for number, each in enumerate(applied, start=len(placements)):
        # What is inserted changes the time too, and its undoing writes the file.
        if each.insertions or each.file not in inserted or each.added is not None:
            workspace.apply(each, number)
    expected = {each.compiled(after_undoing=False) for each in applied} - {None}
    found = {Path(file) for file in workspace.build().work.compiled}
    assert found >= expected, expected - found
    for each in applied:
        workspace.undo(each)
    assert contents(workspace.package) == before
