"""Static and dynamic linking: which files are compiled after an edit, and what is linked."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

import pytest
from made_files import files
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.slow

EDITS = {
    "body": ('let text = "1"', 'let text = "2"'),
    "public": ("public func title", "public func other() {}\npublic func title"),
}


@pytest.fixture(params=["static", "dynamic"])
def program(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    """A program that uses a library of another package, and how it is linked."""
    texts = {
        "Program/Package.swift": 'let package = Package(name: "Program", dependencies: [.package(path: "../Feed")], '
        'targets: [.executableTarget(name: "App", dependencies: [.product(name: "Feed", package: "Feed")])])',
        "Program/Sources/App/main.swift": "import Feed\nprint(title())",
        "Feed/Package.swift": f'let package = Package(name: "Feed", products: [.library(name: "Feed", '
        f'type: .{request.param}, targets: ["Feed"])], targets: [.target(name: "Feed")])',
        "Feed/Sources/Feed/Feed.swift": 'public func title() -> String {\n    let text = "1"\n    return text\n}',
    }
    for name in ("Program/Package.swift", "Feed/Package.swift"):
        texts[name] = f"// swift-tools-version: 6.0\nimport PackageDescription\n{texts[name]}"
    files(tmp_path, texts)
    return request.param, tmp_path


def build(folder: Path, toolchain: Toolchain) -> tuple[set[str], list[str]]:
    """The files that are compiled, and what is linked, in order."""
    command = [toolchain.swift, "build", "--package-path", folder / "Program"]
    output = subprocess.run(command, env=toolchain.environment, capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"Compiling \w+ (\S+\.swift)", output)), re.findall(r"\] Linking (\S+)", output)


def test_dynamic_library_spares_neither_a_file_nor_the_link_of_the_program(
    program: tuple[str, Path], toolchain: Toolchain
) -> None:
    kind, folder = program
    source = folder / "Feed/Sources/Feed/Feed.swift"
    libraries = ["libFeed.so"] if kind == "dynamic" else []
    _, linked = build(folder, toolchain)
    assert [name for name in linked if name.endswith(".so")] == libraries
    for edit, compiled in (("body", {"Feed.swift"}), ("public", {"Feed.swift", "main.swift"})):
        # A file that is written twice within one second may not be compiled.
        time.sleep(1.1)
        source.write_text(source.read_text().replace(*EDITS[edit]))
        assert build(folder, toolchain) == (compiled, [*libraries, "App"]), edit
