"""The fixtures of tests that share one live session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from live_session import LiveSession
from made_files import files


@pytest.fixture(scope="module")
def live(shared_checkout: Path) -> Iterator[LiveSession]:
    """A session in which ann is signed in, and looks at her profile, which is kept in a file."""
    session = LiveSession(shared_checkout, "--restore", str(shared_checkout.parent / "stack.json"))
    session.sign_in()
    yield session
    session.close()


@pytest.fixture
def sources(live: LiveSession) -> Iterator[Mapping[str, str]]:
    """The sources as they were, and as the App shows them again after a test that does not end the session."""
    before = {file: file.read_text(encoding="utf-8") for file in (live.checkout / "Modules").rglob("*.swift")}
    live.mark()
    yield {str(file.relative_to(live.checkout)): text for file, text in before.items()}
    changed = {
        str(file.relative_to(live.checkout)): text
        for file, text in before.items()
        if not file.exists() or file.read_text(encoding="utf-8") != text
    }
    if live.has_ended:
        files(live.checkout, changed)
        return
    live.mark()
    live.save(changed)
    if changed:
        live.wait_for_log("replaced in|Restarted after")
    live.wait("Signed in as ann", "Ann Example", without="✗")
