"""What `measure advise` predicts of a client without an interface, and what a real split of it costs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from made_files import committed, files, git
from runs import CHOICES, advice_on, files_of, measured
from swiftmodules.advise.advice import Advice
from swiftmodules.advise.costs import Cost, Costs
from swiftmodules.advise.interface import Interface
from swiftmodules.cli import main
from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.since import Since, since
from swiftmodules.swiftpm.description import read_package
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
    """The package with an interface of what others use of a target: a protocol for its class, and a value as it is. A
    module that also makes the class depends on both."""
    interface, own = f"{name}Interface", f"Sources/{name}/{name}.swift"
    users = {path: text for path, text in state.items() if f": {name})" in text}
    modules = {path.split("/")[1] for path in users}
    making = {path.split("/")[1] for path, text in state.items() if f"import {name}\n" in text and path not in users}
    needed = {
        target: [*(each for each in own if each != name or target not in modules - making), interface]
        if target in modules
        else own
        for target, own in needs.items()
    }
    found = {path: text.replace(f"{name}()", f"Own{name}()") for path, text in state.items()}
    found["Package.swift"] = manifest({**needed, name: [*needs[name], interface], interface: []})
    found[f"Sources/{interface}/{name}.swift"] = f"public protocol {name} {{\n    {protocol}\n}}\n"
    found[f"Sources/{interface}/{value}.swift"] = found.pop(f"Sources/{name}/{value}.swift")
    found[own] = f"import {interface}\n\n" + re.sub(rf"(class|struct) {name}\b", rf"\1 Own{name}: {name}", state[own])
    for path, text in users.items():
        found[path] = text.replace(f"import {name}", f"import {interface}").replace(f": {name}", f": any {name}")
    return found


def divided(state: Mapping[str, str]) -> dict[str, str]:
    ((attribute, requirement),) = re.findall(r"^    (.*)public (func load.*?) \{", state[CLIENT], re.M)
    return with_interface(state, NEEDS, "Client", "Page", attribute + requirement)


# The same with a user that makes the class, and with a value in place of the class.
MADE = "import Client\n\npublic func made() -> String { Client().load(String()).line() }\n"
MAKING = {**STATE, "Sources/Home/Made.swift": MADE}
VALUE = {**STATE, CLIENT: STATE[CLIENT].replace("final class", "struct")}
FEW = {name: LATER[name] for name in ("A body", "Public, and used by nobody", "Used", "Stored", "Another module")}


def divided_by_protocols(state: Mapping[str, str]) -> dict[str, str]:
    """The package with protocols for both values, which stay behind them."""
    found = divided(state)
    found["Sources/ClientInterface/Page.swift"] = "public protocol Page {\n    func line() -> String\n}\n"
    found[PAGE] = "import ClientInterface\n\n" + state[PAGE].replace("struct Page", "struct OwnPage: Page")
    protocol = "Sources/ClientInterface/Client.swift"
    for path in (CLIENT, protocol):
        found[path] = found[path].replace("-> Page", "-> any Page").replace("Page(text", "OwnPage(text")
    return found


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


def values(costs: Costs) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
    """What a cache by source rebuilds, builds compile and tests run, today and behind an interface."""
    today, behind = costs.today, costs.values.cost
    return (today.cached, behind.cached), (today.files, behind.files), (today.tests, behind.tests)


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
    assert (first.target, first.commits, first.values.changed_in) == ("Client", 4, 0)
    # The program and its own tests are rebuilt with it, and neither its users nor their tests.
    assert values(first) == ((4 * 16, 4 * 9), (28, 8), (4 * 3, 4 * 1))


def test_what_others_use_goes_through_an_interface(tmp_path: Path) -> None:
    used, unused, value, stored = "Used", "Public, and used by nobody", "A body of a value", "Stored"
    package = history(tmp_path / "Feeds", {name: LATER[name] for name in (used, unused, value, stored)})
    first = advice_on(package).targets[0]
    assert (first.commits, first.values.changed_in) == (4, 3)
    held = [each.title for each in first.values.interface.declarations]
    assert held == ["Client", "Client.load(_:)", "Page", "Page.text", "Page.size", "Page.init(text:)", "Page.line()"]
    assert values(first)[:2] == ((4 * 16, 16 + 9 + 16 + 16), (7 + 7 + 1 + 7, 7 + 2 + 1 + 7))


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
    assert first["today"] == {"cached": 4 * 16, "files": 28, "tests": 4 * 3}
    assert first["values"]["cost"] == {"cached": 4 * 13, "files": 8, "tests": 4 * 2}
    assert first["values"]["interface"][:2] == [
        {"declaration": "Client", "place": f"{CLIENT}:9", "as": "protocol"},
        {"declaration": "Client.load(_:)", "place": f"{CLIENT}:12", "as": "requirement"},
    ]
    # The interface and its implementation.
    share = pytest.approx(2 / (4 * 16 + 2))
    assert found["interfaces"] == [{"target": "FeedInterface", "commits": 1, "cached": 2, "share": share}]
    assert main(["measure", "advise"]) == 0
    model, line, *lines, costly = capsys.readouterr().out.strip().splitlines()
    assert model == found["model"] and "leaves less" in model
    assert line.startswith(
        "Split first `Client`: 4 of the last 5 commits edited it (fewer than 10, which show little); "
    )
    assert line.endswith(
        "; with an interface, a cache by source rebuilds 64 → 52 files (-19%), builds compile 28 → 8 files (-71%), "
        "12 → 8 test targets run."
    )
    assert lines[:4] == [
        "  By protocols: a cache by source rebuilds 64 → 52 files (-19%), builds compile 28 → 8 files (-71%), "
        "12 → 8 test targets run.",
        "  The interface would be 6 of 17 declarations, which changed in 0 of these commits:",
        f"    Client (protocol, {CLIENT}): load(_:)",
        f"    Page (struct, {PAGE}): text, init(text:), line()",
    ]
    assert costly.split(" | ")[0] == "| FeedInterface" and costly.split()[3::2] == ["1", "2", "3%"]


def test_operator_reaches_every_file_that_may_see_it_and_uses_one_of_its_name(tmp_path: Path) -> None:
    same = "struct Same: Equatable {\n    static func == (left: Same, right: Same) -> Bool { true }\n}\n"
    count = {"Sources/Home/Count.swift": "func isOne(_ number: Int) -> Bool { number == 1 }\n"}
    state = {**STATE, **count, CODEC: STATE[CODEC] + same}
    advice = advice_on(history(tmp_path / "Feeds", {"Beside it": LATER["Beside it"]}, state))
    # Its own two files, the program, and the count, which uses no more than `==`.
    assert advice.targets[0].today.files == len(USERS) + 4
    assert advice.lines[1].startswith("Split first `Client`: 1 of the last 1 commit edited it (fewer than 10")


# A target for each rule.
RULES_NEEDS: Needs = {
    **dict.fromkeys(("Prices", "Amounts", "Client", "Tools", "Net", "Renamed"), ()),
    "Cart": ["Prices", "Amounts", "Net"],
    "Feed": ["Client", "Renamed", "Net"],
    "Home": ["Client", "Tools"],
    "App": ["Cart", "Feed", "Home", "Client", "Net"],
    **{f"{name}Tests": [name] for name in ("Cart", "Feed", "Home")},
}
DESCRIPTION = "    public var description: String { shown(amount) }\n"
PRICE = "public struct {0}{1} {{\n    public var amount: Int\n    public init(amount: Int) {{ self.amount = amount }}\n"
SHOWN = """
func shown(_ number: Int) -> String { "\\(Rounded(number: number))" }

struct Rounded: CustomStringConvertible {
    let number: Int
    var description: String { String(number) }
}

func hidden() {}
"""
RULES: Mapping[str, str] = {
    "Package.swift": manifest(RULES_NEEDS),
    "Sources/Prices/Price.swift": PRICE.format("Price", ": CustomStringConvertible")
    + f"{DESCRIPTION}    func own() -> Int {{ 1 }}\n}}\n{SHOWN}",
    "Sources/Amounts/Amount.swift": PRICE.format("Amount", "")
    + f"    func own() -> Int {{ 1 }}\n}}\n\nextension Amount: CustomStringConvertible {{\n{DESCRIPTION}}}\n{SHOWN}",
    "Sources/Cart/Cart.swift": """import Amounts
import Net
import Prices

public func shown(_ net: Net) -> String { "\\(Price(amount: 1)) \\(Amount(amount: 2)) \\(net.get())" }
""",
    "Sources/Client/Client.swift": """public final class Client {
    public init() {}
    public func load() -> String { String() }
    public func unused() -> String { String() }
}
""",
    "Sources/Feed/Feed.swift": """import Client
import Net
import Renamed

public func feed(_ client: Client, _ net: Net, _ one: Renamed) -> String { client.load() + net.get() + one.name() }
""",
    "Sources/Home/Home.swift": """import Client
import Tools

final class Mine: Base {}

public func home(_ tool: Tool = .shared) -> String {
    if tool.run() { free() }
    return Client().load() + "a".trimmed()
}
""",
    "Sources/Tools/Tool.swift": """public final class Tool {
    public nonisolated(unsafe) static let shared = Tool()
    public func run() -> Bool { true }
}

open class Base {
    public init() {}
}

public func free() {}

extension String {
    public func trimmed() -> String { self }
}
""",
    "Sources/Tools/words.txt": "one\n",
    "Sources/Net/Net.swift": """public struct Net {
    public init() {}
    public func get() -> String { String() }
}
""",
    "Sources/Former/Renamed.swift": "public final class Former {\n    public func name() -> String { String() }\n}\n",
    "Sources/App/main.swift": """import Cart
import Client
import Feed
import Home
import Net

print(shown(Net()), home())
""",
    **{f"Tests/{name}Tests/Some.swift": f"import {name}\n" for name in ("Cart", "Feed")},
    # The manifest does not declare the second one.
    "Tests/HomeTests/Some.swift": "import Feed\nimport Home\n",
}


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Costs]:
    """What is advised to a package after commits that each edit one target, by the target."""
    package = tmp_path_factory.mktemp("rules") / "Shop"
    state = dict(RULES)
    files(package, {".gitignore": ".build/\n"})
    git(package, "init", "--initial-branch", "main")
    # The target `Renamed` and its class have another name at first.
    committed(package, "First", {**state, "Package.swift": manifest({"Former": [], **RULES_NEEDS})})

    def edit(path: str, old: str, new: str) -> None:
        assert old in state[path]
        state[path] = state[path].replace(old, new, 1)
        committed(package, f"{path}: {new}", {path: state[path]})

    for name in ("Prices/Price", "Amounts/Amount"):
        edit(f"Sources/{name}.swift", "{ shown(amount) }", "{ _ = 1; return shown(amount) }")
        edit(f"Sources/{name}.swift", "{ String(number) }", "{ _ = 1; return String(number) }")
        edit(f"Sources/{name}.swift", "Int { 1 }", "Int { 2 }")
        edit(f"Sources/{name}.swift", "func hidden", "func other() {}\n\nfunc hidden")
        edit(f"Sources/{name}.swift", "    func own", "    public func added() {}\n    func own")
    edit("Sources/Client/Client.swift", "unused() -> String {", "unused() -> String { _ = 1; return")
    edit("Sources/Client/Client.swift", "unused()", "renamed()")
    edit("Sources/Tools/Tool.swift", "{ true }", "{ false }")
    edit("Sources/Tools/words.txt", "one", "two")
    edit("Sources/Net/Net.swift", "get() -> String {", "get() -> String { _ = 1; return")
    git(package, "mv", "Sources/Former", "Sources/Renamed")
    committed(package, "Another folder", {"Package.swift": manifest(RULES_NEEDS)})
    file = "Sources/Renamed/Renamed.swift"
    state[file] = state.pop("Sources/Former/Renamed.swift")
    edit(file, "{ String() }", '{ _ = 1; return "" }')
    edit(file, "    public", "    public func more() {}\n    public")
    edit(file, "class Former", "class Renamed")
    return {each.target: each for each in advice_on(package).targets}


def test_witness_in_the_body_of_a_type_goes_with_it_as_in_an_extension(rules: Mapping[str, Costs]) -> None:
    own, extended = rules["Prices"], rules["Amounts"]
    # The description, that of an internal value that it needs, and a new public member; neither what else is internal
    # nor what is new beside it.
    assert (own.commits, own.values.changed_in) == (5, 3)
    assert (own.today, own.values.cost, own.values.changed_in) == (
        *(extended.today, extended.values.cost),
        extended.values.changed_in,
    )
    held = [each.title for each in own.values.interface.declarations]
    assert held == [
        *("Price", "Price.amount", "Price.init(amount:)", "Price.description", "Price.added()"),
        *("shown(_:)", "Rounded", "Rounded.number", "Rounded.description"),
    ]


def test_user_that_calls_an_initialiser_is_free_after_this_place(rules: Mapping[str, Costs]) -> None:
    client = rules["Client"]
    assert [str(each) for each in client.values.interface.places] == ["Sources/Home/Home.swift:8 Client.init()"]
    # Its tests have no target: the home, which constructs it, and its tests; the feed and its tests are free.
    today, behind, after = client.today, client.values.cost, client.values.after_places
    assert (today.tests, behind.tests, after.tests) == (2 * 2, 2 * 1, 0)
    assert (today.cached, behind.cached, after.cached) == (2 * 6, 2 * 4, 2 * 2)


def test_static_members_functions_and_superclasses_are_places(rules: Mapping[str, Costs]) -> None:
    places = [str(each) for each in rules["Tools"].values.interface.places]
    assert places == [
        f"Sources/Home/Home.swift:{each}" for each in ("4 Base", "6 Tool.shared", "7 free()", "8 String.trimmed()")
    ]
    assert [each.title for each in rules["Tools"].values.interface.declarations] == ["Tool", "Tool.run()", "Base"]


def test_resource_is_an_input_of_its_target_and_compiles_nothing(rules: Mapping[str, Costs]) -> None:
    # With the home, the program, and the tests of the home.
    assert (rules["Tools"].commits, rules["Tools"].today) == (2, Cost(cached=2 * 4, files=1, tests=2))


def test_field_of_a_manifest_changes_its_target(tmp_path: Path) -> None:
    """Also where the commit has no other file, and where it changes back."""
    text = manifest({"One": [], "Two": ["One"], "Other": [], "TwoTests": ["Two"]})
    sources = {f"{each}/Some.swift": "" for each in ("Sources/One", "Sources/Two", "Sources/Other", "Tests/TwoTests")}
    files(tmp_path, {".gitignore": ".build/\n"})
    git(tmp_path, "init", "--initial-branch", "main")
    committed(tmp_path, "First", {"Package.swift": text, **sources})
    other = text.replace("dependencies: []", "dependencies: [], packageAccess: false", 1)
    committed(tmp_path, "A field", {"Package.swift": other})
    committed(tmp_path, "A comment", {"Package.swift": f"{text}// Words.\n"})
    found = advice_on(tmp_path)
    # The files of One, Two, and TwoTests, twice.
    assert (found.commits, found.cached) == (2, 2 * 3)


def test_protocols_leave_less_than_values(rules: Mapping[str, Costs]) -> None:
    net = rules["Net"]
    assert (net.values.changed_in, net.protocols.changed_in) == (1, 0)
    # All but the program, which makes it; an undeclared import is an edge to the tests of the home.
    assert net.today == net.values.cost == Cost(cached=7, files=1, tests=3)
    assert net.protocols.cost == Cost(cached=2, files=1, tests=0)
    # Where values save nothing, the interface by protocols is named.
    assert [line.strip() for line in Advice.of(1, [net], [], 7).lines[1:]] == [
        "Split first `Net`: 1 of the last 1 commit edited it (fewer than 10, which show little); 3 of its 3 "
        "declarations would move into an interface, which is none then.",
        "By protocols: a cache by source rebuilds 7 → 2 files (-71%), 3 → 0 test targets run.",
        "The interface by protocols would be 2 of 3 declarations, which changed in 0 of these commits:",
        "Net (protocol, Sources/Net/Net.swift): get()",
    ]


def test_most_of_a_target_is_no_interface_however_much_it_saves(rules: Mapping[str, Costs]) -> None:
    prices = rules["Prices"]
    assert prices.values.cost.cached < 0.9 * prices.today.cached
    assert Advice.of(5, [prices], [], 9).lines == [
        "No interface would pay.",
        "`Prices` is not worth an interface: 5 of the last 5 commits edited it (fewer than 10, which show little); "
        "9 of its 12 declarations would move into an interface, which is none then.",
    ]
    # A target that an interface helps comes first, also where it saves less.
    assert [each.target for each in Advice.of(5, [prices, rules["Client"]], [], 9).targets] == ["Client", "Prices"]


def test_rename_is_no_change_of_an_interface(rules: Mapping[str, Costs]) -> None:
    assert rules["Client"].values.changed_in == 0
    # Another folder, a body and a new member of a class that has another name since, which is a change.
    renamed = rules["Renamed"]
    assert (renamed.commits, renamed.values.changed_in) == (4, 1)


def test_name_that_came_back_and_has_gone_leads_nowhere() -> None:
    nothing = SimpleNamespace(of=lambda files: [])
    interface = Interface(nothing, [], [])  # type: ignore[arg-type]
    there_and_back = {"Former": "Renamed", "Renamed": "Former"}
    # A visible declaration that has gone may have been used.
    assert interface.changed(["Former.name()"], [], there_and_back) == set()
    assert interface.changed([], ["Former.name()"], there_and_back) == {"Former.name()"}


def test_interface_that_nobody_would_use_is_not_advised(rules: Mapping[str, Costs]) -> None:
    unused = replace(rules["Cart"], commits=4, kinds={"body": 4})
    assert Advice.of(4, [unused], [], 9).lines == [
        "No interface would pay.",
        "`Cart` is not worth it: no other target uses it, programs and tests aside.",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "edits", "divide", "target", "changed_in", "model"),
    [
        pytest.param(STATE, {**HELPERS, **LATER}, divided, "Client", 3, "values", id="client"),
        pytest.param(CATALOG, CATALOG_EDITS, divided_catalog, "Catalog", 2, "values", id="catalog"),
        pytest.param(MAKING, FEW, divided, "Client", 2, "values", id="places"),
        pytest.param(VALUE, FEW, divided_by_protocols, "Client", 1, "protocols", id="protocols"),
    ],
)
def test_prediction_is_what_a_real_split_costs(
    first: Mapping[str, str],
    edits: Edits,
    divide: Divide,
    target: str,
    changed_in: int,
    model: str,
    tmp_path: Path,
    toolchain: Toolchain,
) -> None:
    whole, split = (
        history(tmp_path / name / "Package", edits, first, each) for name, each in (("whole", dict), ("split", divide))
    )
    predicted = advice_on(whole).targets[0]
    behind = {"values": predicted.values, "protocols": predicted.protocols}[model]
    # All but the last edit change the target.
    assert (predicted.target, predicted.commits, behind.changed_in) == (target, len(edits) - 1, changed_in)
    choices = replace(CHOICES, rounds=0, layouts=("interface",), edits=("history:20",))
    counts = [files_of(measured(package, choices)) for package in (whole, split)]
    compiled = [sum(each["interface"] or 0 for each in list(found.values())[:-1]) for found in counts]
    assert [predicted.today.files, behind.cost.files] == pytest.approx(compiled, rel=0.25)
    for package, cost in ((whole, predicted.today), (split, behind.cost)):
        found = list(rebuilt(package, len(edits), toolchain))[:-1]
        assert cost.cached == pytest.approx(sum(each.rebuilt_files for each in found), rel=0.15)
        assert cost.tests == sum(len(each.tests) for each in found)


def rebuilt(package: Path, count: int, toolchain: Toolchain) -> Iterator[Since]:
    """What each of the last commits rebuilds in a cache."""
    for number in reversed(range(count)):
        git(package, "checkout", "--quiet", f"main~{number}")
        yield since(Architecture(read_package(package, toolchain)), "HEAD~1", package, toolchain)
    git(package, "checkout", "--quiet", "main")
