"""The program of a live session is built again by the commands that SwiftPM has planned."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from made_files import files
from swiftmodules.live.build import ProgramBuild
from swiftmodules.live.command import Commands, ProblemError
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


@dataclass
class Noted(Commands):
    """Commands that note of what they are."""

    done: list[str] = field(default_factory=list)

    def run(self, what: str, arguments: Sequence[str | Path], shows_output: bool = False) -> str:
        words = [str(each) for each in arguments]
        if "build" in words:
            self.done.append("swift build")
        elif "-c" in words:
            self.done.append(words[words.index("-module-name") + 1])
        elif "-emit-executable" in words:
            self.done.append("link")
        return super().run(what, arguments, shows_output)

    def taken(self) -> list[str]:
        found, self.done = self.done, []
        return found


@dataclass
class Built:
    """The program of a package, in a folder with a space."""

    package: Path
    commands: Noted
    build: ProgramBuild

    def save(self, path: str, old: str, new: str) -> Path:
        file = self.package / path
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new))
        return file

    def shown(self, *changed: Path) -> str:
        """Builds, and returns what the program prints."""
        self.commands.taken()
        self.build.build(changed)
        return subprocess.run([self.build.program], check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, toolchain: Toolchain) -> Built:
    package = tmp_path_factory.mktemp("built") / "a package"
    files(package, PACKAGE)
    return prepared(package, toolchain)


def prepared(package: Path, toolchain: Toolchain) -> Built:
    commands = Noted(package, toolchain)
    program = read_package(package, toolchain).program("App")
    return Built(package, commands, ProgramBuild("App", program, package.with_name("scratch"), commands))


def test_program_is_built_again_by_the_planned_commands_that_a_change_reaches(built: Built) -> None:
    assert built.shown() == "one low"
    assert "swift build" in built.commands.taken()
    # A body is compiled in its target alone.
    assert built.shown(built.save("Sources/Base/Base.swift", '"one"', '"two"')) == "two low"
    assert built.commands.taken() == ["Base", "link"]
    # The module of Middle is the same as before, so what imports it is left alone.
    assert built.shown(built.save("Sources/Base/Limit.swift", "case low", "case high, low")) == "two low"
    assert built.commands.taken() == ["Base", "Middle", "link"]
    assert built.shown(built.save("Sources/App/main.swift", "print(", 'print("main", ')) == "main two low"
    assert built.commands.taken() == ["App", "link"]
    assert built.shown() == "main two low"
    assert built.commands.taken() == []


def test_swiftpm_builds_after_a_planned_command_that_failed(built: Built) -> None:
    # Middle, which uses Base, is compiled for one save of Base, and often in the same second for the next.
    assert built.shown(built.save("Sources/Base/Limit.swift", "case high, low", "case low, high")) == "main two low"
    base = built.save("Sources/Base/Base.swift", "func base", "func renamed")
    with pytest.raises(ProblemError, match=r"Middle.swift:2: cannot find 'base' in scope"):
        built.shown(base)
    middle = built.save("Sources/Middle/Middle.swift", "{ base()", "{ renamed()")
    assert built.shown(base, middle) == "main two low"
    assert built.commands.taken() == ["swift build"]


def test_program_with_other_inputs_than_swift_is_built_by_swiftpm(built: Built, toolchain: Toolchain) -> None:
    built.save("Package.swift", 'name: "Apart"', 'name: "Apart", resources: [.embedInCode("a.txt")]')
    files(built.package, {"Sources/Apart/a.txt": "a"})
    again = prepared(built.package, toolchain)
    again.build.build()
    assert again.shown() == "main two low"
    assert again.commands.taken() == ["swift build"]
