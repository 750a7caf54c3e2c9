"""Every generated part of the documents: where it stands, and the right text for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from swiftmodules.errors import ToolError
from swiftmodules.files import write_atomically
from swiftmodules.graph.mermaid import document_block
from swiftmodules.swiftpm.config import config_of
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.docs.links import broken_links, links
from repo.docs.parts import Generated, generated_parts, with_generated
from repo.docs.record_parts import Measured
from repo.docs.snippets import code_block

MARKDOWN = (
    "*.md",
    "docs/**/*.md",
    "Modules/*/README.md",
    "Modules/*/*/*.docc/*.md",
    "scripts/tool/*.md",
    "scripts/repo/*/README.md",
)


@dataclass(frozen=True)
class Drift:
    """A part of a document, from a line on, that differs from its source, or whose link leads to nothing."""

    document: Path
    line: int
    problem: str

    def __str__(self) -> str:
        return f"{self.document}:{self.line}: {self.problem}"


class Documents:
    """The documents of a repository; what they show is read when the first of them needs it, and once only."""

    def __init__(self, repository: Path) -> None:
        self._repository = repository
        self._measured = Measured(repository)
        self._whole = self._measured.whole_files()
        found = {path.relative_to(repository) for pattern in MARKDOWN for path in repository.glob(pattern)}
        self._texts = {path: _read(repository / path) for path in sorted(found - set(self._whole))}

    def drifted(self) -> list[Drift]:
        """The parts that differ from the records, the sources and the manifest, and the problems."""
        drifts = [
            Drift(path, each.line, _differs(each.source))
            for path, text in self._texts.items()
            for each in self._generated(path)
            if text[each.start : each.end] != each.text
        ]
        drifts += [
            Drift(path, 1, _differs(str(source)))
            for path, (source, text) in self._whole.items()
            if _read(self._repository / path) != text
        ]
        return drifts + self.problems()

    def contents(self) -> str:
        parts = sum(len(self._generated(path)) for path in self._texts)
        linked = sum(len([*links(text)]) for text in self._texts.values())
        return (
            f"{len(self._texts)} documents with {parts} generated parts and {linked} links, and {len(self._whole)} "
            "reports and charts"
        )

    def problems(self) -> list[Drift]:
        """The links that lead to nothing."""
        return [
            Drift(path, line, problem)
            for path, text in self._texts.items()
            for line, problem in broken_links(self._repository, path, text)
        ]

    def update(self) -> list[Path]:
        """Updates every part from the records, the sources and the manifest, and returns the files that differed."""
        texts = {path: with_generated(text, self._generated(path)) for path, text in self._texts.items()}
        texts |= {path: text for path, (_, text) in self._whole.items()}
        # Only now, so that a mistake in one document leaves all of them as they are.
        changed = [path for path, text in texts.items() if _read(self._repository / path) != text]
        for path in changed:
            write_atomically(self._repository / path, texts[path])
        return changed

    def _generated(self, path: Path) -> list[Generated]:
        text = self._texts[path]
        generators = {
            "code": lambda argument: (argument, code_block(argument, self._repository)),
            "graph": lambda module: ("Package.swift", document_block(self._package, module or None)),
            "measured": self._measured.part,
        }
        return [*generated_parts(text, path, generators)]

    @cached_property
    def _package(self) -> Package:
        return read_package(self._repository, Toolchain.find(), config_of(self._repository).names)


def _differs(source: str) -> str:
    return f"This differs from {source}. Run scripts/docs."


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise ToolError(f"{path} is not in UTF-8: {error}. Correct the file.") from error
