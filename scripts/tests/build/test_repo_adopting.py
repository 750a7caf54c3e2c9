"""The package of docs/adopting: the presenters for UIKit and SwiftUI, a feature, programs and previews.

It is built and run here with modules that stand in for the SDK: they have the declarations that the package uses, keep
what they are given, and play the user's gestures.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from made_files import ran
from repo_checkout import REPOSITORY, edit
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

# The router as targets of the package, whose imports the plugin knows then, and the plugin.
ROUTER_TARGETS = """
package.dependencies = []
package.targets += [
    .target(name: "RouterServiceInterface", path: "RouterService/Interface"),
    .target(name: "RouterServiceProgram", dependencies: ["RouterServiceInterface"], path: "RouterService/Program"),
    .target(
        name: "RouterServiceImplementation", dependencies: ["RouterServiceInterface", "RouterServiceProgram"],
        path: "RouterService/Implementation"),
    .plugin(name: "CheckModules", capability: .command(intent: .custom(verb: "check", description: "Check"))),
]
"""
# What a reader may get wrong: a file, what it imports, and the finding.
_COMPOSITION, _FAKES = "Only the composition and the module's own tests", "Fakes are for tests"
_INTERFACE = "An interface uses no other target than RouterServiceInterface"
FORBIDDEN = (
    ("Greeting/SwiftUI/CardView.swift", "RouterServiceProgram", " without depending on it"),
    # Previews in the implementation, with fakes.
    ("Greeting/SwiftUI/GreetingSwiftUIModule.swift", "GreetingTesting", f". {_FAKES}"),
    ("Greeting/UIKit/CardController.swift", "UIKitDisplayImplementation", f". {_COMPOSITION}"),
    ("Greeting/Interface/Greeting.swift", "RouterServiceProgram", f". {_INTERFACE}"),
    ("UIKitDisplay/Interface/UIKitDisplay.swift", "GreetingInterface", f". {_INTERFACE}"),
    ("GreetingApp/GreetingApp.swift", "GreetingTesting", f". {_FAKES}"),
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


def test_plugin_that_is_copied_finds_forbidden_imports_and_no_others(toolchain: Toolchain, tmp_path: Path) -> None:
    folder = copy(tmp_path)
    for part in ("Interface", "Program", "Implementation"):
        shutil.copytree(REPOSITORY / "Modules/RouterService" / part, folder / "RouterService" / part)
    shutil.copytree(REPOSITORY / "Plugins/CheckModules", folder / "Plugins/CheckModules")
    rules = ("compositions: Set<String> = []", 'compositions: Set = ["GreetingPreviews"]')
    edit(folder, "Plugins/CheckModules/CheckModules.swift", *rules)
    edit(folder, "Package.swift", '.product(name: name, package: "ModularSwift")', ".target(name: name)")
    edit(folder, "Package.swift", "package.targets {", "package.targets where target.type != .plugin {")
    append(folder / "Package.swift", ROUTER_TARGETS)
    command = ("swift", "package", "--package-path", folder, "check")
    assert "nothing found" in ran(toolchain, *command)
    for file, module, _ in FORBIDDEN:
        append(folder / file, f"import {module}\n")
    done = subprocess.run(command, env=toolchain.environment, capture_output=True, text=True)
    assert done.returncode == 1
    for file, module, reason in FORBIDDEN:
        words = f" imports {module}{reason}"
        lines = [each for each in done.stdout.splitlines() if each.startswith(file) and words in each]
        assert len(lines) == 1, f"{file}: {done.stdout}"
    assert len(done.stdout.splitlines()) == len(FORBIDDEN)


def copy(folder: Path) -> Path:
    """A copy of the package as it is in a checkout."""
    return shutil.copytree(ADOPTING, folder / "adopting", ignore=shutil.ignore_patterns(".*"))


def append(file: Path, text: str) -> None:
    file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")
