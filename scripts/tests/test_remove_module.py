"""What `scripts/remove-module` undoes and refuses, and that either command does all or nothing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from scaffold_checkout import add, badges, checkout, edit, plain, remove, tree, with_badges

from buildspeed.toolchain import Toolchain
from scaffolding import changes, plans
from scaffolding.failures import RefusedError

__all__ = ["badges", "checkout", "plain", "with_badges"]

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


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Aardvarks", []),
        ("Inbox", ["--service"]),
        ("Zebras", ["--route", "--service"]),
        (_LONG, ["--route", "--service", "--uses", "HTTPClient,Login,Profile"]),
    ],
)
def test_adding_and_removing_leaves_the_checkout_as_it_was(checkout: Path, name: str, options: list[str]) -> None:
    before = tree(checkout)
    assert add(checkout, name, *options) == 0
    assert tree(checkout) != before
    assert remove(checkout, name) == 0
    assert tree(checkout) == before


def test_several_modules_are_removed_in_any_order(checkout: Path) -> None:
    before = tree(checkout)
    names = ["Badges", _LONG, "Inbox", "NotificationsOfOtherPeople", "Zebras"]
    for name in names:
        assert add(checkout, name) == 0
    for name in ("Inbox", "Zebras", "Badges", _LONG, "NotificationsOfOtherPeople"):
        assert remove(checkout, name) == 0
    assert tree(checkout) == before


def test_dry_run_removes_nothing(badges: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = tree(badges)
    assert remove(badges, "Badges", "--dry-run") == 0
    assert f"would remove {_README}\n" in capsys.readouterr().out
    assert tree(badges) == before


def test_module_in_use_is_not_removed_even_by_force(badges: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert add(badges, "Zebras", "--uses", "Badges") == 0
    before = tree(badges)
    capsys.readouterr()
    for name, code, message in [
        ("Badgers", 64, "no module is called 'Badgers'. Did you mean 'Badges'?"),
        ("../x", 64, "no module is called '../x'"),
        ("Badges", 1, "Zebras uses Badges. Take it out of 'uses' in Package.swift first"),
        ("Login", 1, "Profile uses Login."),
        ("Display", 1, "Badges, Login, Profile, Zebras use Display."),
        ("Profile", 1, "Profile is in use:\n  App/Launch.swift imports ProfileInterface\n"),
        ("RouterService", 1, "RouterService is in use:\n"),
    ]:
        for force in ([], ["--force"]):
            assert remove(badges, name, *force) == code
            assert message in capsys.readouterr().err
    assert tree(badges) == before


def test_work_of_hands_is_not_removed_without_force(
    badges: Path, plain: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (badges / _README).write_text("Mine.\n")
    (badges / "Modules/Badges/Interface/Badge.swift").write_text("")
    (badges / "Modules/Badges/Testing/FakeBadgesModule.swift").unlink()
    before = tree(badges)
    assert remove(badges, "Badges") == 1
    assert capsys.readouterr().err == (
        "error: Badges is not as new-module writes it:\n"
        "  Modules/Badges/Interface/Badge.swift was added\n"
        f"  {_README} was changed\n"
        "  Modules/Badges/Testing/FakeBadgesModule.swift was removed\n"
        "Removing it would lose that. --force removes it all the same.\n"
    )
    assert tree(badges) == before
    assert remove(badges, "Badges", "--force") == 0
    assert tree(badges) == tree(plain)


def test_what_other_commands_write_between_markers_is_no_work_of_hands(badges: Path) -> None:
    text = (badges / _README).read_bytes() + b"<!-- graph: begin -->\n<!-- graph: end -->\n"
    filled = text.replace(b"-->\n<!--", b"-->\nA --> B\n<!--")
    assert plans.by_hand(filled) == plans.by_hand(text)
    assert plans.by_hand(filled + b"Mine.\n") != plans.by_hand(text)


@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        (
            "App/Composition.swift",
            "BadgesModule(),",
            "[BadgesModule()][0],",
            "has no entry that is just 'BadgesModule()'",
        ),
        (
            "App/Composition.swift",
            "    [\n        App",
            "    _ = Badges.self\n    return [\n        App",
            "no list of modules",
        ),
        (
            "App/Composition.swift",
            "/// The router",
            "let first = Badges.Overview.identifier\n\n/// The router",
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
    badges: Path, capsys: pytest.CaptureFixture[str], path: str, old: str, new: str, message: str
) -> None:
    edit(badges, path, old, new)
    before = tree(badges)
    assert remove(badges, "Badges") == 1
    assert message in capsys.readouterr().err
    assert tree(badges) == before


def fail_at_every_step(monkeypatch: pytest.MonkeyPatch, method: str, checkout: Path, work: Callable[[], None]) -> int:
    """Lets each call of a method fail in turn, until the work is done; the number of failures."""
    before = tree(checkout)
    for at in count(1):
        with monkeypatch.context() as patch:
            plant(patch, method, at)
            try:
                work()
            except PlantedError:
                patch.undo()
                assert tree(checkout) == before
                assert list((checkout / ".build").glob("*")) == []
            else:
                return at - 1
    return 0


@pytest.mark.parametrize("method", ["write_bytes", "rename", "replace", "mkdir"])
def test_failure_while_a_module_is_written_leaves_nothing_behind(
    checkout: Path, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    planned = plans.adding("Badges", (), route=True, service=True, checkout=checkout, toolchain=toolchain)
    (checkout / ".build").mkdir()
    failures = fail_at_every_step(monkeypatch, method, checkout, lambda: changes.apply(checkout, planned))
    assert failures >= (2 if method == "replace" else 5)
    assert remove(checkout, "Badges", "--dry-run") == 0


@pytest.mark.parametrize("method", ["replace", "unlink", "rmdir", "write_bytes"])
def test_failure_while_a_module_is_removed_brings_all_of_it_back(
    badges: Path, plain: Path, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    planned = plans.removing("Badges", force=False, checkout=badges, toolchain=toolchain)
    folders = plans.folders("Badges")
    failures = fail_at_every_step(monkeypatch, method, badges, lambda: changes.apply(badges, planned, folders))
    assert failures >= (2 if method in ("replace", "write_bytes") else 5)
    assert tree(badges) == tree(plain)


def test_failure_is_told(checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    plant(monkeypatch, "rename", 3)
    assert add(checkout, "Badges") == 1
    assert capsys.readouterr().err == "error: no space left on device; nothing was changed.\n"


def test_file_that_changed_meanwhile_is_not_overwritten(checkout: Path, toolchain: Toolchain) -> None:
    planned = plans.adding("Badges", (), route=True, service=False, checkout=checkout, toolchain=toolchain)
    edit(checkout, "Package.swift", "// One line per module", "// A line for each module")
    before = tree(checkout)
    with pytest.raises(RefusedError, match=r"Package\.swift was changed by somebody else meanwhile"):
        changes.apply(checkout, planned)
    assert tree(checkout) == before


def test_file_behind_a_link_is_not_touched(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (checkout / "Modules").rename(checkout / "Elsewhere")
    (checkout / "Modules").symlink_to("Elsewhere")
    before = tree(checkout)
    assert add(checkout, "Badges") == 1
    assert "stands behind, a symbolic link" in capsys.readouterr().err
    assert tree(checkout) == before
