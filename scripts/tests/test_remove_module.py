"""What `scripts/remove-module` undoes and refuses, and that either command does all or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from scaffold_checkout import add, checkout, edit, remove, tree

__all__ = ["checkout"]

_LONG = "AccountsWithSeveralOwnersAndDelegates"
_README = "Modules/Badges/README.md"


class PlantedError(OSError):
    """A failure that a test plants."""


def plant(monkeypatch: pytest.MonkeyPatch, method: str, at: int) -> None:
    """Lets the call of a number to a method of paths fail, and those after it succeed."""
    original = getattr(Path, method)
    calls = 0

    def failing(*arguments: object, **options: object) -> object:
        nonlocal calls
        calls += 1
        if calls == at:
            raise PlantedError("no space left on device")
        return original(*arguments, **options)

    monkeypatch.setattr(Path, method, failing)


@pytest.mark.parametrize("options", [[], ["--service"], ["--route", "--service", "--uses", "HTTPClient,Login,Profile"]])
@pytest.mark.parametrize("name", ["Aardvarks", "Inbox", "Zebras", _LONG])
def test_adding_and_removing_leaves_the_checkout_as_it_was(checkout: Path, name: str, options: list[str]) -> None:
    before = tree(checkout)
    assert add(checkout, name, *options) == 0
    assert tree(checkout) != before
    assert remove(checkout, name) == 0
    assert tree(checkout) == before


def test_several_modules_are_removed_in_any_order(checkout: Path) -> None:
    before = tree(checkout)
    # So many that the list of routes needs several lines.
    names = ["Badges", _LONG, "Inbox", "NotificationsOfOtherPeople", "Zebras"]
    for name in names:
        assert add(checkout, name) == 0
    assert "=\n" in (checkout / "App/Composition.swift").read_text()
    for name in ("Inbox", "Zebras", "Badges", _LONG, "NotificationsOfOtherPeople"):
        assert remove(checkout, name) == 0
    assert tree(checkout) == before


def test_dry_run_removes_nothing(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert add(checkout, "Badges") == 0
    before = tree(checkout)
    capsys.readouterr()
    assert remove(checkout, "Badges", "--dry-run") == 0
    assert f"would remove {_README}\n" in capsys.readouterr().out
    assert tree(checkout) == before


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("Badgers", 64, "no module is called 'Badgers'. Did you mean 'Badges'?"),
        ("../x", 64, "no module is called '../x'"),
        ("Badges", 1, "Zebras uses Badges. Take it out of 'uses' in Package.swift first"),
        ("Login", 1, "Profile uses Login."),
        ("Display", 1, "Badges, Login, Profile, Zebras use Display."),
        ("Profile", 1, "Profile is in use:\n  App/Beginning.swift imports ProfileInterface\n"),
        ("RouterService", 1, "RouterService is in use:\n"),
    ],
)
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_module_in_use_is_not_removed_even_by_force(
    checkout: Path, capsys: pytest.CaptureFixture[str], name: str, code: int, message: str, force: list[str]
) -> None:
    assert add(checkout, "Badges") == 0
    assert add(checkout, "Zebras", "--uses", "Badges") == 0
    before = tree(checkout)
    assert remove(checkout, name, *force) == code
    assert message in capsys.readouterr().err
    assert tree(checkout) == before


def test_work_of_hands_is_not_removed_without_force(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    original = tree(checkout)
    assert add(checkout, "Badges") == 0
    (checkout / _README).write_text("Mine.\n")
    (checkout / "Modules/Badges/Interface/Badge.swift").write_text("")
    (checkout / "Modules/Badges/Testing/FakeBadgesModule.swift").unlink()
    before = tree(checkout)
    assert remove(checkout, "Badges") == 1
    assert capsys.readouterr().err == (
        "error: Badges is not as new-module writes it:\n"
        "  Modules/Badges/Interface/Badge.swift was added\n"
        f"  {_README} was changed\n"
        "  Modules/Badges/Testing/FakeBadgesModule.swift was removed\n"
        "Removing it would lose that. --force removes it all the same.\n"
    )
    assert tree(checkout) == before
    assert remove(checkout, "Badges", "--force") == 0
    assert tree(checkout) == original


def test_what_other_commands_write_into_the_readme_is_no_work_of_hands(checkout: Path) -> None:
    before = tree(checkout)
    assert add(checkout, "Badges") == 0
    template = (checkout / _README).read_text()
    assert remove(checkout, "Badges", "--dry-run") == 0
    (checkout / _README).write_text(template + "<!-- graph: begin -->\nA --> B\n<!-- graph: end -->\n")
    assert remove(checkout, "Badges", "--dry-run") == 1, "markers that the template has not are work of hands"
    (checkout / _README).write_text(template)
    assert remove(checkout, "Badges") == 0
    assert tree(checkout) == before


@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        (
            "App/Composition.swift",
            "BadgesModule(),",
            "[BadgesModule()][0],",
            "has no entry that is just 'BadgesModule()'",
        ),
        ("App/Composition.swift", "= Badges.routes", "= all", "is not a sum of 'Name.routes'"),
        (
            "App/Composition.swift",
            "    [\n        App",
            "    _ = Badges.self\n    return [\n        App",
            "no list of modules",
        ),
        (
            "App/Composition.swift",
            "/// The routes",
            "let first = Badges.Overview.identifier\n\n/// The routes",
            "says more of Badges than its entry: 'let first = Badges.Overview.identifier'",
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
    checkout: Path, capsys: pytest.CaptureFixture[str], path: str, old: str, new: str, message: str
) -> None:
    assert add(checkout, "Badges") == 0
    edit(checkout, path, old, new)
    before = tree(checkout)
    assert remove(checkout, "Badges") == 1
    assert message in capsys.readouterr().err
    assert tree(checkout) == before


@pytest.mark.parametrize("method", ["write_bytes", "rename", "replace", "mkdir"])
@pytest.mark.parametrize("at", [1, 2, 5])
def test_failure_while_a_module_is_written_leaves_nothing_behind(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], method: str, at: int
) -> None:
    before = tree(checkout)
    with monkeypatch.context() as patch:
        plant(patch, method, at)
        code = add(checkout, "Badges", "--route", "--service")
    if method == "replace" and at == 5:
        pytest.skip("only the two lists are replaced")
    assert code == 1
    assert "no space left on device" in capsys.readouterr().err
    assert tree(checkout) == before
    assert list((checkout / ".build").glob("*")) == []


@pytest.mark.parametrize("method", ["replace", "unlink", "rmdir", "write_bytes"])
@pytest.mark.parametrize("at", [1, 2, 3])
def test_failure_while_a_module_is_removed_brings_all_of_it_back(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], method: str, at: int
) -> None:
    assert add(checkout, "Badges", "--route", "--service") == 0
    before = tree(checkout)
    with monkeypatch.context() as patch:
        plant(patch, method, at)
        code = remove(checkout, "Badges")
    if method in ("replace", "write_bytes") and at == 3:
        pytest.skip("only the two lists are replaced")
    assert code == 1
    assert "no space left on device" in capsys.readouterr().err
    assert tree(checkout) == before


def test_file_behind_a_link_is_not_touched(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (checkout / "Modules").rename(checkout / "Elsewhere")
    (checkout / "Modules").symlink_to("Elsewhere")
    before = tree(checkout)
    assert add(checkout, "Badges") == 1
    assert "stands behind, a symbolic link" in capsys.readouterr().err
    assert tree(checkout) == before
