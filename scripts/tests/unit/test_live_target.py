"""Which files of an implementation are compiled after an edit, and with what they are linked."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from made_files import files, ran
from swiftmodules.live.command import Commands, ProblemError
from swiftmodules.live.target import LiveTarget
from swiftmodules.swiftpm.config import Live
from swiftmodules.swiftpm.toolchain import Toolchain

FILES = {
    "Source.swift": "struct Source { var first = 1 }\nfunc other() -> Int { 1 }\n",
    "Holder.swift": "struct Holder { var source = Source(), last = 2 }\n",
    "User.swift": "func use(_ holder: Holder) -> Int { holder.last + holder.source.first }\n",
    "Apart.swift": "func apart() -> Int { other() }\n",
    "NotesModule.swift": "import Contract\npublic struct NotesModule: Part { public init() {} }\n",
}


@dataclass
class Recorded(Commands):
    """Commands that note which files the frontend compiles, and how libraries are linked."""

    compiled: list[set[str]] = field(default_factory=list)
    linked: list[list[str]] = field(default_factory=list)

    def run(self, what: str, arguments: Sequence[str | Path], shows_output: bool = False) -> str:
        words = [str(each) for each in arguments]
        if "-primary-file" in words:
            primary = [words[place + 1] for place, word in enumerate(words) if word == "-primary-file"]
            self.compiled.append({Path(each).stem for each in primary})
        elif "-shared" in words or "-emit-library" in words:
            self.linked.append(words)
        return super().run(what, arguments, shows_output)

    def taken(self) -> list[set[str]]:
        found, self.compiled = self.compiled, []
        return found


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory, toolchain: Toolchain) -> tuple[Path, list[str]]:
    """The folder of the module that all tests share, and the words of its command."""
    folder = tmp_path_factory.mktemp("original") / "a folder"
    folder.mkdir()
    return folder, built(FILES, folder, toolchain)


@pytest.fixture
def commands(original: tuple[Path, list[str]], toolchain: Toolchain) -> Recorded:
    return Recorded(original[0], toolchain)


@pytest.fixture
def target(original: tuple[Path, list[str]], commands: Recorded) -> Iterator[LiveTarget]:
    before = {path: path.read_bytes() for path in commands.folder.iterdir() if path.is_file()}
    yield target_of(original[1], commands)
    for path, content in before.items():
        path.write_bytes(content)


def target_of(words: Sequence[str], commands: Recorded) -> LiveTarget:
    return LiveTarget("Notes", words, commands.folder, Live("Part", "Contract"), "NotesModule", commands)


def built(texts: Mapping[str, str], folder: Path, toolchain: Toolchain) -> list[str]:
    """Builds a module, and returns the words of the command, which reads the list of files from a file, as SwiftPM's
    do."""
    sources = files(folder, texts)
    (folder / "sources").write_text("".join(f"'{each}'\n" for each in sources))
    (contract,) = files(folder, {"Contract/Part.swift": "public protocol Part {}\npublic enum Space {}\n"})
    contracted = ("-emit-module-path", folder / "Contract.swiftmodule")
    ran(toolchain, "swiftc", "-emit-module", *contracted, "-module-name", "Contract", contract)
    outputs = {"": {"swift-dependencies": str(folder / "module.swiftdeps")}} | {
        str(file): {"object": f"{file}.o", "swift-dependencies": f"{file}deps"} for file in sources
    }
    (folder / "map.json").write_text(json.dumps(outputs))
    triple = json.loads(ran(toolchain, "swiftc", "-print-target-info"))["target"]["unversionedTriple"]
    words = ["-module-name", "Notes", "-c", f"@{folder / 'sources'}", "-I", str(folder), "-target", triple]
    words += ["-incremental", "-enable-batch-mode", "-parse-as-library", "-parseable-output"]
    words += ["-emit-module", "-emit-module-path", str(folder / "Notes.swiftmodule")]
    words += ["-output-file-map", str(folder / "map.json")]
    ran(toolchain, "swiftc", *words)
    return words


def saved(commands: Recorded, name: str, old: str, new: str) -> list[Path]:
    (commands.folder / name).write_text(FILES[name].replace(old, new))
    return [commands.folder / name]


def test_file_is_compiled_alone_until_another_one_sees_its_change(target: LiveTarget, commands: Recorded) -> None:
    target.compile(saved(commands, "Source.swift", "{ 1 }", "{ 2 }"))
    assert commands.taken() == [{"Source", "LiveEntry"}]
    target.compile(saved(commands, "Source.swift", "var first", "var zeroth = 0, first"))
    assert commands.taken() == [{"Source", "LiveEntry"}, {"Holder", "User"}]
    # The others have been compiled for the stored property.
    target.compile(saved(commands, "Source.swift", "var first = 1 }\nfunc", "var zeroth = 0, first = 1 }\n// A\nfunc"))
    assert commands.taken() == [{"Source", "LiveEntry"}]
    target.compile(saved(commands, "Source.swift", "", ""))
    assert commands.taken() == [{"Source", "LiveEntry"}, {"Holder", "User"}]
    # At the top level, the change may concern each name of the file.
    target.compile(saved(commands, "Source.swift", "other()", "other(_ value: Int = 1)"))
    assert commands.taken() == [{"Source", "LiveEntry"}, {"Apart", "Holder", "User"}]


def test_files_are_those_of_the_last_build(tmp_path: Path, toolchain: Toolchain) -> None:
    commands = Recorded(tmp_path, toolchain)
    target_of(built(FILES, tmp_path, toolchain), commands)
    (tmp_path / "Apart.swift").unlink()
    texts = {"Beside.swift" if name == "Apart.swift" else name: text for name, text in FILES.items()}
    target_of(built(texts, tmp_path, toolchain), commands).compile([tmp_path / "Beside.swift"])
    assert commands.taken() == [{"Beside", "LiveEntry"}]


def test_files_that_a_failed_compilation_left_are_compiled_with_the_next_change(
    target: LiveTarget, commands: Recorded
) -> None:
    with pytest.raises(ProblemError, match=r"User.swift:1: value of type 'Source' has no member 'first'"):
        target.compile(saved(commands, "Source.swift", "var first", "var second"))
    commands.taken()
    with pytest.raises(ProblemError, match=r"User.swift:1"):
        target.compile(saved(commands, "Apart.swift", "apart", "beside"))
    assert commands.taken() == [{"Source", "Holder", "User", "Apart", "LiveEntry"}]
    target.compile(saved(commands, "User.swift", "source.first", "source.second"))
    assert commands.taken() == [{"Source", "Holder", "User", "Apart", "LiveEntry"}]
    target.compile(saved(commands, "Apart.swift", "", ""))
    assert commands.taken() == [{"Apart", "LiveEntry"}]


def test_all_files_are_compiled_where_a_record_cannot_be_read(target: LiveTarget, commands: Recorded) -> None:
    (commands.folder / "Source.swiftdeps").write_bytes(b"DEPS")
    target.compile(saved(commands, "Source.swift", "{ 1 }", "{ 2 }"))
    others = {Path(name).stem for name in FILES} - {"Source"}
    assert commands.taken() == [{"Source", "LiveEntry"}, others]


def test_conformances_for_types_of_other_modules_are_named(target: LiveTarget, commands: Recorded) -> None:
    own = "extension Space { enum Own: CaseIterable { case some } }\nstruct"
    target.compile(saved(commands, "Source.swift", "struct", f"import Contract\n{own}"))
    assert target.foreign_conformances() == []
    foreign = f"protocol Shown {{}}\nextension Space: Shown {{}}\n{own}"
    target.compile(saved(commands, "Source.swift", "struct", f"import Contract\n{foreign}"))
    assert target.foreign_conformances() == ["Contract.Space : Notes.Shown"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, the driver links all libraries")
def test_library_is_linked_by_the_driver_where_it_imports_what_the_program_has_not(
    target: LiveTarget, commands: Recorded
) -> None:
    target.compile(saved(commands, "Source.swift", "{ 1 }", "{ 2 }"))
    assert target.link().exists()
    target.compile(saved(commands, "Source.swift", "struct", "import FoundationXML\nstruct"))
    assert target.link().exists()
    assert [Path(words[0]).name for words in commands.linked] == ["ld.lld", "swiftc"]
