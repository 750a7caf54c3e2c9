"""What `measure advise` predicts of a client without an interface, and what a real split of it costs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from made_files import committed, files, git
from runs import CHOICES, advice_on, files_of, measured
from swiftmodules.cli import main
from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.since import Since, since
from swiftmodules.measure.advise import Advice, Split
from swiftmodules.swiftpm.package import read_package
from swiftmodules.swiftpm.toolchain import Toolchain

Needs = Mapping[str, Sequence[str]]
PROGRAMS = ("App", "Shop", "Admin")


def manifest(needs: Needs) -> str:
    """The manifest of a package of targets, each with the names of those that it depends on."""

    def target(name: str) -> str:
        kind = "executableTarget" if name in PROGRAMS else "testTarget" if name.endswith("Tests") else "target"
        return f'.{kind}(name: "{name}", dependencies: {json.dumps(needs[name])})'

    targets = ", ".join(map(target, needs))
    header = "// swift-tools-version: 6.0\nimport PackageDescription\n"
    return f'{header}let package = Package(name: "Some", targets: [{targets}])\n'


CLIENT, PAGE, CODEC = (f"Sources/Client/{name}.swift" for name in ("Client", "Page", "Codec"))
USERS = [f"Sources/{name}.swift" for name in ("Feed/Feed", "Feed/Story", "Feed/Teaser", "Home/Home", "Home/Tile")]
NEEDS: Needs = {
    "Client": [],
    "Feed": ["Client"],
    "Home": ["Client"],
    "App": ["Client", "Feed", "Home"],
    **{f"{name}Tests": [name] for name in ("Client", "Feed", "Home")},
}
# A class that five files of two modules use, with a value, and code of its own.
STATE: Mapping[str, str] = {
    "Package.swift": manifest(NEEDS),
    CLIENT: """public final class Client {
    public init() {}

    public func load(_ name: String) -> Page { Page(text: encoded(name)) }

    public func unused() -> String { "" }
}
""",
    PAGE: """public struct Page {
    public var text: String

    public init(text: String) {
        self.text = text
    }

    public func line() -> String { text }
}
""",
    CODEC: "func encoded(_ name: String) -> String { name }\n",
    **{f"Sources/Client/Part{number}.swift": f"struct Part{number} {{}}\n" for number in range(4)},
    **{
        path: f"import Client\n\npublic func {Path(path).stem.lower()}(_ client: Client) -> String {{\n"
        "    client.load(String()).line()\n}\n"
        for path in USERS
    },
    "Sources/App/main.swift": "import Client\nimport Feed\nimport Home\n\nprint(feed(Client()), home(Client()))\n",
    **{f"Tests/{name}Tests/Some.swift": f"import {name}\n" for name in ("Client", "Feed", "Home")},
}
Edits = Mapping[str, tuple[str, str, str]]
Divide = Callable[[Mapping[str, str]], Mapping[str, str]]
# By subject: the file, a text in it, and what is put before that.
HELPERS: Edits = {
    f"Helper {number}": (CLIENT, "public final", f"private func helper{number}() {{}}\n\n") for number in range(4)
}
LATER: Edits = {
    "A body": (CLIENT, "Page(text", "_ = 1; return "),
    "Beside it": (CODEC, "func", "private func other() {}\n\n"),
    "Public, and used by nobody": (CLIENT, "    public func unused", "    public func clear() {}\n\n"),
    "Used": (CLIENT, "public func load", "@discardableResult "),
    "A body of a value": (PAGE, "text }", "_ = 1; return "),
    "Stored": (PAGE, "    public init", "    public var size = 0\n\n"),
    "Another module": (USERS[0], "public func", "private func own() {}\n\n"),
}


def states(state: Mapping[str, str], edits: Edits) -> Iterator[tuple[str, Mapping[str, str]]]:
    """A package at first, and after each edit, with its subject."""
    yield "First", state
    for subject, (path, place, added) in edits.items():
        state = {**state, path: state[path].replace(place, added + place, 1)}
        yield subject, state


def with_interface(state: Mapping[str, str], needs: Needs, name: str, value: str, protocol: str) -> dict[str, str]:
    """The package with an interface of what others use of a target: a protocol for its class, and a value as it is."""
    interface, own = f"{name}Interface", f"Sources/{name}/{name}.swift"
    users = {path: text for path, text in state.items() if f": {name})" in text}
    modules = {path.split("/")[1] for path in users}
    needed = {
        target: [interface if each == name and target in modules else each for each in own]
        for target, own in needs.items()
    }
    found = {path: text.replace(f"{name}()", f"Own{name}()") for path, text in state.items()}
    found["Package.swift"] = manifest({**needed, name: [*needs[name], interface], interface: []})
    found[f"Sources/{interface}/{name}.swift"] = f"public protocol {name} {{\n    {protocol}\n}}\n"
    found[f"Sources/{interface}/{value}.swift"] = found.pop(f"Sources/{name}/{value}.swift")
    found[own] = f"import {interface}\n\n" + state[own].replace(f"class {name}", f"class Own{name}: {name}")
    for path, text in users.items():
        found[path] = text.replace(f"import {name}", f"import {interface}").replace(f": {name}", f": any {name}")
    return found


def divided(state: Mapping[str, str]) -> dict[str, str]:
    ((attribute, requirement),) = re.findall(r"^    (.*)public (func load.*?) \{", state[CLIENT], re.M)
    return with_interface(state, NEEDS, "Client", "Page", attribute + requirement)


# A class and an enum in the middle of a chain, in two programs: one below names the class too.
LIST, CATEGORY, SORT = (f"Sources/Catalog/{name}.swift" for name in ("Catalog", "Category", "Sort"))
CATALOG_NEEDS: Needs = {
    "Base": [],
    "Catalog": ["Base"],
    "Search": ["Catalog"],
    **{name: ["Catalog", "Search"] for name in ("Shop", "Admin")},
    **{f"{name}Tests": [name] for name in ("Catalog", "Search")},
}
CATALOG: Mapping[str, str] = {
    "Package.swift": manifest(CATALOG_NEEDS),
    "Sources/Base/Base.swift": "public func base() -> Int { 1 }\n",
    LIST: """import Base

public final class Catalog {
    public init() {}

    public func names(in category: Category) -> [String] { sorted([category.title, "\\(base())"]) }

    public func count() -> Int { 1 }
}
""",
    CATEGORY: """public enum Category {
    case book
    case music

    public var title: String { self == .book ? "book" : "music" }
}
""",
    SORT: "func sorted(_ names: [String]) -> [String] { names.sorted() }\n",
    **{
        f"Sources/Search/{name}.swift": "import Catalog\n\n"
        f"public func {name.lower()}(_ catalog: Catalog) -> [String] {{\n"
        "    catalog.names(in: .book) + [Category.music.title]\n}\n"
        for name in ("Search", "Recent", "Popular")
    },
    **{f"Sources/{each}/Texts.swift": f'let title = "{each}"\n' for each in ("Shop", "Admin")},
    **{
        f"Sources/{each}/main.swift": "import Catalog\nimport Search\n\nprint(title, search(Catalog()))\n"
        for each in ("Shop", "Admin")
    },
    **{f"Tests/{name}Tests/Some.swift": f"import {name}\n" for name in ("Catalog", "Search")},
}
CATALOG_EDITS: Edits = {
    "A helper": (SORT, "func sorted", "func reversed() {}\n\n"),
    "A member": (LIST, "    public func count", "    private func log() {}\n\n"),
    "A case": (CATEGORY, "    case music", "    case film\n"),
    "A body of a value": (CATEGORY, "self ==", "_ = 1; return "),
    "A body of the class": (LIST, "sorted([", "_ = 1; return "),
    "A helper again": (SORT, "func reversed", "private func third() {}\n\n"),
    "What nobody uses": (LIST, "    public func count", "    public func size() -> Int { 2 }\n\n"),
    "Below": ("Sources/Base/Base.swift", "public func", "private func own() {}\n\n"),
}


def divided_catalog(state: Mapping[str, str]) -> dict[str, str]:
    return with_interface(state, CATALOG_NEEDS, "Catalog", "Category", "func names(in category: Category) -> [String]")


def history(folder: Path, edits: Edits, first: Mapping[str, str] = STATE, divide: Divide = dict) -> Path:
    """A repository with a commit for each state."""
    files(folder, {".gitignore": ".build/\n"})
    git(folder, "init", "--initial-branch", "main")
    for subject, state in states(first, edits):
        committed(folder, subject, divide(state))
    return folder


@pytest.mark.parametrize("is_linked", [False, True], ids=["source", "link"])
def test_what_nobody_outside_uses_stays_behind_an_interface(tmp_path: Path, is_linked: bool) -> None:
    package = tmp_path / "Feeds"
    if is_linked:
        # What is written to the source goes through the link, as do the commits.
        for folder in ((package / CLIENT).parent, package / "Own"):
            folder.mkdir(parents=True)
        (package / CLIENT).symlink_to("../../Own/Client.swift")
    history(package, HELPERS)
    first = advice_on(package).targets[0]
    assert (first.target, first.commits, first.commits_of_declarations) == ("Client", 4, 0)
    assert (first.files, first.files_with_interface) == (28, 8)
    # The program and its own tests are rebuilt with it, and neither its users nor their tests.
    assert (first.cached, first.cached_with_interface) == (4 * 16, 4 * 9)
    assert (first.tests, first.tests_with_interface) == (4 * 3, 4 * 1)


def test_what_others_use_goes_through_an_interface(tmp_path: Path) -> None:
    used, unused, value, stored = "Used", "Public, and used by nobody", "A body of a value", "Stored"
    package = history(tmp_path / "Feeds", {name: LATER[name] for name in (used, unused, value, stored)})
    first = advice_on(package).targets[0]
    assert (first.commits, first.commits_of_declarations, first.declarations) == (4, 3, 7)
    assert (first.files, first.files_with_interface) == (7 + 7 + 1 + 7, 7 + 2 + 1 + 7)
    assert (first.cached, first.cached_with_interface) == (4 * 16, 16 + 9 + 16 + 16)


def test_what_a_value_needs_goes_through_an_interface_with_it(tmp_path: Path) -> None:
    page = STATE[PAGE].replace("{ text }", "{ plain(trimmed()) }") + (
        "\nextension Page: CustomStringConvertible {\n    public var description: String { self.text }\n}\n"
        "\nextension Page {\n    func trimmed() -> String { text }\n}\n"
    )
    state = {**STATE, PAGE: page, CODEC: STATE[CODEC] + "func plain(_ text: String) -> String { text }\n"}
    edits = {
        "What a class needs": (CODEC, "name }", "_ = 1; return "),
        "What a value needs": (CODEC, "text }", "_ = 1; return "),
        "A conformance": (PAGE, "self.text }", "_ = 1; return "),
    }
    first = advice_on(history(tmp_path / "Feeds", edits, state)).targets[0]
    assert (first.commits, first.commits_of_declarations) == (3, 2)


def test_target_that_passes_another_on_is_rebuilt_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    needs = {**NEEDS, "FeedInterface": [], "FeedImplementation": ["FeedInterface"]}
    interface, implementation = (f"Sources/Feed{kind}/Feed.swift" for kind in ("Interface", "Implementation"))
    state = {**STATE, "Package.swift": manifest(needs), interface: "public enum Feed {}\n", implementation: "\n"}
    state[USERS[0]] = f"@_exported {state[USERS[0]]}"
    edits = {**HELPERS, "An interface": (interface, "public", "public struct Other {}\n\n")}
    monkeypatch.chdir(history(tmp_path / "Feeds", edits, state))
    assert main(["measure", "advise", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    first = found["targets"][0]
    assert (found["commits"], first["target"], first["kinds"]) == (5, "Client", {"implementation": 4})
    # Of the two users one, with its tests.
    assert (first["cached"], first["cached_with_interface"]) == (4 * 16, 4 * 13)
    assert (first["tests"], first["tests_with_interface"]) == (4 * 3, 4 * 2)
    # The interface and its implementation.
    share = pytest.approx(2 / (4 * 16 + 2))
    assert found["interfaces"] == [{"target": "FeedInterface", "commits": 1, "cached": 2, "share": share}]
    assert main(["measure", "advise"]) == 0
    line, *_, costly = capsys.readouterr().out.strip().splitlines()
    assert line.startswith("Split first 'Client': 4 of the last 5 commits edited it; with an interface, a cache ")
    assert "rebuilds 64 → 52 files (-19%), builds compile 28 → 8 files (-71%), 12 → 8 test targets run; " in line
    assert costly.split() == ["FeedInterface", "1", "2", "3%"]


def test_interface_that_nobody_would_use_is_not_advised() -> None:
    unused = Split("Client", commits=4, kinds={"body": 4}, cached=64, cached_with_interface=36)
    assert Advice(4, [unused], []).lines == [
        "No interface would pay.",
        "`Client` is not worth it: no file outside of it uses it, tests aside.",
    ]


def test_operator_reaches_every_file_that_may_see_it_and_uses_one_of_its_name(tmp_path: Path) -> None:
    same = "struct Same: Equatable {\n    static func == (left: Same, right: Same) -> Bool { true }\n}\n"
    count = {"Sources/Home/Count.swift": "func isOne(_ number: Int) -> Bool { number == 1 }\n"}
    state = {**STATE, **count, CODEC: STATE[CODEC] + same}
    advice = advice_on(history(tmp_path / "Feeds", {"Beside it": LATER["Beside it"]}, state))
    # Its own two files, the program, and the count, which uses no more than `==`.
    assert advice.targets[0].files == len(USERS) + 4
    assert advice.lines[0].startswith("Split first `Client`: 1 of the last 1 commit edited it; ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "edits", "divide", "target", "commits", "of_declarations"),
    [
        (STATE, {**HELPERS, **LATER}, divided, "Client", 10, 3),
        (CATALOG, CATALOG_EDITS, divided_catalog, "Catalog", 7, 2),
    ],
    ids=["client", "catalog"],
)
def test_prediction_is_what_a_real_split_costs(
    first: Mapping[str, str],
    edits: Edits,
    divide: Divide,
    target: str,
    commits: int,
    of_declarations: int,
    tmp_path: Path,
    toolchain: Toolchain,
) -> None:
    whole, split = (
        history(tmp_path / name / "Package", edits, first, each) for name, each in (("whole", dict), ("split", divide))
    )
    predicted = advice_on(whole).targets[0]
    changed = predicted.target, predicted.commits, predicted.commits_of_declarations
    assert changed == (target, commits, of_declarations)
    # All but the last edit change the target.
    choices = replace(CHOICES, rounds=0, layouts=("interface",), edits=("history:20",))
    counts = [files_of(measured(package, choices)) for package in (whole, split)]
    compiled = [sum(each["interface"] or 0 for each in list(found.values())[:-1]) for found in counts]
    assert [predicted.files, predicted.files_with_interface] == pytest.approx(compiled, rel=0.25)
    for package, cached, tests in (
        (whole, predicted.cached, predicted.tests),
        (split, predicted.cached_with_interface, predicted.tests_with_interface),
    ):
        found = list(rebuilt(package, len(edits), toolchain))[:-1]
        assert cached == pytest.approx(sum(each.rebuilt_files for each in found), rel=0.15)
        assert tests == sum(len(each.tests) for each in found)


def rebuilt(package: Path, count: int, toolchain: Toolchain) -> Iterator[Since]:
    """What each of the last commits rebuilds in a cache."""
    for number in reversed(range(count)):
        git(package, "checkout", "--quiet", f"main~{number}")
        yield since(Architecture(read_package(package, toolchain)), "HEAD~1", package, toolchain)
    git(package, "checkout", "--quiet", "main")
