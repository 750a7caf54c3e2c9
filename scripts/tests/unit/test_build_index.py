"""The index that the compiler writes, read through the library of the toolchain."""

from __future__ import annotations

import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from made_files import files
from swiftmodules.builds.index import DEFINITION, IndexStore
from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.toolchain import Toolchain

SOURCES = {"Types.swift": "struct Tree {\n    let height = 1\n}\n", "Uses.swift": "let tree = Tree()\n"}


def test_definition_has_its_line_and_is_used_by_other_files(toolchain: Toolchain, tmp_path: Path) -> None:
    paths = files(tmp_path, SOURCES)
    command = [toolchain.swiftc, "-c", *paths, "-module-name", "M", "-index-store-path", tmp_path / "index"]
    subprocess.run(command, env=toolchain.environment, cwd=tmp_path, check=True)
    with closing(IndexStore(tmp_path / "index", toolchain)) as store:
        found = [(file.name, each) for file, each in store.occurrences()]
    ((file, tree),) = [(file, each) for file, each in found if each.name == "Tree" and each.roles & DEFINITION]
    assert (file, tree.line) == ("Types.swift", 1)
    assert {file for file, each in found if each.usr == tree.usr} == {*SOURCES}


def test_index_that_is_not_there_is_named(toolchain: Toolchain, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="cannot read the compiler's index in"):
        IndexStore(tmp_path / "none" / "x", toolchain)
