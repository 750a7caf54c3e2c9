"""Makes packages for tests of the graph, from the names of targets and what they depend on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace
from swiftmodules.graph.architecture import Architecture
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.target import Target, TargetKind

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
MUTUAL = {**SHOP, "CartImplementation": ["CartInterface", "HomeInterface"]}


def package_of(dependencies: Mapping[str, Sequence[str]]) -> Package:
    """A package with a target for each key, whose kind is that of its name; other names are products."""
    targets = [
        Target(
            name,
            _kind(name),
            Path("Sources") / name,
            sources=tuple(Path("Sources") / name / file for file in (f"{name}.swift", "Other.swift")),
            dependencies=tuple(each for each in needed if each in dependencies),
            products=tuple((each, None) for each in needed if each not in dependencies),
        )
        for name, needed in dependencies.items()
    ]
    return Package("Shop", "6.0", targets=tuple(targets))


def architecture(dependencies: Mapping[str, Sequence[str]]) -> Architecture:
    return Architecture(package_of(dependencies))


def _kind(name: str) -> TargetKind:
    if name.endswith("Tests"):
        return "test"
    return "executable" if name == "App" else "library"


def changed_target(package: Package, name: str, **changes: object) -> Package:
    """The package with other fields of a target, or of all where its name is empty."""
    chosen = (replace(each, **changes) if name in ("", each.name) else each for each in package.targets)
    return replace(package, targets=tuple(chosen))


def library(name: str, *needs: str, source: str = "") -> dict[str, str]:
    """The files of a package with a library that needs those of packages beside it, and with a test target."""
    products = ", ".join(f'.product(name: "{each}", package: "{each}")' for each in needs)
    packages = ", ".join(f'.package(path: "../{each}")' for each in needs)
    manifest = (
        "// swift-tools-version: 6.0\nimport PackageDescription\n"
        f'let package = Package(name: "{name}", products: [.library(name: "{name}", targets: ["{name}"])], '
        f'dependencies: [{packages}], targets: [.target(name: "{name}", dependencies: [{products}]), '
        f'.testTarget(name: "{name}Tests", dependencies: ["{name}"])])\n'
    )
    sources = {f"{name}/Sources/{name}/{name}.swift": source, f"{name}/Tests/{name}Tests/Some.swift": ""}
    return {f"{name}/Package.swift": manifest, **sources}


def manifest(needs: Mapping[str, Sequence[str]]) -> str:
    """The manifest of a package of targets, each with the names of those that it depends on."""

    def target(name: str) -> str:
        kind = "executableTarget" if name == "App" else "testTarget" if name.endswith("Tests") else "target"
        return f'.{kind}(name: "{name}", dependencies: {json.dumps(needs[name])})'

    targets = ", ".join(map(target, needs))
    header = "// swift-tools-version: 6.0\nimport PackageDescription\n"
    return f'{header}let package = Package(name: "Some", targets: [{targets}])\n'
