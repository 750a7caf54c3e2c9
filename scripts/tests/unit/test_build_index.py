"""Mentions of a declaration, in an index that the compiler writes, and the smallest set of files after each edit."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from conftest import Read
from swiftmodules.builds.index import IndexStore, Mentions
from swiftmodules.edits.catalogue import place
from swiftmodules.edits.placement import ChangedDeclaration
from swiftmodules.edits.site import Site
from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.toolchain import Toolchain

SHAPES = Path(__file__).resolve().parent.parent / "fixtures" / "Shapes"


@pytest.fixture(scope="module")
def mentions(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Mentions:
    """The mentions in a module that the compiler has indexed."""
    folder = shutil.copytree(SHAPES, tmp_path_factory.mktemp("indexed").resolve() / "Shapes")
    sources = sorted(folder.glob("*.swift"))
    index = ["-index-store-path", str(folder / "index"), "-index-ignore-system-modules"]
    command = [str(toolchain.swiftc), "-module-name", "Shapes", "-parse-as-library", "-c", *index, *map(str, sources)]
    subprocess.run(command, cwd=folder, env=toolchain.environment, check=True)
    with closing(IndexStore(folder / "index", toolchain)) as store:
        return Mentions([(file.relative_to(folder), each) for file, each in store.occurrences()])


def names(files: set[Path]) -> set[str]:
    return {file.stem for file in files}


def declared(line: int, name: str, has_members: bool = False) -> ChangedDeclaration:
    return ChangedDeclaration(Path("Types.swift"), line, name, has_members)


def test_declaration_is_mentioned_where_it_or_a_member_is_used(mentions: Mentions) -> None:
    by_name = {"Types", "Extension", "Names", "Nested", "Made"}
    assert names(mentions.of(declared(1, "Point"))) == by_name
    assert names(mentions.of(declared(1, "Point", has_members=True))) == {*by_name, "Member", "BlockMember"}
    assert names(mentions.of(declared(5, "Unit", has_members=True))) == {"Types", "Nested"}
    assert names(mentions.of(declared(3, "init"))) == {"Types", "Made"}
    assert names(mentions.of(declared(4, "init"))) == {"Types"}
    assert names(mentions.of(declared(7, "Shape", has_members=True))) == {"Types", "Square", "Any"}
    assert names(mentions.of(declared(10, "origin"))) == {"Types", "Member", "BlockMember"}


def test_unknown_declaration_and_folder_without_an_index_are_named(
    mentions: Mentions, toolchain: Toolchain, tmp_path: Path
) -> None:
    with pytest.raises(ToolError, match=r"does not know 'Point' of line 2 in Types\.swift"):
        mentions.of(declared(2, "Point"))
    with pytest.raises(ToolError, match="cannot read the compiler's index in"):
        IndexStore(tmp_path / "absent", toolchain)


def test_added_and_unchanged_declarations_have_no_mentions(tiny_read: Read) -> None:
    for edit, module, expected in (
        ("touch", "Store", ()),
        ("manifest-touch", None, ()),
        ("body", "Store", ("Store/Implementation/MemoryReader.swift",)),
        ("new-file", "Store", ("Store/Implementation/NewFile.swift",)),
        ("interface-extension-member", "Store", ("Store/Interface/Reading.swift",)),
        ("app-body", None, ("App/Support.swift",)),
    ):
        site = Site(tiny_read.package, tiny_read.sources, tiny_read.modules[module] if module else None)
        assert Mentions([]).smallest(place(edit, site)) == expected
    assert Mentions([]).smallest(None) == ()
