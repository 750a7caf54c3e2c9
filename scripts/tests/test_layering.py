"""The rows, the order in them and the places of a drawn graph."""

from __future__ import annotations

import random
from itertools import pairwise

from modulegraph.layering import Layering, crossings, is_waypoint, layering
from modulegraph.placing import placed


def row_of(layers: Layering, node: str) -> int:
    return next(number for number, row in enumerate(layers.rows) if node in row)


def test_every_edge_leads_downwards() -> None:
    edges = [("app", "profile"), ("app", "login"), ("profile", "login"), ("login", "http"), ("app", "http")]
    layers = layering(["http", "login", "profile", "app"], edges)
    assert [row_of(layers, node) for node in ("app", "profile", "login", "http")] == [0, 1, 2, 3]


def test_edge_past_rows_has_a_waypoint_in_each() -> None:
    layers = layering(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")])
    chain = layers.chains["a", "d"]
    assert [row_of(layers, node) for node in chain] == [0, 1, 2, 3]
    assert [is_waypoint(node) for node in chain] == [False, True, True, False]


def test_rows_are_ordered_so_that_edges_do_not_cross_where_they_need_not() -> None:
    nodes = ["a", "b", "c", "x", "y", "z"]
    edges = [("a", "z"), ("b", "y"), ("c", "x")]
    layers = layering(nodes, edges)
    assert crossings([["a", "b", "c"], ["x", "y", "z"]], edges) == 3
    assert crossings(layers.rows, layers.segments) == 0


def test_cycle_is_layered_with_one_edge_upwards() -> None:
    layers = layering(["a", "b", "c"], [("a", "b"), ("b", "c"), ("c", "a")])
    assert [row_of(layers, node) for node in "abc"] == [0, 1, 2]
    assert layers.chains["c", "a"][0] == "a"
    assert layers.chains["c", "a"][-1] == "c"


def test_pair_that_needs_each_other_has_a_chain_for_each_direction() -> None:
    layers = layering(["a", "b"], [("a", "b"), ("b", "a")])
    assert layers.chains == {("a", "b"): ("a", "b"), ("b", "a"): ("a", "b")}


def test_edge_from_a_node_to_itself_is_left_out() -> None:
    assert layering(["a"], [("a", "a")]) == Layering((("a",),), {})


def test_empty_graph_has_no_rows() -> None:
    assert layering([], []) == Layering((), {})
    assert placed(Layering((), {}), {}, 10) == {}


def test_boxes_of_any_graph_keep_their_distance() -> None:
    for seed in range(20):
        generator = random.Random(seed)
        nodes = [f"node{number}" for number in range(generator.randint(1, 30))]
        edges = [(generator.choice(nodes), generator.choice(nodes)) for _ in range(generator.randint(0, 60))]
        layers = layering(nodes, edges)
        assert sorted(name for row in layers.rows for name in row if not is_waypoint(name)) == sorted(nodes)
        widths = {name: 0 if is_waypoint(name) else generator.uniform(10, 200) for row in layers.rows for name in row}
        centres = placed(layers, widths, 20)
        for left, right in (pair for row in layers.rows for pair in pairwise(row)):
            distance = centres[right] - centres[left] - (widths[left] + widths[right]) / 2
            assert distance > 20 - 1e-6, (seed, left, right)
        assert min(centres[name] - widths[name] / 2 for name in centres) > -1e-6


def test_node_stands_above_the_middle_of_what_it_depends_on() -> None:
    layers = layering(["top", "left", "right"], [("top", "left"), ("top", "right")])
    centres = placed(layers, dict.fromkeys(("top", "left", "right"), 100.0), 20)
    assert abs(centres["top"] - (centres["left"] + centres["right"]) / 2) < 0.5
