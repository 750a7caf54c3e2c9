"""What commits change in their files: the declarations that differ afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from swiftmodules.steps.history import Commit, Repository
from swiftmodules.swiftpm.outlines import changed_names, renamed
from swiftmodules.swiftpm.package import MANIFEST
from swiftmodules.swiftpm.reader import SourceFile, read_files
from swiftmodules.swiftpm.toolchain import Toolchain

_TESTS = "Tests"


class Changes:
    """What commits change, from both versions of each of their files; no tests are read."""

    def __init__(self, commits: Sequence[Commit], repository: Repository, folder: Path, toolchain: Toolchain) -> None:
        wanted = {
            _written(identifier, file): (identifier, file)
            for commit in commits
            for file in filter(_is_compared, commit.changed)
            for identifier in (commit.parent, commit.identifier)
        }
        for path, text in zip(wanted, repository.texts(wanted.values()), strict=True):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text)
        self._files = read_files(folder, wanted, toolchain)

    def names(self, commit: Commit, files: Iterable[Path], only_public: bool = False) -> set[str]:
        """The declarations that a commit adds to some files of a target, removes from them, or changes."""
        return changed_names(*self._versions(commit, filter(_is_compared, files)), only_public=only_public)

    def renamed(self, commit: Commit, files: Iterable[Path]) -> dict[str, str]:
        """The new names of the declarations in some files of a target that a commit only gives another name."""
        return renamed(*self._versions(commit, filter(_is_compared, files)))

    def moved(self, commit: Commit) -> dict[Path, Path]:
        """The former paths of the files that a commit moves: as they are, or to another folder."""
        gone = [file for file, kind in commit.changed.items() if kind == "D" and _is_compared(file)]
        found = {}
        for file in (file for file, kind in commit.changed.items() if kind == "A" and _is_compared(file)):
            text = self._files[_written(commit.identifier, file)].text
            same = [each for each in gone if self._files[_written(commit.parent, each)].text == text]
            named = [each for each in gone if each.name == file.name]
            if former := next(iter([*same, *named]), None):
                found[file] = former
                gone.remove(former)
        return found

    def _versions(self, commit: Commit, files: Iterable[Path]) -> Iterator[list[SourceFile]]:
        """Files before a commit and after it; a missing file is empty."""
        compared = list(files)
        for identifier in (commit.parent, commit.identifier):
            yield [self._files[_written(identifier, file)] for file in compared]


def _is_compared(file: Path) -> bool:
    """Whether the versions of a file are read."""
    return file.suffix == ".swift" and _TESTS not in file.parts and file != Path(MANIFEST)


def _written(identifier: str, file: Path) -> Path:
    """Where the version of a commit is written; a local package may be beside the package."""
    return Path(identifier, *("beside" if part == ".." else part for part in file.parts))
