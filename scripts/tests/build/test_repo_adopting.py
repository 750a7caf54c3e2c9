"""The package of docs/adopting: the presenters for UIKit and SwiftUI, a feature, programs and previews.

It is built and run here with modules that stand in for the SDK: they have the declarations that the package uses, keep
what they are given, and play the user's gestures.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from made_files import ran
from repo_checkout import REPOSITORY, edit
from swiftmodules.check.command import run as check
from swiftmodules.options import CheckChoices
from swiftmodules.swiftpm.toolchain import Toolchain

ADOPTING = REPOSITORY / "docs/adopting"
STAND_INS = REPOSITORY / "scripts/tests/build/apple"
# Behind the manifest of docs/adopting. The compiler would look for parts of Swift Testing for the SDK's modules.
MANIFEST = """
package.platforms?.append(.macOS(.v15))
let standIns = SwiftSetting.unsafeFlags([
    "-load-plugin-executable", "PLUGIN#PreviewsMacros", "-Xfrontend", "-disable-cross-import-overlays",
])
for target in package.targets {
    target.dependencies += ["UIKit", "SwiftUI"]
    target.swiftSettings?.append(standIns)
}
let tested: [Target.Dependency] = [
    "GreetingApp", "GreetingInterface", "GreetingPreviews", "GreetingUIKitApp", "SwiftUIDisplayImplementation",
    "SwiftUIDisplayInterface", "UIKitDisplayImplementation", "UIKitDisplayInterface",
]
package.targets += [
    .target(name: "UIKit", path: "UIKit", swiftSettings: package.targets[0].swiftSettings),
    .target(
        name: "SwiftUI", dependencies: ["UIKit"], path: "SwiftUI", swiftSettings: package.targets[0].swiftSettings),
    .testTarget(
        name: "AdoptingTests",
        dependencies: ["UIKit", "SwiftUI", router, program, routerService, product("RouterServiceTesting")] + tested,
        path: "AdoptingTests", swiftSettings: package.targets[0].swiftSettings),
]
"""

# The router as targets of the package, whose imports `check` knows then.
ROUTER_TARGETS = """
package.dependencies = []
package.targets += [
    .target(name: "RouterServiceInterface", path: "RouterService/Interface"),
    .target(name: "RouterServiceProgram", dependencies: ["RouterServiceInterface"], path: "RouterService/Program"),
    .target(
        name: "RouterServiceImplementation", dependencies: ["RouterServiceInterface", "RouterServiceProgram"],
        path: "RouterService/Implementation"),
]
"""
ROUTER_RULES = """
[[targets]]
kind = "interface"
names = ["RouterServiceInterface", "RouterServiceProgram"]
vocabulary = ["RouterServiceInterface", "RouterServiceProgram"]

[[targets]]
kind = "implementation"
names = ["RouterServiceImplementation"]
entry = ["RouterService"]

"""
# What a reader may get wrong: a file, what it imports, and the finding.
FORBIDDEN = (
    ("Greeting/SwiftUI/CardView.swift", "RouterServiceProgram", "an implementation may import targets"),
    # Previews in the implementation, with fakes.
    ("Greeting/SwiftUI/GreetingSwiftUIModule.swift", "GreetingTesting", "an implementation may import targets"),
    ("Greeting/UIKit/CardController.swift", "UIKitDisplayImplementation", "an implementation may import targets"),
    ("Greeting/Interface/Greeting.swift", "RouterServiceProgram", "an interface may import RouterServiceInterface."),
    ("UIKitDisplay/Interface/UIKitDisplay.swift", "GreetingInterface", "an interface may import"),
    ("GreetingApp/GreetingApp.swift", "GreetingTesting", "a composition root may import interfaces, implementations."),
)


@pytest.mark.slow
def test_package_is_built_for_stand_ins_of_the_sdk_and_its_tests_pass(toolchain: Toolchain, tmp_path: Path) -> None:
    folder = copy(tmp_path)
    for name in ("AdoptingTests", "SwiftUI", "UIKit"):
        shutil.copytree(STAND_INS / name, folder / name)
    append(folder / "Package.swift", MANIFEST.replace("PLUGIN", str(STAND_INS / "previews.py")))
    edit(folder, "Package.swift", 'path: "../.."', f'path: "{REPOSITORY}"')
    options = ("--no-parallel", "-Xswiftc", "-warnings-as-errors", "--explicit-target-dependency-import-check", "error")
    assert "27 tests" in ran(toolchain, "swift", "test", "--package-path", folder, *options)


def test_package_keeps_the_rules(capfd: pytest.CaptureFixture[str]) -> None:
    assert check(ADOPTING, CheckChoices()) == 0, capfd.readouterr().out


def test_forbidden_imports_are_found_and_no_others(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = copy(tmp_path)
    for part in ("Interface", "Program", "Implementation"):
        shutil.copytree(REPOSITORY / "Modules/RouterService" / part, folder / "RouterService" / part)
    edit(folder, "Package.swift", '.product(name: name, package: "ModularSwift")', ".target(name: name)")
    append(folder / "Package.swift", ROUTER_TARGETS)
    rules = (folder / "swiftmodules.toml").read_text(encoding="utf-8")
    (folder / "swiftmodules.toml").write_text(ROUTER_RULES + rules, encoding="utf-8")
    assert check(folder, CheckChoices()) == 0, capfd.readouterr().out
    for file, module, _ in FORBIDDEN:
        append(folder / file, f"import {module}\n")
    assert check(folder, CheckChoices()) == 1
    found = capfd.readouterr().out.splitlines()
    for file, module, allowed in FORBIDDEN:
        lines = [line for line in found if line.startswith(file) and f" imports {module}; {allowed}" in line]
        assert len(lines) == 1, f"{file}: {found}"
    assert sum("[import]" in line for line in found) == len(FORBIDDEN)


def copy(folder: Path) -> Path:
    """A copy of the package as it is in a checkout."""
    return shutil.copytree(ADOPTING, folder / "adopting", ignore=shutil.ignore_patterns(".*"))


def append(file: Path, text: str) -> None:
    file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")
