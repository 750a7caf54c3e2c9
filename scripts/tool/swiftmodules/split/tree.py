"""A package that is built in its folder, with the compiler's index: its builds, their errors, and its tests."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from msgspec.json import decode

from swiftmodules import process
from swiftmodules.builds.index import IndexStore, Occurrence
from swiftmodules.builds.machine import require_space
from swiftmodules.builds.printed import CompilerError, compiler_errors, failed_tests
from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.toolchain import Toolchain, native_engine

# The errors that a message lists.
_LISTED = 8
# The time that tests have to end.
_TEST_SECONDS = 1800
# The compiler writes the symbols while it builds: the command of SwiftPM for them leaves out programs. With private
# symbols, Swift 6.3.1 refuses correct code ("cannot reference invalid declaration").
_SYMBOLS = ("-emit-symbol-graph", "-symbol-graph-minimum-access-level", "internal", "-emit-symbol-graph-dir")
_TEST = re.compile(
    r"^(?:Test Case '(.+)'|\S+ Test (?!run with )(.+?)) (started|passed|failed)(?:\.| after| at| \()", re.MULTILINE
)
# What SwiftPM prints of its own, as where a program of tests crashes.
_ERRORS = re.compile(r"^error: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Failure:
    """A build that failed: the compiler's errors, and all that was printed."""

    errors: Sequence[CompilerError]
    log: str

    def __str__(self) -> str:
        """The first errors, or the end of what was printed."""
        return "\n".join([*map(str, self.errors[:_LISTED])] or self.log.strip().splitlines()[-_LISTED:])


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run of the tests: those that passed, each as often as it did; and the error where the run failed
    and no failed test is the reason, as where the program of the tests crashed, or did not start."""

    passed: Counter[str]
    trouble: str = ""

    def lost(self, after: Outcome) -> tuple[Counter[str], str]:
        """The tests that pass here and not in another run, and the trouble that only the other one has."""
        return self.passed - after.passed, "" if self.trouble else after.trouble


class Tree:
    """A package in a folder, which is built in another one."""

    def __init__(self, package: Path, work: Path, toolchain: Toolchain) -> None:
        self.package, self._scratch, self._log = package, work / "scratch", work / "build.log"
        self._symbols, self._toolchain = work / "symbols", toolchain

    def build(self, with_tests: bool = True) -> Failure | None:
        """Builds the package, and returns why that fails."""
        symbols = (word for each in (*_SYMBOLS, str(self._symbols)) for word in ("-Xswiftc", each))
        tests = ["--build-tests"] if with_tests else []
        code, log = self._swift("build", "--enable-index-store", *tests, *symbols)
        return Failure(compiler_errors(log, self.package), log) if code else None

    def run_tests(self) -> Outcome:
        """Runs the tests of what was built. Raises `ToolError` where they do not end."""
        code, log = self._swift("test", "--skip-build", limit=_TEST_SECONDS)
        tests: dict[str, Counter[str]] = defaultdict(Counter)
        for one, other, event in _TEST.findall(log):
            tests[event][one or other] += 1
        passed = tests["passed"]
        if code is None:
            # The line of an end may have more than the name.
            ended = (*passed, *tests["failed"])
            hanging = [name for name in tests["started"] if not any(each.startswith(name) for each in ended)]
            raise ToolError(
                f"The tests do not end within {_TEST_SECONDS} s, so nothing was committed. End or disable what hangs, "
                f"and cut again. Begun and not ended: {', '.join(hanging[:_LISTED]) or 'no test'}."
            )
        errors = _ERRORS.findall(log)
        crashes = [each for each in errors if "signal" in each]
        is_explained = code == 0 or (failed_tests(log) and not crashes)
        return Outcome(passed, "" if is_explained else next(iter(crashes or errors[-1:]), f"exit code {code}"))

    def initialisers(self) -> dict[str, str]:
        """The initialisers of what was built, those too that the compiler makes up: by their identities, with the types
        and the default values of their parameters."""
        return initialisers_of(self._symbols)

    def occurrences(self) -> Iterator[tuple[Path, Occurrence]]:
        """Everything that the files of the package declare and use."""
        _, products = self._swift("build", "--show-bin-path")
        with closing(IndexStore(Path(products.splitlines()[-1]) / "index" / "store", self._toolchain)) as store:
            for file, each in store.occurrences():
                if file.is_relative_to(self.package):
                    yield file.relative_to(self.package), each

    def _swift(self, command: str, *words: str, limit: float | None = None) -> tuple[int | None, str]:
        places: list[str | Path] = ["--package-path", self.package, "--scratch-path", self._scratch]
        whole = [self._toolchain.swift, command, *native_engine(self._toolchain), *places, *words]
        finished = process.run(whole, self._toolchain.environment, self.package, self._log, limit)
        require_space(self._log.parent, f"'swift {command}'")
        return finished.exit_code, self._log.read_text(errors="replace")


def initialisers_of(folder: Path) -> dict[str, str]:
    """The initialisers in the symbol graphs of a folder, by their identities, as they are written."""
    symbols = chain.from_iterable(decode(each.read_bytes())["symbols"] for each in folder.glob("*.symbols.json"))
    written = {
        each["identifier"]["precise"]: "".join(part["spelling"] for part in each["declarationFragments"])
        for each in symbols
        if each["kind"]["identifier"] == "swift.init"
    }
    # Without attributes, which the type around it has too.
    return {usr: text[text.index("init") :] for usr, text in written.items()}
