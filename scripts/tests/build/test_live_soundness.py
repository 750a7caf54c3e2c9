"""A live session does what a clean build does, and runs for long."""

from __future__ import annotations

import os
import random
import re
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from live_session import NAME, PROFILE, LiveSession, ProgramInTerminal
from made_files import ran
from repo_checkout import edit
from swiftmodules.steps.edit import EDITS, place_all
from swiftmodules.steps.placement import Placement, Replacement, Site, rewrite
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.reader import read_sources
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.slow
# For each replaceable module, the text of a file to which a number is added, which shows that an edit runs. Nothing of
# Storage is on a screen.
MARKS = {
    "Home": (Path("Modules/Home/Implementation/HomeModule.swift"), b'title: "Home'),
    "HTTPClient": (Path("Modules/HTTPClient/Embedded/EmbeddedBackend.swift"), b'"Profile of bob'),
    # No label of a field, which would widen the dialog.
    "Login": (Path("Modules/Login/Implementation/SignInFeature.swift"), b'Display.Button("Sign in'),
    "Notes": (Path("Modules/Notes/Implementation/List/NoteListView.swift"), b'"New note'),
    "Profile": (Path(PROFILE), b'"@\\(user.id)'),
    "Storage": None,
}
# In each module, one edit of so many is made, in each another one, and compared with a clean build at the end; the full
# counts are 1, with a clean build for each module, and 1000.
ONE_EDIT_OF = int(os.environ.get("LIVE_ONE_EDIT_OF", str(len(MARKS))))
REPLACEMENTS = int(os.environ.get("LIVE_REPLACEMENTS", "20"))
# A file whose declarations another one uses. Each kind of edit inserts a text with its number in one of the places, of
# which the first three are in bodies.
DECLARING, USING = (Path(PROFILE).with_name(f"{name}.swift") for name in ("Declaring", "Using"))
PLACES = ("body", "getter", "opaque", "argument", "constant", "stored", "case", "requirement", "method", "overload")
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


def declarations(edit: int, place: str) -> str:
    """The declarations with an edit in one place."""
    texts = {each: INSERTED[each].format(edit) if each == place else "" for each in PLACES} | {"edit": str(edit)}
    return re.sub(r"#(\w+)", lambda found: texts[found[1]], DECLARATIONS)


class EditedCheckout:
    """A checkout in which edits are made one above the other."""

    def __init__(self, checkout: Path, toolchain: Toolchain) -> None:
        package = read_package(checkout, toolchain)
        self._sources = read_sources(checkout, package, toolchain)
        modules = {name: each for name, each in package.modules.items() if name in MARKS}
        self.placements, _ = place_all(EDITS, Site(package, self._sources), modules)
        self._changes: dict[Path, list[Replacement]] = {}

    def texts(self, placement: Placement, module: str, number: int) -> Mapping[str, str]:
        """The files with one more edit, and with the mark of its module moved."""
        self._changes.setdefault(placement.file, []).extend(each.numbered(number) for each in placement.insertions)
        mark = MARKS[module]
        if mark is None:
            return self._rewritten(placement.file)
        file, text = mark
        end = self._sources[file].text.index(text) + len(text)
        changes = self._changes.setdefault(file, [])
        changes[:] = [each for each in changes if each.start != end]
        changes.append(Replacement(end, end, b" #%d" % number))
        return self._rewritten(placement.file, file)

    def _rewritten(self, *paths: Path) -> Mapping[str, str]:
        return {str(path): rewrite(self._sources[path].text, self._changes[path]).decode() for path in paths}


def screens(program: LiveSession) -> Sequence[str]:
    """Returns the App's screens from the first through a session back to it, without the bottom line."""
    seen: list[str] = []

    def look(*texts: str, without: str = "\0") -> None:
        program.wait(*texts, without=without)
        # Nothing is being loaded.
        while program.read(0.25):
            pass
        seen.append("\n".join(program.text.splitlines()[:-1]))

    look("Sign in", without="Signed in as")
    program.type("2")
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
    look("Sign out — ann")
    program.type(program.number_of("Sign out"))
    look("Sign in", without="Signed in as")
    return seen


def without_marks(screens: Sequence[str]) -> Sequence[str]:
    def padded(line: re.Match[str]) -> str:
        return f"{line[2]:<{len(line[1] + line[2])}}│"

    # The column of a list has an edge, which stays where it is.
    edged = [re.sub(r"( #\d+)([^│\n]*  )│", padded, each) for each in screens]
    return [re.sub(r" #\d+", "", each) for each in edged]


class CleanBuild(LiveSession):
    """The App after a clean build of the sources of a checkout."""

    def __init__(self, checkout: Path, folder: Path, toolchain: Toolchain, *arguments: str) -> None:
        ran(toolchain, "swift", "build", "--package-path", checkout, "--scratch-path", folder, "--product", "App")
        environment = dict(os.environ) | {"TERM": "xterm-256color"}
        ProgramInTerminal.__init__(self, [str(folder / "debug" / "App"), *arguments], environment, 110, 24)


def test_replacements_in_a_row_leak_nothing_but_the_libraries(shared_checkout: Path) -> None:
    with closing(LiveSession(shared_checkout)) as live:
        live.sign_in()
        app = app_of(live)
        texts = [(NAME, '.text(user.displayName + " 0")')]
        texts += [(f'+ " {number}")', f'+ " {number + 1}")') for number in range(REPLACEMENTS)]
        memory: list[int] = []
        for number, (old, new) in enumerate(texts):
            edit(shared_checkout, PROFILE, old, new)
            live.wait(f"Ann Example {number}\n", "Signed in as ann")
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


def test_edits_in_every_replaceable_module_show_what_a_clean_build_shows(
    shared_checkout: Path, toolchain: Toolchain, tmp_path: Path
) -> None:
    edited = EditedCheckout(shared_checkout, toolchain)
    assert {module for _, module in edited.placements} == set(MARKS)
    with closing(LiveSession(shared_checkout, "--data", str(tmp_path / "data"))) as live:
        live.wait("3 Sign in", seconds=600)
        expected = screens(live)
        for order, (module, mark) in enumerate(MARKS.items()):
            steps = [placement for (_, where), placement in edited.placements.items() if where == module]
            for number, placement in enumerate(steps, start=100 * (order + 1)):
                if (number + order) % ONE_EDIT_OF:
                    continue
                live.mark()
                live.save(edited.texts(placement, module, number))
                live.wait_for_log(r"replaced in |Restarted after ")
                shown = screens(live)
                assert without_marks(shown) == expected, placement.description
                assert mark is None or any(f" #{number}" in screen for screen in shown), placement.description
                assert "crashed" not in live.log
            if ONE_EDIT_OF == 1 or order == len(MARKS) - 1:
                folder, data = tmp_path / f"clean-{module}", tmp_path / f"data-{module}"
                with closing(CleanBuild(shared_checkout, folder, toolchain, "--data", str(data))) as clean:
                    assert screens(clean) == shown


def test_edits_of_one_file_show_what_a_clean_build_of_the_files_shows(
    shared_checkout: Path, toolchain: Toolchain, tmp_path: Path
) -> None:
    (shared_checkout / DECLARING).write_text(declarations(0, ""))
    (shared_checkout / USING).write_text(USES)
    edit(shared_checkout, PROFILE, NAME, f"{NAME}, .text(shown())")
    places = [*PLACES * EDITS_OF_A_KIND]
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


def test_first_edit_of_a_target_costs_little_more_than_the_next_ones(shared_checkout: Path) -> None:
    """In seconds of the processor, because other processes use it too."""
    with closing(LiveSession(shared_checkout)) as live:
        live.sign_in()
        tool = psutil.Process(live.process)
        for module in ("Profile", "Login", "Notes"):
            mark = MARKS[module]
            assert mark
            path, text = mark
            before = (shared_checkout / path).read_text()
            spent: list[float] = []
            for number in range(6):
                live.mark()
                start = sum(tool.cpu_times()[:4])
                live.save({str(path): before.replace(text.decode(), f"{text.decode()} #{number}")})
                live.wait_for_log(f"{module} replaced in")
                # The variables of the module are looked for afterwards.
                live.read_all(0.5)
                spent.append(sum(tool.cpu_times()[:4]) - start)
            print(f"{module}: {[round(each, 2) for each in spent]} s")
            # The first edit of a session also loads what all targets share.
            most = 2.0 if module == "Profile" else 1.75
            assert spent[0] <= most * statistics.median(spent[1:]), (module, spent)


def app_of(live: LiveSession) -> psutil.Process:
    (found,) = [each for each in psutil.Process(live.process).children() if each.name() == "App"]
    return found
