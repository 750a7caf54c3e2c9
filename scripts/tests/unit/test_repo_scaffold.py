"""Modules that are added, and features that run alone, where no build is needed."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from repo_checkout import REPOSITORY, badges, checkout, edit, plain, run, tree, with_badges
from swiftmodules.errors import UsageError
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.scaffold import features, lists, modules, names
from repo.scaffold.lists import Checkout

__all__ = ["badges", "checkout", "plain", "with_badges"]

_MODULES = 'let modules = [\n    Module("Display"),\n'
_LONG = "AccountsWithSeveralOwnersAndDelegat"
_ENTRIES = """\
    [
        AppModule(server: backend, dataPath: dataPath),
        DisplayModule(),
        backend != nil ? HTTPClientModule() : EmbeddedHTTPClientModule(),
        LoginModule(),
        NotesModule(),
        ProfileModule(),
        dataPath != nil ? StorageModule() : InMemoryStorageModule(),
    ]
"""
_COMPOSITION = "App/Composition.swift"


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


def test_module_is_added_to_both_lists_and_a_service_alone_has_no_screen(checkout: Path) -> None:
    assert run(checkout, "module", "new", "Inbox", "--uses", "Profile,Login", "--uses", "Profile") == 0
    manifest = (checkout / "Package.swift").read_text()
    assert (
        '    Module("HTTPClient", alternatives: ["Embedded": ["Storage"]]),\n'
        '    Module("Inbox", uses: ["Display", "Login", "Profile"]),\n'
        '    Module("Login", '
    ) in manifest
    composition = (checkout / _COMPOSITION).read_text()
    assert "import HTTPClientImplementation\nimport InboxImplementation\nimport LoginImpl" in composition
    assert "EmbeddedHTTPClientModule(),\n        InboxModule(),\n        LoginModule(),\n" in composition
    # Two lines, and nothing else that would have to be kept in step.
    assert lines_with(checkout, _COMPOSITION, "Inbox") == ["import InboxImplementation", "InboxModule(),"]
    assert run(checkout, "module", "new", "Stock", "--service") == 0
    assert lines_with(checkout, "Package.swift", "Stock") == ['Module("Stock"),']
    assert lines_with(checkout, _COMPOSITION, "Stock") == ["import StockImplementation", "StockModule(),"]
    assert not (checkout / "Modules/Stock/Interface/Overview.swift").exists()


@pytest.mark.parametrize(("name", "at"), [("Aardvarks", 0), ("Zebras", -1)])
def test_module_can_be_the_first_and_the_last(name: str, at: int) -> None:
    for path, entry in (("Package.swift", f'Module("{name}")'), (_COMPOSITION, f"{name}Module()")):
        text = lists.adding((REPOSITORY / path).read_text(encoding="utf-8"), path, name, entry)
        # The App's own entry is in alphabetical order too.
        entries = [line.strip() for line in text.splitlines() if re.match(r' +(?:Module\("|.*Module\(.*\),$)', line)]
        assert entries[at] == f"{entry},"
    imported = lists.importing("import B\nimport M\n", f"{name}Implementation").splitlines()
    assert imported[at] == f"import {name}Implementation"


def test_files_are_laid_out_complete_and_documented(badges: Path, toolchain: Toolchain) -> None:
    names: dict[str, list[str]] = {_LONG: [], f"{_LONG}Stock": ["--service"]}
    names |= {name: ["--route", "--service"] for name in ("UrlCart", f"{_LONG}Cart")}
    for name, options in names.items():
        assert run(badges, "module", "new", name, *options, "--uses", "Badges,Display,HTTPClient,Login,Profile") == 0
    command = [toolchain.swift, "format", "lint", "--strict", "--recursive", "Package.swift", "App", "Modules", "Tests"]
    result = subprocess.run(command, cwd=badges, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    for name in names:
        require_complete(badges, name)


def require_complete(badges: Path, name: str) -> None:
    """A module has every part, and a README whose links lead somewhere."""
    for folder in ("Interface", "Implementation", "Testing"):
        assert list((badges / "Modules" / name / folder).glob("*.swift"))
    assert list((badges / f"Tests/{name}Tests").glob("*Tests.swift"))
    readme = badges / "Modules" / name / "README.md"
    assert readme.read_text().startswith(f"# {name}\n\n[Interface](Interface) · [Implementation](Implementation) · ")
    targets = [part.partition(")")[0] for part in readme.read_text().split("](")[1:]]
    assert len(targets) >= 5 and all((readme.parent / target).exists() for target in targets)
    written = [text.decode() for path, text in tree(badges).items() if name in path and text is not None]
    assert not any(mark in text for text in written for mark in ("${", "$$", "__Name__", "\t"))
    # As the check requires: the first paragraph of a comment is one sentence.
    summaries = [each for text in written for each in re.findall(r"(?:^ *///.*\n)+", text, re.M)]
    for summary in (re.sub(r" *///[ ]?", "", each).split("\n\n")[0].strip() for each in summaries):
        assert summary.endswith(".") and not re.search(r"[.!?]\s+[A-Z]", summary), summary


def test_screen_leads_to_the_first_screens_of_the_modules_that_it_uses(badges: Path) -> None:
    assert run(badges, "module", "new", "Wall", "--uses", "Badges,Profile") == 0
    feature = (badges / "Modules/Wall/Implementation/WallFeature.swift").read_text()
    assert '.row(Display.Row("Badges") { try await context.open(Badges.Overview()) }),' in feature
    # An edge that no import uses would be a finding of the check.
    assert "import BadgesInterface\n" in feature and "import ProfileInterface\n" in feature
    tests = (badges / "Tests/WallTests/WallOverviewTests.swift").read_text()
    assert "badges_opensItsFirstScreen" in tests and "ProfileInterface" not in tests


INVALID = {
    "is not the name of a Swift type": ["badges", "Bad-ges", "Bädges", "2Badges", "", "class", "Modules/Badges", ".."],
    "takes a file 'Main.swift' for the start of a program": ["Main"],
    "is a keyword of Swift": ["Self", "Any"],
    "is longer than 40 characters": ["A" * 41],
    "Leave 'Interface' out; 'Badges' gets a 'BadgesInterface'": ["BadgesInterface"],
    "Leave 'Testing' out": ["Testing"],
    "There is a module Login already": ["LogIn"],
    "There is a module Login already. Choose another name.": ["Login"],
    "There is a target App already": ["App"],
    "There is a target HTTPClientEmbedded already": ["HTTPClientEmbedded"],
    "is a module of the toolchain": ["Foundation", "Dispatch"],
    "is a module of the system": ["SwiftUI"],
    "is a type of Swift or of its libraries": ["String", "Result", "Data"],
    "Modules/HTTPClient/Interface/HTTP.swift declares a type HTTP already": ["HTTP"],
    "declares a type Route already": ["Route"],
    "declares a type TestModule already": ["Test"],
    "declares a type SignInFeature already": ["SignIn"],
    "Modules/Login/Testing/FakeSessions.swift declares a type FakeSessions already": ["FakeSessions"],
}
WORDS = {
    "Badges": ("badges", "Badges"),
    "ShoppingCart": ("shopping-cart", "Shopping cart"),
    "HTTPClient": ("http-client", "HTTP client"),
    "Level2Map": ("level2-map", "Level2 map"),
    "MyURL": ("my-url", "My URL"),
}
UNUSABLE = {
    "Logn": "No module is called 'Logn'. Did you mean 'Login'?",
    "login": "Did you mean 'Login'?",
    "Xyz": "No module is called 'Xyz'. Choose from: Display, FeatureFlags, HTTPClient, Login,",
    "Badges": "Badges cannot use itself",
    "RouterService": "Every module may import the interface of RouterService",
}


def test_name_becomes_words_or_is_rejected_and_so_is_a_module_that_cannot_be_used(repository: Checkout) -> None:
    cases = [(name, (), message) for message, names in INVALID.items() for name in names]
    for name, uses, message in [*cases, *(("Badges", (used,), message) for used, message in UNUSABLE.items())]:
        with pytest.raises(UsageError, match=re.escape(message)):
            modules.add(name, uses, route=True, service=False, checkout=repository)
    assert {name: (names.identifier(name), names.title(name)) for name in WORDS} == WORDS


def test_missing_fakes_and_names_whose_url_or_folder_is_taken_are_refused(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(checkout, "Modules/Login/Implementation/LoginModule.swift", "app://sign-in?userName", "app://entry?userName")
    refused(checkout, capsys, "new Entry", 64, 'LoginModule.swift has .url("app://entry? already')
    (checkout / "Modules/badges").mkdir()
    refused(checkout, capsys, "new Badges", 64, "Modules/badges exists already, though Badges is in no list")
    (checkout / "Modules/Login/Testing/FakeLoginModule.swift").unlink()
    message = (
        "error: Profile cannot run alone: there is no Modules/Login/Testing/FakeLoginModule.swift, whose "
        "FakeLoginModule registers the fakes of Login. These can: Notes.\n"
    )
    refused(checkout, capsys, "run Profile", 1, message)


UNREADABLE = "has no list of modules that can be read"
UNSAFE = [
    ("Package.swift", _MODULES, 'let modules: [Module] = [\n    Module("Display"),\n', "has no list of modules that"),
    ("Package.swift", _MODULES, _MODULES + "<<<<<<< HEAD\n", "does not compile:\nPackage.swift:10:1: error: "),
    (_COMPOSITION, "-> [any Module] {", "-> [Module] {", UNREADABLE),
    (_COMPOSITION, _ENTRIES, "    [AppModule(), DisplayModule()]\n", UNREADABLE),
    (_COMPOSITION, "-> any ProgramRouter {", "-> any ProgramRouter {(", "'swift format' cannot read a file"),
]


def test_list_that_cannot_be_edited_safely_is_refused(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path, old, new, message in UNSAFE:
        before = (checkout / path).read_bytes()
        edit(checkout, path, old, new)
        refused(checkout, capsys, "new Badges", 1, message)
        (checkout / path).write_bytes(before)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("Package.swift", '    Module("Login"', '    // Who is signed in.\n    Module("Login"'),
        ("Package.swift", '["Storage"]]),', '["Storage"]]),  // "two", [of] (them)'),
        ("Package.swift", "let modules = [", "let modules = [  // All of them."),
        (_COMPOSITION, "-> [any Module] {\n    [", "-> [any Module] {  // All of them.\n    [  // In order."),
        (_COMPOSITION, "-> [any Module] {\n", "-> [any Module] {\n    // In order.\n"),
        (_COMPOSITION, "        LoginModule(),", "        LoginModule(),  // Who is signed in, and /* where"),
        (_COMPOSITION, "        ProfileModule(),\n", "        ProfileModule(),  // Last.\n        // Nothing more.\n"),
        (_COMPOSITION, "import LoginImplementation", "import LoginImplementation  // Who is signed in."),
    ],
)
def test_comments_in_the_lists_stay_where_they_are(path: str, old: str, new: str) -> None:
    text = (REPOSITORY / path).read_text(encoding="utf-8")
    assert text.count(old) == 1
    before = text.replace(old, new)
    after = lists.adding(before, path, "Inbox", "InboxModule()")
    if path == _COMPOSITION:
        after = lists.importing(after, "InboxImplementation")
    added = [line.strip() for line in after.splitlines() if "Inbox" in line]
    assert added == ["import InboxImplementation"] * (path == _COMPOSITION) + ["InboxModule(),"]
    # All other lines stay, and those behind which the entry stands.
    assert [line for line in after.splitlines() if "Inbox" not in line] == before.splitlines()
    assert re.search(r"HTTPClient.*\n +InboxModule\(\),\n(?: *//.*\n)* +.*Login", after)


def test_failure_while_a_module_is_written_leaves_nothing_behind(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(modules, "formatted", lambda files, _: files)
    monkeypatch.setattr(names, "check_types", lambda *_: None)
    before, replace = tree(checkout), Path.replace
    for at in range(1, 20):
        calls = count(1)

        def failing(path: Path, target: Path, calls: Iterator[int] = calls, at: int = at) -> Path:
            if checkout in target.parents and next(calls) == at:
                raise OSError(28, "No space left on device")
            return replace(path, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", failing)
            if run(checkout, "module", "new", "Badges", "--route", "--service") == 0:
                # Each file was the one that failed, and each of the two lists.
                added = [path for path, text in tree(checkout).items() if text is not None and path not in before]
                assert at - 1 == len(added) + 2
                return
        assert "No space left on device" in capsys.readouterr().err
        assert tree(checkout) == before
    raise AssertionError("the module was never written")


def test_program_has_the_feature_and_the_fakes_of_what_it_uses_and_no_other_implementation(
    checkout: Path, toolchain: Toolchain
) -> None:
    before = tree(checkout)
    folder = features.write_package("Profile", Checkout(checkout, toolchain))
    assert (folder / "Programs/Profile/main.swift").read_text() == (
        "// Written by scripts/module run, which writes it again each time.\n"
        "import FeatureFlagsTesting\n"
        "import FeatureStage\n"
        "import Foundation\n"
        "import HTTPClientTesting\n"
        "import LoginTesting\n"
        "import ProfileImplementation\n"
        "import ProfileTesting\n"
        "\n"
        "let program = FeatureProgram(\n"
        '    "Profile", feature: ProfileModule(), ownFakes: FakeProfileModule(), '
        "otherFakes: [FakeFeatureFlagsModule(), FakeHTTPClientModule(), FakeLoginModule()])\n"
        "exit(await program.run(Array(CommandLine.arguments.dropFirst())))\n"
    )
    assert tree(checkout) == before
    assert run(checkout, "module", "new", "Badges", "--uses", "HTTPClient,Login,Profile") == 0
    program = features.read_program(
        "Badges", features.write_package("Badges", Checkout(checkout, toolchain)), toolchain
    )
    implementations = {name for name in program.targets if not name.endswith(("Interface", "Testing"))}
    assert implementations == {"BadgesImplementation", "DisplayImplementation", "RouterServiceImplementation"}
    assert {"App", "HTTPClientEmbedded", "LoginImplementation", "ProfileImplementation"} <= program.whole
    # Interface, Implementation and Testing of nine modules, the program's interface of the router, the two other implementations.
    assert len(program.whole) == 8 * 3 + 3


def test_package_of_features_is_written_once_with_the_apps_side_of_live_sessions(
    checkout: Path, toolchain: Toolchain
) -> None:
    manifest = features.write_package("Profile", Checkout(checkout, toolchain)) / "Package.swift"
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


ALONE = "HTTPClient cannot run alone: no type in Modules/HTTPClient/Interface is a Route, so it has nothing to open. "


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("new Login", 64, "There is a module Login already"),
        ("new Badges --uses ,", 64, "It has no name"),
        ("new Badges --rout", 64, "Did you mean --route?"),
        ("run Profil", 64, "No module is called 'Profil'. Did you mean 'Profile'?"),
        ("run ../x", 64, "No module is called '../x'"),
        ("run", 64, "MODULE requires an argument"),
        ("run HTTPClient", 1, f"{ALONE}These can: Login, Notes, Profile.\n"),
    ],
)
def test_wrong_command_is_refused_and_changes_nothing(
    plain: Path, capsys: pytest.CaptureFixture[str], command: str, code: int, message: str
) -> None:
    refused(plain, capsys, command, code, message)
    assert not (plain / ".build").exists()
