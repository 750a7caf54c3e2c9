"""Whether the code of this repository can be measured in every layout, and edits reach what their record says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from repo_checkout import REPOSITORY
from runs import measured
from swiftmodules.layouts.generate import LAYOUTS, make_layout, without_tests
from swiftmodules.measure.store import read_record
from swiftmodules.options import MeasureChoices
from swiftmodules.swiftpm.config import config_file, read_config
from swiftmodules.swiftpm.copy import copy_package
from swiftmodules.swiftpm.modules import Naming, find_modules
from swiftmodules.swiftpm.package import read_package
from swiftmodules.swiftpm.syntax import read_sources
from swiftmodules.swiftpm.toolchain import Toolchain


def test_no_two_modules_have_names_that_clash_in_one_target(tmp_path: Path, toolchain: Toolchain) -> None:
    package, config = without_tests(read_package(REPOSITORY, toolchain)), read_config(config_file(REPOSITORY))
    sources = read_sources(REPOSITORY, package, toolchain)
    modules = find_modules(package, Naming.of(config.targets))
    layouts = {name: make_layout(name, package, sources, modules) for name in LAYOUTS}
    layouts["monolith"].write(tmp_path / "package")
    command = [toolchain.swiftc, "-typecheck", "-wmo", "-module-name", "App", *package.parser_options(package.code[0])]
    done = subprocess.run(
        [*command, *sorted(tmp_path.rglob("package/Sources/**/*.swift"))],
        env=toolchain.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_no_edit_compiles_a_file_that_it_does_not_compile_in_the_record(tmp_path: Path) -> None:
    """The edits on whose reach the layout rests; `scripts/measure --rounds 0` makes all."""
    recorded = read_record(REPOSITORY / "docs/results/matrix/results.json")
    edits = ("private-top", "stored-property", "interface-extension-member", "interface-requirement")
    package = tmp_path / "package"
    copy_package(REPOSITORY, package)
    choices = MeasureChoices(rounds=0, layouts=("interface",), edits=edits, modules=recorded.values("module"))
    found = measured(package, choices).samples
    known = {each.cell: set(each.compiled) for each in recorded.samples if isinstance(each.compiled, dict)}
    # A younger file is in no cell of the record.
    files = {file for compiled in known.values() for file in compiled}
    assert {each.edit for each in found} == set(edits)
    compiled = {each.cell: set(each.compiled) for each in found if isinstance(each.compiled, dict)}
    more = {cell: own & files - known[cell] for cell, own in compiled.items()}
    assert not any(more.values()), {cell: files for cell, files in more.items() if files}
