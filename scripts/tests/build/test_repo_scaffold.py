"""Modules that were added, and features that run alone, built and run as a user does it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from repo_checkout import run, words_of
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.scaffold.features import build, write_package
from repo.scaffold.lists import Checkout

pytestmark = pytest.mark.slow

_IMPORTS = ("--explicit-target-dependency-import-check", "error")


def output_of(folder: Path, *command: str | Path, input: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a program with lines of input."""
    return subprocess.run(command, cwd=folder, input=input, capture_output=True, text=True, timeout=1800)


@pytest.fixture(scope="module")
def grown(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy to which one module of each kind was added. The App's tests take no path with a space."""
    folder = shutil.copytree(plain, tmp_path_factory.mktemp("grown") / "checkout", symlinks=True)
    for options in (
        "Stock --service --uses HTTPClient",
        "ShoppingCart --route --service --uses HTTPClient,Login,Stock",
        "Badges --uses ShoppingCart",
        "Wall --route --service --uses Badges",
    ):
        assert run(folder, "module", "new", *options.split()) == 0, options
    return folder


@pytest.fixture(scope="module")
def built(grown: Path, toolchain: Toolchain) -> Path:
    """The same, built without a warning."""
    result = output_of(grown, toolchain.swift, "build", "--build-tests", *_IMPORTS)
    output = result.stdout + result.stderr
    assert result.returncode == 0, output
    assert "warning:" not in output
    return grown


def test_tests_of_added_modules_and_of_the_app_pass(built: Path, toolchain: Toolchain) -> None:
    tests = "BadgesTests|ShoppingCartTests|StockTests|WallTests|AppTests"
    result = output_of(built, toolchain.swift, "test", "--skip-build", *_IMPORTS, "--filter", tests)
    assert result.returncode == 0, result.stdout + result.stderr
    suites = ("BadgesModuleTests", "ShoppingCartOverviewTests", "InMemoryStockTests", "WallOverviewTests")
    for name in (*suites, "CommandLineTests"):
        assert f"Suite {name} passed" in result.stdout


def test_import_of_another_implementation_is_refused_by_the_build(built: Path, toolchain: Toolchain) -> None:
    """The example of README."""
    file = built / "Modules/Home/Implementation/Shortcut.swift"
    file.write_text("import NotesImplementation\n", encoding="utf-8")
    try:
        result = output_of(built, toolchain.swift, "build", "--build-tests", *_IMPORTS)
    finally:
        file.unlink()
    reason = "error: Target HomeImplementation imports another target (NotesImplementation) in the package without"
    assert result.returncode != 0 and reason in result.stdout + result.stderr
    assert reason in (built / "README.md").read_text(encoding="utf-8")


def test_app_warns_of_services_that_nothing_needs(built: Path) -> None:
    result = output_of(built, built / ".build/debug/App", "--check")
    first, last = result.stdout.splitlines()
    assert first.startswith("warning: any Stock.Service, registered at ")
    assert re.fullmatch(r"\d+ routes, \d+ services, 0 problems, 1 warning", last)
    assert result.returncode == 0


SCREENS = {
    "badges": "Badges ==\nNumber: 0\n  1  Add one\n  2  Done\n  0  Back\n> ",
    "shopping-cart": "Shopping cart ==\n  1  New entry:\n  2  Add\n  3  Done\n  0  Back\n",
    "wall": "Wall ==\n  1  New entry:\n  2  Add\n  3  Done\n  0  Back\n",
}


def test_each_screen_has_an_entry_on_the_first_one(built: Path) -> None:
    result = output_of(built, built / ".build/debug/App", "--ephemeral")
    titles = ["Badges", "Notes", "Profile", "Shopping cart", "Sign in", "Wall"]
    rows = re.findall(r"^  (\d)  ([^—\n]+?)(?: — .*)?$", result.stdout, re.M)
    assert rows == [(str(number), title) for number, title in enumerate(titles, start=1)]
    chosen = output_of(built, built / ".build/debug/App", "--ephemeral", input="4\n")
    assert f"== Home › {SCREENS['shopping-cart']}" in chosen.stdout


def test_screen_opens_in_the_app(built: Path) -> None:
    for name, screen in SCREENS.items():
        result = output_of(built, built / ".build/debug/App", "--open", f"app://{name}")
        assert result.stdout.startswith(f"== Home › {screen}")
        assert (result.returncode, result.stderr) == (0, "")


@pytest.fixture(scope="module")
def cart(grown: Path, toolchain: Toolchain) -> Path:
    """The feature ShoppingCart alone."""
    return build("ShoppingCart", write_package("ShoppingCart", Checkout(grown, toolchain)), toolchain)


@pytest.fixture(scope="module")
def profile(grown: Path, toolchain: Toolchain) -> Path:
    """The feature Profile alone."""
    return build("Profile", write_package("Profile", Checkout(grown, toolchain)), toolchain)


def test_added_feature_runs_alone_with_its_fake(cart: Path) -> None:
    result = output_of(cart.parent, cart, input="three\n3\n")
    assert result.stdout == (
        "== ShoppingCart alone › Shopping cart ==\n"
        "one\ntwo\n  1  New entry:\n  2  Add\n  3  Done\n  0  Back\n"
        "(An empty line keeps the text; :q goes back to the choices.)\nNew entry: three\n\n"
        "== ShoppingCart alone › Shopping cart ==\n"
        "one\ntwo\nthree\n  1  New entry:\n  2  Add\n  3  Done\n  0  Back\n> 3\n\n"
        "== ShoppingCart alone ==\n"
        "shopping-cart.overview finished\n  1  shopping-cart.overview\n> \n"
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_no_other_implementation_is_built(cart: Path, profile: Path) -> None:
    # SwiftPM makes a folder for every target when it plans; what is built has a module.
    modules = {path.stem for path in (cart.parent / "Modules").glob("*.swiftmodule")}
    assert {name for name in modules if name.endswith("Implementation")} == {
        "DisplayImplementation",
        "ProfileImplementation",
        "RouterServiceImplementation",
        "ShoppingCartImplementation",
    }
    assert "HTTPClientEmbedded" not in modules
    assert not list(cart.parent.glob("App.build"))


def test_profile_alone_signs_in_without_a_form_and_edits_the_fake(profile: Path) -> None:
    result = output_of(profile.parent, profile, input="1\nAnna\n0\n")
    screens = result.stdout.split("\n\n")
    assert [screen.splitlines()[0] for screen in screens] == [
        "== Profile alone › Profile ==",
        "== Profile alone › Profile › Edit profile ==",
        "✓ Saved",
        "== Profile alone ==",
    ]
    assert screens[2].startswith("✓ Saved\n== Profile alone › Profile ==\nAnna\n@ann\n  1  Edit display name\n")
    assert screens[3] == "== Profile alone ==\n  1  profile.overview\n> \n"
    assert (result.returncode, result.stderr) == (0, "")


NOWHERE = {
    "app://profil": "No route has a URL pattern that matches 'app://profil'. The nearest is 'app://profile'.",
    "profile.editor": "'user' is missing.",
    "profile.edit": "No route has the identifier 'profile.edit'. The nearest is 'profile.editor'.",
}


def test_feature_starts_where_a_link_or_a_url_leads_or_names_the_routes(profile: Path) -> None:
    for beginning in ("app://profile/bob", 'profile.overview|{"user":"bob"}'):
        result = output_of(profile.parent, profile, beginning)
        assert result.stdout.startswith("== Profile alone › Profile of bob ==\nBob Builder\n@bob\n")
        assert (result.returncode, result.stderr) == (0, "")
    for beginning, reason in NOWHERE.items():
        result = output_of(profile.parent, profile, beginning)
        assert result.stderr.startswith(f"error: '{beginning}' cannot be opened: {reason}\nThe routes are:\n")
        assert "  profile.editor  app://profile/:user/edit\n" in result.stderr
        assert (result.returncode, result.stdout) == (64, "")


def test_command_shows_the_build_and_becomes_the_feature(grown: Path, profile: Path) -> None:
    result = output_of(grown, *words_of(grown, "module", "run", "Profile"), input="q\n")
    assert result.stderr.startswith("Building RunProfile in debug\n")
    assert "Build of product 'RunProfile' complete!" in result.stderr
    assert result.stdout.startswith("== Profile alone › Profile ==\n")
    assert result.returncode == 0
