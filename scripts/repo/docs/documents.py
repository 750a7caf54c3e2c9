"""Every generated part of the documents: where it stands, and the right text for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from swiftmodules.check.line_links import OPTIONS, LineLink, line_links, linked_files
from swiftmodules.files import write_atomically
from swiftmodules.graph import document_block
from swiftmodules.swiftpm.cache import cache_folder
from swiftmodules.swiftpm.package import Package, read_package
from swiftmodules.swiftpm.syntax import read_files
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.docs import durations
from repo.docs.parts import Generated, generated_parts, with_generated
from repo.docs.record_parts import Measured
from repo.docs.sequence import sequence
from repo.docs.snippets import code_block

MARKDOWN = ("*.md", "docs/**/*.md", "Modules/*/README.md", "scripts/tool/*.md", "scripts/repo/*/README.md")


@dataclass(frozen=True)
class Drift:
    """A part of a document, from a line on, that differs from its source, or a link that cannot be kept."""

    document: Path
    line: int
    source: str
    problem: str = ""

    def __str__(self) -> str:
        message = self.problem or f"This differs from {self.source}. Run scripts/docs."
        return f"{self.document}:{self.line}: {message}"


class Documents:
    """The documents of a repository; what they show is read when the first of them needs it, and once only."""

    def __init__(self, repository: Path) -> None:
        self._repository = repository
        self._measured = Measured(repository)
        self._whole = self._measured.whole_files()
        found = {path.relative_to(repository) for pattern in MARKDOWN for path in repository.glob(pattern)}
        self._texts = {path: _read(repository / path) for path in sorted(found - set(self._whole))}

    def drifted(self) -> list[Drift]:
        """The parts that differ from the records, the sources and the manifest, and the bad links."""
        drifts = [
            Drift(path, each.line, each.source)
            for path, text in self._texts.items()
            for each in self._generated(path)
            if text[each.start : each.end] != each.text
        ]
        drifts += [
            Drift(path, 1, str(source))
            for path, (source, text) in self._whole.items()
            if _read(self._repository / path) != text()
        ]
        return drifts + self.bad_links()

    def notices(self) -> list[str]:
        """What a reader of the records should know, though no document differs."""
        return self._measured.older_records()

    def bad_links(self) -> list[Drift]:
        """The links to Swift files whose lines cannot be determined; they stay as they are."""
        return [
            Drift(path, each.line, str(each.source), f"{each.problem[0].upper()}{each.problem[1:]} {each.fix}")
            for path, links in self._links.items()
            for each in links
            if each.problem
        ]

    def update(self) -> list[Path]:
        """Updates every part from the records, the sources and the manifest, and returns the files that differed."""
        texts = {path: with_generated(text, self._generated(path)) for path, text in self._texts.items()}
        texts |= {path: text() for path, (_, text) in self._whole.items()}
        # Only now, so that a mistake in one document leaves all of them as they are.
        changed = [path for path, text in texts.items() if _read(self._repository / path) != text]
        for path in changed:
            write_atomically(self._repository / path, texts[path])
        return changed

    def _generated(self, path: Path) -> list[Generated]:
        text = self._texts[path]
        generators = {
            "code": lambda argument, _: (argument, code_block(argument, self._repository)),
            "graph": lambda module, _: ("Package.swift", document_block(self._package, module or None)),
            "measured": lambda argument, _: self._measured.part(argument),
            "sequence": lambda heading, _: (f"the links of '{heading}'", sequence(text, heading)),
            "durations": lambda _, present: (str(durations.RECORD), durations.table(present, self._repository)),
        }
        lines = [
            Generated(each.line, str(each.source), each.start, each.start + len(each.present), each.expected)
            for each in self._links[path]
        ]
        return sorted([*generated_parts(text, path, generators), *lines], key=lambda each: each.start)

    @cached_property
    def _toolchain(self) -> Toolchain:
        return Toolchain.find()

    @cached_property
    def _package(self) -> Package:
        return read_package(self._repository, self._toolchain, cache=cache_folder())

    @cached_property
    def _links(self) -> dict[Path, list[LineLink]]:
        """The links to lines of Swift files, by document; all files are read at once."""
        linked = {file for path, text in self._texts.items() for file in linked_files(text, path)}
        options = {file: OPTIONS for file in linked if (self._repository / file).is_file()}
        sources = read_files(self._repository, options, self._toolchain, cache=cache_folder(), name="documents")
        return {path: line_links(text, path, sources) for path, text in self._texts.items()}


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
