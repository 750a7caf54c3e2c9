"""Packages of the kinds that once failed, through all commands."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from made_files import committed, copied, files
from repo_checkout import REPOSITORY
from swiftmodules.cli import main
from swiftmodules.measure.record import read_record
from swiftmodules.process import captured
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.slow

MAC_ONLY = """// swift-tools-version: 6.0
import PackageDescription
let package = Package(
    name: "MacOnly",
    targets: [
        .target(name: "Base"),
        .target(name: "Elsewhere", dependencies: ["Base"]),
        .executableTarget(name: "App", dependencies: [
            "Base", .target(name: "Elsewhere", condition: .when(platforms: [.windows])),
        ]),
    ])
"""
PLUGIN = '.plugin(name: "CheckModules", capability: .command(intent: .custom(verb: "check", description: ""))),'
BASE = "public func base(_ number: Int) -> Int {\n    let next = number + 1\n    return next\n}\n"


def made(name: str, folder: Path) -> Path:
    """A package of a kind, with two commits."""
    if name == "MacOnly":
        package = folder / name
        files(package, {
            "Package.swift": MAC_ONLY,
            "Sources/Base/Base.swift": BASE,
            "Sources/Elsewhere/Elsewhere.swift": "import Base\npublic func elsewhere() -> Int {\n    base(1)\n}\n",
            "Sources/App/main.swift": "import Base\n\nprint(base(1))\n",
        })  # fmt: skip
    else:
        package = copied(folder, f"packages/{name}", "packages/Spices")
    (package / ".gitignore").write_text(".build\n")
    committed(package)
    source = sorted(package.glob("Sources/*/*.swift"))[0]
    committed(package, "Again", {source.relative_to(package).as_posix(): f"{source.read_text()}// Again.\n"})
    return package


@pytest.mark.parametrize("name", ["MacOnly", "Lathe", "Market", "Press", "Ring", "Twins"])
def test_every_command_works_in_a_package_of_each_kind_that_once_failed(
    name: str, tmp_path: Path, toolchain: Toolchain, capsys: pytest.CaptureFixture[str]
) -> None:
    package = made(name, tmp_path)
    where, output = ["--package", str(package)], tmp_path / "output"
    assert main(["graph", *where]) == main(["graph", *where, "--since", "HEAD~1"]) == 0
    assert "tests:" in capsys.readouterr().out
    options = ["--edits", "body", "--layouts", "interface", "--rounds", "0", "--output", str(output)]
    assert main(["measure", *where, *options]) == 0
    record = read_record(output)
    assert record.samples and all(each.files for each in record.samples)
    if name == "MacOnly":
        assert {each.module for each in record.samples} == {"Base"}
    assert main(["measure", "advise", *where, "--commits", "2"]) == 0
    shutil.copytree(REPOSITORY / "Plugins/CheckModules", package / "Plugins/CheckModules")
    manifest = package / "Package.swift"
    manifest.write_text(manifest.read_text().replace("targets: [\n", f"targets: [\n        {PLUGIN}\n", 1))
    checked = captured([toolchain.swift, "package", "check"], toolchain.environment, package)
    # Findings, and no error.
    found = re.findall(r"^\S+:\d+: error: |: nothing found$", checked.stdout.decode(), re.M)
    assert found and checked.returncode in (0, 1), checked
