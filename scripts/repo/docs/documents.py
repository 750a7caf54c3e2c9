"""Every generated part of the documents: where it stands, and the right text for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from swiftmodules.graph import document_block
from swiftmodules.records.files import write_atomically
from swiftmodules.swiftpm.cache import cache_folder
from swiftmodules.swiftpm.package import Package, read_package
from swiftmodules.swiftpm.syntax import SourceFile, read_files
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.docs import durations
from repo.docs.code import code_block, line_links
from repo.docs.measured import Measured
from repo.docs.parts import Generated, generated_parts, with_generated

MARKDOWN = ("*.md", "docs/**/*.md", "Modules/*/README.md", "scripts/repo/*/README.md")
# As the manifest has it; regular expressions between slashes depend on it.
_OPTIONS = ("-swift-version", "6")


@dataclass(frozen=True)
class Drift:
    """A part of a document, from a line on, that is not what its source says."""

    document: Path
    line: int
    source: str

    def __str__(self) -> str:
        return f"{self.document}:{self.line}: This is not what {self.source} says. Run scripts/docs."


class Documents:
    """The documents of a repository; what they show is read when the first of them needs it, and once only."""

    def __init__(self, repository: Path, find_toolchain: Callable[[], Toolchain] = Toolchain.find) -> None:
        self._repository = repository
        self._find_toolchain = find_toolchain
        self._measured = Measured(repository, lambda: self._package)
        self._whole = self._measured.whole_files()
        found = {path.relative_to(repository) for pattern in MARKDOWN for path in repository.glob(pattern)}
        self._texts = {path: _read(repository / path) for path in sorted(found - set(self._whole))}

    def drifted(self) -> list[Drift]:
        """The parts that are not what the records, the sources and the manifest say."""
        drifts = [
            Drift(path, each.line, each.source)
            for path, text in self._texts.items()
            for each in self._generated(path)
            if text[each.start : each.end] != each.text
        ]
        whole = self._whole.items()
        return drifts + [Drift(path, 1, str(each.source)) for path, each in whole if self._differs(path, each.text())]

    def update(self) -> list[Path]:
        """Writes what the records, the sources and the manifest say, and returns the files that differed."""
        texts = {path: with_generated(text, self._generated(path)) for path, text in self._texts.items()}
        texts |= {path: each.text() for path, each in self._whole.items()}
        # Only now, so that a mistake in one document leaves all of them as they are.
        changed = [path for path, text in texts.items() if self._differs(path, text)]
        for path in changed:
            write_atomically(self._repository / path, texts[path])
        return changed

    def _differs(self, path: Path, text: str) -> bool:
        return _read(self._repository / path) != text

    def _generated(self, path: Path) -> list[Generated]:
        text = self._texts[path]
        generators = {
            "code": lambda argument, _: (argument, code_block(argument, self._repository)),
            "graph": self._graph,
            "measured": lambda argument, _: self._measured.part(argument),
            "durations": lambda _, present: (str(durations.RECORD), durations.table(present, self._repository)),
        }
        links = line_links(text, path, self._repository)
        spans = chain(generated_parts(text, path, generators), (each.generated(path, self._linked) for each in links))
        return sorted(spans, key=lambda each: each.start)

    def _graph(self, module: str, _: Sequence[str]) -> tuple[str, list[str]]:
        return "Package.swift", document_block(self._package, module or None)

    @cached_property
    def _toolchain(self) -> Toolchain:
        return self._find_toolchain()

    @cached_property
    def _package(self) -> Package:
        return read_package(self._repository, self._toolchain, cache=cache_folder())

    @cached_property
    def _linked(self) -> dict[Path, SourceFile]:
        """The Swift files to whose lines a document links."""
        every = chain.from_iterable(line_links(text, path, self._repository) for path, text in self._texts.items())
        options = {link.source: _OPTIONS for link in every}
        return read_files(self._repository, options, self._toolchain, cache=cache_folder(), name="documents")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
