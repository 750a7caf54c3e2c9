"""What the files of a module provide to one another."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_files import ran
from swiftmodules.live.dependencies import Record
from swiftmodules.swiftpm.toolchain import Toolchain

BEFORE = """\
struct Note {
    private var text = "a"
    var size: Int { text.count }
    func longer(by count: Int = 1) -> Int {
        let all = [size, count].map { $0 * 2 }
        return all[0]
    }
}
enum Kind { case first, second }
private let shared = 1
"""
# No other file sees these edits.
INSIDE = {
    "a body": ("$0 * 2", "$0 * 3"),
    "a getter": ("text.count", "text.count + 1"),
    "another type in a body": ("return all[0]", "return Set(all).first ?? Kind.first.hashValue"),
    "a local type": ("let all", "struct Local { var more = 1 }\n        let all"),
    "a comment": ("enum Kind", "// An order.\nenum Kind"),
    "spaces": ("case first, second", "case first,\n    second"),
}
# Other files may see these.
OUTSIDE = {
    "a value that is stored": ('text = "a"', 'text = "b"'),
    "a member": ("    var size", "    private func other() {}\n    var size"),
    "a stored property": ("    var size", "    private var other = 1\n    var size"),
    "a default argument": ("count: Int = 1", "count: Int = 2"),
    "a label": ("longer(by count", "longer(than count"),
    "a case": ("case first", "case zero, first"),
    "an attribute": ("    func longer", "    @inline(never) func longer"),
    "a conformance": ("struct Note", "struct Note: Sendable"),
    "a private constant": ("shared = 1", "shared = 2"),
    "an import": ("struct Note", "import Foundation\nstruct Note"),
    "a type": ("enum Kind", "private struct Other {}\nenum Kind"),
}


def recorded(folder: Path, code: str, toolchain: Toolchain) -> Path:
    """Compiles a file in a new folder, and returns its record."""
    folder.mkdir()
    file, made = folder / "Note.swift", folder / "Note.swiftdeps"
    file.write_text(code)
    options = ["-primary-file", file, "-o", folder / "Note.o", "-emit-reference-dependencies-path", made]
    ran(toolchain, "swift-frontend", "-frontend", "-c", "-parse-as-library", "-module-name", "Notes", *options)
    return made


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory, toolchain: Toolchain) -> Path:
    return recorded(tmp_path_factory.mktemp("module") / "before", BEFORE, toolchain)


@pytest.mark.parametrize("edit", [*INSIDE, *OUTSIDE])
def test_other_files_see_what_is_not_in_a_body(edit: str, before: Path, tmp_path: Path, toolchain: Toolchain) -> None:
    old, new = {**INSIDE, **OUTSIDE}[edit]
    assert BEFORE.count(old) == 1
    after = Record.read(recorded(tmp_path / "after", BEFORE.replace(old, new), toolchain))
    assert bool(after.differing(Record.read(before))) == (edit in OUTSIDE)


def test_record_that_cannot_be_read_is_refused(before: Path, tmp_path: Path) -> None:
    whole = before.read_bytes()
    damaged = tmp_path / "some.swiftdeps"
    for content in (None, b"", b"DEPS", b"BC" + whole, whole[: len(whole) // 2]):
        if content is not None:
            damaged.write_bytes(content)
        with pytest.raises(ValueError, match=r"cannot be read|too early|no record"):
            Record.read(damaged)
