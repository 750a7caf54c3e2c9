"""Changes of several files at once in a live session of the App, what it carries over, and its keys."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from live_session import LiveSession
from made_files import git
from repo_checkout import edit, plain, run, tree

__all__ = ["plain"]

PROFILE = "Modules/Profile/Implementation/OverviewContent.swift"
ENTRY = "Modules/Profile/Implementation/ProfileModule.swift"
EDITOR_CONTENT = "Modules/Profile/Implementation/EditorContent.swift"
EDITOR = "Modules/Profile/Implementation/EditorModel.swift"
LOGIN = "Modules/Login/Implementation/LoginModule.swift"
CLIENT = "Modules/HTTPClient/Implementation/HTTPClientModule.swift"
ROUTE = "Modules/Profile/Interface/Overview.swift"
INTERFACE = "Modules/Profile/Interface/Profile.swift"
NAME = ".text(user.displayName)"
# An interceptor that cannot be made.
UNREGISTERED = "registrar.intercept { (_: Double) in Guard() }"
GUARD = "struct Guard: Interceptor {\n    func intercept(_ request: RouteRequest) -> Interception { .proceed }\n}\n"
RELOAD, RESTART = "\x12", "\x14"


@pytest.fixture(scope="module")
def live(plain: Path) -> Iterator[LiveSession]:
    """A session in which ann is signed in, and looks at her profile, which is kept in a file."""
    shutil.rmtree(plain / ".build" / "live" / "replaced", ignore_errors=True)
    # Those that changed last are compiled before their first edit.
    (plain / PROFILE).touch()
    session = LiveSession(plain, "--restore", str(plain.parent / "stack.json"))
    session.sign_in()
    yield session
    session.close()


@pytest.fixture(autouse=True)
def sources(live: LiveSession) -> Iterator[Mapping[str, str]]:
    """The sources as they were, and as the App shows them again after a test."""
    files = [*(live.checkout / "Modules").rglob("*.swift")]
    before = {file: file.read_text(encoding="utf-8") for file in files}
    yield {str(file.relative_to(live.checkout)): text for file, text in before.items()}
    for file, text in before.items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    live.settle()
    live.wait("Signed in as ann", "Ann Example", without="✗")


def test_target_is_compiled_before_its_first_edit(live: LiveSession) -> None:
    made = live.checkout / ".build/live/replaced/ProfileImplementation/OverviewContent.swift.o"
    live.wait_until(made.exists, "compile Profile")


def test_modules_saved_together_are_replaced_together_or_not_at_all(
    live: LiveSession, sources: Mapping[str, str]
) -> None:
    shouted = sources[PROFILE].replace(NAME, ".text(user.displayName.uppercased())")
    register = "registrar.register((any Login.Sessions).self"
    needs_more = sources[LOGIN].replace(register, f"{UNREGISTERED}\n        {register}")
    live.save({PROFILE: shouted, LOGIN: f"{needs_more}\n{GUARD}"})
    live.wait_for_log(r"Login, Profile not replaced: .*Double is not registered")
    live.wait("✗ Login, Profile not replaced", "Ann Example", without="ANN EXAMPLE")
    start = len(live.log)
    live.type(RELOAD)
    live.wait_for_log(r"Login, Profile not replaced: .*Double is not registered", after=start)
    # The next good save of one of the two replaces the other too.
    live.save({LOGIN: sources[LOGIN] + "\n"})
    live.wait("ANN EXAMPLE", "Signed in as ann", without="✗")
    live.wait_for_log(r"Login, Profile replaced in .*: LoginModule.swift, OverviewContent.swift")


def test_compile_error_blocks_only_the_modules_saved_with_it(live: LiveSession, sources: Mapping[str, str]) -> None:
    start = len(live.log)
    live.save(
        {PROFILE: sources[PROFILE].replace(NAME, ".text(user.id)"), LOGIN: sources[LOGIN] + "\nlet a: Int = nil\n"},
    )
    live.wait("✗ LoginModule.swift:", "Ann Example")
    live.save({CLIENT: sources[CLIENT] + "\n"})
    live.wait_for_log("HTTPClientImplementation is not used by this run", after=start)
    assert "Profile replaced" not in live.log[start:]
    live.save({LOGIN: sources[LOGIN]})
    live.wait_for_log("Login, Profile replaced", after=start)
    live.wait("Signed in as ann", without="Ann Example")


def test_module_that_this_run_does_not_have_is_kept_for_the_next_build(
    live: LiveSession, sources: Mapping[str, str]
) -> None:
    live.save(
        {
            CLIENT: sources[CLIENT] + "\n// Later.\n",
            PROFILE: sources[PROFILE].replace(NAME, ".text(user.displayName.lowercased())"),
        },
    )
    live.wait("ann example")
    live.wait_for_log("HTTPClientImplementation is not used by this run, and is kept for the next build: HTTPClientMod")
    live.wait_for_log(r"Profile replaced in .*: OverviewContent.swift\n")


def test_replaced_login_is_the_one_session(live: LiveSession, sources: Mapping[str, str]) -> None:
    live.save({LOGIN: sources[LOGIN] + "\n// New.\n"})
    live.wait_for_log(r"Login replaced in .*: LoginModule.swift")
    # The profile is read again meanwhile, and its choices have other numbers until then.
    live.wait("Login replaced in", "Edit display name")
    live.type(live.number_of("Sign out"))
    live.wait("You are not signed in.", without="Signed in as ann")
    live.sign_in()
    live.wait("Signed in as ann")


def test_state_that_the_new_version_cannot_read_starts_fresh_and_is_named(
    live: LiveSession, sources: Mapping[str, str]
) -> None:
    live.type(live.number_of("Edit display name"))
    live.wait("Edit profile")
    live.type("x")
    live.wait("Ann Examplex")
    changed = sources[EDITOR].replace(
        "        let draft: String\n", "        let draft: String\n        let note: String\n"
    )
    live.save({EDITOR: changed.replace("draft.map(SavedState.init)", 'draft.map { SavedState(draft: $0, note: "") }')})
    live.wait("EditorModel starts fresh: its state cannot be read", without="Ann Examplex")
    live.wait_for_log(r"EditorModel starts fresh: its state cannot be read\n.*note")
    live.type("\x1b")
    live.wait("@ann", without="Edit profile")


def test_key_restarts_and_restored_stack_is_kept_in_its_file(live: LiveSession) -> None:
    start = len(live.log)
    live.type(live.number_of("Profile of bob"))
    live.wait("Profile › Profile of bob")
    live.type(RESTART)
    live.wait_for_log(r"Restarted after \d+\.\d s: requested", after=start)
    # Keys before the first frame are dropped.
    live.wait("Profile › Profile of bob", "Signed in as ann", "✓ Restarted after")
    live.type("\x1b")
    # The row has the focus again, as before the restart.
    live.wait("@ann", "› Profile of bob", without="Profile › Profile of bob")
    file = live.checkout.parent / "stack.json"
    live.wait_until(lambda: file.read_text().count("profile.overview") == 1, "keep its stack")
    assert "ann" not in file.read_text()


def test_restart_keeps_a_password_that_is_being_typed_in_its_field(live: LiveSession) -> None:
    live.type(live.number_of("Sign out"))
    live.wait("You are not signed in.", without="Signed in as ann")
    live.type("\r")
    live.wait("User name:")
    live.type("ann\tsec")
    live.wait("•••")
    start = len(live.log)
    live.type(RESTART)
    while "Restarted after" not in live.log[start:]:
        # In the field, or dropped between the two runs, where the terminal would show it.
        live.type("x")
        live.read(0.02)
        assert "xx" not in live.text
    live.wait("User name:", "│ann", "✓ Restarted after", "•••")
    live.type("\x15sec")
    live.type("ret\r")
    live.wait("Signed in as ann", "@ann")


@pytest.mark.slow
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


def test_stack_that_the_restarted_app_cannot_read_starts_fresh_and_is_named(
    live: LiveSession, sources: Mapping[str, str]
) -> None:
    for identifier in ("profile.other", "profile.overview"):
        start = len(live.log)
        live.save({ROUTE: sources[ROUTE].replace('"profile.overview"', f'"{identifier}"')})
        live.wait_for_log(r"The App starts fresh: its state cannot be read\n.*", after=start)
        live.sign_in()


def test_save_during_a_build_starts_the_next_change(live: LiveSession, sources: Mapping[str, str]) -> None:
    start = len(live.log)
    live.save({INTERFACE: sources[INTERFACE] + '\nextension Profile { public static var note: String { "" } }\n'})
    live.wait_for_log("Building: Profile.swift belongs to ProfileInterface", after=start)
    live.save({PROFILE: sources[PROFILE].replace(NAME, ".text(user.displayName.uppercased())")})
    live.wait_for_log(r"(?s)Restarted after .*\n.*Profile replaced in .*: OverviewContent.swift", after=start)
    live.wait("ANN EXAMPLE", "Signed in as ann")


def test_conformance_for_a_type_of_another_module_restarts(live: LiveSession, sources: Mapping[str, str]) -> None:
    start = len(live.log)
    conforming = "\nprotocol Greeting {}\nextension Profile.User: Greeting {}\n"
    live.save({PROFILE: sources[PROFILE] + conforming})
    live.wait_for_log(
        "Building: ProfileImplementation declares a conformance for a type of another module", after=start
    )
    live.wait_for_log("Restarted after", after=start)
    live.wait("Ann Example", "Signed in as ann")


@pytest.mark.slow
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


@pytest.mark.slow
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
