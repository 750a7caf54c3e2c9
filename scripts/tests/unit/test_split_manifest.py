"""How a manifest is changed where a target is cut."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from swiftmodules.split.manifest import cut_manifest
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.target import Target

TEXT = """// swift-tools-version: 6.0
import PackageDescription
let package = Package(
    name: "Shop",
    targets: [
        // .target(name: "Shop") was here.
        .executableTarget(
            name: "Shop",
            dependencies: [
                .product(name: "Other", package: "other"),
            ],
            path: "Code",
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(name: "Till", dependencies: [.target(name: "Shop"), "Paper"]),
        .testTarget(name: "ShopTests", dependencies: ["Shop"]),
    ]
)
"""
CUT = """// swift-tools-version: 6.0
import PackageDescription
let package = Package(
    name: "Shop",
    targets: [
        // .target(name: "Shop") was here.
        .target(
            name: "ShopMoney",
            dependencies: [
                .product(name: "Other", package: "other"),
            ], path: "ShopMoney",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Shop",
            dependencies: [
                "ShopMoney", .product(name: "Other", package: "other"),
            ],
            path: "Code",
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(name: "Till", dependencies: ["ShopMoney", "Paper"]),
        .testTarget(name: "ShopTests", dependencies: ["ShopMoney", "Shop"]),
    ]
)
"""


def made_cut() -> Any:  # noqa: ANN401  what the manifest needs of a cut
    targets = (
        Target("Shop", "executable", Path("Code")),
        Target("Till", "library", Path("Till"), dependencies=("Shop",)),
        Target("ShopTests", "test", Path("Tests"), dependencies=("Shop",)),
    )
    return SimpleNamespace(
        graph=SimpleNamespace(target="Shop"),
        parts=SimpleNamespace(
            below=[0],
            names={0: "ShopMoney", 1: "Shop"},
            kept=1,
            named_by=lambda part: ["ShopMoney"] if part else [],
            package=Package("Shop", "6.0", targets=targets),
            drops=lambda user: user == "Till",
        ),
        needed_by=lambda user: [] if user == "Shop" else ["ShopMoney"],
        folder=lambda part: Path("ShopMoney"),
    )


def test_part_has_the_settings_of_its_target_and_users_depend_on_what_they_name() -> None:
    assert cut_manifest(TEXT, made_cut()) == (CUT, [])


def test_targets_that_a_program_makes_are_listed_with_their_changes() -> None:
    text = TEXT.replace(".executableTarget(", "shop(").replace('name: "ShopTests"', "name: tests")
    changed, missing = cut_manifest(text, made_cut())
    assert '"ShopMoney", "Paper"' in changed
    assert missing == [
        'Shop: before it, .target(name: "ShopMoney"), with its settings; it depends on ShopMoney',
        'ShopTests: "ShopMoney" beside Shop',
    ]
