"""The pieces of a source, and how nodes are merged into parts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from made_files import files
from swiftmodules.split.declarations import Declarations
from swiftmodules.split.graph import pieces_of
from swiftmodules.split.merge import components, partitions
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import read_files
from swiftmodules.swiftpm.target import Target
from swiftmodules.swiftpm.toolchain import Toolchain

TEXT = """// A licence.

import Foundation
#if os(Linux)
import Glibc
#else
#error("Not on this platform.")
#endif

/// A value.
struct Value {}  // with a remark
// Below it.
extension Value: Equatable {}

infix operator <~>: Near
precedencegroup Near {
    associativity: left
}

#if DEBUG
struct Debug {}
#else
let release = 1
#endif
let one = 1; let two = 2
"""


def test_piece_has_its_comments_and_a_conditional_is_one(tmp_path: Path, toolchain: Toolchain) -> None:
    files(tmp_path, {"A.swift": TEXT, "main.swift": "struct A {}\nprint(A())\n"})
    found = read_files(tmp_path, [Path("A.swift"), Path("main.swift")], toolchain)
    source = found[Path("A.swift")]
    package = Package("Some", "6.0", targets=(Target("Some", "library", Path(), tuple(found)),))
    declarations = Declarations(found, [], package)
    pieces = [*pieces_of(source.path, declarations)]
    assert [source.text[each.start : each.end].decode().strip() for each in pieces] == [
        "/// A value.\nstruct Value {}  // with a remark",
        "// Below it.\nextension Value: Equatable {}",
        "infix operator <~>: Near",
        "precedencegroup Near {\n    associativity: left\n}",
        "#if DEBUG\nstruct Debug {}\n#else\nlet release = 1\n#endif",
        "let one = 1; let two = 2",
    ]
    assert [each.title for each in pieces] == ["Value", "extension Value", "A.swift:15", "A.swift:16", "Debug", "one"]
    # Statements run in their order.
    assert [(each.start, each.is_program) for each in pieces_of(Path("main.swift"), declarations)] == [(0, True)]


def is_acyclic(edges: set[tuple[int, int]], parts: Mapping[int, int]) -> bool:
    numbers = {part: number for number, part in enumerate(dict.fromkeys(parts.values()))}
    between = [(numbers[parts[one]], numbers[parts[other]]) for one, other in edges if parts[one] != parts[other]]
    return len(set(components(range(len(numbers)), between).values())) == len(numbers)


def test_nodes_that_reach_each_other_are_one_component() -> None:
    found = components(range(6), [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3)])
    assert found == {0: 0, 1: 0, 2: 0, 3: 3, 4: 3, 5: 5}


@pytest.mark.parametrize("seed", range(20))
def test_parts_are_never_cyclic(seed: int) -> None:
    random = Random(seed)
    edges = {(random.randrange(60), random.randrange(60)) for _ in range(90)}
    found = [*partitions(range(60), edges, {pair: random.random() for pair in edges}, 8)]
    assert [len(set(parts.values())) for parts in found] == [*range(len(found), 0, -1)]
    assert all(is_acyclic(edges, parts) for parts in found)


def test_pairs_that_attract_each_other_are_merged_unless_a_path_leads_through_a_third() -> None:
    # 0 and 2 would be in a cycle with 1.
    edges, attraction = {(0, 1), (1, 2)}, {(0, 2): 9.0, (1, 2): 1.0, (0, 1): 1.1}
    _, two, _ = partitions(range(3), edges, attraction, 3)
    assert two[0] == two[1] != two[2]
    # Without the path, they come first.
    _, two, _ = partitions(range(3), {(0, 1)}, attraction, 3)
    assert two[0] == two[2] != two[1]


def test_merge_of_two_thousand_declarations_takes_seconds_of_work_and_not_minutes() -> None:
    random = Random(1)
    edges = {(one, random.randrange(one)) for one in range(1, 2000) for _ in range(4)}
    first = next(partitions(range(2000), edges, dict.fromkeys(edges, 1.0), 8))
    assert len(set(first.values())) == 8 and is_acyclic(edges, first)
