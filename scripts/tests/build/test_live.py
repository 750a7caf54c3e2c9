"""A live session of the App: what edits replace, what restarts it, what it carries over, and its ends."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping

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
from repo_checkout import edit

pytest_plugins = ("live_fixtures",)
pytestmark = pytest.mark.usefixtures("sources")
FLAGS = "Modules/FeatureFlags/Implementation/ServerConfiguration.swift"
PRESSED = "extension OverviewModel {"
COUNTING = "@MainActor private var presses = 0\n@MainActor func pressed() -> Int { presses += 1; return presses }\n"


@pytest.fixture
def bob(live: LiveSession, sources: Mapping[str, str]) -> Iterator[LiveSession]:
    """The session, in which ann looks at the profile of bob above her own."""
    live.type(live.number_of("Profile of bob"))
    live.wait("Profile › Profile of bob", "Bob")
    yield live
    live.type("\x1b")
    live.wait("@ann", without="Profile › Profile of bob")


def test_save_in_an_implementation_replaces_the_module_and_keeps_the_session(bob: LiveSession) -> None:
    edit(bob.checkout, PROFILE, NAME, '.text("Name: \\(user.displayName)")')
    bob.wait("Profile › Profile of bob", "Name: Bob", "Signed in as ann")
    bob.wait_for_log(r"Profile replaced in \d+\.\d\d s: OverviewContent.swift\n")
    # Saved twice within a second: the later one counts.
    edit(bob.checkout, PROFILE, "Name: ", "Again: ")
    edit(bob.checkout, PROFILE, "Again: ", "Once more: ")
    bob.wait("Once more: Bob")
    assert "Warning" not in bob.log
    # A variable of the module is another one in the new library.
    edit(bob.checkout, PROFILE, "Once more: ", "\\(pressed()) ")
    edit(bob.checkout, PROFILE, PRESSED, f"{COUNTING}{PRESSED}")
    bob.wait_for_log(r"Warning: reset to their initial values: presses \(OverviewContent\.swift\)")


def test_service_that_the_app_waits_for_is_replaced_with_the_screens_that_hold_it(bob: LiveSession) -> None:
    edit(bob.checkout, FLAGS, "flag.defaultValue", '"Replaced" as? Value ?? flag.defaultValue')
    bob.wait("Replaced", "Bob", "Signed in as ann")
    bob.wait_for_log(r"FeatureFlags replaced in .*: ServerConfiguration.swift")


@pytest.mark.skipif(sys.platform != "linux", reason="imports a library that only Foundation for Linux has")
def test_replaced_module_has_a_new_import_a_new_conformance_and_a_new_stored_property(
    bob: LiveSession, sources: Mapping[str, str]
) -> None:
    types = "\nprivate protocol Greeting {}\nprivate struct Fresh: Greeting {}\n"
    shown = '.text("\\(XMLElement.self) \\((Fresh() as Any) is any Greeting)")'
    bob.save(
        {
            PROFILE: "import FoundationXML\n" + sources[PROFILE].replace(NAME, shown) + types,
            ENTRY: sources[ENTRY].replace(
                "    public init() {}", '    private let note = "kept"\n\n    public init() {}'
            ),
        }
    )
    bob.wait("XMLElement true", "Signed in as ann")
    # A burst of saves is one replacement.
    bob.wait_for_log("Profile replaced in .*: OverviewContent.swift, ProfileModule.swift\n")


def test_compile_error_is_shown_until_the_next_good_save(bob: LiveSession) -> None:
    edit(bob.checkout, PROFILE, NAME, ".text(user.nickname)")
    bob.wait("✗ OverviewContent.swift:23: value of type 'Profile.User' has no member 'ni", "Bob")
    assert not re.search("✓.*nickname", bob.text)
    bob.wait_for_log(r"Modules/Profile/Implementation/OverviewContent.swift:23:\d+: error: value of type")
    edit(bob.checkout, PROFILE, ".text(user.nickname)", NAME)
    bob.wait("Signed in as ann", "Bob", without="nickname")


def test_edit_of_an_interface_restarts_the_program_with_its_screens_and_states(
    bob: LiveSession, sources: Mapping[str, str]
) -> None:
    bob.save({INTERFACE: sources[INTERFACE] + "\nextension Profile { public static var note: String { before } }\n"})
    bob.wait("cannot find 'before' in scope", "Bob")
    bob.mark()
    bob.save({INTERFACE: sources[INTERFACE] + "\nextension Profile { public static var note: String { String() } }\n"})
    bob.wait_for_log("Building: the last build failed")
    # What is saved during a build is the next change.
    edit(bob.checkout, PROFILE, NAME, ".text(Profile.note + user.displayName.uppercased())")
    bob.wait_for_log(r"(?s)Restarted after .*\n.*Profile replaced in .*: OverviewContent.swift")
    bob.wait("Profile › Profile of bob", "BOB", "Signed in as ann")


def test_crash_restarts_the_program_with_its_screens_and_states(bob: LiveSession, sources: Mapping[str, str]) -> None:
    planted = sources[PROFILE].replace("(title, action: load)", '(title) { fatalError("planted") }')
    bob.save({PROFILE: planted.replace('reload("Reload")', 'reload("Crash")')})
    bob.wait("2 [ Crash ]", "Profile › Profile of bob")
    bob.type("2")
    bob.wait_for_log(r"App crashed \(signal \d+\)")
    bob.wait_for_log(r"Restarted after a crash")
    # Which choice has the focus depends on whether it was saved before the crash.
    bob.wait("[ Crash ]", "Profile › Profile of bob", "Bob", "✗ Restarted after a crash", "; see .build")
    assert "see .build/live/errors.log" in bob.log
    assert "planted" in (bob.checkout / ".build/live/errors.log").read_text(encoding="utf-8")
    bob.save({PROFILE: sources[PROFILE]})
    bob.wait("[ Reload ]", "Signed in as ann")


def test_modules_saved_together_are_replaced_together_or_not_at_all(
    live: LiveSession, sources: Mapping[str, str]
) -> None:
    shouted = sources[PROFILE].replace(NAME, ".text(user.displayName.uppercased())")
    register = "registrar.register((any Login.Sessions).self"
    needs_more = sources[LOGIN].replace(register, f"{UNREGISTERED}\n        {register}")
    live.save({PROFILE: shouted, LOGIN: f"{needs_more}\n{GUARD}"})
    live.wait_for_log(r"Login, Profile not replaced: .*Double is not registered")
    live.wait("✗ Login, Profile not replaced", "Ann Example", without="ANN EXAMPLE")
    # The next good save of one of the two replaces the other too.
    live.save({LOGIN: sources[LOGIN] + "\n"})
    live.wait("ANN EXAMPLE", "Signed in as ann", without="✗")
    live.wait_for_log(r"Login, Profile replaced in .*: LoginModule.swift, OverviewContent.swift")


def test_compile_error_blocks_only_the_modules_saved_with_it(live: LiveSession, sources: Mapping[str, str]) -> None:
    live.save(
        {
            PROFILE: sources[PROFILE].replace(NAME, '.text("\\(user.id)")'),
            LOGIN: sources[LOGIN] + "\nlet a: Int = nil\n",
        },
    )
    live.wait("✗ LoginModule.swift:", "Ann Example")
    unused = "HTTPClientImplementation is not used by this run, and is kept for the next build: HTTPClientModule.swift"
    live.save({CLIENT: sources[CLIENT] + "\n"})
    live.wait_for_log(unused)
    assert "Profile replaced" not in live.log
    # With others too, it is only kept.
    live.save({LOGIN: sources[LOGIN], CLIENT: sources[CLIENT] + "\n// Later.\n"})
    live.wait_for_log(rf"(?s){unused}.*{unused}")
    live.wait_for_log(r"Login, Profile replaced in .*: LoginModule.swift, OverviewContent.swift\n")
    live.wait("Signed in as ann", without="Ann Example")


def test_replaced_login_is_the_one_session(live: LiveSession, sources: Mapping[str, str]) -> None:
    live.save({LOGIN: sources[LOGIN] + "\n// New.\n"})
    live.wait_for_log(r"Login replaced in .*: LoginModule.swift")
    live.wait("Login replaced in")
    # The profile is read again meanwhile, and its choices have other numbers until then.
    live.wait("Edit display name")
    live.type("\x1b")
    live.type(live.number_of("Sign out"))
    live.wait("Sign in", without="Signed in as ann")
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
    live.type(live.number_of("Profile of bob"))
    live.wait("Profile › Profile of bob")
    live.type(RESTART)
    live.wait_for_log(r"Restarted after \d+\.\d s: requested")
    live.wait("Profile › Profile of bob", "Signed in as ann", "✓ Restarted after")
    live.press("\x1b", lambda: "Profile › Profile of bob" not in live.text)
    # The row has the focus again, as before the restart.
    live.wait("@ann", "› Profile of bob", without="Profile › Profile of bob")
    file = live.checkout.parent / "stack.json"
    live.wait_until(lambda: file.read_text().count("profile.overview") == 1, "keep its stack")
    assert "ann" not in file.read_text()


def test_second_session_of_the_checkout_is_refused(live: LiveSession) -> None:
    session = LiveSession(live.checkout)
    assert session.end() == 75
    assert f"process {live.process}, which began at" in session.text
    assert "is showing edits of this package live already" in session.text.replace("\n", "")
    live.wait("Signed in as ann")


def test_three_crashes_in_a_row_end_the_session_with_the_reason(live: LiveSession) -> None:
    planted = "Display.Content(title: title, elements: (notice.map { [.text($0)] } ?? []) + elements)"
    edit(live.checkout, PROFILE, planted, 'fatalError("planted")')
    assert live.end() > 128
    assert live.log.count("App crashed (signal") == 2
    assert "App crashed 3 times in a row" in live.log
    errors = live.checkout / ".build/live" / "errors.log"
    assert "OverviewContent.swift:6: Fatal error: planted" in errors.read_text(encoding="utf-8")


def test_session_in_a_shell_stops_continues_and_ends_with_its_app(live: LiveSession) -> None:
    session = LiveSessionInShell(live.checkout)
    session.wait("3 Sign in", seconds=BUILD_SECONDS)
    (tool,) = psutil.Process(session.process).children()
    (app,) = [each for each in tool.children() if each.name() == "App"]
    # The log is not on the screen, although there is no TERM.
    assert "App started" in session.log and "App started" not in session.text
    session.press("\x1a", lambda: "Stopped" in session.text and "prompt>" in session.text)
    session.type("echo $((40 + 2)) shown\r")
    session.wait("echo $((40 + 2)) shown", "42 shown")
    assert {tool.status(), app.status()} == {psutil.STATUS_STOPPED}
    session.type("bg\r")
    session.type("echo $((40 + 1)) shown\r")
    session.wait("41 shown")
    # In the background, both stop again.
    session.wait_until(lambda: {tool.status(), app.status()} == {psutil.STATUS_STOPPED}, "stop in the background")
    session.type("clear; echo $((40 + 4)) shown\r")
    session.wait("44 shown", without="3 Sign in")
    session.type("fg\r")
    session.wait("3 Sign in", without="prompt>")
    session.type("q")
    session.wait("prompt>")
    # Over the last screen, because pyte has no second one.
    assert "log of this session is in" in session.text.replace("\n", "")
    session.type("echo $(($? + 43)) shown\r")
    session.wait("43 shown")
    session.type("exit\r")
    session.end()
