"""What a file provides to the other files of its module."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_files import ran
from swiftmodules.live.dependencies import provided
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
# The driver compiles the files that use what these edits change.
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


def record(folder: Path, code: str, toolchain: Toolchain) -> Path:
    """Compiles a file, and returns its record in the folder."""
    folder.mkdir()
    file, made = folder / "Note.swift", folder / "Note.swiftdeps"
    file.write_text(code)
    options = ("-parse-as-library", "-module-name", "Notes", "-emit-reference-dependencies-path", made)
    ran(toolchain, "swift-frontend", "-frontend", "-c", "-primary-file", file, "-o", folder / "Note.o", *options)
    return made


@pytest.mark.parametrize("edit", [*INSIDE, *OUTSIDE])
def test_other_files_see_what_is_not_in_a_body(edit: str, tmp_path: Path, toolchain: Toolchain) -> None:
    old, new = {**INSIDE, **OUTSIDE}[edit]
    assert BEFORE.count(old) == 1
    before = provided(record(tmp_path / "before", BEFORE, toolchain))
    after = provided(record(tmp_path / "after", BEFORE.replace(old, new), toolchain))
    assert before and after
    assert (before == after) == (edit in INSIDE)


def test_record_that_cannot_be_read_provides_nothing(tmp_path: Path, toolchain: Toolchain) -> None:
    whole = record(tmp_path / "whole", BEFORE, toolchain).read_bytes()
    assert not provided(tmp_path / "missing.swiftdeps")
    for content in (b"", b"DEPS", b"BC" + whole, whole[: len(whole) // 2]):
        (tmp_path / "some.swiftdeps").write_bytes(content)
        assert not provided(tmp_path / "some.swiftdeps")
