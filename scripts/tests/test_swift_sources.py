"""What no Swift source outside of the tests may contain, because a mistake of a caller could end the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

_REPOSITORY = Path(__file__).resolve().parent.parent.parent
# Not scripts/fuzzing, which ends its program on purpose where it finds something.
_SOURCES = ("Package.swift", "App/**/*.swift", "Modules/**/*.swift", "scripts/benchmarks/**/*.swift")
# Comments and string literals hold no code; interpolations in literals are too rare here to matter.
_PROSE = re.compile(r'//[^\n]*|/\*.*?\*/|#?"""(?:.*?)"""#?|#?"(?:\\.|[^"\\\n])*"#?', re.DOTALL)
_TRAPS = {
    "try!": re.compile(r"\btry!"),
    "as!": re.compile(r"\bas!"),
    "forced unwrap": re.compile(r"(?<!\btry)(?<!\bas)(?<=[\w)\]?])!(?![=\w])"),
    "fatalError": re.compile(r"\b(?:fatalError|preconditionFailure|assertionFailure)\b"),
    "precondition": re.compile(r"\b(?:precondition|assert)\("),
    "@unchecked Sendable": re.compile(r"@unchecked\s+Sendable"),
    "nonisolated(unsafe)": re.compile(r"nonisolated\(unsafe\)"),
}


def _traps(source: str) -> list[tuple[int, str]]:
    code = _PROSE.sub(lambda prose: "\n" * prose[0].count("\n"), source)
    return [
        (number, name)
        for number, line in enumerate(code.splitlines(), start=1)
        for name, pattern in _TRAPS.items()
        if pattern.search(line)
    ]


def test_repository_has_no_traps_outside_of_tests() -> None:
    paths = [path for pattern in _SOURCES for path in sorted(_REPOSITORY.glob(pattern)) if ".build" not in path.parts]
    assert len(paths) > 100
    found = [
        f"{path.relative_to(_REPOSITORY)}:{line}: {name}"
        for path in paths
        for line, name in _traps(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("let a = try! f()", "try!"),
        ("let a = b as! C", "as!"),
        ("let a = b!", "forced unwrap"),
        ("f(b!.c, d)", "forced unwrap"),
        ("a[0]!", "forced unwrap"),
        ("f()!", "forced unwrap"),
        ("var a: Int!", "forced unwrap"),
        ("fatalError()", "fatalError"),
        ("precondition(a)", "precondition"),
        ("final class A: @unchecked Sendable {}", "@unchecked Sendable"),
        ("nonisolated(unsafe) var a = 1", "nonisolated(unsafe)"),
    ],
)
def test_trap_is_found_with_its_line(source: str, name: str) -> None:
    assert _traps(f"// try!\n{source}") == [(2, name)]


@pytest.mark.parametrize("source", ["a != b", "!a", '"wow!"', "// b!", "f(!a)", '"""\nhelp!\n"""'])
def test_other_exclamation_marks_are_let_be(source: str) -> None:
    assert _traps(source) == []
