"""The program of a live session is built again by the commands that SwiftPM has planned."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from made_files import files
from swiftmodules.live.build import ProblemError, ProgramBuild
from swiftmodules.live.command import Commands, Output
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.toolchain import Toolchain

PACKAGE = {
    "Package.swift": """\
// swift-tools-version: 6.1
import PackageDescription
let package = Package(
    name: "Small",
    traits: ["Live"],
    targets: [
        .target(name: "Base"), .target(name: "Middle", dependencies: ["Base"]), .target(name: "Apart"),
        .executableTarget(name: "App", dependencies: ["Middle", "Apart"]),
    ]
)
""",
    "Sources/Base/Base.swift": 'public func base() -> String { "one" }\n',
    "Sources/Base/Limit.swift": "public enum Limit { case low }\n",
    "Sources/Middle/Middle.swift": 'import Base\npublic func middle() -> String { base() + " \\(Limit.low)" }\n',
    "Sources/Apart/Base.swift": "public func apart() {}\n",
    "Sources/App/main.swift": "import Apart\nimport Middle\napart()\nprint(middle())\n",
}


@dataclass(eq=False)
class Noted(Commands):
    """Commands that note of what they are."""

    done: list[str] = field(default_factory=list)

    def run(self, arguments: Sequence[str | Path], shows_output: bool = False) -> Output:
        words = [str(each) for each in arguments]
        if "build" in words:
            self.done.append("swift build")
        elif "-c" in words:
            self.done.append(words[words.index("-module-name") + 1])
        elif "-emit-executable" in words:
            self.done.append("link")
        return super().run(arguments, shows_output)

    def taken(self) -> list[str]:
        found, self.done = self.done, []
        return found


def test_program_is_built_again_by_the_planned_commands_that_a_change_reaches(
    tmp_path: Path, toolchain: Toolchain
) -> None:
    package = tmp_path / "a package"
    files(package, PACKAGE)
    commands = Noted(package, toolchain)
    build = ProgramBuild("App", read_package(package, toolchain).program("App"), tmp_path / "built", commands)

    def shown(changed: str, old: str, new: str) -> str:
        path = package / "Sources" / changed
        path.write_text(path.read_text().replace(old, new))
        commands.taken()
        build.build([path])
        return subprocess.run([build.program], check=True, capture_output=True, text=True).stdout.strip()

    build.build()
    assert "swift build" in commands.taken()
    # A body is compiled in its target alone.
    assert shown("Base/Base.swift", '"one"', '"two"') == "two low"
    assert commands.taken() == ["Base", "link"]
    # The module of Middle is the same as before, so what imports it is left alone.
    assert shown("Base/Limit.swift", "case low", "case high, low") == "two low"
    assert commands.taken() == ["Base", "Middle", "link"]
    assert shown("App/main.swift", "print(", 'print("main", ') == "main two low"
    assert commands.taken() == ["App", "link"]
    build.build()
    assert commands.taken() == []


def test_swiftpm_builds_after_a_planned_command_that_failed(tmp_path: Path, toolchain: Toolchain) -> None:
    package = tmp_path / "package"
    files(package, PACKAGE)
    commands = Noted(package, toolchain)
    build = ProgramBuild("App", read_package(package, toolchain).program("App"), tmp_path / "built", commands)
    build.build()
    base, middle = package / "Sources/Base/Base.swift", package / "Sources/Middle/Middle.swift"
    base.write_text("public func renamed() -> String { String() }\n")
    with pytest.raises(ProblemError, match=r"Middle.swift:2: cannot find 'base' in scope"):
        build.build([base])
    commands.taken()
    middle.write_text("import Base\npublic func middle(_ text: String = renamed()) -> String { text }\n")
    build.build([base, middle])
    assert commands.taken() == ["swift build"]
    assert subprocess.run([build.program], check=True, capture_output=True, text=True).stdout == "\n"


def test_program_with_other_inputs_than_swift_is_built_by_swiftpm(tmp_path: Path, toolchain: Toolchain) -> None:
    package = tmp_path / "package"
    manifest = PACKAGE["Package.swift"].replace('name: "Apart"', 'name: "Apart", resources: [.embedInCode("a.txt")]')
    files(package, {**PACKAGE, "Package.swift": manifest, "Sources/Apart/a.txt": "a"})
    commands = Noted(package, toolchain)
    build = ProgramBuild("App", read_package(package, toolchain).program("App"), tmp_path / "built", commands)
    build.build()
    commands.taken()
    build.build()
    assert commands.taken() == ["swift build"]
