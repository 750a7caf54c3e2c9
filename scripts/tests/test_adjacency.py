"""Paths, depths and cycles of any directed graph."""

from __future__ import annotations

from itertools import islice

from modulegraph.adjacency import components, depths, distances, inverted, paths, reachable

DIAMOND = {"app": ["left", "right", "base"], "left": ["base"], "right": ["base"], "base": []}
CYCLE = {"start": ["a"], "a": ["b"], "b": ["a", "end"], "end": []}


def test_paths_come_shortest_first_and_then_by_name() -> None:
    assert list(paths(DIAMOND, ["app"], ["base"])) == [
        ("app", "base"),
        ("app", "left", "base"),
        ("app", "right", "base"),
    ]


def test_path_meets_no_other_start_and_no_other_end_on_its_way() -> None:
    assert list(paths(DIAMOND, ["app", "left"], ["base"])) == [
        ("app", "base"),
        ("left", "base"),
        ("app", "right", "base"),
    ]
    assert list(paths(DIAMOND, ["app"], ["left", "base"])) == [
        ("app", "base"),
        ("app", "left"),
        ("app", "right", "base"),
    ]


def test_there_is_no_path_upwards_or_to_what_is_not_there() -> None:
    assert list(paths(DIAMOND, ["base"], ["app"])) == []
    assert list(paths(DIAMOND, ["app"], ["absent"])) == []


def test_paths_through_a_cycle_end() -> None:
    assert list(paths(CYCLE, ["start"], ["end"])) == [("start", "a", "b", "end")]


def test_first_of_very_many_paths_come_at_once() -> None:
    # Two nodes in each of 40 rows, each with an edge to both of the next row: 2^40 paths.
    adjacency = {f"{row}{side}": [f"{row + 1}a", f"{row + 1}b"] for row in range(40) for side in "ab"}
    assert [len(path) for path in islice(paths(adjacency, ["0a"], ["40a"]), 3)] == [41, 41, 41]


def test_distance_is_that_of_the_shortest_path() -> None:
    assert distances(DIAMOND, "app") == {"app": 0, "left": 1, "right": 1, "base": 1}
    assert distances(inverted(DIAMOND), "base") == {"base": 0, "app": 1, "left": 1, "right": 1}
    assert reachable(CYCLE, "a") == {"b", "end"}


def test_depth_is_that_of_the_longest_path() -> None:
    assert depths(DIAMOND) == {"app": 2, "left": 1, "right": 1, "base": 0}


def test_nodes_that_reach_one_another_count_as_one() -> None:
    assert sorted(map(sorted, components(CYCLE))) == [["a", "b"], ["end"], ["start"]]
    assert depths(CYCLE) == {"start": 2, "a": 1, "b": 1, "end": 0}


def test_long_chain_needs_no_deep_stack() -> None:
    chain = {str(number): [str(number + 1)] for number in range(5000)} | {"5000": []}
    assert depths(chain)["0"] == 5000
