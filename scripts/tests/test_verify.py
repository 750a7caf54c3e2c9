"""Incremental builds that are wrong, with real builds: the chain of swift-package-manager#10502."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from conftest import SCRIPTS, Subject, contents, measure

from buildspeed.dependency_gaps import dependency_gaps
from buildspeed.edits import Placement
from buildspeed.edits.placement import Insertion, Insertions
from buildspeed.layouts import LAYOUTS, make_layout
from buildspeed.plan import Cell
from buildspeed.program_session import read_session
from buildspeed.soundness import SOUND, UNSOUND
from buildspeed.toolchain import Toolchain
from buildspeed.verification import Verifier
from buildspeed.verify_record import read_verify_record
from buildspeed.workspace import Workspace

CHAIN = SCRIPTS / "tests/fixtures/Chain"
EDIT = "interface-stored-property"


@dataclass(frozen=True)
class Verified:
    """What `scripts/measure verify` said of a package, and wrote."""

    process: subprocess.CompletedProcess[str]
    record: Mapping[str, Any]

    @property
    def results(self) -> dict[str, str]:
        return {each["layout"]: each["result"] for each in self.record["verdicts"]}


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    return shutil.copytree(CHAIN, tmp_path / "Chain", ignore=shutil.ignore_patterns(".build"))


def verify(package: Path, layouts: str) -> Verified:
    """Verifies a stored property that is added to the struct at the end of the chain."""
    output = package.parent / "output"
    arguments = ("--edits", EDIT, "--modules", "Prices", "--layouts", layouts, "--jobs", "2", "--output", output)
    process = measure("verify", "--package", package, *arguments)
    assert (output / "results.json").exists(), process.stderr
    read_verify_record(output / "results.json")
    return Verified(process, json.loads((output / "results.json").read_text()))


def test_property_added_two_targets_away_makes_a_broken_program(chain: Path, toolchain: Toolchain) -> None:
    before = contents(chain)
    found = verify(chain, "interface")
    if found.results == {"interface": SOUND}:
        pytest.fail(
            f"{toolchain.version} builds the chain rightly: swift-package-manager#10502 seems to be corrected. Say so "
            "in the section on wrong builds of docs/BuildSpeed.md, and turn this test around."
        )
    assert found.results == {"interface": UNSOUND}
    assert found.process.returncode == 1
    # The incremental build crashes, or prints something else; the clean one does neither.
    assert "after the edit, 'Shop': " in found.process.stdout
    assert found.record["gaps"] == {"interface": {"Shop": ["Prices"]}}
    assert contents(chain) == before


@pytest.mark.slow
def test_same_edit_is_sound_in_one_target(chain: Path) -> None:
    found = verify(chain, "monolith")
    assert (found.results, found.process.returncode) == ({"monolith": SOUND}, 0)


@pytest.mark.slow
def test_same_edit_is_sound_where_the_manifest_names_what_is_reached(chain: Path) -> None:
    manifest = chain / "Package.swift"
    manifest.write_text(
        manifest.read_text().replace('dependencies: ["Products"]', 'dependencies: ["Prices", "Products"]')
    )
    found = verify(chain, "interface")
    assert (found.results, found.process.returncode) == ({"interface": SOUND}, 0)
    assert found.record["gaps"] == {"interface": {}}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_targets_of_this_repository_name_what_they_reach(repository_subject: Subject, layout: str) -> None:
    made = make_layout(layout, repository_subject.package, repository_subject.sources)
    tests = {target.name for target in repository_subject.package.tests}
    gaps = {target for target in dependency_gaps(made.dependencies) if target not in tests}
    # Fakes name their own module only, which in `fused` brings the interfaces that its implementation uses; none
    # of them is part of the App.
    assert gaps == ({"LoginTesting", "ProfileTesting"} if layout == "fused" else set())


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_property_of_a_struct_that_crosses_two_interfaces_is_sound_here(
    repository_subject: Subject, toolchain: Toolchain, tmp_path: Path, layout: str
) -> None:
    """`AnyRoute` is stored in a struct of Profile's interface, which Profile's implementation stores and passes on."""
    package, sources = replace(repository_subject.package, tests=()), repository_subject.sources
    path = Path("Modules/RouterService/Interface/AnyRoute.swift")
    (type,) = [each for each in sources[path].types if each.name == "AnyRoute"]
    change = Insertions(path, (Insertion(type.body_end, "\n    let edit{n} = {n}\n"),))
    made = make_layout(layout, package, sources)
    workspace = Workspace(made, tmp_path / layout, toolchain, jobs=2)
    workspace.build_clean()
    verifier = Verifier(workspace, read_session(None, SCRIPTS.parent, "App"))
    cell = Cell(layout, "stored-property", "RouterService")
    verdict = verifier.verify(cell, Placement("stored-property", "RouterService", "in AnyRoute", change), 1)
    assert (verdict.result, verdict.reasons) == (SOUND, ())


@pytest.mark.slow
def test_run_of_layouts_verifies_each_cell_once(chain: Path) -> None:
    output = chain.parent / "output"
    arguments = ("--layouts", "interface", "--modules", "Prices", "--edits", f"noop,{EDIT}", "--jobs", "2")
    result = measure("--package", chain, "--rounds", "1", *arguments, "--output", output)
    assert result.returncode == 0, result.stderr
    verification = json.loads((output / "results.json").read_text())["verification"]
    assert [(each["edit"], each["result"]) for each in verification["verdicts"]] == [("noop", SOUND), (EDIT, UNSOUND)]
    assert "Unsound builds:" in result.stdout
    assert "0 unsound" not in result.stdout and "unsound" in (output / "results.md").read_text()
