"""What compilers, linkers and tests print of their failures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

_ERROR = re.compile(r"^(\S[^:\n]*):(\d+):\d+: error: (.*)$", re.MULTILINE)
_ANY_ERROR = re.compile(r"error:|Program crashed")
# How the linkers gold, lld and ld of macOS report an undefined symbol.
_UNDEFINED = re.compile(r"undefined reference to '?([^'\n]+)|undefined symbol: (.+)|\"(.+)\", referenced from")
_FAILED_TEST = re.compile(
    r"^(?:Test Case '(.+)' failed|\S+ Test (?!run with )(.+?)(?:\(\))? (?:failed after|recorded an issue))",
    re.MULTILINE,
)


class CompilerError(NamedTuple):
    """An error in a file."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


def compiler_errors(output: str, folder: Path) -> list[CompilerError]:
    """Each error of the compiler once, though several targets may print it; the paths of files in a folder are relative
    to it."""
    found = ((Path(path), int(line), message) for path, line, message in _ERROR.findall(output))
    errors = (
        CompilerError(path.relative_to(folder) if path.is_relative_to(folder) else path, *more) for path, *more in found
    )
    return [*dict.fromkeys(errors)]


def first_error(output: str) -> str:
    """The first error of the compiler, or the symbol that a link misses, or another error or a crash, or else the last
    line."""
    if error := _ERROR.search(output):
        return error[0].strip()
    if symbol := _UNDEFINED.search(output):
        return f"the link fails: undefined symbol {next(filter(None, symbol.groups()))}"
    lines = output.strip().splitlines() or ["it printed nothing"]
    return next(filter(_ANY_ERROR.search, lines), lines[-1]).strip()


def failed_tests(output: str) -> list[str]:
    """The names of the tests that fail, by what XCTest and Swift Testing print."""
    return sorted({next(filter(None, names)) for names in _FAILED_TEST.findall(output)})
