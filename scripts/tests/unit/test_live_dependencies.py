"""What the files of a module provide to one another."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from made_files import ran
from swiftmodules.live.dependencies import Record, reached
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


# The last two use what the first one declares; the second of these only by its layout.
FILES = {
    "Source.swift": "struct Source { var first = 1 }\nfunc other() {}\n",
    "Apart.swift": "func apart() { other() }\n",
    "Holder.swift": "struct Holder { var source = Source(), last = 2 }\n",
    "User.swift": "func use(_ holder: Holder) -> Int { holder.last }\n",
}


def records(folder: Path, files: Mapping[str, str], toolchain: Toolchain) -> dict[Path, Record]:
    """Compiles files in the folder, and returns their records."""
    folder.mkdir()
    options: list[str | Path] = []
    for name, code in files.items():
        (folder / name).write_text(code)
        made = (folder / name).with_suffix(".swiftdeps")
        options += ["-primary-file", folder / name, "-o", made.with_suffix(".o")]
        options += ["-emit-reference-dependencies-path", made]
    ran(toolchain, "swift-frontend", "-frontend", "-c", "-parse-as-library", "-module-name", "Notes", *options)
    return {Path(name): Record.read((folder / name).with_suffix(".swiftdeps")) for name in files}


@pytest.mark.parametrize("edit", [*INSIDE, *OUTSIDE])
def test_other_files_see_what_is_not_in_a_body(edit: str, tmp_path: Path, toolchain: Toolchain) -> None:
    old, new = {**INSIDE, **OUTSIDE}[edit]
    assert BEFORE.count(old) == 1
    before, after = (
        records(tmp_path / name, {"Note.swift": code}, toolchain)[Path("Note.swift")]
        for name, code in (("before", BEFORE), ("after", BEFORE.replace(old, new)))
    )
    assert bool(after.differing(before)) == (edit in OUTSIDE)


def test_files_that_depend_on_a_change_are_reached(tmp_path: Path, toolchain: Toolchain) -> None:
    before = records(tmp_path / "before", FILES, toolchain)
    source = Path("Source.swift")

    def reached_by(old: str, new: str) -> set[str]:
        edited = FILES | {source.name: FILES[source.name].replace(old, new)}
        after = records(tmp_path / new, edited, toolchain)
        return {file.stem for file in reached(after[source].differing(before[source]), before)} - {source.stem}

    assert reached_by("other() {}", "other() { print() }") == set()
    assert reached_by("var first", "var zeroth = 0, first") == {"Holder", "User"}
    # At the top level, the change may concern each name of the file.
    assert reached_by("func other()", "func other(_ value: Int = 1)") == {"Apart", "Holder", "User"}


def test_record_that_cannot_be_read_is_refused(tmp_path: Path, toolchain: Toolchain) -> None:
    records(tmp_path / "whole", {"Note.swift": BEFORE}, toolchain)
    whole = (tmp_path / "whole" / "Note.swiftdeps").read_bytes()
    damaged = tmp_path / "some.swiftdeps"
    for content in (None, b"", b"DEPS", b"BC" + whole, whole[: len(whole) // 2]):
        if content is not None:
            damaged.write_bytes(content)
        with pytest.raises(ValueError, match=r"cannot be read|too early|no record"):
            Record.read(damaged)
