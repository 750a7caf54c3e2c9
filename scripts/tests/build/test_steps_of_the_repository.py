"""Every edit in the modules of this repository: it has a place, and all compile."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from repo_checkout import repository
from runs import PLAIN
from swiftmodules.builds.workspace import Workspace
from swiftmodules.layouts.generate import make_layout, without_tests
from swiftmodules.steps.edit import EDITS, place_all
from swiftmodules.steps.placement import Site, numbered
from swiftmodules.swiftpm.toolchain import Toolchain

__all__ = ["repository"]

MODULES = ("Display", "FeatureFlags", "HTTPClient", "Login", "Notes", "Profile", "RouterService", "Storage")


def test_edit_has_a_place_in_every_module_or_a_reason_why_not(repository: Site) -> None:
    assert tuple(repository.package.modules) == MODULES
    placements, missing = place_all(EDITS, repository, repository.package.modules)
    # All their functions may fulfil a protocol; any other edit without a place is a bug in the edit.
    assert missing.keys() == {("signature", "FeatureFlags"), ("signature", "Login")}
    assert len(placements) + len(missing) == len(EDITS) * len(MODULES)


@pytest.mark.slow
def test_all_edits_of_all_modules_compile_together(repository: Site, toolchain: Toolchain, tmp_path: Path) -> None:
    """In the layout `interface`. That each is noticed by a build, every sample requires."""
    package, sources = without_tests(repository.package), repository.sources
    layout = make_layout("interface", package, sources)
    placements = place_all(EDITS, repository, repository.package.modules)[0].values()
    edited: dict[Path, bytes] = {}
    for number, each in enumerate(placements):
        path = layout.files[each.file].path
        if each.added is not None:
            edited[path.with_name(f"Edit{number}.swift")] = numbered(each.added, number)
    for file in {each.file for each in placements if each.insertions}:
        own = [(number, each) for number, each in enumerate(placements) if each.file == file]
        made = (part.numbered(number) for number, each in own for part in each.insertions)
        edited[layout.files[file].path] = layout.files[file].content(made)
    workspace = Workspace(replace(layout, edited=edited), tmp_path, tmp_path, toolchain, options=PLAIN)
    assert len(workspace.build().compiled) > 100
