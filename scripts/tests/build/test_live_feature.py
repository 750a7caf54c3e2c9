"""A live session of one feature alone: edits are replaced on its screen, and restarts restore it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from live_session import BUILD_SECONDS, NAME, PROFILE, LiveSession
from repo_checkout import edit

pytestmark = pytest.mark.slow

FAKE = "Modules/Profile/Testing/FakeProfileModule.swift"
SHARED = "App/Live.swift"


@pytest.fixture(scope="module")
def live(shared_checkout: Path) -> Iterator[LiveSession]:
    """A session of Profile alone, which shows the profile of bob."""
    session = LiveSession(shared_checkout, "app://profile/bob", feature="Profile")
    session.wait("Profile alone › Profile of bob", "Bob Builder", seconds=BUILD_SECONDS)
    yield session
    session.close()


def test_save_in_the_implementation_is_replaced_on_the_screen_of_the_feature(live: LiveSession) -> None:
    edit(live.checkout, PROFILE, NAME, '.text("Name: \\(user.displayName)")')
    live.wait("Profile alone › Profile of bob", "Name: Bob Builder")
    live.wait_for_log("Profile replaced in")
    assert "Restarted" not in live.log


def test_compile_error_is_the_status_of_the_feature_and_names_the_file_of_the_checkout(live: LiveSession) -> None:
    edit(live.checkout, PROFILE, '"Name: ', 'user.nickname + "Name: ')
    live.wait("✗ OverviewContent.swift:23: value of type 'Profile.User' has no member 'nic", "Name: Bob")
    live.wait_for_log(r"\nModules/Profile/Implementation/OverviewContent.swift:23:\d+: error: value of type")
    edit(live.checkout, PROFILE, '.text(user.nickname + "Name: \\(user.displayName)")', NAME)
    live.wait("Bob Builder", without="✗")


def test_edits_of_fakes_and_of_the_stage_restart_the_feature_where_it_was(live: LiveSession) -> None:
    live.type("\r")
    live.wait("Profile of bob › Profile", "Ann Example")
    # The program has no part of Login but its interface and fakes.
    edit(live.checkout, "Modules/Login/Implementation/LoginModule.swift", "    public init() {}", "    error")
    edit(live.checkout, FAKE, '"Ann Example"', '"Ann Other"')
    live.wait_for_log(r"Restarted after .*: FakeProfileModule.swift belongs to ProfileTesting")
    live.wait("Profile of bob › Profile", "Ann Other")
    edit(live.checkout, SHARED, "Edits appear here.", "Edits appear on this screen.")
    live.wait_for_log(r"Restarted after .*: Live.swift belongs to FeatureStage")
