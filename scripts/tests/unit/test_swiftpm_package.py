"""Reading packages: targets, modules, manifests."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from pathlib import Path

import pytest
from made_files import contents, files
from made_packages import package_of
from msgspec.structs import replace
from swiftmodules.errors import MissingToolError, ToolError, UsageError
from swiftmodules.layouts.generate import refuse_obstacles
from swiftmodules.swiftpm.config import TargetRule
from swiftmodules.swiftpm.description import manifest_of, read_package
from swiftmodules.swiftpm.facts import Facts, Library
from swiftmodules.swiftpm.manifest_writer import manifest_text, package_dependency
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import read_sources
from swiftmodules.swiftpm.target import Resource, Target
from swiftmodules.swiftpm.toolchain import Toolchain


def written(folder: Path, manifest: str, *names: str) -> Path:
    text = f"// swift-tools-version: 6.0\nimport PackageDescription\n{manifest}\n"
    files(folder, dict.fromkeys(names, "\n") | {"Package.swift": text})
    return folder


def test_package_is_read_as_it_stands_and_left_as_it_is(tiny: Path, toolchain: Toolchain) -> None:
    before = contents(tiny)
    package = read_package(tiny, toolchain)
    assert package.name == "Tiny"
    feed = package.target("FeedImplementation")
    assert feed is not None
    assert (feed.kind, feed.folder) == ("library", Path("Feed/Implementation"))
    assert feed.dependencies == ("FeedInterface", "StoreInterface")
    assert Path("Feed/Implementation/Support.swift") in feed.sources
    assert feed.has_upcoming_feature("ExistentialAny")
    application = package.application
    assert application is not None and application.name == "App"
    program = package.program("FeedImplementation")
    assert {each.name for each in program.targets} == {"FeedImplementation", *feed.dependencies}
    assert contents(tiny) == before


def test_targets_of_every_kind_are_read_and_obstacles_are_named(tmp_path: Path, toolchain: Toolchain) -> None:
    written(tmp_path / "Other", 'let package = Package(name: "Other")')
    sources = "Sources/ä/ü.swift", "Sources/CLib/a.c", "Sources/CLib/include/a.h", "Sources/OnMac/a.swift"
    folder = written(
        tmp_path / "Größe",
        """let package = Package(
            name: "Mixed",
            dependencies: [.package(path: "../Other"), .package(url: "https://nowhere.invalid/far.git", from: "1.0.0")],
            targets: [
                .target(name: "Empty"),
                .target(name: "swift-kit", dependencies: ["CLib", "Empty", .product(name: "Far", package: "far")],
                        path: "Sources/ä", plugins: ["Maker"]),
                .target(name: "CLib"), .plugin(name: "Maker", capability: .buildTool()),
                .plugin(name: "Tidy", capability: .command(intent: .custom(verb: "tidy", description: "Tidies."))),
                .target(name: "OnMac",
                        dependencies: [.target(name: "swift-kit", condition: .when(platforms: [.macOS]))]),
                .testTarget(name: "KitTests", dependencies: ["swift-kit", .product(name: "Near", package: "Other")]),
            ])""",
        *(
            *sources,
            "Plugins/Maker/plugin.swift",
            "Plugins/Tidy/plugin.swift",
            "Tests/KitTests/a.swift",
            "Snippets/usage.swift",
            "Sources/Empty/notes.md",
        ),
    )
    package = read_package(folder, toolchain)
    on_mac = package.target("OnMac")
    assert on_mac is not None and on_mac.platforms == {"swift-kit": ("macos",)}
    assert {each.name: each.kind for each in (*package.targets, *package.others)} == {
        "swift-kit": "library",
        "OnMac": "library",
        "KitTests": "test",
        "CLib": "clang",
        "Maker": "plugin",
        "Tidy": "command",
        "usage": "snippet",
    }
    kit = package.target("swift-kit")
    assert kit is not None
    assert (kit.imported_as, kit.sources) == ("swift_kit", (Path("Sources/ä/ü.swift"),))
    assert kit.products == (("Far", "far"),)
    assert set(kit.dependencies) == {"CLib", "Maker"}
    assert [each.name for each in package.tests] == ["KitTests"]
    # A program has what it is made of, and no snippet.
    assert {each.name for each in package.program("KitTests").others} == {"CLib", "Maker"}
    obstacles = (
        "CLib is in C, C++ or Objective-C",
        "Maker is a plugin",
        "OnMac depends on swift-kit under a condition",
        "swift-kit uses the plugin Maker",
    )
    with pytest.raises(ToolError, match=re.escape("; ".join(obstacles))):
        refuse_obstacles(package, has_copy=True)
    assert package.target_of(Path("Sources/ä/new.swift")) == kit
    assert not (folder / ".build").exists()


def test_folder_without_a_manifest_that_compiles_is_refused(tmp_path: Path, toolchain: Toolchain, tiny: Path) -> None:
    with pytest.raises(UsageError, match=r"is not a Swift package: it has no Package\.swift"):
        read_package(tmp_path, toolchain)
    (tiny / "Package.swift").write_text("// swift-tools-version: 6.0\nlet package = nonsense\n")
    with pytest.raises(ToolError) as caught:
        read_package(tiny, toolchain)
    first, second, *_ = str(caught.value).splitlines()
    assert first == f"The manifest in {tiny} does not compile:"
    assert second == "Package.swift:2:15: error: cannot find 'nonsense' in scope"
    (tiny / "Package.swift").write_text("// swift-tools-version: 99.0\n")
    with pytest.raises(
        ToolError, match=r"^SwiftPM cannot read the package in .*:\nerror: 'tiny': package 'tiny' is using"
    ):
        read_package(tiny, toolchain)


def test_nothing_is_left_among_temporary_files(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    toolchain = Toolchain.find({**os.environ, "TMPDIR": str(temporary)})
    assert read_sources(tiny, read_package(tiny, toolchain), toolchain)
    assert list(temporary.iterdir()) == []


def test_toolchain_is_required_and_its_commands_have_few_variables() -> None:
    with pytest.raises(MissingToolError, match=r"'swiftc' is not in PATH\. Install one from https:"):
        Toolchain.find({"PATH": "/nowhere"})
    kept = Toolchain(Path("/bin"), "6", (("HOME", "/h"), ("MODE", "a"))).environment
    assert set(kept) == {"HOME", "MODE", "PATH", "LANG", "LC_ALL"}
    assert kept["MODE"] == "a"


def test_commands_on_macos_see_the_sdk_that_the_launcher_of_xcode_would_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = json.dumps({"compilerVersion": "6", "paths": {"runtimeResourcePath": "/toolchain/usr/lib/swift"}})
    for name, line in (
        ("swiftc", f"echo '{answer}'"),
        ("xcrun", '[ "$*" = "--sdk macosx --show-sdk-path" ] && echo /sdk'),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    environment = {"PATH": os.environ["PATH"]}
    assert "SDKROOT" not in Toolchain.find(environment).environment
    monkeypatch.setattr(sys, "platform", "darwin")
    assert Toolchain.find(environment).environment["SDKROOT"] == "/sdk"
    assert Toolchain.find({**environment, "SDKROOT": "/other"}).environment["SDKROOT"] == "/other"


# By the version that a manifest asks for, beside one that asks for 6.0; and what is read where SwiftPM reports tools.
MANIFESTS = [
    ({"@swift-6.2": "6.2"}, "6.2.0", "Package@swift-6.2.swift"),
    ({"@swift-6.2": "5.5", "@swift-5.10": "5.5"}, "5.5.0", "Package@swift-6.2.swift"),
    ({"@swift-6.2": "5.0"}, "6.0.0", "Package.swift"),
]


def test_manifest_is_the_one_that_asks_for_the_tools_that_swiftpm_reports(tmp_path: Path) -> None:
    for number, (manifests, tools, expected) in enumerate(MANIFESTS):
        versions = {"": "6.0", **manifests}
        texts = {f"Package{suffix}.swift": f"// swift-tools-version:{each}\n" for suffix, each in versions.items()}
        files(tmp_path / str(number), texts)
        assert manifest_of(tmp_path / str(number), tools) == Path(expected)


def test_modules_are_found_by_the_names_of_their_targets() -> None:
    names = (
        "LoginInterface", "LoginEmbedded", "LoginImplementation", "LoginTesting", "LoginTests", "LoginFormInterface",
        "LoginFormImplementation", "LoginFormTests", "LoginMoreTests", "OtherInterface", "Log",
    )  # fmt: skip
    modules = package_of(dict.fromkeys(names, ())).modules
    assert set(modules) == {"Login", "LoginForm"}
    login = modules["Login"]
    assert [each.name for each in login.implementations] == ["LoginImplementation", "LoginEmbedded"]
    assert [each.name for each in (login.interface, *login.testing, *login.tests)] == [
        "LoginInterface",
        "LoginTesting",
        "LoginTests",
    ]
    assert login.names == {"LoginInterface", "LoginImplementation", "LoginEmbedded", "LoginTesting"}
    for interface, implementation, names in (
        ("{module}API", "{module}Core", ("LoginAPI", "LoginCore")),
        ("{module}", "{module}Impl", ("Login", "LoginImpl")),
        ("{module}API", "{module}", ("LoginAPI", "Login")),
    ):
        rules = TargetRule("implementation", (implementation,)), TargetRule("interface", (interface,))
        found = replace(package_of(dict.fromkeys((*names, "Zoo"), ())), names=rules).modules["Login"]
        assert (found.interface.name, found.implementation.name) == names
    (kit,) = package_of({"Kit": (), "KitTests": ()}).edited_modules.values()
    assert (kit.interface, kit.targets) == (kit.implementation, (kit.interface,))


SETTINGS: list[dict[str, object]] = [
    {"define": {"_0": "A"}},
    {"enableUpcomingFeature": {"_0": "B"}},
    {"swiftLanguageMode": {"_0": "5"}},
    {"unsafeFlags": {"_0": ["-a", "-b"]}},
    {"treatAllWarnings": {"_0": "error"}},
    {"defaultIsolation": {"_0": "MainActor"}},
    {"strictMemorySafety": {}},
]


def test_written_manifest_is_read_back_the_same(tmp_path: Path, toolchain: Toolchain) -> None:
    settings = tuple({"tool": "swift", "kind": kind} for kind in SETTINGS)
    platforms = [{"platformName": name, "version": "14.0", "options": []} for name in ("macos", "visionos")]
    package = Package("P", "6.2", facts=Facts({"platforms": platforms, "swiftLanguageVersions": ["5", "6"]}))
    resource = Resource(Path("data.txt"), {"copy": {}})
    listed = [
        Target("Kit", "library", Path(), settings=settings, resources=(resource,)),
        Target("Run", "executable", Path(), dependencies=("Kit",)),
        Target("KitTests", "test", Path(), dependencies=("Kit",)),
    ]
    text = manifest_text(package, listed, libraries=[Library("Kit", "automatic", ("Kit",))])
    names = ("Kit/a.swift", "Kit/data.txt", "Run/main.swift", "KitTests/a.swift")
    files(tmp_path, {f"Sources/{name}": "\n" for name in names} | {"Package.swift": text})
    read = read_package(tmp_path, toolchain)
    assert read.tools_version == "6.2.0" and package.facts.fields.items() <= read.facts.fields.items()
    assert {each.name: (each.kind, each.dependencies) for each in read.targets} == {
        "Kit": ("library", ()),
        "Run": ("executable", ("Kit",)),
        "KitTests": ("test", ("Kit",)),
    }
    kit = read.target("Kit")
    assert kit is not None
    assert [each["kind"] for each in kit.settings] == SETTINGS
    assert [each.name for each in read.facts.libraries] == ["Kit"]


def test_traits_are_those_of_the_package_in_generated_manifests_too(toolchain: Toolchain, tmp_path: Path) -> None:
    (tmp_path / "Package.swift").write_text(
        '// swift-tools-version: 6.1\nimport PackageDescription\nlet package = Package(\n    name: "T",\n'
        '    traits: [.trait(name: "Fast", description: "fast"), "Small", .default(enabledTraits: ["Fast"])],\n'
        '    targets: [.target(name: "A", swiftSettings: [.define("QUICK", .when(traits: ["Fast"]))])])\n'
    )
    files(tmp_path, {"Sources/A/A.swift": ""})
    package = read_package(tmp_path, toolchain)
    refuse_obstacles(package, has_copy=True)
    enabled = {each["name"]: each["enabledTraits"] for each in package.facts.fields["traits"]}
    assert enabled == {"default": ["Fast"], "Fast": [], "Small": []}
    (tmp_path / "Package.swift").write_text(manifest_text(package, package.targets))
    again = read_package(tmp_path, toolchain)
    assert {each["name"]: each["enabledTraits"] for each in again.facts.fields["traits"]} == enabled
    assert again.targets[0].settings == package.targets[0].settings


RANGE = {"range": [{"lowerBound": "1.0.0", "upperBound": "2.0.0"}]}
REMOTE = {"remote": [{"urlString": "https://a.b/c"}]}
DEPENDENCIES: list[tuple[str, dict[str, object], str]] = [
    ("fileSystem", {"path": "/a/b"}, '.package(path: "../b")'),
    # No copy of it is there.
    ("fileSystem", {"path": "/c"}, '.package(path: "/c")'),
    ("sourceControl", {"location": REMOTE, "requirement": RANGE}, '.package(url: "https://a.b/c", "1.0.0"..<"2.0.0")'),
    ("registry", {"identity": "m.b", "requirement": {"exact": ["1.0.0"]}}, '.package(id: "m.b", exact: "1.0.0")'),
    (
        *("sourceControl", {"location": {"local": ["/r"]}, "requirement": {"branch": ["main"]}}),
        '.package(url: "file:///r", branch: "main")',
    ),
]


def test_other_packages_are_written_as_in_a_manifest_and_what_is_unknown_is_refused(tmp_path: Path) -> None:
    package, copy = Path("/a/package"), tmp_path / "a/package"
    files(tmp_path, {"a/b/Package.swift": "", "a/package/Package.swift": ""})
    unknown = Target("A", "library", Path(), settings=({"tool": "swift", "kind": {"new": {}}},))
    with pytest.raises(ToolError, match="Target A has the setting"):
        manifest_text(Package("P", "6.0"), [unknown])
    for name, fields, words in DEPENDENCIES:
        assert package_dependency({name: [{"identity": "b", **fields}]}, package, copy) == words
    with pytest.raises(ToolError, match="Traits of b are chosen"):
        dependency = {"identity": "b", "path": "/b", "traits": [{"name": "x"}]}
        package_dependency({"fileSystem": [dependency]}, package, copy)
