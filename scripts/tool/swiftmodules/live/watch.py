"""Saves of the sources of a package, as they come."""

from __future__ import annotations

import hashlib
import os
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

# This import comes before `psutil`, so that a missing library is reported with the extra that has it.
import watchfiles

from swiftmodules.swiftpm.package import MANIFEST, Package

# What SwiftPM compiles, and what that includes.
_CODE = (".swift", ".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".s", ".S", ".h", ".hh", ".hpp", ".modulemap")
# Saves are one change until no other save has followed for so long: an editor writes a file in several steps.
_BURST_MILLISECONDS = 5
# The pause between two looks at a change of several files, such as a switch of branches.
_SEVERAL_SECONDS = 0.1
# How often sources are looked at without an event, in case one was lost.
_LOOK_MILLISECONDS = 2000
# Longer than the resolution of a file system's clock.
_RECENT_NANOSECONDS = 5 * 10**9


@dataclass(frozen=True)
class Change:
    """Files whose contents changed, relative to the package."""

    modified: frozenset[Path] = frozenset()
    added: frozenset[Path] = frozenset()
    removed: frozenset[Path] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.files)

    @property
    def files(self) -> frozenset[Path]:
        return self.modified | self.added | self.removed


class _Seen(NamedTuple):
    """The known state of a file: its contents are read again when its identity is another."""

    identity: tuple[int, int, int]
    digest: bytes


@dataclass
class Watched:
    """The files of a package that its program is made of, and its manifests, as they were when last looked at."""

    folder: Path
    # The folders with code.
    roots: tuple[Path, ...]
    # The files and folders that are taken along whole.
    resources: tuple[Path, ...] = ()
    # The paths are texts, because a large package has thousands.
    _seen: Mapping[str, _Seen] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path, package: Package) -> Watched:
        """The sources below the top folders of the targets, without those of tests alone."""
        found = cls(folder, ())
        found.follow(package)
        found.look()
        return found

    def follow(self, package: Package) -> None:
        """Looks where a package has its targets from now on: its manifest may be another."""
        targets = (*package.code, *package.others)
        self.roots = tuple(sorted({Path(*target.folder.parts[:1]) for target in targets}))
        self.resources = tuple(target.folder / each.path for target in targets for each in target.resources)

    def settled(self) -> Change:
        """Looks once where one file was modified alone, and else until nothing changes any more: more saves often
        follow, and an editor may remove a file for a moment to write it."""
        before, last = self._seen, self.look()
        while last.added or last.removed or len(last.modified) > 1:
            time.sleep(_SEVERAL_SECONDS)
            last = self.look()
        return self._since(before)

    def look(self) -> Change:
        """Finds what changed since the last look."""
        before, self._seen = self._seen, self._states(self._seen)
        return self._since(before)

    def forget_written(self) -> None:
        """Forgets the contents of the files that were written since the last look, or are gone, so that the next one
        finds them modified: what was compiled meanwhile had others, or none, also where they are the same again."""
        now = {path: each.identity for path, each in self._states(self._seen).items()}
        self._seen = {
            path: each if each.identity == now.get(path) else each._replace(digest=b"")
            for path, each in self._seen.items()
        }

    def _states(self, before: Mapping[str, _Seen]) -> Mapping[str, _Seen]:
        """The present state of each file.

        A file is read where its size or time is another, or its time is that of a moment ago: two saves may have the
        same.
        """
        states: dict[str, _Seen] = {}
        recent = time.time_ns() - _RECENT_NANOSECONDS
        for path in self._files():
            known = before.get(path)
            try:
                status = os.stat(path)  # noqa: PTH116 - a Path for each would take as long as all else
                if not stat.S_ISREG(status.st_mode):
                    continue
                identity = (status.st_mtime_ns, status.st_size, status.st_ino)
                if known is None or known.identity != identity or status.st_mtime_ns > recent:
                    known = _Seen(identity, hashlib.sha256(Path(path).read_bytes()).digest())
            except OSError:
                # An editor is about to put another in its place, it is removed, or nobody can read it: the next look
                # decides.
                continue
            states[path] = known
        return states

    def _since(self, before: Mapping[str, _Seen]) -> Change:
        def relative(paths: Iterable[str]) -> frozenset[Path]:
            return frozenset(Path(path).relative_to(self.folder) for path in paths)

        both = before.keys() & self._seen.keys()
        return Change(
            modified=relative(path for path in both if before[path].digest != self._seen[path].digest),
            added=relative(self._seen.keys() - before.keys()),
            removed=relative(before.keys() - self._seen.keys()),
        )

    def _files(self) -> Iterator[str]:
        yield from map(str, self.folder.glob(f"{Path(MANIFEST).stem}*.swift"))
        for place, endings in (*((root, _CODE) for root in self.roots), *((each, ("",)) for each in self.resources)):
            if (self.folder / place).is_file():
                yield str(self.folder / place)
            for parent, folders, files in os.walk(self.folder / place):
                folders[:] = [name for name in folders if not name.startswith(".")]
                yield from (f"{parent}{os.sep}{name}" for name in files if name.endswith(endings) and name[0] != ".")


@contextmanager
def watching(sources: Watched, report: Callable[[], None]) -> Iterator[None]:
    """Reports from a thread that it is time to look: after a burst of saves, and when there was none for two seconds.
    Only then manifests are found, as the folder with them is not watched."""
    stopped = threading.Event()

    def watch() -> None:
        places = (*sources.roots, *sources.resources)
        for _ in watchfiles.watch(
            *(path for place in places if (path := sources.folder / place).exists()),
            watch_filter=lambda _, path: path.endswith(_CODE) or bool(sources.resources),
            step=_BURST_MILLISECONDS,
            rust_timeout=_LOOK_MILLISECONDS,
            yield_on_timeout=True,
            stop_event=stopped,
            raise_interrupt=False,
        ):
            report()
            if places != (*sources.roots, *sources.resources):
                break

    def watch_until_stopped() -> None:
        while not stopped.is_set():
            try:
                watch()
            except OSError:
                # The system watches no more folders for this user.
                stopped.wait(_LOOK_MILLISECONDS / 1000)
                report()

    thread = threading.Thread(target=watch_until_stopped, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()
