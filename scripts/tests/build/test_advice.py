"""What `measure advise` predicts of targets behind interfaces, by the rules for what an interface holds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace

import pytest
from made_files import committed, files, git
from made_packages import manifest
from runs import advice_on
from swiftmodules.advise.advice import MODEL, Advice
from swiftmodules.advise.costs import Costs
from swiftmodules.advise.interface import Interface
from swiftmodules.split.costs import Cost

# A target for each rule.
RULES_NEEDS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("Prices", "Amounts", "Client", "Tools", "Net", "Renamed", "SignInterface"), ()),
    "SignImplementation": ["SignInterface"],
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
@_exported import Renamed

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
    "Sources/SignInterface/Sign.swift": "public enum Sign {}\n",
    "Sources/SignImplementation/Sign.swift": "import SignInterface\n",
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
def advice(tmp_path_factory: pytest.TempPathFactory) -> Advice:
    """What is advised to a package after commits that each edit one target."""
    package = tmp_path_factory.mktemp("rules") / "Shop"
    state = dict(RULES)
    files(package, {".gitignore": ".build/\n", "Own/Client.swift": ""})
    # What is written to this source goes through the link, as do the commits.
    (package / "Sources/Client").mkdir(parents=True)
    (package / "Sources/Client/Client.swift").symlink_to("../../Own/Client.swift")
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
    edit("Sources/Tools/Tool.swift", "    public func run", "    @discardableResult public func run")
    edit("Sources/SignInterface/Sign.swift", "public", "public struct Session {}\n\npublic")
    edit("Sources/Net/Net.swift", "get() -> String {", "get() -> String { _ = 1; return")
    git(package, "mv", "Sources/Former", "Sources/Renamed")
    committed(package, "Another folder", {"Package.swift": manifest(RULES_NEEDS)})
    field = 'name: "Prices", dependencies: []'
    changed = manifest(RULES_NEEDS).replace(field, f"{field}, packageAccess: false")
    committed(package, "A field", {"Package.swift": changed, "Sources/Tools/words.txt": "three\n"})
    file = "Sources/Renamed/Renamed.swift"
    state[file] = state.pop("Sources/Former/Renamed.swift")
    edit(file, "{ String() }", '{ _ = 1; return "" }')
    edit(file, "    public", "    public func more() {}\n    public")
    edit(file, "class Former", "class Renamed")
    return advice_on(package, commits=30)


@pytest.fixture(scope="module")
def rules(advice: Advice) -> Mapping[str, Costs]:
    return {each.target: each for each in advice.targets}


def test_interface_is_named_with_what_it_saves_and_what_has_to_change(
    advice: Advice, rules: Mapping[str, Costs]
) -> None:
    client = Advice(5, [rules["Client"]], advice.interfaces, Cost(files=40))
    file, home = "Sources/Client/Client.swift", "Sources/Home/Home.swift:8"
    assert client.lines == [
        MODEL,
        "Split first `Client`: 2 of the last 5 commits edited it (fewer than 10, which show little); with an "
        "interface, a cache by source rebuilds 12 → 8 files (-33%), 4 → 2 test targets run.",
        "  After these 1 place: a cache by source rebuilds 12 → 4 files (-67%), 4 → 0 test targets run.",
        f"    {home} Client.init()",
        "  By protocols, after 1 place: a cache by source rebuilds 12 → 4 files (-67%), 4 → 0 test targets run.",
        "  The interface would be 2 of 4 declarations, which changed in 0 of these commits:",
        f"    Client (protocol, {file}): load()",
        "`SignInterface`, an interface, changed in 1 of these commits: for that, a cache by source rebuilds 2 files "
        "(5% of all).",
    ]
    (found,) = json.loads(json.dumps(client.as_json))["targets"]
    assert found["values"] == {
        "changed_in": 0,
        "cost": {"files": 8, "tests": 2},
        "after_places": {"files": 4, "tests": 0},
        "interface": [
            {"declaration": "Client", "place": f"{file}:1", "as": "protocol"},
            {"declaration": "Client.load()", "place": f"{file}:3", "as": "requirement"},
        ],
        "places": [{"place": home, "declaration": "Client.init()"}],
    }
    assert rules.keys().isdisjoint({"SignInterface"})


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
    assert (today.files, behind.files, after.files) == (2 * 6, 2 * 4, 2 * 2)


def test_static_members_functions_and_superclasses_are_places(rules: Mapping[str, Costs]) -> None:
    places = [str(each) for each in rules["Tools"].values.interface.places]
    assert places == [
        f"Sources/Home/Home.swift:{each}" for each in ("4 Base", "6 Tool.shared", "7 free()", "8 String.trimmed()")
    ]
    assert [each.title for each in rules["Tools"].values.interface.declarations] == ["Tool", "Tool.run()", "Base"]


def test_resource_is_an_input_of_its_target_and_so_is_a_field_of_a_manifest(rules: Mapping[str, Costs]) -> None:
    # With the home, the program, and the tests of the home; the signature of a requirement changed too. Once the prices
    # have another field, with the cart and its tests.
    tools = rules["Tools"]
    assert (tools.commits, tools.values.changed_in, tools.today) == (4, 1, Cost(files=4 * 4 + 3, tests=4 + 1))


def test_protocols_leave_less_than_values(rules: Mapping[str, Costs]) -> None:
    net = rules["Net"]
    assert (net.values.changed_in, net.protocols.changed_in) == (1, 0)
    # All but the program, which makes it; an undeclared import is an edge to the tests of the home.
    assert net.today == net.values.cost == Cost(files=7, tests=3)
    assert net.protocols.cost == Cost(files=2, tests=0)
    # Where values save nothing, the interface by protocols is named.
    assert [line.strip() for line in Advice(1, [net]).lines[1:]] == [
        "Split first `Net`: 1 of the last 1 commit edited it (fewer than 10, which show little); 3 of its 3 "
        "declarations would move into an interface, which is none then.",
        "By protocols: a cache by source rebuilds 7 → 2 files (-71%), 3 → 0 test targets run.",
        "The interface by protocols would be 2 of 3 declarations, which changed in 0 of these commits:",
        "Net (protocol, Sources/Net/Net.swift): get()",
    ]


def test_most_of_a_target_is_no_interface_however_much_it_saves(rules: Mapping[str, Costs]) -> None:
    prices = rules["Prices"]
    assert prices.values.cost.files < 0.9 * prices.today.files
    assert Advice(5, [prices]).lines == [
        "No interface would pay.",
        "`Prices` is not worth an interface: 5 of the last 5 commits edited it (fewer than 10, which show little); "
        "9 of its 12 declarations would move into an interface, which is none then.",
    ]
    # A target that an interface helps comes first, also where it saves less.
    assert rules["Client"].rank < prices.rank


def test_rename_is_no_change_of_an_interface(rules: Mapping[str, Costs]) -> None:
    assert rules["Client"].values.changed_in == 0
    # Another folder, a body and a new member of a class that has another name since, which is a change.
    renamed = rules["Renamed"]
    assert (renamed.commits, renamed.values.changed_in) == (4, 1)
    # The feed passes it on, so that an interface would keep nobody from it.
    assert renamed.values.cost == renamed.today


def test_name_that_came_back_and_has_gone_leads_nowhere() -> None:
    nothing = SimpleNamespace(of=lambda files: [])
    interface = Interface(nothing, [], [])  # type: ignore[arg-type]
    there_and_back = {"Former": "Renamed", "Renamed": "Former"}
    # A visible declaration that has gone may have been used.
    assert not interface.is_changed(["Former.name()"], [], there_and_back)
    assert interface.is_changed([], ["Former.name()"], there_and_back)


def test_interface_that_nobody_would_use_is_not_advised(rules: Mapping[str, Costs]) -> None:
    unused = replace(rules["Cart"], commits=4)
    assert Advice(4, [unused]).lines == [
        "No interface would pay.",
        "`Cart` is not worth it: no other target uses it, programs and tests aside.",
    ]
