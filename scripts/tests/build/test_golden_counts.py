"""The files that edits and commits compile, as the tool counted them before its engine was rebuilt."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_files import FIXTURES, copied
from runs import CHOICES, measured
from swiftmodules.steps.history import PREFIX
from swiftmodules.swiftpm.config import config_file, read_config

pytestmark = pytest.mark.slow

GOLDEN = FIXTURES.parent / "golden"
REPOSITORY = FIXTURES.parent.parent.parent


def package_of(name: str, commit: str | None, folder: Path) -> Path:
    """A fixture, or this repository at the commit of the record."""
    if commit is None:
        return copied(folder, name)
    package = folder / name
    for arguments in (["clone", "--shared", "--quiet", REPOSITORY, package], ["-C", package, "checkout", "-q", commit]):
        subprocess.run(["git", *arguments], check=True)
    return package


def counted(name: str, golden: dict[str, Any], folder: Path, setting: str) -> dict[str, dict[str, Any]]:
    """The compiled files and links of the rows of a record, by its layouts."""
    rows = [row.split(" ") for layout in golden["layouts"].values() for row in layout]
    edits = tuple(dict.fromkeys(edit for edit, *_ in rows))
    modules = tuple(dict.fromkeys(module for _, *own in rows for module in own))
    edits = (f"{PREFIX}{len(edits)}",) if name == "History" else edits
    layouts = tuple(golden["layouts"])
    choices = replace(CHOICES, rounds=0, edits=edits, modules=modules, layouts=layouts, settings=(setting,))
    found: dict[str, dict[str, Any]] = {}
    # The configuration of the commit may be one of its time.
    package = package_of(name, golden["commit"], folder)
    config = read_config(config_file(REPOSITORY if golden["commit"] else package))
    for each in measured(package, choices, config=config).samples:
        row = f"{each.edit} {each.module}" if each.module else each.edit
        work = {"compiled": sorted(each.compiled), "linked": list(each.linked or ())}  # type: ignore[arg-type, call-overload]
        found.setdefault(each.layout, {})[row] = work
    return found


@pytest.mark.parametrize("name", ["Tiny", "Shop", "Chain", "Repository", "History"])
def test_compiled_files_and_links_are_those_of_the_record(name: str, tmp_path: Path) -> None:
    """With one job, as which files a build compiles may depend on their number."""
    golden: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text())
    assert counted(name, golden, tmp_path, "one-job") == golden["layouts"]


def test_new_build_engine_compiles_and_links_the_same(tmp_path: Path) -> None:
    golden: dict[str, Any] = json.loads((GOLDEN / "Tiny.json").read_text())
    golden["layouts"] = {"interface": golden["layouts"]["interface"]}
    assert counted("Tiny", golden, tmp_path, "swiftbuild") == golden["layouts"]
