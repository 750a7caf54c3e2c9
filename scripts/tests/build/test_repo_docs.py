"""README's picture of a live session, and the documentation of the interfaces, in which every link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from made_files import programs
from repo_checkout import REPOSITORY, edit, run
from swiftmodules.errors import ToolError

from repo.docs.picture import PICTURE, picture
from repo.docs.site import CATALOGUES
from repo.terminal import ProgramInTerminal


@pytest.mark.slow
def test_picture_is_what_a_session_shows() -> None:
    """But for the seconds, and what is drawn in their width."""
    drawn, committed = picture(REPOSITORY), (REPOSITORY / PICTURE).read_text(encoding="utf-8")
    assert words(drawn) == words(committed), "Run scripts/docs --picture."


def words(picture: str) -> list[str]:
    """The texts without the times, which no two runs share."""
    return [re.sub(r"\d+(\.\d\d| ms)", "", text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", picture)]


def test_program_that_shows_something_else_is_an_error(tmp_path: Path) -> None:
    (program,) = programs(tmp_path, {"App": "echo Something else"})
    shown = ProgramInTerminal([str(program)], {}, 80, 24)
    with pytest.raises(ToolError, match=r"'3 Sign in', but ended. Its screen is:\nSomething else"):
        shown.follow([("3 Sign in", "2")])
    shown.stop()


@pytest.mark.slow
def test_every_module_with_a_catalogue_has_pages_and_a_wrong_link_is_an_error(
    checkout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site"
    assert run(checkout, "docs", "--site", str(site)) == 0
    modules = {path.stem for path in checkout.glob(CATALOGUES)}
    assert modules == {"DisplayInterface", "RouterServiceInterface", "RouterServiceProgram"}
    assert {path.name for path in (site / "documentation").iterdir()} >= {module.lower() for module in modules}
    assert run(checkout, "docs", "--site", str(checkout / "docs")) == 1
    assert "exists, and is no site" in capsys.readouterr().err
    file, text = "Modules/RouterService/Interface/Feature/Route.swift", "/// A route is `Codable` because"
    edit(checkout, file, text, f"/// See ``Nowhere``.\n{text}")
    assert run(checkout, "docs", "--site", str(site)) == 1
    assert "'Nowhere' doesn't exist" in capsys.readouterr().err
