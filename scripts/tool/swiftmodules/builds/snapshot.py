"""Brings a folder back to what it was, so well that a build finds nothing to do in it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path


class Snapshot:
    """The files of a folder at one moment, kept in a copy."""

    def __init__(self, folder: Path, copy: Path) -> None:
        self._folder = folder
        self._copy = shutil.copytree(folder, copy, symlinks=True)

    def restore(self) -> None:
        """Makes contents and modification times of all files and folders those of then.

        A file that was only written to stays the same file, as build engines look at that too.
        """
        kept = set(_below(self._copy))
        for path in _below(self._folder):
            if path not in kept:
                _remove(self._folder / path)
        for path in sorted(kept):
            self._restore(path)
        # The deepest first, and after all files, because each of them changes the times of its folder.
        for path in sorted((each for each in kept if _is_folder(self._copy / each)), reverse=True):
            shutil.copystat(self._copy / path, self._folder / path)
        shutil.copystat(self._copy, self._folder)

    def _restore(self, path: Path) -> None:
        then, now = self._copy / path, self._folder / path
        if _is_folder(then):
            if not _is_folder(now):
                _remove(now)
                now.mkdir()
        elif then.is_symlink():
            if not now.is_symlink() or now.readlink() != then.readlink():
                _remove(now)
                now.symlink_to(then.readlink())
        elif now.is_symlink() or not now.is_file():
            _remove(now)
            shutil.copy2(then, now)
        elif _state(then) != _state(now):
            now.write_bytes(then.read_bytes())
            shutil.copystat(then, now)


def _below(folder: Path) -> Iterator[Path]:
    """All files and folders below a folder, by their path from there."""
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            yield (Path(place) / name).relative_to(folder)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _state(file: Path) -> tuple[int, int, int]:
    found = file.stat()
    return found.st_size, found.st_mtime_ns, found.st_mode


def _remove(path: Path) -> None:
    if _is_folder(path):
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
