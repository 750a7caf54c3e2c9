"""A live session through what takes long: renames, branches, slow modules, and states that cannot be kept."""

from __future__ import annotations

import shutil
from collections.abc import Mapping

import psutil
import pytest
from live_session import (
    BUILD_SECONDS,
    CLIENT,
    EDITOR,
    ENTRY,
    GUARD,
    INTERFACE,
    LOGIN,
    NAME,
    PROFILE,
    RESTART,
    UNREGISTERED,
    LiveSession,
    LiveSessionInShell,
)
from made_files import git
from repo_checkout import edit, run, tree

pytest_plugins = ("live_fixtures",)
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("sources")]
ROUTE = "Modules/Profile/Interface/Routes.swift"


def test_restart_shows_nothing_of_a_password_that_is_being_typed(live: LiveSession) -> None:
    live.type("\x1b")
    live.type(live.number_of("Sign out"))
    live.wait("Sign in", without="Signed in as ann")
    live.type("2")
    live.wait_for_field("User name")
    live.type("ann\tsec")
    live.wait("•••")
    live.mark()
    live.type(RESTART)
    while "Restarted after" not in live.log:
        # In the field, or dropped between the two runs, where the terminal would show what is typed.
        live.type("x")
        live.read(0.02)
        assert "xx" not in live.text
    live.wait("User name:", "✓ Restarted after")
    live.press("\x1b", lambda: "User name:" not in live.text)
    live.wait("Sign in", without="User name:")
    live.type(live.number_of("Sign in"))
    live.wait_for_field("User name")
    live.type("ann\tsecret\r")
    live.wait("Signed in as ann")
    live.type(live.number_of("Profile"))
    live.wait("@ann")


def test_stack_that_the_restarted_app_cannot_read_starts_fresh_and_is_named(
    live: LiveSession, sources: Mapping[str, str]
) -> None:
    for identifier in ("profile.other", "profile.overview"):
        live.mark()
        live.save({ROUTE: sources[ROUTE].replace('"profile.overview"', f'"{identifier}"')})
        live.wait_for_log(r"The App starts fresh: its state cannot be read\n.*")
        live.sign_in()
    # The next save hides it.
    live.save({PROFILE: sources[PROFILE] + "\n"})
    live.wait_for_log("Profile replaced in")


def test_conformance_for_a_type_of_another_module_restarts(live: LiveSession, sources: Mapping[str, str]) -> None:
    conforming = "\nprotocol Greeting {}\nextension Profile.User: Greeting {}\n"
    live.save({PROFILE: sources[PROFILE] + conforming})
    live.wait_for_log("Building: ProfileImplementation declares a conformance for a type of another module")
    live.wait_for_log("Restarted after")
    live.wait("Ann Example", "Signed in as ann")


def test_answer_that_comes_too_late_is_not_taken_for_that_of_the_next_replacement(
    live: LiveSession, sources: Mapping[str, str]
) -> None:
    slow = sources[ENTRY].replace("public init() {}", "public init() { sleep(14) }")
    intercept = "registrar.intercept(Profile.Editor.self, Profile.Overview.self, by: SignInGuard.init)"
    refused = slow.replace(intercept, f"{intercept}\n        {UNREGISTERED}")
    live.save({ENTRY: "import Foundation\n" + refused + GUARD})
    live.wait_for_log("Profile not replaced: The program does not respond")
    live.save({LOGIN: sources[LOGIN] + "\n// Later.\n"})
    live.wait_for_log("Login replaced in")
    assert "Login not replaced" not in live.log


def test_program_that_hangs_is_restarted_with_the_next_save(live: LiveSession, sources: Mapping[str, str]) -> None:
    hanging = "\nfunc endless(_ text: String) -> String {\n    while text.isEmpty == false {}\n    return text\n}\n"
    live.save({PROFILE: sources[PROFILE].replace(NAME, ".text(endless(user.displayName))") + hanging})
    live.wait_for_log("Profile (not )?replaced")
    live.mark()
    live.save({PROFILE: sources[PROFILE].replace(NAME, '.text("ended " + user.displayName)')})
    live.wait_for_log("Restarted after .*: App did not respond")
    live.wait("ended Ann Example")


def test_program_whose_build_is_gone_is_built_again(live: LiveSession, sources: Mapping[str, str]) -> None:
    for program in (live.checkout / ".build/live").glob("*/debug/App"):
        program.unlink()
    live.save({PROFILE: sources[PROFILE].replace(NAME, '.text("again " + user.displayName)')})
    live.wait_for_log("Restarted after .*: what was built is gone")
    live.wait("again Ann Example")


def test_file_that_nobody_can_read_ends_no_session(live: LiveSession, sources: Mapping[str, str]) -> None:
    loop = (live.checkout / PROFILE).with_name("Loop.swift")
    loop.symlink_to(loop.name)
    live.save({PROFILE: sources[PROFILE].replace(NAME, '.text("beside " + user.displayName)')})
    live.wait("beside Ann Example")
    loop.unlink()


def test_module_entry_is_found_after_saves_renames_and_other_modules_and_typed_text_survives(
    live: LiveSession, sources: Mapping[str, str]
) -> None:
    def shows(mark: str) -> None:
        content = EDITOR.replace("Model", "Content")
        live.save({content: sources[content].replace('"Edit profile"', f'"Edit profile {mark}"')})
        live.wait(f"Edit profile {mark}", "Ann Examplexyz")
        assert "crashed" not in live.log

    live.type(live.number_of("Edit display name"))
    live.wait("Edit profile")
    live.type("xyz")
    for number in range(3):
        shows(f"#{number}")
    composition, composed = "App/Composition.swift", (live.checkout / "App/Composition.swift").read_text("utf-8")
    renamed = (live.checkout / ENTRY).with_name("Entry.swift")
    live.mark()
    with live.stopped():
        (live.checkout / ENTRY).unlink()
        renamed.write_text(sources[ENTRY].replace("ProfileModule", "PeopleModule"), "utf-8")
        edit(live.checkout, composition, "ProfileModule", "PeopleModule")
    live.wait_for_log("Restarted after")
    shows("renamed")
    live.mark()
    before = tree(live.checkout)
    with live.stopped():
        assert run(live.checkout, "module", "new", "Badges") == 0
    live.wait_for_log("Restarted after")
    shows("added")
    live.mark()
    after = tree(live.checkout)
    with live.stopped():
        shutil.rmtree(live.checkout / "Modules/Badges")
        for path in (path for path, content in before.items() if content and after[path] != content):
            (live.checkout / path).write_bytes(before[path] or b"")
    live.wait_for_log("Restarted after")
    shows("removed")
    assert "not replaced" not in live.log
    live.mark()
    with live.stopped():
        renamed.unlink()
        (live.checkout / ENTRY).write_text(sources[ENTRY], "utf-8")
        (live.checkout / composition).write_text(composed, "utf-8")
    live.wait_for_log("Restarted after")
    shows("renamed back")
    live.type("\x1b")
    live.wait("Discard the unsaved display name?")
    live.type("y")


def test_renamed_file_and_change_of_branch_are_one_build_each(live: LiveSession, sources: Mapping[str, str]) -> None:
    commit = ("commit", "--message", "some")
    begin = (("init", "--initial-branch", "main"), ("add", "Modules"), commit, ("switch", "--create", "other"))
    for arguments in begin:
        git(live.checkout, *arguments)
    (live.checkout / PROFILE).rename((live.checkout / PROFILE).with_name("Overview.swift"))
    live.wait_for_log("Restarted after .*(added|removed)")
    live.wait("Ann Example", "Signed in as ann")
    live.mark()
    edit(live.checkout, "Modules/Profile/Implementation/Overview.swift", NAME, ".text(user.displayName.uppercased())")
    live.wait("ANN EXAMPLE")
    live.wait_for_log("Profile replaced in")
    live.save({path: sources[path] + "\n// Other.\n" for path in (EDITOR, LOGIN, CLIENT, INTERFACE)})
    live.wait_for_log("Restarted after")
    git(live.checkout, "add", "--all", "Modules")
    git(live.checkout, *commit)
    live.mark()
    with live.stopped():
        git(live.checkout, "switch", "main")
    live.wait_for_log("Restarted after")
    live.wait("Ann Example", "Signed in as ann")
    # Nothing else is taken before the next change.
    live.save({PROFILE: sources[PROFILE] + "\n"})
    live.wait_for_log("Profile replaced in")
    assert live.log.count("Building: ") == live.log.count("replaced in") == 1


def test_app_ends_with_a_session_that_is_killed(live: LiveSession) -> None:
    live.close()
    session = LiveSessionInShell(live.checkout)
    session.wait("3 Sign in", seconds=BUILD_SECONDS)
    (tool,) = psutil.Process(session.process).children()
    (app,) = [each for each in tool.children() if each.name() == "App"]
    tool.kill()
    session.wait("Killed", "prompt>")
    session.wait_until(lambda: not app.is_running(), "end the App")
    session.type("echo $((40 + 3)) shown\r")
    session.wait("echo $((40 + 3)) shown", "43 shown")
    session.type("exit\r")
    session.end()
