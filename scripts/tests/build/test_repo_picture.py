"""README's pictures of the App."""

from __future__ import annotations

from pathlib import Path

import pytest
from repo_checkout import REPOSITORY
from swiftmodules.errors import ToolError

from repo.docs.picture import PICTURE, PROGRAM, picture


def test_picture_is_what_the_app_shows() -> None:
    drawn = picture(REPOSITORY)
    assert drawn == (REPOSITORY / PICTURE).read_text(encoding="utf-8"), "Run scripts/docs --picture."


def test_app_that_is_not_built_is_an_error_with_the_command(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="Build it first: swift build"):
        picture(tmp_path)


def test_app_that_shows_something_else_is_reported_with_it(tmp_path: Path) -> None:
    program = tmp_path / PROGRAM
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\necho Something else\n")
    program.chmod(0o755)
    with pytest.raises(ToolError, match=r"'You are not signed in.', but ended. Its screen is:\nSomething else"):
        picture(tmp_path)
