"""Modules that are added, and features that run alone, where no build is needed."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from made_files import ran
from repo_checkout import REPOSITORY, edit, run, tree
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.docs.documents import Documents
from repo.scaffold import features, lists, modules, names
from repo.scaffold.lists import Checkout

_MODULES = 'let modules = [\n    Module("Display", seesProgram: true),\n'
_LONG = "AccountsWithSeveralOwnersAndDelegat"
_COMPOSITION = "App/Composition.swift"
_, _START, _REST = (REPOSITORY / _COMPOSITION).read_text().partition("    [\n")
_ENTRIES = _START + "".join(_REST.partition("\n    ]\n")[:2])


@pytest.fixture(scope="module")
def repository(plain: Path) -> Checkout:
    """A copy to which nothing can be added; its package is read once."""
    return Checkout(plain, Toolchain.find())


def lines_with(checkout: Path, path: str, word: str) -> list[str]:
    return [line.strip() for line in (checkout / path).read_text().splitlines() if word in line]


def refused(checkout: Path, capsys: pytest.CaptureFixture[str], command: str, code: int, message: str) -> None:
    """The command ends with a code and a message, and changes nothing."""
    before = tree(checkout)
    capsys.readouterr()
    assert run(checkout, "module", *shlex.split(command)) == code
    captured = capsys.readouterr()
    assert captured.err.startswith("error: ") and message in captured.err
    assert captured.out == "" and tree(checkout) == before


def test_module_is_added_to_both_lists_and_a_service_alone_has_no_screen(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(checkout, "module", "new", "Inbox", "--uses", "Profile,Login", "--uses", "Profile") == 0
    # The lists come last, so that no failed write leaves a name of what is not there.
    written = re.findall(r"^(?:write|edit) +(.+)$", capsys.readouterr().out, re.M)
    assert len(written) > 2 and written[-2:] == ["Package.swift", _COMPOSITION]
    manifest = (checkout / "Package.swift").read_text()
    assert (
        '    Module("HTTPClient"),\n'
        '    Module("HTTPClientEmbedded", implements: "HTTPClient", uses: ["Storage"]),\n'
        '    Module("Inbox", uses: ["Display", "Home", "Login", "Profile"]),\n'
        '    Module("Login", '
    ) in manifest
    composition = (checkout / _COMPOSITION).read_text()
    assert "import HomeImplementation\nimport InboxImplementation\nimport LoginImpl" in composition
    assert "EmbeddedHTTPClientModule(),\n        InboxModule(),\n        LoginModule(),\n" in composition
    # Two lines, and nothing else that would have to be kept in step.
    assert lines_with(checkout, _COMPOSITION, "Inbox") == ["import InboxImplementation", "InboxModule(),"]
    assert run(checkout, "module", "new", "Stock", "--service") == 0
    assert lines_with(checkout, "Package.swift", "Stock") == ['Module("Stock"),']
    assert lines_with(checkout, _COMPOSITION, "Stock") == ["import StockImplementation", "StockModule(),"]
    assert "Route" not in (checkout / "Modules/Stock/Interface/Stock.swift").read_text()


def test_smallest_module_has_at_most_five_files_and_ninety_lines(plain: Path, with_badges: Path) -> None:
    before = tree(plain)
    added = {path: text for path, text in tree(with_badges).items() if path not in before and text is not None}
    assert len(added) <= 5 and sum(len(text.splitlines()) for text in added.values()) <= 90


@pytest.mark.parametrize(("name", "at"), [("Aardvarks", 0), ("Zebras", -1)])
def test_module_can_be_the_first_and_the_last(name: str, at: int) -> None:
    for path, entry in (("Package.swift", f'Module("{name}")'), (_COMPOSITION, f"{name}Module()")):
        text = lists.adding((REPOSITORY / path).read_text(), path, name, entry)
        # The App's own entry is in alphabetical order too.
        entries = [line.strip() for line in text.splitlines() if re.match(r' +(?:Module\("|.*Module\(.*\),$)', line)]
        assert entries[at] == f"{entry},"


def test_files_keep_the_rules_links_lead_somewhere_and_screens_have_an_entry_at_home(
    badges: Path, toolchain: Toolchain
) -> None:
    names = {_LONG: [], f"{_LONG}Stock": ["--service"], f"{_LONG}Cart": ["--route", "--service"]}
    for name, options in names.items():
        used = "Badges,Display,HTTPClient,Home,Login,Profile"
        assert run(badges, "module", "new", name, *options, "--uses", used) == 0
    folders = [folder for name in names for folder in (f"Modules/{name}", f"Tests/{name}Tests")]
    command = [toolchain.swift, "format", "lint", "--strict", "--recursive", "Package.swift", _COMPOSITION, *folders]
    result = subprocess.run(command, cwd=badges, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    assert "nothing found" in ran(toolchain, "swift", "package", "--package-path", badges, "check")
    assert {name for name in names if (badges / "Modules" / name / "README.md").exists()} == set(names) - {_LONG}
    assert Documents(badges).problems() == []
    module = (badges / "Modules/Badges/Implementation/BadgesModule.swift").read_text()
    assert 'registrar.contribute(Home.Entry.self) { Home.Entry("Badges", opens: Badges.Overview()) }' in module
    # `swift package check` finds an edge that no import uses.
    module = (badges / f"Modules/{_LONG}/Implementation/{_LONG}Module.swift").read_text()
    assert all(f"import {each}Interface\n" in module for each in used.split(","))
    assert "Home.Entry" in module
    service = (badges / f"Modules/{_LONG}Stock/Implementation/{_LONG}StockModule.swift").read_text()
    assert "Home.Entry" not in service


INVALID = {
    "is not the name of a Swift type": ["badges", "Bad-ges", "Bädges", "2Badges", "", "Modules/Badges"],
    "takes a file 'Main.swift' for the start of a program": ["Main"],
    "have a protocol and a file of the name Service": ["Service"],
    "Swift or Foundation has a type Data already": ["Data"],
    "Swift or Foundation has a type Set already": ["Set"],
    "Swift or Foundation has a type Self already": ["Self"],
    "Swift or Foundation has a module Observation already": ["Observation"],
    "Leave 'Interface' out.": ["BadgesInterface"],
    "There is a folder Modules/Login already. Choose another name.": ["LogIn"],
    "There is a target App already": ["App"],
    "There is a target HTTPClientEmbedded already": ["HTTPClientEmbedded"],
    "Modules/HTTPClient/Interface/HTTP.swift declares a type HTTP already": ["HTTP"],
    "Modules/Login/Testing/FakeLoginModule.swift declares a type FakeSessions already": ["FakeSessions"],
}
WORDS = {
    "Badges": ("badges", "Badges"),
    "ShoppingCart": ("shopping-cart", "Shopping cart"),
    "HTTPClient": ("http-client", "HTTP client"),
    "Level2URL": ("level2-url", "Level2 URL"),
}
UNUSABLE = {
    "Logn": "No module is called 'Logn'. Did you mean 'Login'?",
    "Xyz": "No module is called 'Xyz'. Choose from: Display, FeatureFlags, HTTPClient, Home, Login,",
    "Badges": "Badges cannot use itself",
    "RouterService": "Every module may import the interface of RouterService",
}


def test_name_becomes_words_or_is_rejected_and_so_is_a_module_that_cannot_be_used(repository: Checkout) -> None:
    cases = [(name, (), message) for message, names in INVALID.items() for name in names]
    for name, uses, message in [*cases, *(("Badges", (used,), message) for used, message in UNUSABLE.items())]:
        with pytest.raises(UsageError, match=re.escape(message)):
            modules.add(name, uses, route=True, service=False, checkout=repository)
    assert {name: (names.identifier(name), names.title(name)) for name in WORDS} == WORDS


def test_wrong_commands_missing_fakes_and_taken_urls_or_folders_are_named(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused(checkout, capsys, "run Profil", 64, "No module is called 'Profil'. Did you mean 'Profile'?")
    alone = (
        "no type in Modules/HTTPClient/Interface is a Route, so it has nothing to open. These can: Home, Login, Notes, "
    )
    refused(checkout, capsys, "run HTTPClient", 1, f"HTTPClient cannot run alone: {alone}Profile.\n")
    assert not (checkout / ".build").exists()
    edit(checkout, "Modules/Login/Implementation/LoginModule.swift", "app://sign-in?userName", "app://entry?userName")
    refused(checkout, capsys, "new Entry", 64, 'LoginModule.swift has .url("app://entry? already')
    (checkout / "Modules/badges").mkdir()
    refused(checkout, capsys, "new Badges", 64, "There is a folder Modules/badges already")
    fakes = checkout / "Modules/Login/Testing"
    (fakes / "FakeLoginModule.swift").rename(fakes / "Fakes.swift")
    message = (
        "error: Profile cannot run alone: there is no Modules/Login/Testing/FakeLoginModule.swift, whose "
        "FakeLoginModule registers the fakes of Login. These can: Home, Notes.\n"
    )
    refused(checkout, capsys, "run Profile", 1, message)


UNREADABLE = [
    ("Package.swift", _MODULES, _MODULES.replace("modules =", "modules: [Module] =")),
    (_COMPOSITION, "-> [any Module] {", "-> [Module] {"),
    (_COMPOSITION, _ENTRIES, "    [AppModule(), DisplayModule()]\n"),
]


def test_list_that_cannot_be_edited_safely_is_refused(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path, old, new in UNREADABLE:
        text = (REPOSITORY / path).read_text()
        assert text.count(old) == 1
        with pytest.raises(ToolError, match=f"{path} has no list of modules that can be read"):
            lists.adding(text.replace(old, new), path, "Badges", "BadgesModule()")
    edit(checkout, _COMPOSITION, "-> any ProgramRouter {", "-> any ProgramRouter {(")
    refused(checkout, capsys, "new Badges", 1, "'swift format' cannot read a file")
    edit(checkout, "Package.swift", _MODULES, _MODULES + "<<<<<<< HEAD\n")
    refused(checkout, capsys, "new Badges", 1, "does not compile:\nPackage.swift:9:1: error: ")


COMMENTED = [
    ("Package.swift", '    Module("Login"', '    // Who is signed in.\n    Module("Login"'),
    (
        "Package.swift",
        'implements: "HTTPClient", uses: ["Storage"]),',
        'implements: "HTTPClient", uses: ["Storage"]),  // "two", [of] (them)',
    ),
    (_COMPOSITION, "-> [any Module] {\n    [", "-> [any Module] {  // All of them.\n    [  // In order."),
    (_COMPOSITION, "        LoginModule(),", "        LoginModule(),  // Who is signed in, and /* where"),
]


def test_comments_in_the_lists_stay_where_they_are() -> None:
    for path, old, new in COMMENTED:
        text = (REPOSITORY / path).read_text()
        assert text.count(old) == 1
        before = text.replace(old, new)
        after = lists.adding(before, path, "Inbox", "InboxModule()")
        assert [line.strip() for line in after.splitlines() if "Inbox" in line] == ["InboxModule(),"]
        # All other lines stay, and those behind which the entry stands.
        assert [line for line in after.splitlines() if "Inbox" not in line] == before.splitlines()
        assert re.search(r"HTTPClient.*\n +InboxModule\(\),\n(?: *//.*\n)* +.*Login", after)


def test_package_of_features_is_written_once_with_the_live_side(checkout: Path, toolchain: Toolchain) -> None:
    sources = tree(checkout)
    manifest = features.write_package("Profile", Checkout(checkout, toolchain)) / "Package.swift"
    assert tree(checkout) == sources
    before = manifest.stat().st_mtime_ns
    features.write_package("Login", Checkout(checkout, toolchain))
    assert manifest.stat().st_mtime_ns == before
    assert run(checkout, "module", "new", "Badges") == 0
    features.write_package("Login", Checkout(checkout, toolchain))
    assert '"RunBadges"' in manifest.read_text()
    stage = features.write_package("Profile", Checkout(checkout, toolchain)) / "FeatureStage"
    assert (stage / "Live.swift").samefile(checkout / "App/Live.swift")
    assert (stage / "FeatureProgram.swift").samefile(REPOSITORY / "scripts/repo/scaffold/stage/FeatureProgram.swift")
    (stage / "Former.swift").symlink_to("nowhere")
    features.write_package("Profile", Checkout(checkout, toolchain))
    assert not (stage / "Former.swift").is_symlink()
