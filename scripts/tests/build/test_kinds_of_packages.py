"""Packages of the kinds that once failed, through all commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_files import committed, copied, files
from swiftmodules.cli import main
from swiftmodules.measure.record import read_record

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
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package = made(name, tmp_path)
    where, output = ["--package", str(package)], tmp_path / "output"
    assert main(["graph", *where]) == main(["graph", *where, "--since", "HEAD~1"]) == 0
    assert "tests:" in capsys.readouterr().out
    # Findings, and no error.
    assert main(["check", *where, "--no-build"]) in (0, 1)
    options = ["--edits", "body", "--layouts", "interface", "--rounds", "0", "--output", str(output)]
    assert main(["measure", *where, *options]) == 0
    record = read_record(output)
    assert record.samples and all(each.files for each in record.samples)
    if name == "MacOnly":
        assert {each.module for each in record.samples} == {"Base"}
    assert main(["measure", "advise", *where, "--commits", "2"]) == 0
