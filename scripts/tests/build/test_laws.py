"""The laws of docs/BuildSpeed.md, each shown by the compiler alone: the files that `swift build` compiles after an edit
in one file. A new toolchain shows here which of them have changed."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from made_files import files, ran
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.slow

# A module with a type, and with two blocks of its namespace; a module between, and users of each part.
SOURCES = {
    "Words/Word.swift": "public struct Word {\n    public init() {}\n    public var text: String { String() }\n}\n",
    "Words/Long.swift": "public enum Words {}\n\nextension Words {\n    public static func long() -> Int { 1 }\n}\n",
    "Words/Short.swift": "extension Words {\n    public static func short() -> Int { 2 }\n}\n",
    "Words/Own.swift": "func own() -> Int { Words.long() }\n",
    "Lines/Line.swift": "import Words\n\npublic func line() -> Int { Word().text.count }\n",
    "App/main.swift": "print(long(), short(), text(), width())\n",
    "App/UsesLong.swift": "import Words\n\nfunc long() -> Int { Words.long() }\n",
    "App/UsesShort.swift": "import Words\n\nfunc short() -> Int { Words.short() }\n",
    "App/UsesWord.swift": "import Words\n\nfunc text() -> String { Word().text }\n",
    "App/UsesLine.swift": "import Lines\n\nfunc width() -> Int { line() }\n",
    "App/UsesNothing.swift": "import Words\n\nfunc nothing() {}\n",
}
USERS = {"UsesLong.swift", "UsesShort.swift", "UsesWord.swift"}
END = "\n}\n"


class Built:
    """A package that is built again after each edit."""

    def __init__(self, folder: Path, toolchain: Toolchain) -> None:
        self.folder, self._toolchain = folder, toolchain
        self.build()

    def build(self) -> tuple[set[str], list[str]]:
        """The files that are compiled, and what is linked, in order."""
        # A file that is written twice within one second may not be compiled.
        time.sleep(1.1)
        output = ran(self._toolchain, "swift", "build", "--package-path", self.folder)
        compiled = re.findall(r"\] Compiling \w+ (.+)", output)
        return set(re.findall(r"\w+\.swift", "\n".join(compiled))), re.findall(r"\] Linking (\S+)", output)

    def after(self, path: str, old: str, new: str) -> set[str]:
        """The files that are compiled, besides the edited one, after the last of a text in a file was replaced."""
        file = self.folder / "Sources" / path
        before = file.read_text()
        head, found, tail = before.rpartition(old)
        assert found
        file.write_text(head + new + tail)
        compiled, _ = self.build()
        file.write_text(before)
        self.build()
        assert file.name in compiled
        return compiled - {file.name}


def package(folder: Path, sources: dict[str, str], manifest: str) -> Path:
    header = "// swift-tools-version: 6.0\nimport PackageDescription\n"
    files(folder, {f"Sources/{path}": text for path, text in sources.items()} | {"Package.swift": header + manifest})
    return folder


@pytest.fixture(scope="module")
def split(tmp_path_factory: pytest.TempPathFactory, toolchain: Toolchain) -> Built:
    """Each module a target."""
    targets = '.target(name: "Words"), .target(name: "Lines", dependencies: ["Words"])'
    program = '.executableTarget(name: "App", dependencies: ["Words", "Lines"])'
    manifest = f'let package = Package(name: "Laws", targets: [{targets}, {program}])'
    return Built(package(tmp_path_factory.mktemp("split"), SOURCES, manifest), toolchain)


@pytest.fixture(scope="module")
def joined(tmp_path_factory: pytest.TempPathFactory, toolchain: Toolchain) -> Built:
    """Everything in one target."""
    without_imports = {f"App/{Path(path).name}": re.sub(r"import \w+\n\n", "", text) for path, text in SOURCES.items()}
    manifest = 'let package = Package(name: "Laws", targets: [.executableTarget(name: "App")])'
    return Built(package(tmp_path_factory.mktemp("joined"), without_imports, manifest), toolchain)


def test_a_body_reaches_nobody(split: Built, joined: Built) -> None:
    assert split.after("Words/Long.swift", "{ 1 }", "{ 11 }") == set()
    assert joined.after("App/Long.swift", "{ 1 }", "{ 11 }") == set()


@pytest.mark.parametrize("access", ["private", "public"])
def test_an_added_declaration_reaches_every_user_of_the_module_whether_it_can_use_it_or_not(
    split: Built, access: str
) -> None:
    reached = split.after("Words/Own.swift", "func own", f"{access} func other() {{}}\nfunc own")
    assert reached & {path.rpartition("/")[2] for path in SOURCES if path.startswith("App/")} >= USERS
    assert "UsesNothing.swift" not in reached and "main.swift" not in reached


def test_within_a_module_an_added_declaration_reaches_the_users_of_its_file(joined: Built) -> None:
    assert joined.after("App/Own.swift", "func own", "private func other() {}\nfunc own") == set()
    reached = joined.after("App/Short.swift", "extension Words", "private func other() {}\nextension Words")
    assert "UsesShort.swift" in reached and reached.isdisjoint({"UsesLine.swift", "UsesNothing.swift"})


def test_a_change_inside_a_type_reaches_the_users_of_the_type_in_every_layout(split: Built, joined: Built) -> None:
    text = "    public var text"
    for built, folder in ((split, "Words"), (joined, "App")):
        reached = built.after(f"{folder}/Word.swift", text, f"    private func other() {{}}\n{text}")
        assert reached == {"UsesWord.swift", "Line.swift"}


def test_a_new_extension_reaches_every_user_of_the_module(split: Built) -> None:
    added = "}\n\nextension Words {\n    public static func other() {}\n}\n"
    assert split.after("Words/Short.swift", "}\n", added) >= USERS


def test_a_member_of_an_existing_extension_reaches_the_users_of_that_block(split: Built) -> None:
    added = "\n    public static func other() {}\n}\n"
    assert split.after("Words/Short.swift", END, added) == {"UsesShort.swift"}


def test_an_extension_of_another_modules_type_reaches_every_file_that_mentions_it(split: Built) -> None:
    added = "import Words\n\nextension Word: Identifiable {\n    public var id: Int { 1 }\n}\n"
    assert "UsesWord.swift" in split.after("Lines/Line.swift", "import Words\n", added)


@pytest.mark.parametrize("kind", ["static", "dynamic"])
def test_a_dynamic_library_spares_neither_a_file_nor_the_link_of_the_program(
    kind: str, tmp_path: Path, toolchain: Toolchain
) -> None:
    feed = 'public func title() -> String {\n    let text = "1"\n    return text\n}\n'
    library = f'products: [.library(name: "Feed", type: .{kind}, targets: ["Feed"])], targets: [.target(name: "Feed")]'
    package(tmp_path / "Feed", {"Feed/Feed.swift": feed}, f'let package = Package(name: "Feed", {library})')
    program = '.executableTarget(name: "App", dependencies: [.product(name: "Feed", package: "Feed")])'
    needed = 'dependencies: [.package(path: "../Feed")]'
    manifest = f'let package = Package(name: "Program", {needed}, targets: [{program}])'
    main = {"App/main.swift": "import Feed\nprint(title())\n"}
    built = Built(package(tmp_path / "Program", main, manifest), toolchain)
    libraries = ["libFeed.so"] if kind == "dynamic" else []
    for edit, compiled in {
        feed.replace('"1"', '"2"'): {"Feed.swift"},
        f"public func other() {{}}\n{feed}": {"Feed.swift", "main.swift"},
    }.items():
        (tmp_path / "Feed/Sources/Feed/Feed.swift").write_text(edit)
        assert built.build() == (compiled, [*libraries, "App"]), edit
