"""A repository with an input of every kind, and what a change of each selects."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path

from made_files import committed, files, git
from made_packages import library

MANIFEST = """// swift-tools-version: 6.1
import PackageDescription

let here = Context.packageDirectory

let package = Package(
    name: "App",
    platforms: [.macOS(.v14)],
    products: [.library(name: "Text", targets: ["Text"])],
    traits: [.trait(name: "Fast")],
    dependencies: [
        .package(path: "../Core"),
        .package(path: "../../Far"),
        .package(path: "../Inner"),
        .package(path: "../Linked"),
        .package(path: "../ignored/Kit"),
        .package(url: "https://example.com/yams.git", exact: "1.0.0"),
    ],
    targets: [
        .target(name: "Text", exclude: ["old"], resources: [.copy("data.txt")], plugins: ["Generate"]),
        .target(name: "CLib"),
        .target(name: "CUser", cSettings: [.headerSearchPath("../CLib/include")]),
        .target(name: "Other", swiftSettings: [.unsafeFlags(["-I\\(here)/shared"])]),
        .target(name: "Optional"),
        .target(name: "Plain", dependencies: [.target(name: "Optional", condition: .when(traits: ["Fast"]))]),
        .target(name: "Useful", dependencies: [.product(name: "Core", package: "Core")]),
        .target(name: "Wide", dependencies: [.product(name: "Far", package: "Far")]),
        .target(name: "Deep", dependencies: [.product(name: "Inner", package: "Inner")]),
        .target(name: "Nearby", dependencies: [.product(name: "Near", package: "Linked")]),
        .target(name: "Handy", dependencies: [.product(name: "Kit", package: "Kit")]),
        .target(name: "Shims"),
        .target(name: "Remote", dependencies: [.product(name: "Yams", package: "yams")]),
        .executableTarget(name: "Generator"),
        .plugin(name: "Generate", capability: .buildTool(), dependencies: ["Generator"]),
        .plugin(name: "Tidy", capability: .command(intent: .custom(verb: "tidy", description: "Tidies."))),
        .testTarget(name: "TextTests", dependencies: ["Text"]),
        .testTarget(name: "core-tests", dependencies: ["CLib"]),
        .testTarget(name: "CUserTests", dependencies: ["CUser"]),
        .testTarget(name: "AppTests"),
        .testTarget(name: "PlainTests", dependencies: ["Plain"]),
        .testTarget(name: "UsefulTests", dependencies: ["Useful"]),
        .testTarget(name: "WideTests", dependencies: ["Wide"]),
        .testTarget(name: "DeepTests", dependencies: ["Deep"]),
        .testTarget(name: "NearTests", dependencies: ["Nearby"]),
        .testTarget(name: "HandyTests", dependencies: ["Handy"]),
        .testTarget(name: "RemoteTests", dependencies: ["Remote"]),
    ]
)
"""
PINS = '{"originHash": "abc", "pins": [{"identity": "yams", "state": {"version": "1.0.0"}}]}'
TARGETS = ("Text", "Other", "Optional", "Plain", "Useful", "Wide", "Deep", "Nearby", "Handy", "Shims", "Remote")
TESTS = (
    *("TextTests", "core-tests", "CUserTests", "PlainTests", "UsefulTests", "WideTests", "DeepTests", "NearTests"),
    *("HandyTests", "RemoteTests"),
)
# By the names of their modules.
ALL = {"AppTests", "core_tests", *TESTS} - {"core-tests"}


def package(name: str, *needs: str) -> dict[str, str]:
    """A package with a library, and what else a package has."""
    return {**library(name, *needs), f"{name}/README.md": "", f"{name}/Sources/{name}/more.txt": ""}


def repository_in(around: Path) -> Path:
    """A repository with packages in folders, behind a link, in an ignored folder and in a submodule, and a package
    beside it that is in none."""
    files(around, {**package("Far"), "Far/words.md": "", "words/more.swift": "", "words/words.md": ""})
    files(around / "origin", {**package("Inner"), "Inner/words.md": ""})
    for path in ("Far/Sources/Far/words.md", "origin/Inner/Sources/Inner/words.md"):
        (around / path).symlink_to("../../words.md")
    committed(around / "origin/Inner")
    repository = around / "repository"
    app = {f"App/Sources/{each}/{each}.swift": "" for each in (*TARGETS, "Generator")}
    app |= {f"App/Tests/{each}/Some.swift": "" for each in TESTS}
    files(
        repository,
        {
            **app,
            **package("Core", "Base"),
            **package("Base"),
            **{f"packages/{path}": text for path, text in library("Near").items()},
            **{f"ignored/{path}": text for path, text in library("Kit").items()},
            "ignored/Kit/Sources/Kit/More.swift": "",
            **dict.fromkeys(
                (
                    *("ignored/words.md", "ignored/linked.md", "ignored/all/words.md"),
                    *("App/docs/far/some.txt", "App/docs/words.md"),
                ),
                "",
            ),
            "App/Package.swift": MANIFEST,
            "App/Package.resolved": PINS,
            "App/Sources/Text/shared.swift": "",
            "App/Sources/Text/data.txt": "",
            "App/Sources/Text/schema.idl": "",
            "App/Sources/Text/old/notes.txt": "",
            "App/Sources/Text/NOTES.md": "",
            "App/Sources/Text/tool.sh": "",
            "App/Sources/Shims/header.h": "",
            "App/Sources/CLib/c.c": '#include "clib.h"\n#include "../Shims/header.h"\n',
            "App/Sources/CLib/include/clib.h": '#include "../../../shared/shared.h"\n',
            "App/Sources/CUser/u.c": "#include <clib.h>\n",
            "App/Sources/CUser/include/u.h": "",
            "App/shared/shared.h": "",
            "App/schemas/api.idl": "",
            "App/Plugins/Generate/Generate.swift": "",
            "App/Plugins/Tidy/Tidy.swift": "",
            "App/Tests/AppTests/Some.swift": "import Other\n",
            "App/Tests/TextTests/__Snapshots__/one.txt": "",
            "App/Linked/Link.swift": "",
            "App/Examples/Package.swift": "",
            "App/Examples/Some.swift": "",
            "App/README.md": "",
            "App/docs/guide.md": "",
            "App/Makefile": "",
            "App/.gitignore": "ignored.*\n.build/\n.DS_Store\n",
            "App/.swift-version": "6.3",
            ".gitignore": "ignored/\n",
            "shared/words.txt": "",
            "LICENSE": "",
            "notes.txt": "",
        },
    )
    (repository / "App/Sources/Plain/Link.swift").symlink_to("../../Linked/Link.swift")
    for name in ("more.swift", "words.md"):
        (repository / f"App/Sources/Deep/{name}").symlink_to(f"../../../../words/{name}")
    # A link behind a link, an absolute one, and one to a manifest.
    (repository / "App/Sources/Other/words.txt").symlink_to("../../../middle.txt")
    (repository / "middle.txt").symlink_to("shared/words.txt")
    (repository / "Linked").symlink_to(repository / "packages/Near")
    for name in ("words.md", "all"):
        (repository / f"ignored/Kit/Sources/Kit/{name}").symlink_to(f"../../../{name}")
    (repository / "App/Sources/Wide/words.md").symlink_to("../../../ignored/linked.md")
    # By way of a link to a folder, whose parent is another one than that of the link.
    (repository / "App/far").symlink_to("docs/far")
    (repository / "App/Sources/Plain/words.md").symlink_to("../../far/../words.md")
    (repository / "App/Tests/PlainTests/Package.txt").symlink_to("../../../Core/Package.swift")
    git(repository, "init")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "add", str(around / "origin/Inner"), "Inner")
    committed(repository)
    return repository


def append(path: str) -> Callable[[Path], object]:
    return lambda repository: files(repository, {path: (repository / path).read_text() + "\n"})


def replace(old: str, new: str, path: str = "App/Package.swift") -> Callable[[Path], object]:
    def edit(repository: Path) -> None:
        text = (repository / path).read_text()
        assert old in text
        (repository / path).write_text(text.replace(old, new))

    return edit


def add(path: str, text: str = "") -> Callable[[Path], object]:
    return lambda repository: files(repository, {path: text})


def ignored_in_submodule(repository: Path) -> None:
    files(repository / "Inner", {"Sources/Inner/ignored.json": ""})
    (repository / ".git/modules/Inner/info").mkdir(exist_ok=True)
    (repository / ".git/modules/Inner/info/exclude").write_text("ignored.*\n")


def unseen(mark: str, change: Callable[[str], Callable[[Path], object]], path: str) -> Callable[[Path], object]:
    """A change of a file that git was asked to take for unchanged."""

    def edit(repository: Path) -> None:
        git(repository, "update-index", mark, path)
        change(path)(repository)

    return edit


def gone(path: str) -> Callable[[Path], object]:
    return lambda repository: (repository / path).unlink()


def renamed(repository: Path) -> None:
    git(repository, "mv", "App/Sources/Text/Text.swift", "App/Sources/Wide/Text.swift")


def replaced_by_folder(repository: Path) -> None:
    gone("App/Sources/Nearby/Nearby.swift")(repository)
    files(repository, {"App/Sources/Nearby/Nearby.swift/Nearby.swift": ""})


def replaced_by_link(repository: Path) -> None:
    gone("App/Sources/Remote/Remote.swift")(repository)
    (repository / "App/Sources/Remote/Remote.swift").symlink_to("../Text/shared.swift")


def staged_and_taken_back(repository: Path) -> None:
    append("App/Sources/Handy/Handy.swift")(repository)
    git(repository, "add", "App/Sources/Handy/Handy.swift")
    gone("App/Sources/Handy/Handy.swift")(repository)


def without_target(repository: Path) -> None:
    shutil.rmtree(repository / "App/Sources/Wide")
    line = '        .target(name: "Wide", dependencies: [.product(name: "Far", package: "Far")]),\n'
    replace(line, "")(repository)
    replace('dependencies: ["Wide"]', 'dependencies: ["Text"]')(repository)


def odd_name(name: bytes) -> Callable[[Path], object]:
    def add(repository: Path) -> None:
        (repository / "App/Sources/Text" / os.fsdecode(name)).touch()
        git(repository, "add", "--all")

    return add


# The name of a target gets a setting.
SETTING = ("dependencies: []), .test", 'dependencies: [], cSettings: [.define("A")]), .test')
ODD_NAMES = (odd_name(b'a "b"\n\tc.txt'), odd_name(b"\xff.txt"))
NO_EFFECT = (
    append("Base/Tests/BaseTests/Some.swift"),
    append("Base/README.md"),
    append("Inner/README.md"),
    # A test of another package that has the name of one of the package.
    append("packages/Near/Tests/NearTests/Some.swift"),
    # The hash of the manifest alone, and comments in manifests.
    replace("abc", "def", "App/Package.resolved"),
    replace("let package", "// Words.\nlet package"),
    append("packages/Near/Package.swift"),
    # What was built in a package that ignores nothing, and a file of the file browser.
    add("Core/.build/debug.yaml"),
    add("App/Sources/Text/.DS_Store"),
    # Documents.
    append("App/README.md"),
    append("App/docs/guide.md"),
    add("App/.github/workflows/ci.yml"),
    append("LICENSE"),
)
# What selects all tests: fields of the manifest, and files of which nothing is known.
EVERYTHING = {
    "Package.swift: cLanguageStandard": replace("    ]\n)", "    ],\n    cLanguageStandard: .c99\n)"),
    "Package.swift: defaultLocalization": replace('name: "App",\n', 'name: "App",\n    defaultLocalization: "en",\n'),
    "Package.swift: platforms": replace(".v14", ".v15"),
    "Package.swift: traits": replace('.trait(name: "Fast")', '.trait(name: "Fast"), .trait(name: "Small")'),
    "../Base/generate.sh": add("Base/generate.sh"),
    "Makefile": append("App/Makefile"),
    "schemas/api.idl": append("App/schemas/api.idl"),
    "shared/shared.h": append("App/shared/shared.h"),
    ".swift-version": append("App/.swift-version"),
    "../notes.txt": append("notes.txt"),
    "Examples/Some.swift": append("App/Examples/Some.swift"),
}
# The inputs of the target Text, in its folder.
INPUTS = {
    "data.txt": append("App/Sources/Text/data.txt"),
    "schema.idl": append("App/Sources/Text/schema.idl"),
    "old/notes.txt": append("App/Sources/Text/old/notes.txt"),
    "NOTES.md": append("App/Sources/Text/NOTES.md"),
    # Another mode.
    "tool.sh": lambda repository: (repository / "App/Sources/Text/tool.sh").chmod(0o755),
    # A file that git ignores.
    "ignored.json": add("App/Sources/Text/ignored.json"),
    'a "b"\n\tc.txt': ODD_NAMES[0],
    os.fsdecode(b"\xff.txt"): ODD_NAMES[1],
}
# What else is changed, and the tests that are selected.
KINDS: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    # Packages in folders.
    "a source of a package two away": (append("Base/Sources/Base/Base.swift"), {"UsefulTests"}),
    "a setting of its target": (replace(*SETTING, "Base/Package.swift"), {"UsefulTests"}),
    "a field of its package": (
        replace('name: "Base", products', 'name: "Base", platforms: [.macOS(.v13)], products', "Base/Package.swift"),
        {"UsefulTests"},
    ),
    "the kind of its product": (
        replace('.library(name: "Base",', '.library(name: "Base", type: .dynamic,', "Base/Package.swift"),
        {"UsefulTests"},
    ),
    "a package outside of the repository": (append("../Far/Sources/Far/Far.swift"), {"WideTests"}),
    "a file that is gone there": (gone("../Far/Sources/Far/more.txt"), {"WideTests"}),
    "a file behind a link there": (append("../Far/words.md"), {"WideTests"}),
    "a source of a submodule": (append("Inner/Sources/Inner/Inner.swift"), {"DeepTests"}),
    "a file that a submodule ignores": (ignored_in_submodule, {"DeepTests"}),
    "a file behind a link in a submodule": (append("Inner/words.md"), {"DeepTests"}),
    # Other packages.
    "an exact version": (replace('exact: "1.0.0"', 'exact: "1.1.0"'), {"RemoteTests"}),
    "resolved versions": (replace("1.0.0", "1.0.1", "App/Package.resolved"), {"RemoteTests"}),
    "resolved versions that cannot be read": (add("App/Package.resolved", "null"), {"RemoteTests"}),
    # Files below a target's folder.
    "a snapshot of a test": (append("App/Tests/TextTests/__Snapshots__/one.txt"), {"TextTests"}),
    "a header": (append("App/Sources/CLib/include/clib.h"), {"core_tests", "CUserTests"}),
    "a header that no other target includes": (append("App/Sources/CUser/include/u.h"), {"CUserTests"}),
    "a source behind a link": (append("App/Linked/Link.swift"), {"PlainTests"}),
    "a source behind a link that leads out": (append("../words/more.swift"), {"DeepTests"}),
    "a source that is gone": (gone("App/Sources/Text/schema.idl"), {"TextTests"}),
    "a file behind a link that leads out, and is gone": (gone("../words/words.md"), {"DeepTests"}),
    # Programs that plugins run.
    "the program of a plugin": (append("App/Sources/Generator/Generator.swift"), {"TextTests"}),
    "a plugin": (append("App/Plugins/Generate/Generate.swift"), {"TextTests"}),
    # Edges.
    "a target that is imported without an edge": (append("App/Sources/Other/Other.swift"), {"AppTests"}),
    "a target behind a trait": (append("App/Sources/Optional/Optional.swift"), {"PlainTests"}),
    # Fields of the manifest.
    "where public headers are": (
        replace('.target(name: "CLib")', '.target(name: "CLib", publicHeadersPath: ".")'),
        {"core_tests", "CUserTests"},
    ),
    "packageAccess": (
        replace('.target(name: "Other",', '.target(name: "Other", packageAccess: false,'),
        {"AppTests"},
    ),
    "Package@swift-6.swift": (
        lambda each: files(each, {"App/Package@swift-6.swift": MANIFEST.replace(".v14", ".v15")}),
        ALL,
    ),
    # Of which git says less than usual.
    "a file that moves to another target": (renamed, {"TextTests", "WideTests"}),
    "a folder in the place of a file": (replaced_by_folder, {"NearTests"}),
    "a link in the place of a file": (replaced_by_link, {"RemoteTests"}),
    "a file that is staged and gone": (staged_and_taken_back, {"HandyTests"}),
    **{
        f"a file of {name} with {mark}{words}": (
            unseen(mark, change, f"App/Sources/{name}/{name}.swift"),
            {f"{name}Tests"},
        )
        for name, mark, change, words in (
            ("Text", "--assume-unchanged", append, ""),
            ("Useful", "--assume-unchanged", gone, " that is gone"),
            ("Deep", "--skip-worktree", append, ""),
            ("Plain", "--skip-worktree", gone, " that is gone"),
        )
    },
    "a file behind two links": (append("shared/words.txt"), {"AppTests"}),
    "another end of a link": (
        lambda each: ((each / "middle.txt").unlink(), (each / "middle.txt").symlink_to("App/Sources/Text/Text.swift")),
        {"AppTests"},
    ),
    "a header in a target in Swift": (append("App/Sources/Shims/header.h"), {"core_tests", "CUserTests"}),
    "a manifest that a test reads": (append("Core/Package.swift"), {"PlainTests"}),
    "a target that is gone": (without_target, {"WideTests"}),
    "a manifest behind an absolute link": (replace(*SETTING, "packages/Near/Package.swift"), {"NearTests"}),
    "a source behind an absolute link": (append("packages/Near/Sources/Near/Near.swift"), {"NearTests"}),
    "a manifest that git ignores": (replace(*SETTING, "ignored/Kit/Package.swift"), {"HandyTests"}),
    "a source that git ignores": (append("ignored/Kit/Sources/Kit/Kit.swift"), {"HandyTests"}),
    "a source that git ignores, and that is gone": (gone("ignored/Kit/Sources/Kit/More.swift"), {"HandyTests"}),
    "a file behind a link that git ignores": (append("ignored/words.md"), {"HandyTests"}),
    "a file in a folder behind a link that git ignores": (append("ignored/all/words.md"), {"HandyTests"}),
    "a file that git ignores, behind a link": (append("ignored/linked.md"), {"WideTests"}),
    "a file behind a link that leads through another": (append("App/docs/words.md"), {"PlainTests"}),
    "a manifest outside of all repositories": (replace(*SETTING, "../Far/Package.swift"), {"WideTests"}),
}


def apart(kinds: Mapping[str, tuple[Callable[[Path], object], set[str]]]) -> list[list[str]]:
    """The kinds in groups. Kinds of one group are changed at once, as no two select the same test."""
    groups: list[dict[str, set[str]]] = []
    for kind, (_, selected) in kinds.items():
        free = (group for group in groups if selected.isdisjoint(chain.from_iterable(group.values())))
        group = next(free, None)
        if group is None:
            groups.append(group := {})
        group[kind] = selected
    return [[*group] for group in groups]
