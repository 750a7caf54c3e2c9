"""Every edit in every module of this repository: it has a place, changes something, and leaves no trace."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Subject

from buildspeed.conventions import modules_of
from buildspeed.edits import ALIASES, DEFAULT_EDITS, MUTATORS, Placement, Site, mutator, place_all, what_it_changes
from buildspeed.layouts import LAYOUTS, make_layout
from buildspeed.toolchain import Toolchain
from buildspeed.workspace import Workspace

MODULES = ("Display", "HTTPClient", "Login", "Profile", "RouterService")
# Whatever else has no place is a mistake of the edit.
WITHOUT_A_PLACE = {
    **{("interface-unused-block-member", module): "surely nobody uses" for module in MODULES},
    **{("interface-route-field", module): "has no route" for module in ("Display", "HTTPClient", "RouterService")},
    ("interface-stored-property", "Profile"): "has no public struct that could store another property",
}


@pytest.fixture(scope="module", params=LAYOUTS)
def workspace(
    request: pytest.FixtureRequest,
    repository_subject: Subject,
    toolchain: Toolchain,
    tmp_path_factory: pytest.TempPathFactory,
) -> Workspace:
    layout = make_layout(request.param, repository_subject.package, repository_subject.sources)
    return Workspace(layout, tmp_path_factory.mktemp(request.param), toolchain)


def placements(subject: Subject, edit: str) -> tuple[list[Placement], dict[tuple[str, str | None], str]]:
    placed, missing = place_all([edit], Site(subject.package, subject.sources), modules_of(subject.package))
    return list(placed.values()), missing


def test_modules_of_the_repository_are_those_that_are_tested(repository_subject: Subject) -> None:
    assert tuple(modules_of(repository_subject.package)) == MODULES


@pytest.mark.parametrize("edit", MUTATORS)
def test_edit_has_a_place_in_every_module_or_says_why_not(repository_subject: Subject, edit: str) -> None:
    placed, missing = placements(repository_subject, edit)
    expected = {key: words for key, words in WITHOUT_A_PLACE.items() if key[0] == edit}
    assert set(missing) == set(expected)
    assert all(expected[key] in reason for key, reason in missing.items())
    everywhere = 0 if edit == "noop" else len(MODULES) if mutator(edit).is_per_module else 1
    assert len(placed) == everywhere - len(missing)
    assert {each.edit for each in placed} <= {edit}


@pytest.mark.parametrize("edit", MUTATORS)
def test_undoing_restores_every_module_to_the_byte_and_repeating_makes_another_change(
    repository_subject: Subject, workspace: Workspace, edit: str
) -> None:
    original = contents(state(workspace))
    for placement in placements(repository_subject, edit)[0]:
        made = []
        for number in (1, 2):
            before = state(workspace)
            workspace.apply(placement, number)
            made.append(changes(before, state(workspace)))
            workspace.undo(placement)
            assert contents(state(workspace)) == original
        assert [len(each) for each in made] == [1, 1], placement.description
        assert made[0] != made[1], placement.description


@pytest.mark.parametrize("edit", ["touch", "manifest-touch"])
def test_undoing_a_touch_restores_the_time_and_nothing_else_was_changed(
    repository_subject: Subject, workspace: Workspace, edit: str
) -> None:
    before = state(workspace)
    for placement in placements(repository_subject, edit)[0]:
        workspace.apply(placement, 1)
        touched = state(workspace)
        assert contents(touched) == contents(before)
        assert len(changes(before, touched)) == 1
        workspace.undo(placement)
        assert state(workspace) == before


def test_earlier_names_are_of_edits_that_are_made_by_default() -> None:
    assert set(ALIASES.values()) < set(DEFAULT_EDITS)
    assert [mutator(name).name for name in ALIASES] == list(ALIASES.values())
    assert what_it_changes("private") == what_it_changes("private-top")


State = dict[Path, tuple[bytes, int]]


def state(workspace: Workspace) -> State:
    """Contents and times of every file of a generated package."""
    files = [path for path in workspace.package.rglob("*") if path.is_file()]
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def contents(state: State) -> dict[Path, bytes]:
    return {path: content for path, (content, _) in state.items()}


def changes(before: State, after: State) -> set[tuple[Path, tuple[bytes, int]]]:
    """The files that differ or are new."""
    return {(path, value) for path, value in after.items() if before.get(path) != value}
