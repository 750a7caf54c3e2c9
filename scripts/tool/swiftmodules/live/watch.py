"""Saves of the sources of a package, as they come."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

# Before `psutil`, so that a missing library is reported with the extra that has it.
import watchfiles

from swiftmodules.swiftpm.package import MANIFEST, Package

# Saves are one change until no other has followed for so long: an editor writes a file in steps, and several together.
_BURST_MILLISECONDS = 5
# Between the steps of a change of several files, as of a branch.
_SEVERAL_SECONDS = 0.1
# How often sources are looked at without an event, in case one was lost.
_LOOK_MILLISECONDS = 2000


@dataclass(frozen=True)
class Change:
    """Files whose contents changed, relative to the package."""

    modified: frozenset[Path] = frozenset()
    added: frozenset[Path] = frozenset()
    removed: frozenset[Path] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.files)

    def followed_by(self, later: Change) -> Change:
        """Both changes as one."""
        added = (self.added - later.removed) | (later.added - self.removed)
        removed = (self.removed - later.added) | (later.removed - self.added)
        # A file that was away for a moment was written by an editor.
        modified = self.modified | later.modified | (self.removed & later.added)
        return Change(modified - added - removed, added, removed)

    @property
    def files(self) -> frozenset[Path]:
        return self.modified | self.added | self.removed


@dataclass
class _Seen:
    """The known state of a file: its contents are read again when its identity is another."""

    identity: tuple[int, int, int]
    digest: bytes


@dataclass
class Sources:
    """The Swift files of a package that its program is made of, and its manifests, as they were when last looked at."""

    folder: Path
    roots: tuple[Path, ...]
    # By paths as texts, of which a large package has thousands.
    _seen: dict[str, _Seen] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path, package: Package) -> Sources:
        """The sources below the top folders of the targets, without those of tests alone."""
        tops = {target.folder.parts[0] if target.folder.parts else "." for target in package.code}
        found = cls(folder, tuple(Path(top) for top in sorted(tops)))
        found.look()
        return found

    def settled(self, saved: Collection[Path] = ()) -> Change:
        """Looks, and unless one file was modified alone, until nothing changes any more: others often follow."""
        change = more = self.look(saved)
        while more.added or more.removed or len(more.modified) > 1:
            time.sleep(_SEVERAL_SECONDS)
            more = self.look()
            change = change.followed_by(more)
        return change

    def look(self, saved: Collection[Path] = ()) -> Change:
        """Finds what changed since the last look: in the saved files (absolute) if all are known, or in all files.

        A file is read where its size or time is another, and where it is among the saved ones: two saves may have the
        same time.
        """
        written = {str(path) for path in saved}
        is_whole = not written or not written <= self._seen.keys()
        before = self._seen if is_whole else {path: self._seen[path] for path in written}
        found: dict[str, _Seen] = {}
        for path in self._files() if is_whole else written:
            known = before.get(path)
            try:
                status = os.stat(path)  # noqa: PTH116 - a Path for each would take as long as all else
                identity = (status.st_mtime_ns, status.st_size, status.st_ino)
                if known is None or known.identity != identity or path in written:
                    known = _Seen(identity, hashlib.sha256(Path(path).read_bytes()).digest())
            except FileNotFoundError:
                # An editor is about to put another in its place, or it is removed: the next look decides.
                continue
            found[path] = known
        self._seen = {path: each for path, each in self._seen.items() if path not in before} | found
        return Change(
            modified=self._relative(
                each for each in before.keys() & found if before[each].digest != found[each].digest
            ),
            added=self._relative(found.keys() - before.keys()),
            removed=self._relative(before.keys() - found.keys()),
        )

    def _relative(self, paths: Iterable[str]) -> frozenset[Path]:
        return frozenset(Path(path).relative_to(self.folder) for path in paths)

    def _files(self) -> Iterator[str]:
        yield from map(str, self.folder.glob(f"{Path(MANIFEST).stem}*.swift"))
        for root in self.roots:
            for parent, folders, files in os.walk(self.folder / root):
                folders[:] = [name for name in folders if not name.startswith(".")]
                yield from (f"{parent}{os.sep}{name}" for name in files if name.endswith(".swift") and name[0] != ".")


class Watch:
    """Reports saved files from a thread, a burst of saves at once."""

    def __init__(self, sources: Sources, report: Callable[[frozenset[Path]], None]) -> None:
        self._sources = sources
        self._report = report
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _watch(self) -> None:
        folder = self._sources.folder
        # The folder itself for the manifests, which editors replace; not what is below it.
        below = [folder / root for root in self._sources.roots if (folder / root).is_dir()]
        threads = [
            threading.Thread(target=self._follow, args=(below, True), daemon=True),
            threading.Thread(target=self._follow, args=([folder], False), daemon=True),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _follow(self, folders: list[Path], is_recursive: bool) -> None:
        for changes in watchfiles.watch(
            *folders,
            watch_filter=lambda _, path: path.endswith(".swift"),
            step=_BURST_MILLISECONDS,
            rust_timeout=_LOOK_MILLISECONDS,
            yield_on_timeout=True,
            stop_event=self._stopped,
            recursive=is_recursive,
            raise_interrupt=False,
        ):
            self._report(frozenset(Path(path) for _, path in changes))
