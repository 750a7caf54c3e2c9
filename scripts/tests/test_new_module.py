"""What `scripts/new-module` writes and refuses, where no build is needed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from scaffold_checkout import add, checkout, edit, plain, tree

from buildspeed.toolchain import Toolchain
from scaffolding import naming

__all__ = ["checkout", "plain"]

_MODULES = 'let modules = [\n    Module("Display"),\n'
_LONG = "AccountsWithSeveralOwnersAndDelegates"


def lines_with(checkout: Path, path: str, word: str) -> list[str]:
    return [line.strip() for line in (checkout / path).read_text().splitlines() if word in line]


def test_module_is_added_to_both_lists_in_order(checkout: Path) -> None:
    assert add(checkout, "Inbox", "--uses", "Profile,Login,Profile") == 0
    manifest = (checkout / "Package.swift").read_text()
    assert (
        '    Module("HTTPClient", alternatives: ["Embedded"]),\n'
        '    Module("Inbox", uses: ["Display", "Login", "Profile"]),\n'
        '    Module("Login", '
    ) in manifest
    composition = (checkout / "App/Composition.swift").read_text()
    assert "import HTTPClientImplementation\nimport InboxImplementation\nimport LoginImpl" in composition
    assert "EmbeddedHTTPClientModule(),\n        InboxModule(),\n        LoginModule(),\n" in composition
    # Two lines, and nothing else that would have to be kept in step.
    assert lines_with(checkout, "App/Composition.swift", "Inbox") == ["import InboxImplementation", "InboxModule(),"]


@pytest.mark.parametrize(("name", "at"), [("Aardvarks", 0), ("Zebras", -1)])
def test_module_can_be_the_first_and_the_last(checkout: Path, name: str, at: int) -> None:
    assert add(checkout, name) == 0
    assert lines_with(checkout, "Package.swift", "    Module(")[at].startswith(f'Module("{name}"')
    entries = lines_with(checkout, "App/Composition.swift", "Module(),")
    # The App's own entry is in alphabetical order as well.
    assert entries[at] == f"{name}Module(),"


def test_service_alone_has_no_screen_and_needs_no_display(checkout: Path) -> None:
    assert add(checkout, "Stock", "--service") == 0
    assert lines_with(checkout, "Package.swift", "Stock") == ['Module("Stock"),']
    assert lines_with(checkout, "App/Composition.swift", "Stock") == ["import StockImplementation", "StockModule(),"]
    assert not (checkout / "Modules/Stock/Interface/Overview.swift").exists()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Url", []),
        (_LONG, ["--route"]),
        ("Url", ["--service"]),
        (_LONG, ["--service"]),
        ("Url", ["--route", "--service"]),
        (_LONG, ["--route", "--service"]),
    ],
)
def test_files_are_laid_out_and_complete(checkout: Path, toolchain: Toolchain, name: str, options: list[str]) -> None:
    assert add(checkout, name, *options, "--uses", "Display,HTTPClient,Login,Profile") == 0
    command = [toolchain.swift, "format", "lint", "--strict", "--recursive", "Package.swift", "App", "Modules", "Tests"]
    result = subprocess.run(command, cwd=checkout, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    for folder in ("Interface", "Implementation", "Testing"):
        assert list((checkout / "Modules" / name / folder).glob("*.swift"))
    assert list((checkout / f"Tests/{name}Tests").glob("*Tests.swift"))
    readme = (checkout / "Modules" / name / "README.md").read_text()
    assert readme.startswith(f"# {name}\n\n[Interface](Interface) · [Implementation](Implementation) · ")
    written = [text for path, text in tree(checkout).items() if name in path and text is not None]
    assert not any(mark in text for text in written for mark in (b"${", b"$$", b"__Name__", b"\t"))


def test_links_in_the_readme_lead_to_files(checkout: Path) -> None:
    assert add(checkout, "Badges", "--route", "--service") == 0
    readme = checkout / "Modules/Badges/README.md"
    targets = [part.partition(")")[0] for part in readme.read_text().split("](")[1:]]
    assert len(targets) == 6
    assert all((readme.parent / target).exists() for target in targets)


def test_dry_run_shows_everything_and_writes_nothing(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = tree(checkout)
    assert add(checkout, "Badges", "--route", "--service", "--dry-run") == 0
    output = capsys.readouterr().out
    assert "==> would write Modules/Badges/Interface/Badges.swift\n" in output
    assert "public enum Badges {}" in output
    assert '+    Module("Badges", uses: ["Display"]),' in output
    assert tree(checkout) == before
    assert not (checkout / ".build").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("badges", "is not the name of a Swift type"),
        ("Bad-ges", "is not the name of a Swift type"),
        ("Bädges", "is not the name of a Swift type"),
        ("2Badges", "is not the name of a Swift type"),
        ("", "is not the name of a Swift type"),
        ("class", "is a keyword of Swift"),
        ("Self", "is a keyword of Swift"),
        ("Any", "is a keyword of Swift"),
        ("Modules/Badges", "is a path"),
        ("..", "is a path"),
        ("A" * 41, "is longer than 40 characters"),
        ("BadgesInterface", "Leave 'Interface' out; 'Badges' gets a 'BadgesInterface'"),
        ("Testing", "Leave 'Testing' out"),
        ("Login", "there is a module Login already"),
        ("LogIn", "there is a module Login already"),
        ("App", "there is a target App already"),
        ("HTTPClientEmbedded", "there is a target HTTPClientEmbedded already"),
        ("Foundation", "is a module of the toolchain"),
        ("Dispatch", "is a module of the toolchain"),
        ("SwiftUI", "is a module of the system"),
        ("String", "is a type of Swift or of its libraries"),
        ("Result", "is a type of Swift or of its libraries"),
        ("Data", "is a type of Swift or of its libraries"),
        ("HTTP", "Modules/HTTPClient/Interface/HTTP.swift declares a type HTTP already"),
        ("Route", "declares a type Route already"),
        ("Test", "declares a type TestModule already"),
        ("SignIn", "declares a type SignInFeature already"),
        ("FakeSessions", "Modules/Login/Testing/FakeSessions.swift declares a type FakeSessions already"),
    ],
)
def test_name_that_cannot_be_is_refused(
    checkout: Path, capsys: pytest.CaptureFixture[str], name: str, message: str
) -> None:
    before = tree(checkout)
    assert add(checkout, name) == 64
    captured = capsys.readouterr()
    assert captured.err.startswith("error: ")
    assert message in captured.err
    assert captured.out == ""
    assert tree(checkout) == before


def test_name_whose_url_is_taken_is_refused(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(checkout, "Modules/Login/Implementation/LoginModule.swift", "app://sign-in?userName", "app://entry?userName")
    assert add(checkout, "Entry") == 64
    assert "LoginModule.swift registers the URL app://entry already" in capsys.readouterr().err


def test_name_of_a_folder_that_is_in_no_list_is_refused(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (checkout / "Modules/badges").mkdir()
    assert add(checkout, "Badges") == 64
    assert "Modules/badges exists already, though Badges is in no list" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("uses", "message"),
    [
        (
            "Logn",
            "no module is called 'Logn'. Did you mean 'Login'? The modules are: Display, HTTPClient, Login, Profile.",
        ),
        ("login", "Did you mean 'Login'?"),
        ("Xyz", "no module is called 'Xyz'. The modules are: "),
        ("Badges", "Badges cannot use itself"),
        ("RouterService", "every module may import the interface of RouterService"),
        (",", "no module is named"),
    ],
)
def test_module_that_cannot_be_used_is_refused(
    checkout: Path, capsys: pytest.CaptureFixture[str], uses: str, message: str
) -> None:
    before = tree(checkout)
    assert add(checkout, "Badges", "--uses", uses) == 64
    assert message in capsys.readouterr().err
    assert tree(checkout) == before


@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        ("Package.swift", _MODULES, 'let all = [\n    Module("Display"),\n', "has no list of modules that can be read"),
        ("Package.swift", _MODULES, _MODULES + "<<<<<<< HEAD\n", "Package.swift:9: this is not read as a module"),
        ("Package.swift", _MODULES, _MODULES + "#if os(Linux)\n", "Package.swift:9: this cannot be read as a list"),
        (
            "Package.swift",
            _MODULES,
            _MODULES + "    extra(),\n",
            "Package.swift:9: this is not read as a module: extra()",
        ),
        ("Package.swift", _MODULES, _MODULES + '    Module("Display"),\n', "lists a module twice"),
        ("Package.swift", _MODULES, _MODULES + '    Module("Album"),\n', "is not alphabetical: 'Album' stands behind"),
        ("Package.swift", 'Module("RouterService"),', 'Module("RouterService")', "put a comma behind the last entry"),
        ("Package.swift", '"Display"),\n', '"Display"), Module("Extra"),\n', "must stand on lines of its own"),
        (
            "Package.swift",
            '    Module("Display"),',
            '   Module("Display"),',
            "Package.swift:8 is laid out in another way",
        ),
        ("Package.swift", "struct Module {", "struct {", "'swift format' cannot read what is to be edited"),
        ("App/Composition.swift", "-> [any Module] {", "-> [Module] {", "has no list of modules that can be read"),
        ("App/Composition.swift", "        AppModule(),", "        own,", "this is not read as a module entry: own"),
        ("App/Composition.swift", "-> any RunningRouter {", "->any RunningRouter {", "is laid out in another way"),
    ],
)
def test_list_that_cannot_be_edited_safely_is_refused(
    checkout: Path, capsys: pytest.CaptureFixture[str], path: str, old: str, new: str, message: str
) -> None:
    edit(checkout, path, old, new)
    before = tree(checkout)
    assert add(checkout, "Badges") == 1
    assert message in capsys.readouterr().err
    assert tree(checkout) == before


def test_comments_in_the_lists_stay_where_they_are(checkout: Path) -> None:
    edit(checkout, "Package.swift", '    Module("Login"', '    // Who is signed in.\n    Module("Login"')
    edit(checkout, "Package.swift", '["Embedded"]),', '["Embedded"]),  // "two", [of] (them)')
    assert add(checkout, "Inbox") == 0
    assert (
        '["Embedded"]),  // "two", [of] (them)\n    Module("Inbox", uses: ["Display"]),\n'
        '    // Who is signed in.\n    Module("Login"'
    ) in (checkout / "Package.swift").read_text()


@pytest.mark.parametrize(
    ("name", "identifier", "title"),
    [
        ("Badges", "badges", "Badges"),
        ("ShoppingCart", "shopping-cart", "Shopping cart"),
        ("HTTPClient", "http-client", "HTTP client"),
        ("Level2Map", "level2-map", "Level2 map"),
        ("MyURL", "my-url", "My URL"),
    ],
)
def test_name_becomes_words(name: str, identifier: str, title: str) -> None:
    assert (naming.identifier(name), naming.title(name)) == (identifier, title)
