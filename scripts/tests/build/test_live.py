"""The effects of edits in a live session of the App: replacements, restarts, compile errors and crashes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from live_session import BUILD_SECONDS, LiveSession, LiveSessionInShell
from repo_checkout import edit, plain

__all__ = ["plain"]

ENTRY = "Modules/Profile/Implementation/ProfileModule.swift"
CONTENT = "Modules/Profile/Implementation/OverviewContent.swift"
NAME = ".text(user.displayName)"
FLAGS = "Modules/FeatureFlags/Implementation/ServerConfiguration.swift"
VALUE = "flag.defaultValue"


@pytest.fixture(scope="module")
def live(plain: Path) -> Iterator[LiveSession]:
    """A session in which ann is signed in, and looks at the profile of bob above her own."""
    session = LiveSession(plain)
    session.sign_in()
    session.type("2")
    session.wait("Profile of bob")
    yield session
    session.close()


def test_save_in_an_implementation_replaces_the_module_and_keeps_the_session(live: LiveSession) -> None:
    edit(live.checkout, CONTENT, NAME, '.text("Name: \\(user.displayName)")')
    live.wait("Profile › Profile of bob", "Name: Bob", "Signed in as ann")
    line = live.wait_for_log(r"Profile replaced in .*")
    assert re.fullmatch(
        r"Profile replaced in \d+\.\d\d s \(compile \d.*, link \d.*, load \d.*\): OverviewContent.swift", line
    )
    # Saved twice within a second: the later one counts.
    edit(live.checkout, CONTENT, "Name: ", "Again: ")
    edit(live.checkout, CONTENT, "Again: ", "Once more: ")
    live.wait("Once more: Bob")
    edit(live.checkout, CONTENT, '.text("Once more: \\(user.displayName)")', NAME)
    live.wait("Signed in as ann", without="Once more: ")


def test_service_that_the_app_waits_for_is_replaced_with_the_screens_that_hold_it(live: LiveSession) -> None:
    edit(live.checkout, FLAGS, VALUE, f'"Replaced" as? Value ?? {VALUE}')
    live.wait("Replaced", "Bob", "Signed in as ann")
    live.wait_for_log(r"FeatureFlags replaced in .*: ServerConfiguration.swift")
    edit(live.checkout, FLAGS, f'"Replaced" as? Value ?? {VALUE}', VALUE)
    live.wait("Bob", "Signed in as ann", without="Replaced")


@pytest.mark.skipif(sys.platform != "linux", reason="imports a library that only Foundation for Linux has")
def test_replaced_module_has_a_new_import_a_new_conformance_and_a_new_stored_property(live: LiveSession) -> None:
    content, entry = ((live.checkout / path).read_text(encoding="utf-8") for path in (CONTENT, ENTRY))
    types = "\nprivate protocol Greeting {}\nprivate struct Fresh: Greeting {}\n"
    shown = '.text("\\(XMLElement.self) \\((Fresh() as Any) is any Greeting)")'
    live.save(
        {
            CONTENT: "import FoundationXML\n" + content.replace(NAME, shown) + types,
            ENTRY: entry.replace("    public init() {}", '    private let note = "kept"\n\n    public init() {}'),
        }
    )
    live.wait("XMLElement true", "Signed in as ann")
    # A burst of saves is one replacement.
    live.wait_for_log("load .*: OverviewContent.swift, ProfileModule.swift\n")
    live.save({CONTENT: content, ENTRY: entry})
    live.wait("Bob", "Signed in as ann", without="XMLElement")


def test_compile_error_is_shown_until_the_next_good_save(live: LiveSession) -> None:
    edit(live.checkout, CONTENT, NAME, ".text(user.nickname)")
    live.wait("✗ OverviewContent.swift:24: value of type 'Profile.User' has no member 'nickname'", "Bob")
    assert not re.search("✓.*nickname", live.text)
    live.wait_for_log(r"Modules/Profile/Implementation/OverviewContent.swift:24:\d+: error: value of type")
    edit(live.checkout, CONTENT, ".text(user.nickname)", NAME)
    live.wait("Signed in as ann", "Bob", without="nickname")


def test_edit_of_an_interface_restarts_the_program_with_its_screens_and_states(live: LiveSession) -> None:
    interface = live.checkout / "Modules/Profile/Interface/Profile.swift"
    before = interface.read_text(encoding="utf-8")
    interface.write_text(before + "\nextension Profile { public static var note: String { before } }\n")
    live.wait("cannot find 'before' in scope", "Bob")
    interface.write_text(before + "\nextension Profile { public static var note: String { String() } }\n")
    live.wait_for_log(r"Restarted after .*: .*")
    live.wait("Profile › Profile of bob", "Bob", "Signed in as ann")
    edit(live.checkout, CONTENT, NAME, ".text(Profile.note + user.displayName.uppercased())")
    live.wait("BOB", "Signed in as ann")
    edit(live.checkout, CONTENT, ".text(Profile.note + user.displayName.uppercased())", NAME)
    live.wait("Signed in as ann", without="BOB")


def test_second_session_of_the_checkout_is_refused(live: LiveSession) -> None:
    session = LiveSession(live.checkout)
    assert session.end() == 75
    assert f"process {live.process}, which began at" in session.text
    assert "is showing edits of this package live already" in session.text.replace("\n", "")
    live.wait("Signed in as ann")


def test_crash_restarts_the_program_with_its_screens_and_states(live: LiveSession) -> None:
    content = (live.checkout / CONTENT).read_text(encoding="utf-8")
    planted = content.replace("(title, action: load)", '(title) { fatalError("planted") }')
    (live.checkout / CONTENT).write_text(planted.replace('reload("Reload")', 'reload("Crash")'))
    live.wait("2 [ Crash ]", "Profile › Profile of bob")
    live.type("2")
    live.wait_for_log(r"App crashed \(signal \d+\)")
    live.wait_for_log(r"Restarted after a crash")
    # Which choice has the focus depends on whether it was saved before the crash.
    live.wait("[ Crash ]", "Profile › Profile of bob", "Bob", "✗ Restarted after a crash", "its backtrace is in")
    named = re.search(r"its backtrace is in (\.build/live/crash-.*\.log)", live.log)
    assert named and "planted" in (live.checkout / named[1]).read_text(encoding="utf-8")
    (live.checkout / CONTENT).write_text(content)
    live.wait("[ Reload ]", "Signed in as ann")


def test_three_crashes_in_a_row_end_the_session_with_the_reason(live: LiveSession) -> None:
    planted = "Display.Content(title: title, elements: (notice.map { [.text($0)] } ?? []) + elements)"
    before = live.log
    edit(live.checkout, CONTENT, planted, 'fatalError("planted")')
    assert live.end() > 128
    assert live.log.removeprefix(before).count("App crashed (signal") == 2
    assert "App crashed 3 times in a row" in live.log
    errors = live.checkout / ".build" / "live" / "errors.log"
    assert "OverviewContent.swift:7: Fatal error: planted" in errors.read_text(encoding="utf-8")
    # Of four crashes, the last three.
    assert len([*errors.parent.glob("crash-*.log")]) == 3
    edit(live.checkout, CONTENT, 'fatalError("planted")', planted)


def test_session_in_a_shell_stops_continues_and_ends_with_its_app(live: LiveSession) -> None:
    session = LiveSessionInShell(live.checkout)
    session.wait("You are not signed in.", seconds=BUILD_SECONDS)
    (tool,) = psutil.Process(session.process).children()
    (app,) = [each for each in tool.children() if each.name() == "App"]
    # The log is not on the screen, although there is no TERM.
    assert "App started" in session.log and "App started" not in session.text
    session.type("\x1a")
    session.wait("Stopped", "prompt>")
    session.type("echo $((40 + 2)) shown\r")
    session.wait("echo $((40 + 2)) shown", "42 shown")
    assert {tool.status(), app.status()} == {psutil.STATUS_STOPPED}
    session.type("fg\r")
    session.wait("You are not signed in.", without="prompt>")
    session.type("?")
    session.wait("Esc close")
    tool.kill()
    session.wait("Killed", "prompt>")
    session.wait_until(lambda: not app.is_running(), "end the App")
    session.type("echo $((40 + 3)) shown\r")
    session.wait("echo $((40 + 3)) shown", "43 shown")
    session.type("exit\r")
    session.end()


def test_session_ends_with_the_program_and_names_its_log(live: LiveSession) -> None:
    session = LiveSession(live.checkout)
    session.wait("You are not signed in.", seconds=BUILD_SECONDS)
    session.type("q")
    assert session.end() == 0
    # Over the last screen, because pyte has no second one.
    assert "The log of this session is in" in session.text.replace("\n", "")
