"""A live session shows what a build shows, and runs for long."""

from __future__ import annotations

import os
import random
import re
import statistics
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from live_session import BUILD_SECONDS, NAME, PROFILE, RESTART, LiveSession
from made_files import ran
from repo_checkout import edit
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.slow
# For each replaceable module, a text of a file to which a number is added, which shows that an edit runs.
MARKS = {
    "Home": ("Modules/Home/Implementation/HomeModule.swift", 'title: "Home'),
    "HTTPClient": ("Modules/HTTPClient/Embedded/EmbeddedBackend.swift", '"Profile of bob'),
    # No label of a field, which would widen the dialog.
    "Login": ("Modules/Login/Implementation/SignInFeature.swift", 'Display.Button("Sign in'),
    "Notes": ("Modules/Notes/Implementation/List/NoteListView.swift", '"New note'),
    "Profile": (PROFILE, '"@\\(user.id)'),
}
# The full count is 1000.
REPLACEMENTS = int(os.environ.get("LIVE_REPLACEMENTS", "20"))
# A file whose declarations another one uses. Each kind of edit inserts a text with its number in one of the places, of
# which the first three are in bodies.
DECLARING, USING = (Path(PROFILE).with_name(f"{name}.swift") for name in ("Declaring", "Using"))
EDITS_OF_A_KIND = 4
DECLARATIONS = """\
func edited() -> Int { #edit }
func body() -> Int { 1#body }
var getter: Int { 1#getter }
func opaque() -> some CustomStringConvertible { 1#opaque }
func scaled(by factor: Int = 1#argument) -> Int { factor }
let constant = 1#constant
struct Pair { #stored var first = 1, second = 2 }
enum Step { case #case one, two }
func name(of step: Step) -> String { "\\(step)" }
protocol Named { #requirement var name: String { get } }
extension Named { var other: String { "other" } }
struct Note: Named { var name: String { "note" } }
func named() -> any Named { Note() }
class Base { #method func first() -> Int { 1 } }
class Derived: Base { override func first() -> Int { 2 } }
func base() -> Base { Derived() }
func chosen<Value>(_ value: Value) -> String { "any" }
#overload
"""
USES = """\
func shown() -> String {
    let values: [Any] = [
        body(), getter, opaque(), scaled(), constant, Pair().second, name(of: .two), named().name, base().first(),
        chosen(1),
    ]
    return "edit \\(edited()): " + values.map { "\\($0)" }.joined(separator: " ") + "."
}
"""
INSERTED = {
    "body": " + {}",
    "getter": " * {}",
    "opaque": ' == 1 ? "{}" : ""',
    "argument": "{}",
    "constant": "{}",
    "stored": "var inserted = {};",
    "case": "inserted{},",
    "requirement": "var other: String {{ get }}; // {}\n",
    "method": "func inserted() -> Int {{ {} }};",
    "overload": 'func chosen(_ value: Int) -> String {{ "{}" }}',
}


class LiveSessionOfSwiftBuild(LiveSession):
    """A session with a SwiftPM that offers no native build system."""

    def _started(self, command: Sequence[str], environment: dict[str, str]) -> Sequence[str]:
        python, _, module, *arguments = command
        code = (
            "import runpy, swiftmodules.live.build as build; "
            "build.native_engine = lambda _: ('--build-system', 'swiftbuild'); "
            f"runpy.run_module('{module}', run_name='__main__')"
        )
        return [python, "-c", code, *arguments]


@pytest.fixture(autouse=True)
def profile(shared_checkout: Path) -> Iterator[None]:
    """The content of the profile, as it was for the next test."""
    before = (shared_checkout / PROFILE).read_text()
    yield
    (shared_checkout / PROFILE).write_text(before)


def declarations(edit: int, place: str) -> str:
    """The declarations with an edit in one place."""
    texts = {each: INSERTED[each].format(edit) if each == place else "" for each in INSERTED} | {"edit": str(edit)}
    return re.sub(r"#(\w+)", lambda found: texts[found[1]], DECLARATIONS)


def screens(program: LiveSession) -> Sequence[str]:
    """Returns the App's screens from the first through a session back to it, without the bottom line and the focus."""
    seen: list[str] = []

    def look(*texts: str, without: str = "\0") -> None:
        program.wait(*texts, without=without)
        # Nothing is being loaded.
        while program.read(0.25):
            pass
        shown = "\n".join(program.text.splitlines()[:-1])
        seen.append(re.sub(r"(?<=│)[›\d] ", "  ", shown))

    look("Sign in", without="Signed in as")
    program.press("2", lambda: "User name:" in program.text)
    look("› User name:")
    program.type("ann\tsecret\r")
    look("@ann", "Signed in as ann")
    program.type(program.number_of("Profile of bob"))
    look("Bob Builder")
    program.type("\x1b")
    look("Ann Example")
    program.type(program.number_of("Notes"))
    look("New note", "Synchronise")
    program.type("\x1b")
    look("Ann Example")
    program.type("\x1b")
    look("Sign out")
    program.type(program.number_of("Sign out"))
    look("Sign in", without="Signed in as")
    return seen


def test_replacements_in_a_row_leak_nothing_but_the_libraries(shared_checkout: Path) -> None:
    with closing(LiveSession(shared_checkout)) as live:
        live.sign_in()
        app = app_of(live)
        texts = [(NAME, '.text(user.displayName + " 0")')]
        texts += [(f'+ " {number}")', f'+ " {number + 1}")') for number in range(REPLACEMENTS)]
        memory: list[int] = []
        for number, (old, new) in enumerate(texts):
            edit(shared_checkout, PROFILE, old, new)
            live.wait(f"Ann Example {number} ", "Signed in as ann")
            memory.append(app.memory_info().rss)
        libraries = len({each.path for each in app.memory_maps() if "ProfileImplementation-" in each.path})
        mapped = sum(each.rss for each in app.memory_maps() if "ProfileImplementation-" in each.path)
        # The first ones fill caches.
        each = (memory[-1] - memory[5]) / (len(memory) - 6)
        print(
            f"{libraries} libraries, {each:.0f} bytes for each, of these {mapped / libraries:.0f} of the library itself"
        )
        assert libraries == REPLACEMENTS + 1 and app.is_running()
        assert each - mapped / libraries < 300_000
        assert "crashed" not in live.log


def test_edits_of_one_file_show_what_a_clean_build_of_the_files_shows(
    shared_checkout: Path, toolchain: Toolchain, tmp_path: Path
) -> None:
    (shared_checkout / DECLARING).write_text(declarations(0, ""))
    (shared_checkout / USING).write_text(USES)
    edit(shared_checkout, PROFILE, NAME, f"{NAME}, .text(shown())")
    places = [*INSERTED] * EDITS_OF_A_KIND
    random.Random(1).shuffle(places)
    with closing(LiveSession(shared_checkout)) as live:
        live.sign_in()
        for number, place in enumerate(places, start=1):
            text = declarations(number, place)
            live.save({str(DECLARING): text})
            live.wait(f"edit {number}: ")
            found = re.search(rf"edit {number}: .*?\.", live.text)
            assert found and found[0] == cleanly_shown(tmp_path, text, toolchain), (place, live.text)
        assert "crashed" not in live.log and "Restarted" not in live.log


def cleanly_shown(folder: Path, text: str, toolchain: Toolchain) -> str:
    """What a program of the two files shows after a clean build."""
    files = {"Declaring.swift": text, "Using.swift": USES, "main.swift": "print(shown())\n"}
    for name, content in files.items():
        (folder / name).write_text(content)
    program = folder / "program"
    ran(toolchain, "swiftc", "-swift-version", "6", *(folder / name for name in files), "-o", program)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout.strip()


def test_first_edit_of_each_module_costs_little_more_than_later_ones_and_all_show_what_a_build_shows(
    shared_checkout: Path,
) -> None:
    """In seconds of the processor, because other processes use it too."""
    with closing(LiveSession(shared_checkout, "--ephemeral")) as live:
        live.wait("3 Sign in", seconds=BUILD_SECONDS)
        settled(live)
        for order, (module, (path, text)) in enumerate(MARKS.items()):
            before = (shared_checkout / path).read_text()
            spent: list[float] = []
            for number in range(6):
                live.mark()
                start = seconds_of(live)
                live.save({path: before.replace(text, f"{text} #{order}{number}")})
                live.wait_for_log(f"{module} replaced in")
                # The variables of the module are looked for afterwards.
                spent.append(settled(live) - start)
                assert "Restarted" not in live.log
            print(f"{module}: {[round(each, 2) for each in spent]} s")
            assert spent[0] <= 1.3 * statistics.median(spent[1:]), (module, spent)
        shown = screens(live)
        for order, module in enumerate(MARKS):
            assert any(f" #{order}5" in screen for screen in shown), module
        live.type(RESTART)
        live.wait_for_log("Restarted after")
        live.wait("Sign in", without="Signed in as")
        assert screens(live) == shown


def test_session_without_the_native_build_system_restarts_for_each_edit(shared_checkout: Path) -> None:
    with closing(LiveSessionOfSwiftBuild(shared_checkout)) as live:
        live.sign_in()
        edit(shared_checkout, PROFILE, NAME, ".text(user.displayName.uppercased())")
        live.wait_for_log("Building: ProfileImplementation has no command to compile it")
        live.wait("ANN EXAMPLE", "Signed in as ann", seconds=BUILD_SECONDS)
        assert "Restarted after" in live.log


def seconds_of(live: LiveSession) -> float:
    """The seconds of the processor that the session has spent, without its App."""
    return sum(psutil.Process(live.process).cpu_times()[:4])


def settled(live: LiveSession) -> float:
    """Waits until the session only looks for saves, and returns its seconds of the processor."""
    before, now = -1.0, seconds_of(live)
    while now - before > 0.02:
        live.read_all(1)
        before, now = now, seconds_of(live)
    return now


def app_of(live: LiveSession) -> psutil.Process:
    (found,) = [each for each in psutil.Process(live.process).children() if each.name() == "App"]
    return found
