"""Modules that are added and removed, and features that run alone, where no build is needed."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from repo_checkout import REPOSITORY, badges, checkout, edit, plain, run, tree, with_badges
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.scaffold import changes, features, modules, names
from repo.scaffold.changes import RefusedError

__all__ = ["badges", "checkout", "plain", "with_badges"]

_MODULES = 'let modules = [\n    Module("Display"),\n'
_LONG = "AccountsWithSeveralOwnersAndDelegates"
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
_COMPOSITION, _README = "App/Composition.swift", "Modules/Badges/README.md"


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


def test_module_is_added_to_both_lists_in_order(checkout: Path) -> None:
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


@pytest.mark.parametrize(("name", "at"), [("Aardvarks", 0), ("Zebras", -1)])
def test_module_can_be_the_first_and_the_last(checkout: Path, name: str, at: int) -> None:
    assert run(checkout, "module", "new", name) == 0
    assert lines_with(checkout, "Package.swift", "    Module(")[at].startswith(f'Module("{name}"')
    # The App's own entry is in alphabetical order too.
    assert lines_with(checkout, _COMPOSITION, "Module(),")[at] == f"{name}Module(),"


def test_service_alone_has_no_screen_and_needs_no_display(checkout: Path) -> None:
    assert run(checkout, "module", "new", "Stock", "--service") == 0
    assert lines_with(checkout, "Package.swift", "Stock") == ['Module("Stock"),']
    assert lines_with(checkout, _COMPOSITION, "Stock") == ["import StockImplementation", "StockModule(),"]
    assert not (checkout / "Modules/Stock/Interface/Overview.swift").exists()


@pytest.mark.parametrize("name", ["Url", _LONG])
@pytest.mark.parametrize("options", [[], ["--service"], ["--route", "--service"]])
def test_files_are_laid_out_complete_and_documented(
    badges: Path, toolchain: Toolchain, name: str, options: list[str]
) -> None:
    assert run(badges, "module", "new", name, *options, "--uses", "Badges,Display,HTTPClient,Login,Profile") == 0
    command = [toolchain.swift, "format", "lint", "--strict", "--recursive", "Package.swift", "App", "Modules", "Tests"]
    result = subprocess.run(command, cwd=badges, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
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


def test_screen_leads_to_the_first_screens_of_the_modules_that_it_uses(badges: Path, plain: Path) -> None:
    assert run(badges, "module", "new", "Wall", "--uses", "Badges,Profile") == 0
    feature = (badges / "Modules/Wall/Implementation/WallFeature.swift").read_text()
    assert '.row(Display.Row("Badges") { try await context.open(Badges.Overview()) }),' in feature
    # An edge that no import uses would be a finding of the check.
    assert "import BadgesInterface\n" in feature and "import ProfileInterface\n" in feature
    tests = (badges / "Tests/WallTests/WallOverviewTests.swift").read_text()
    assert "badges_opensItsFirstScreen" in tests and "ProfileInterface" not in tests
    assert run(badges, "module", "remove", "Wall") == 0
    assert run(badges, "module", "remove", "Badges") == 0
    assert tree(badges) == tree(plain)


def test_dry_run_shows_everything_and_writes_nothing(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = tree(checkout)
    assert run(checkout, "module", "new", "Badges", "--route", "--service", "--dry-run") == 0
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
        ("Login", "there is a module Login already. Choose another name, or extend that module."),
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
def test_invalid_name_is_rejected(plain: Path, capsys: pytest.CaptureFixture[str], name: str, message: str) -> None:
    refused(plain, capsys, f"new '{name}'", 64, message)


def test_name_whose_url_or_folder_is_taken_is_refused(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(checkout, "Modules/Login/Implementation/LoginModule.swift", "app://sign-in?userName", "app://entry?userName")
    refused(checkout, capsys, "new Entry", 64, "LoginModule.swift registers the URL app://entry already")
    (checkout / "Modules/badges").mkdir()
    refused(checkout, capsys, "new Badges", 64, "Modules/badges exists already, though Badges is in no list")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (
            "--uses Logn",
            "no module is called 'Logn'. Did you mean 'Login'? The modules are: Display, HTTPClient, Login,",
        ),
        ("--uses login", "Did you mean 'Login'?"),
        ("--uses Xyz", "no module is called 'Xyz'. The modules are: "),
        ("--uses Badges", "Badges cannot use itself"),
        ("--uses RouterService", "every module may import the interface of RouterService"),
        ("--uses ,", "It has no name"),
        ("--rout", "Did you mean --route?"),
    ],
)
def test_invalid_option_is_rejected(
    plain: Path, capsys: pytest.CaptureFixture[str], command: str, message: str
) -> None:
    refused(plain, capsys, f"new Badges {command}", 64, message)


@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        ("Package.swift", _MODULES, 'let all = [\n    Module("Display"),\n', "has no list of modules that can be read"),
        ("Package.swift", _MODULES, _MODULES + "<<<<<<< HEAD\n", "'swift format' cannot read a file"),
        ("Package.swift", _MODULES, _MODULES + "#if os(Linux)\n", "'swift format' cannot read a file"),
        (
            "Package.swift",
            _MODULES,
            _MODULES + "    extra(),\n",
            "Package.swift:10: this is not read as a module: extra()",
        ),
        ("Package.swift", _MODULES, _MODULES + '    Module("Display"),\n', "lists a module twice"),
        ("Package.swift", _MODULES, _MODULES + '    Module("Album"),\n', "is not alphabetical: 'Album' comes after"),
        ("Package.swift", '["InMemory": []]),', '["InMemory": []])', "is not formatted"),
        ("Package.swift", '"Display"),\n', '"Display"), Module("Extra"),\n', "is not read as a module"),
        (
            "Package.swift",
            '    Module("Display"),',
            '   Module("Display"),',
            "Package.swift:9 is not formatted",
        ),
        ("Package.swift", "struct Module {", "struct {", "'swift format' cannot read a file"),
        (_COMPOSITION, "-> [any Module] {", "-> [Module] {", "has no list of modules that can be read"),
        (
            _COMPOSITION,
            "        AppModule(server: backend, dataPath: dataPath),",
            "        own,",
            "this is not read as a module entry: own",
        ),
        (_COMPOSITION, "-> any RunningRouter {", "->any RunningRouter {", "is not formatted"),
        (_COMPOSITION, _ENTRIES, "    [AppModule(), DisplayModule()]\n", "must stand on a line of its own"),
        (_COMPOSITION, _ENTRIES, "    [\n        AppModule()\n    ]\n", "put a comma after this entry of the list"),
    ],
)
def test_list_that_cannot_be_edited_safely_is_refused(
    checkout: Path, capsys: pytest.CaptureFixture[str], path: str, old: str, new: str, message: str
) -> None:
    edit(checkout, path, old, new)
    refused(checkout, capsys, "new Badges", 1, message)


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
def test_comments_in_the_lists_stay_where_they_are(checkout: Path, path: str, old: str, new: str) -> None:
    edit(checkout, path, old, new)
    before = tree(checkout)
    assert run(checkout, "module", "new", "Inbox") == 0
    assert new in (checkout / path).read_text()
    assert lines_with(checkout, "Package.swift", "Inbox") == ['Module("Inbox", uses: ["Display"]),']
    assert lines_with(checkout, _COMPOSITION, "Inbox") == ["import InboxImplementation", "InboxModule(),"]
    assert run(checkout, "module", "remove", "Inbox") == 0
    assert tree(checkout) == before


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
    assert (names.identifier(name), names.title(name)) == (identifier, title)


def test_modules_are_removed_in_any_order_and_leave_the_checkout_as_it_was(checkout: Path) -> None:
    before = tree(checkout)
    added = {
        "Aardvarks": [],
        "Inbox": ["--service"],
        _LONG: ["--route", "--service", "--uses", "HTTPClient,Login,Profile"],
        "Zebras": ["--route", "--service"],
    }
    for name, options in added.items():
        assert run(checkout, "module", "new", name, *options) == 0
    for name in ("Inbox", "Zebras", "Aardvarks", _LONG):
        assert run(checkout, "module", "remove", name) == 0
    assert tree(checkout) == before


def test_dry_run_removes_nothing(badges: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = tree(badges)
    assert run(badges, "module", "remove", "Badges", "--dry-run") == 0
    assert f"would remove {_README}\n" in capsys.readouterr().out
    assert tree(badges) == before


@pytest.mark.parametrize("force", ["", " --force"])
def test_module_in_use_is_not_removed_even_by_force(
    badges: Path, capsys: pytest.CaptureFixture[str], force: str
) -> None:
    assert run(badges, "module", "new", "Zebras", "--uses", "Badges") == 0
    for name, code, message in [
        ("Badgers", 64, "no module is called 'Badgers'. Did you mean 'Badges'?"),
        ("../x", 64, "no module is called '../x'"),
        ("Badges", 1, "Zebras uses Badges. Take it out of its entry in Package.swift first"),
        ("Storage", 1, "HTTPClient, Notes use Storage. Take it out of their entries in Package.swift first"),
        ("Login", 1, "Profile uses Login."),
        ("Display", 1, "Badges, Login, Notes, Profile, Zebras use Display."),
        ("Profile", 1, "Profile is in use:\n  App/Launch.swift imports ProfileInterface\n"),
        ("RouterService", 1, "RouterService is in use:\n"),
    ]:
        refused(badges, capsys, f"remove {name}{force}", code, message)


def test_handwritten_files_are_not_removed_without_force(
    badges: Path, plain: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (badges / _README).write_text("Mine.\n")
    (badges / "Modules/Badges/Interface/Badge.swift").write_text("")
    (badges / "Modules/Badges/Testing/FakeBadgesModule.swift").unlink()
    message = (
        "error: Badges is not as 'module new' writes it:\n"
        "  Modules/Badges/Interface/Badge.swift was added\n"
        f"  {_README} was changed\n"
        "  Modules/Badges/Testing/FakeBadgesModule.swift was removed\n"
        "Removing it would lose that. --force removes it anyway.\n"
    )
    refused(badges, capsys, "remove Badges", 1, message)
    assert run(badges, "module", "remove", "Badges", "--force") == 0
    assert tree(badges) == tree(plain)


def test_generated_parts_do_not_count_as_handwritten(badges: Path) -> None:
    text = (badges / _README).read_bytes() + b"<!-- graph: begin -->\n<!-- graph: end -->\n"
    filled = text.replace(b"-->\n<!--", b"-->\nA --> B\n<!--")
    assert modules.by_hand(filled) == modules.by_hand(text)
    assert modules.by_hand(filled + b"Mine.\n") != modules.by_hand(text)


@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        (_COMPOSITION, "BadgesModule(),", "[BadgesModule()][0],", "has no entry that is just 'BadgesModule()'"),
        (_COMPOSITION, "    [\n        App", "    _ = Badges.self\n    return [\n        App", "no list of modules"),
        (
            _COMPOSITION,
            "/// The router",
            "let first = Badges.Overview.identifier\n\n/// The router",
            "has more of Badges than its entry: 'let first = Badges.Overview.identifier'",
        ),
        (
            "Package.swift",
            '"App", "DisplayTesting",',
            '"App", "BadgesTesting",',
            "names BadgesTesting besides the list",
        ),
        ("App/main.swift", "import Foundation\n", "import BadgesInterface\n", "App/main.swift imports BadgesInterface"),
        (
            "Tests/LoginTests/SignInTests.swift",
            "import Testing\n",
            "@testable import BadgesImplementation\nimport Testing\n",
            "SignInTests.swift imports BadgesImplementation",
        ),
    ],
)
def test_module_that_is_named_elsewhere_is_not_removed(
    badges: Path, capsys: pytest.CaptureFixture[str], path: str, old: str, new: str, message: str
) -> None:
    edit(badges, path, old, new)
    refused(badges, capsys, "remove Badges", 1, message)


def plant(monkeypatch: pytest.MonkeyPatch, method: str, at: int) -> None:
    """Lets the call of a number to a method of paths fail, and those after it succeed."""
    original, calls = getattr(Path, method), count(1)

    def failing(*arguments: object, **options: object) -> object:
        if next(calls) == at:
            raise OSError("no space left on device")
        return original(*arguments, **options)

    monkeypatch.setattr(Path, method, failing)


def fail_at_every_step(monkeypatch: pytest.MonkeyPatch, method: str, checkout: Path, work: Callable[[], None]) -> int:
    """Lets each call of a method fail in turn, until the work is done; the number of failures."""
    before = tree(checkout)
    for at in count(1):
        with monkeypatch.context() as patch:
            plant(patch, method, at)
            try:
                work()
            except RefusedError as error:
                patch.undo()
                assert str(error) == "no space left on device; nothing was changed."
                assert tree(checkout) == before
                assert list((checkout / ".build").glob("*")) == []
            else:
                return at - 1
    return 0


@pytest.mark.parametrize(("method", "least"), [("write_bytes", 5), ("rename", 5), ("replace", 2), ("mkdir", 5)])
def test_failure_while_a_module_is_written_leaves_nothing_behind(
    checkout: Path, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch, method: str, least: int
) -> None:
    planned = modules.plan_adding("Badges", (), route=True, service=True, checkout=checkout, toolchain=toolchain)
    (checkout / ".build").mkdir()
    assert fail_at_every_step(monkeypatch, method, checkout, lambda: changes.apply(checkout, planned)) >= least
    assert run(checkout, "module", "remove", "Badges", "--dry-run") == 0


@pytest.mark.parametrize(("method", "least"), [("replace", 2), ("unlink", 5), ("rmdir", 5), ("write_bytes", 2)])
def test_failure_while_a_module_is_removed_restores_all_of_it(
    badges: Path, plain: Path, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch, method: str, least: int
) -> None:
    planned = modules.plan_removing("Badges", force=False, checkout=badges, toolchain=toolchain)
    folders = modules.folders("Badges")
    assert fail_at_every_step(monkeypatch, method, badges, lambda: changes.apply(badges, planned, folders)) >= least
    assert tree(badges) == tree(plain)


def test_file_that_changed_meanwhile_is_not_overwritten(checkout: Path, toolchain: Toolchain) -> None:
    planned = modules.plan_adding("Badges", (), route=True, service=False, checkout=checkout, toolchain=toolchain)
    edit(checkout, "Package.swift", "// One line per module", "// A line for each module")
    before = tree(checkout)
    with pytest.raises(RefusedError, match=r"Package\.swift was changed by another program meanwhile"):
        changes.apply(checkout, planned)
    assert tree(checkout) == before


def test_file_behind_a_link_is_not_touched(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (checkout / "Modules").rename(checkout / "Elsewhere")
    (checkout / "Modules").symlink_to("Elsewhere")
    refused(checkout, capsys, "new Badges", 1, "is a symbolic link, or is reached through one")


def test_program_has_the_feature_and_the_fakes_of_what_it_uses(checkout: Path) -> None:
    before = tree(checkout)
    folder = features.write_package("Profile", checkout)
    assert (folder / "Programs/Profile/main.swift").read_text() == (
        "// Written by scripts/module run, which writes it again each time.\n"
        "import FeatureStage\n"
        "import Foundation\n"
        "import HTTPClientTesting\n"
        "import LoginTesting\n"
        "import ProfileImplementation\n"
        "import ProfileTesting\n"
        "\n"
        "let program = FeatureProgram(\n"
        '    "Profile", feature: ProfileModule(), ownFakes: FakeProfileModule(), '
        "otherFakes: [FakeHTTPClientModule(), FakeLoginModule()])\n"
        "exit(await program.run(Array(CommandLine.arguments.dropFirst())))\n"
    )
    assert tree(checkout) == before


def test_program_reaches_no_implementation_but_the_features_and_the_terminal(
    checkout: Path, toolchain: Toolchain
) -> None:
    assert run(checkout, "module", "new", "Badges", "--uses", "HTTPClient,Login,Profile") == 0
    program = features.read_program("Badges", features.write_package("Badges", checkout), toolchain)
    implementations = {name for name in program.targets if not name.endswith(("Interface", "Testing"))}
    assert implementations == {"BadgesImplementation", "DisplayImplementation", "RouterServiceImplementation"}
    assert {"App", "HTTPClientEmbedded", "LoginImplementation", "ProfileImplementation"} <= program.whole
    # Interface, Implementation and Testing of seven modules, the two other implementations, the App.
    assert len(program.whole) == 8 * 3 + 3


def test_package_of_features_is_written_again_only_where_it_changed(checkout: Path) -> None:
    manifest = features.write_package("Profile", checkout) / "Package.swift"
    before = manifest.stat().st_mtime_ns
    features.write_package("Login", checkout)
    assert manifest.stat().st_mtime_ns == before
    assert run(checkout, "module", "new", "Badges") == 0
    features.write_package("Login", checkout)
    assert '"RunBadges"' in manifest.read_text()


def test_stage_has_the_side_of_live_sessions_that_the_app_has(checkout: Path) -> None:
    stage = features.write_package("Profile", checkout) / "FeatureStage"
    assert (stage / "Live.swift").samefile(checkout / "App/Live.swift")
    assert (stage / "FeatureProgram.swift").samefile(REPOSITORY / "scripts/repo/scaffold/stage/FeatureProgram.swift")
    (stage / "Former.swift").symlink_to("nowhere")
    features.write_package("Profile", checkout)
    assert not (stage / "Former.swift").is_symlink()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("Profil", 64, "no module is called 'Profil'. Did you mean 'Profile'?"),
        ("../x", 64, "no module is called '../x'"),
        ("", 64, "MODULE requires an argument"),
        ("Profile --live --build-only", 64, "--live and --build-only exclude each other: leave one out."),
        (
            "HTTPClient",
            1,
            "HTTPClient cannot run alone: no type in Modules/HTTPClient/Interface is a Route, so it has nothing to "
            "open. These can: Login, Notes, Profile.\n",
        ),
    ],
)
def test_module_that_cannot_run_alone_is_refused(
    plain: Path, capsys: pytest.CaptureFixture[str], arguments: str, code: int, message: str
) -> None:
    refused(plain, capsys, f"run {arguments}", code, message)
    assert not (plain / ".build").exists()


def test_missing_fakes_are_named(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (checkout / "Modules/Login/Testing/FakeLoginModule.swift").unlink()
    message = (
        "error: Profile cannot run alone: there is no Modules/Login/Testing/FakeLoginModule.swift, whose "
        "FakeLoginModule registers the fakes of Login. These can: Notes.\n"
    )
    refused(checkout, capsys, "run Profile", 1, message)
