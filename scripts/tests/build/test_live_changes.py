"""Saves that a live session must wait for: a module that does not answer, renamed files, and a change of branch."""

from __future__ import annotations

import shutil
from collections.abc import Mapping

import pytest
from live_session import (
    CLIENT,
    EDITOR,
    ENTRY,
    GUARD,
    INTERFACE,
    LOGIN,
    NAME,
    PROFILE,
    UNREGISTERED,
    LiveSession,
    live,
    sources,
)
from made_files import git
from repo_checkout import edit, plain, run, tree

__all__ = ["live", "plain", "sources"]

pytestmark = pytest.mark.slow
EDITOR_CONTENT = "Modules/Profile/Implementation/EditorContent.swift"


def test_answer_that_comes_too_late_is_not_taken_for_that_of_the_next_replacement(
    live: LiveSession, sources: Mapping[str, str]
) -> None:
    start = len(live.log)
    slow = sources[ENTRY].replace("public init() {}", "public init() { sleep(14) }")
    intercept = "registrar.intercept(by: SignInGuard.init)"
    refused = slow.replace(intercept, f"{intercept}\n        {UNREGISTERED}")
    live.save({ENTRY: "import Foundation\n" + refused + GUARD})
    live.wait_for_log("Profile not replaced: The program does not respond", after=start)
    live.save({LOGIN: sources[LOGIN] + "\n// Later.\n"})
    live.wait_for_log("Login replaced in", after=start)
    assert "Login not replaced" not in live.log[start:]


def test_module_entry_is_found_after_saves_renames_and_other_modules_and_typed_text_survives(
    live: LiveSession, sources: Mapping[str, str]
) -> None:
    def shows(mark: str) -> None:
        live.save({EDITOR_CONTENT: sources[EDITOR_CONTENT].replace('"Edit profile"', f'"Edit profile {mark}"')})
        live.wait(f"Edit profile {mark}", "Ann Examplexyz")

    live.type(live.number_of("Edit display name"))
    live.wait("Edit profile")
    live.type("xyz")
    for number in range(3):
        shows(f"#{number}")
    composition = "App/Composition.swift"
    composed = (live.checkout / composition).read_text(encoding="utf-8")
    renamed = (live.checkout / ENTRY).with_name("Entry.swift")
    try:
        start = len(live.log)
        (live.checkout / ENTRY).rename(renamed)
        live.save(
            {
                str(renamed.relative_to(live.checkout)): sources[ENTRY].replace("ProfileModule", "PeopleModule"),
                composition: composed.replace("ProfileModule", "PeopleModule"),
            }
        )
        live.wait_for_log("Restarted after", after=start)
        shows("renamed")
        start = len(live.log)
        before = tree(live.checkout)
        assert run(live.checkout, "module", "new", "Badges") == 0
        live.wait_for_log("Restarted after", after=start)
        shows("added")
        start = len(live.log)
        after = tree(live.checkout)
        shutil.rmtree(live.checkout / "Modules/Badges")
        for path in (path for path, content in before.items() if content and after[path] != content):
            (live.checkout / path).write_bytes(before[path] or b"")
        live.wait_for_log("Restarted after", after=start)
        shows("removed")
        assert "crashed" not in live.log and "not replaced" not in live.log[start:]
    finally:
        renamed.unlink(missing_ok=True)
        (live.checkout / composition).write_text(composed, encoding="utf-8")
    live.type("\x1b")
    live.wait("Discard the unsaved display name?")
    live.type("y")


def test_renamed_file_and_change_of_branch_are_one_build_each(live: LiveSession, sources: Mapping[str, str]) -> None:
    start, commit = len(live.log), ("commit", "--message", "some")
    begin = (("init", "--initial-branch", "main"), ("add", "Modules"), commit, ("switch", "--create", "other"))
    for arguments in begin:
        git(live.checkout, *arguments)
    (live.checkout / PROFILE).rename((live.checkout / PROFILE).with_name("Overview.swift"))
    live.wait_for_log("Restarted after .*(added|removed)", after=start)
    live.wait("Ann Example", "Signed in as ann")
    start = len(live.log)
    edit(live.checkout, "Modules/Profile/Implementation/Overview.swift", NAME, ".text(user.displayName.uppercased())")
    live.wait("ANN EXAMPLE")
    for path in (EDITOR, LOGIN, CLIENT, INTERFACE):
        live.save({path: sources[path] + "\n// Other.\n"})
    git(live.checkout, "add", "--all", "Modules")
    git(live.checkout, *commit)
    live.wait_for_log("Restarted after", after=start)
    live.settle()
    start = len(live.log)
    git(live.checkout, "switch", "main")
    live.wait_for_log("Restarted after", after=start)
    live.wait("Ann Example", "Signed in as ann")
    live.settle()
    assert live.log[start:].count("Building: ") == 1
    assert "replaced in" not in live.log[start:]
