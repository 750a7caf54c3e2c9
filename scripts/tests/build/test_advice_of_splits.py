"""What `measure advise` predicts of a client without an interface, and what a real split of it costs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from made_files import committed, files, git
from made_packages import manifest
from runs import advice_on
from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.since import Since, since
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.slow

CLIENT, PAGE, CODEC = (f"Sources/Client/{name}.swift" for name in ("Client", "Page", "Codec"))
USERS = [f"Sources/{name}.swift" for name in ("Feed/Feed", "Feed/Story", "Feed/Teaser", "Home/Home", "Home/Tile")]
NEEDS: Mapping[str, list[str]] = {
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


def divided(state: Mapping[str, str]) -> dict[str, str]:
    """The package with an interface of what others use of the client: a protocol for its class, and the page as it is.
    A module that also makes the class depends on both."""
    ((attribute, requirement),) = re.findall(r"^    (.*)public (func load.*?) \{", state[CLIENT], re.M)
    users = {path: text for path, text in state.items() if ": Client)" in text}
    modules = {path.split("/")[1] for path in users}
    making = {path.split("/")[1] for path, text in state.items() if "import Client\n" in text and path not in users}
    needs = {
        target: [*(each for each in own if each != "Client" or target in making), "ClientInterface"]
        if target in modules
        else own
        for target, own in NEEDS.items()
    }
    found = {path: text.replace("Client()", "OwnClient()") for path, text in state.items()}
    found["Package.swift"] = manifest({**needs, "Client": ["ClientInterface"], "ClientInterface": []})
    found["Sources/ClientInterface/Client.swift"] = f"public protocol Client {{\n    {attribute}{requirement}\n}}\n"
    found["Sources/ClientInterface/Page.swift"] = found.pop(PAGE)
    own = re.sub("(class|struct) Client", r"\1 OwnClient: Client", state[CLIENT])
    found[CLIENT] = f"import ClientInterface\n\n{own}"
    for path, text in users.items():
        found[path] = text.replace("import Client", "import ClientInterface").replace(": Client", ": any Client")
    return found


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


def history(folder: Path, edits: Edits, first: Mapping[str, str] = STATE, divide: Divide = dict) -> Path:
    """A repository with a commit for each state."""
    files(folder, {".gitignore": ".build/\n"})
    git(folder, "init", "--initial-branch", "main")
    for subject, state in states(first, edits):
        committed(folder, subject, divide(state))
    return folder


@pytest.mark.parametrize(
    ("first", "edits", "divide", "changed_in", "model"),
    [
        pytest.param(STATE, {**HELPERS, **LATER}, divided, 3, "values", id="client"),
        pytest.param(MAKING, FEW, divided, 2, "values", id="places"),
        pytest.param(VALUE, FEW, divided_by_protocols, 1, "protocols", id="protocols"),
    ],
)
def test_prediction_is_what_a_real_split_costs(
    first: Mapping[str, str],
    edits: Edits,
    divide: Divide,
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
    assert (predicted.target, predicted.commits, behind.changed_in) == ("Client", len(edits) - 1, changed_in)
    for package, cost in ((whole, predicted.today), (split, behind.cost)):
        found = list(rebuilt(package, len(edits), toolchain))[:-1]
        assert cost.files == pytest.approx(sum(each.rebuilt_files for each in found), rel=0.15)
        assert cost.tests == sum(len(each.tests) for each in found)


def rebuilt(package: Path, count: int, toolchain: Toolchain) -> Iterator[Since]:
    """What each of the last commits rebuilds in a cache."""
    for number in reversed(range(count)):
        git(package, "checkout", "--quiet", f"main~{number}")
        yield since(Architecture(read_package(package, toolchain)), "HEAD~1", package, toolchain)
    git(package, "checkout", "--quiet", "main")
