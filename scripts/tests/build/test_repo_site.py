"""The documentation of the interfaces, made by the toolchain's `docc`: every link leads somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from repo_checkout import edit, run

from repo.docs.site import CATALOGUES

pytestmark = pytest.mark.slow


def test_every_module_with_a_catalogue_has_pages_and_a_wrong_link_is_an_error(
    checkout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site"
    assert run(checkout, "docs", "--site", str(site)) == 0
    modules = {path.stem for path in checkout.glob(CATALOGUES)}
    assert modules == {"DisplayInterface", "RouterServiceInterface", "RouterServiceProgram"}
    assert {path.name for path in (site / "documentation").iterdir()} >= {module.lower() for module in modules}
    assert run(checkout, "docs", "--site", str(checkout / "docs")) == 1
    assert "is there, and is no site" in capsys.readouterr().err
    file, text = "Modules/RouterService/Interface/Feature/Route.swift", "/// Routes are declared in interfaces"
    edit(checkout, file, text, f"/// See ``Nowhere``.\n{text}")
    assert run(checkout, "docs", "--site", str(site)) == 1
    assert "'Nowhere' doesn't exist" in capsys.readouterr().err
