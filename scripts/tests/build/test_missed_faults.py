"""Whether a fault shows in a test that `graph --since` does not select: `scripts/test --since` leaves these out."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from faults import missed
from made_files import committed, files, git
from made_packages import library
from repo_checkout import REPOSITORY
from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.since import since
from swiftmodules.swiftpm.config import Patterns
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.slow

MANIFEST = """// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "App",
    traits: [.trait(name: "Fast")],
    dependencies: [.package(path: "../Core"), .package(path: "../../Far"), .package(url: "ORIGIN", exact: "1.0.0")],
    targets: [
        .target(name: "Text", resources: [.copy("data.txt")], plugins: ["Generate"]),
        .target(name: "CLib"),
        .target(name: "Other"),
        .target(name: "Optional"),
        .target(name: "Setting", swiftSettings: [.define("good")]),
        .executableTarget(name: "Generator"),
        .executableTarget(name: "Tool"),
        .plugin(name: "Generate", capability: .buildTool(), dependencies: ["Generator"]),
        .testTarget(name: "TextTests", dependencies: ["Text"]),
        .testTarget(name: "core-tests", dependencies: ["CLib"]),
        .testTarget(name: "OtherTests", dependencies: ["Other"]),
        .testTarget(name: "ImportTests"),
        .testTarget(
            name: "OptionalTests", dependencies: [.target(name: "Optional", condition: .when(traits: ["Fast"]))]),
        .testTarget(name: "SettingTests", dependencies: ["Setting"]),
        .testTarget(name: "CoreTests", dependencies: [.product(name: "Core", package: "Core")]),
        .testTarget(name: "FarTests", dependencies: [.product(name: "Far", package: "Far")]),
        .testTarget(name: "FetchedTests", dependencies: [.product(name: "Fetched", package: "Fetched")]),
        .testTarget(name: "FilesTests"),
        .testTarget(name: "ProgramTests"),
    ],
    cLanguageStandard: .c11
)
"""
PLUGIN = """import PackagePlugin

@main struct Generate: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let inputs = [target.directoryURL, context.package.directoryURL].map { $0.appending(path: "schema.txt") }
        let output = context.pluginWorkDirectoryURL.appending(path: "Generated.swift")
        let words = (inputs + [output]).map { $0.path(percentEncoded: false) }
        return [.buildCommand(displayName: "Generate", executable: try context.tool(named: "Generator").url,
            arguments: words, inputFiles: inputs, outputFiles: [output])]
    }
}
"""
GENERATOR = """import Foundation

let words = CommandLine.arguments
let texts = try words[1...2].map { try String(contentsOfFile: $0, encoding: .utf8).split(separator: "\\n")[0] }
let values = ["own": String(texts[0]), "beside": String(texts[1]), "made": "good"]
let code = values.map { "public let \\($0) = \\"\\($1)\\"\\n" }.joined()
try code.write(toFile: words[3], atomically: true, encoding: .utf8)
"""
TEXT = """import Foundation

public func word() -> String { "good" }
public func resource() throws -> String {
    try String(contentsOf: Bundle.module.url(forResource: "data", withExtension: "txt")!, encoding: .utf8)
}
"""
C_SOURCE = """#include "clib.h"
const char *clib_word(void) { return "good"; }
const char *clib_shared(void) { return SHARED; }
const char *clib_standard(void) { return __STDC_VERSION__ == 201112L ? "good" : "bad"; }
"""
C_HEADER = '#include "../../../shared/shared.h"\n' + "".join(
    f"const char *clib_{name}(void);\n" for name in ("word", "shared", "standard")
)
FILES = """import Foundation
import Testing

let folder = URL(filePath: #filePath).deletingLastPathComponent()
func text(_ path: String) throws -> Substring {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8).split(separator: "\\n")[0]
}
@Test func snapshot() throws { #expect(try text("__Snapshots__/one.txt") == "good") }
@Test func words() throws { #expect(try text("../../docs/words.txt") == "good") }
@Test func unknown() throws { #expect(try text("../../tools/words.txt") == "good") }
@Test func version() throws { #expect(try text("../../.swift-version") == "good") }
@Test func mode() { #expect(!FileManager.default.isExecutableFile(atPath: folder.appending(path: "tool.sh").path)) }
"""
PROGRAM = """import Foundation
import Testing

@Test func program() throws {
    let paths = CommandLine.arguments.map { URL(filePath: $0) }
    var folder = try #require(paths.first { $0.path.contains(".xctest") })
    while folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = folder.appending(path: "Tool")
    process.standardOutput = pipe
    try process.run()
    #expect(String(data: pipe.fileHandleForReading.readDataToEndOfFile(), encoding: .utf8) == "good\\n")
}
"""


def checks(module: str, *values: str) -> str:
    """A test that each value is good."""
    names = (re.sub(r"\W", "", each) for each in values)
    lines = (
        f'@Test func good{name}() throws {{ #expect(try {each} == "good") }}\n'
        for name, each in zip(names, values, strict=True)
    )
    return f"import Testing\nimport {module}\n" + "".join(lines)


def worded(name: str, *needs: str) -> dict[str, str]:
    """A package with a library that passes on the word of another one, or has its own."""
    passed_on = "".join(
        f"import {each}\npublic func {name.lower()}() -> String {{ {each.lower()}() }}\n" for each in needs
    )
    own = f'public func {name.lower()}() -> String {{ "good" }}\n'
    return library(name, *needs, source=passed_on or own)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package whose tests read an input of each kind."""
    around = tmp_path_factory.mktemp("around").resolve()
    files(around, worded("Far"))
    fetched = around / "Fetched"
    files(around, worded("Fetched"))
    committed(fetched)
    git(fetched, "tag", "1.0.0")
    source = fetched / "Sources/Fetched/Fetched.swift"
    committed(fetched, texts={str(source): source.read_text().replace("good", "bad")})
    git(fetched, "tag", "1.1.0")
    word = 'public func {}() -> String {{ "good" }}\n'
    setting = '#if good\npublic let setting = "good"\n#else\npublic let setting = "bad"\n#endif\n'
    tests = {
        "TextTests": checks("Text", "word()", "resource().prefix(4)", "own", "beside", "made"),
        "core-tests": checks("CLib", *(f"String(cString: clib_{each}())" for each in ("word", "shared", "standard"))),
        "OtherTests": checks("Other"),
        "ImportTests": checks("Other", "other()"),
        "OptionalTests": f"#if Fast\n{checks('Optional', 'optional()')}#endif\n",
        "SettingTests": checks("Setting", "setting"),
        "CoreTests": checks("Core", "core()"),
        "FarTests": checks("Far", "far()"),
        "FetchedTests": checks("Fetched", "fetched()"),
        "FilesTests": FILES,
        "ProgramTests": PROGRAM,
    }
    app = {
        "Package.swift": MANIFEST.replace("ORIGIN", fetched.as_uri()),
        ".gitignore": ".build/\nPackage.resolved\n",
        "Sources/Text/Text.swift": TEXT,
        "Sources/Text/data.txt": "good",
        "Sources/Text/schema.txt": "good",
        "schema.txt": "good",
        "Sources/CLib/c.c": C_SOURCE,
        "Sources/CLib/include/clib.h": C_HEADER,
        "shared/shared.h": '#define SHARED "good"\n',
        "Sources/Other/Other.swift": word.format("other"),
        "Sources/Optional/Optional.swift": word.format("optional"),
        "Sources/Setting/Setting.swift": setting,
        "Sources/Generator/Generator.swift": GENERATOR,
        "Sources/Tool/Tool.swift": '@main struct Tool { static func main() { print("good") } }\n',
        "Plugins/Generate/Generate.swift": PLUGIN,
        **{f"Tests/{name}/Tests.swift": text for name, text in tests.items()},
        "Tests/FilesTests/__Snapshots__/one.txt": "good",
        "Tests/FilesTests/tool.sh": "",
        "docs/words.txt": "good",
        "tools/words.txt": "good",
        ".swift-version": "good",
    }
    repository = around / "repository"
    files(repository / "App", app)
    files(repository, {**worded("Core", "Base"), **worded("Base")})
    committed(repository)
    return repository / "App"


def spoiled(path: str) -> Callable[[Path], object]:
    """Makes the word of a file a bad one."""

    def spoil(package: Path) -> None:
        text = (package / path).read_text()
        assert "good" in text
        (package / path).write_text(text.replace("good", "bad"))

    return spoil


def other_manifest(package: Path) -> None:
    text = (package / "Package.swift").read_text()
    (package / "Package@swift-6.swift").write_text(text.replace('"good"', '"bad"'))


def rewritten(old: str, new: str) -> Callable[[Path], object]:
    def rewrite(package: Path) -> None:
        text = (package / "Package.swift").read_text()
        assert old in text
        (package / "Package.swift").write_text(text.replace(old, new))

    return rewrite


FAULTS: dict[str, Callable[[Path], object]] = {
    "a source": spoiled("Sources/Text/Text.swift"),
    "a source of a package two away": spoiled("../Base/Sources/Base/Base.swift"),
    "a source of a package outside of the repository": spoiled("../../Far/Sources/Far/Far.swift"),
    "an exact version": rewritten('exact: "1.0.0"', 'exact: "1.1.0"'),
    "a resource": spoiled("Sources/Text/data.txt"),
    "an input of a plugin in the target": spoiled("Sources/Text/schema.txt"),
    "an input of a plugin elsewhere": spoiled("schema.txt"),
    "the program of a plugin": spoiled("Sources/Generator/Generator.swift"),
    "a program that a test runs": spoiled("Sources/Tool/Tool.swift"),
    "a C source": spoiled("Sources/CLib/c.c"),
    "a header outside of the target": spoiled("shared/shared.h"),
    "the language standard of C": rewritten(".c11", ".c99"),
    "a setting": rewritten('.define("good")', '.define("bad")'),
    "another manifest": other_manifest,
    "a target that is imported without an edge": spoiled("Sources/Other/Other.swift"),
    "a target behind a trait": spoiled("Sources/Optional/Optional.swift"),
    "a snapshot": spoiled("Tests/FilesTests/__Snapshots__/one.txt"),
    "a mode": lambda package: (package / "Tests/FilesTests/tool.sh").chmod(0o755),
    "a document that a test is declared to read": spoiled("docs/words.txt"),
    "a file of no target": spoiled("tools/words.txt"),
    "the version of the toolchain": spoiled(".swift-version"),
}


def run(package: Path, toolchain: Toolchain, expression: str) -> subprocess.CompletedProcess[str]:
    options = ["--package-path", str(package), "--traits", "Fast"]
    # What is imported without an edge has to be there.
    subprocess.run([toolchain.swift, "build", *options], env=toolchain.environment, capture_output=True)
    command = [toolchain.swift, "test", *options, "--filter", expression]
    return subprocess.run(
        command, env=toolchain.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def test_faults_in_inputs_of_every_kind_are_noticed_by_selected_tests(package: Path, toolchain: Toolchain) -> None:
    """The whole `swift test` passes before, and fails with each fault, as the selected tests do."""
    done = run(package, toolchain, ".")
    assert done.returncode == 0, done.stdout
    far = package.parent.parent / "Far/Sources/Far/Far.swift"
    before = far.read_text(), far.stat().st_mtime_ns
    unnoticed = {}
    for kind, plant in FAULTS.items():
        plant(package)
        # A package of another version is fetched again.
        (package / "Package.resolved").unlink(missing_ok=True)
        patterns = Patterns(tests={"docs/**": ("FilesTests",)})
        found = since(Architecture(read_package(package, toolchain)), "HEAD", package, toolchain, patterns)
        done = run(package, toolchain, found.test_filter)
        # What Swift Testing marks is a test, and no error of a build.
        if done.returncode == 0 or "✘ Test" not in done.stdout:
            unnoticed[kind] = f"{found}\n{done.stdout[-3000:]}"
        git(package, "reset", "--hard")
        git(package, "clean", "-fd")
        far.write_text(before[0])
        os.utime(far, ns=(before[1], before[1]))
    assert not unnoticed, "\n\n".join(f"{kind}: {text}" for kind, text in unnoticed.items())


def test_no_fault_in_this_repository_is_missed(toolchain: Toolchain, tmp_path: Path) -> None:
    found = missed(REPOSITORY, 30, seed=1, toolchain=toolchain, folder=tmp_path.resolve())
    assert found.misses == 0, str(found)
    # Otherwise nothing was planted.
    assert any(each.is_noticed for each in found.groups)
