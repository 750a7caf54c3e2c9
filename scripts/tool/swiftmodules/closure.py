"""What is reached in a directed graph."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

_Node = TypeVar("_Node", bound=Hashable)


def reached(starts: Iterable[_Node], following: Callable[[_Node], Iterable[_Node]]) -> dict[_Node, _Node | None]:
    """The starts and the nodes that are reached from them, the nearest first, each with its predecessor; a start has
    None. `following` is called once for each node."""
    found: dict[_Node, _Node | None] = dict.fromkeys(starts)
    waiting = list(found)
    for node in waiting:
        for each in following(node):
            if each not in found:
                found[each] = node
                waiting.append(each)
    return found
