"""Packages for the tests of the graph, given as what SwiftPM would print of their manifests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from modulegraph.architecture import Architecture, architecture_of
from modulegraph.package_targets import PackageTargets, targets_from

ANYWHERE = Path("/nowhere")

# Two features, one of which uses the other; `Router` is the vocabulary.
SHOP: Mapping[str, Sequence[str]] = {
    "App": [
        *("CartInterface", "CartImplementation", "HomeInterface", "HomeImplementation"),
        *("RouterInterface", "RouterImplementation"),
    ],
    "CartInterface": ["RouterInterface"],
    "CartImplementation": ["CartInterface", "RouterInterface"],
    "CartTesting": ["CartInterface", "RouterInterface"],
    "CartTests": ["CartImplementation", "CartInterface"],
    "HomeInterface": ["RouterInterface"],
    "HomeImplementation": ["CartInterface", "HomeInterface", "RouterInterface"],
    "HomeTests": ["HomeImplementation", "HomeInterface", "CartTesting"],
    "RouterInterface": [],
    "RouterImplementation": ["RouterInterface"],
}

# Names that mean something in Mermaid, DOT or XML.
STRANGE = ["end", "graph", "my-target", "two words", 'a"b', "a\\b", "<b>&amp;", "a;b", "n1", "x#1", "目標", "\u0001"]


def targets(dependencies: Mapping[str, Sequence[str]], folder: Path = ANYWHERE) -> PackageTargets:
    """A package with a target for each key; the names tell tests and programs."""
    return targets_from(dump(dependencies), folder)


def architecture(dependencies: Mapping[str, Sequence[str]], folder: Path = ANYWHERE) -> Architecture:
    return architecture_of(targets(dependencies, folder))


def dump(dependencies: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    return {
        "name": "Shop",
        "targets": [
            {
                "name": name,
                "type": _type(name),
                "path": f"Sources/{name}",
                "dependencies": [{"byName": [each, None]} for each in needed],
            }
            for name, needed in dependencies.items()
        ],
    }


def _type(name: str) -> str:
    if name.endswith("Tests"):
        return "test"
    return "executable" if name == "App" else "regular"
