"""The commits of a package's repository that change its sources, and the files that each commit changes."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from swiftmodules.errors import UsageError
from swiftmodules.swiftpm.git import Checkout, git_output

# `history:100` stands for the last hundred commits.
PREFIX = "history:"
NAME_DIGITS = 12
FEWER = "Only {} change sources or the manifest, merges aside. All of them are measured."
# Bytes that no subject of a commit has.
_RECORD, _FIELD = "\x1e", "\x1f"
_REMEDY = f"'advise', 'split' and --edits {PREFIX}N need commits; 'measure' without them makes edits of its own."


@dataclass(frozen=True)
class Commit:
    """A commit that changes files: how each is changed (`A`, `M`, `D`), by its path from the package.
    Its name has the first digits of its identifier."""

    identifier: str
    parent: str
    subject: str
    changed: Mapping[Path, str]

    @property
    def name(self) -> str:
        return self.identifier[:NAME_DIGITS]


def history_count(edits: Sequence[str]) -> int:
    """The number of commits that `history:N` asks for; 0 where no edit does. Raises `UsageError`."""
    asked = [edit for edit in edits if edit.startswith(PREFIX)]
    if not asked:
        return 0
    count = asked[0].removeprefix(PREFIX)
    if len(edits) > 1 or not count.isdecimal() or int(count) == 0:
        raise UsageError(f"{','.join(edits)}: a history is measured alone, as in --edits {PREFIX}100.")
    return int(count)


class Repository(Checkout):
    """The history of a package, or what of it is not in that of another revision."""

    remedy = _REMEDY

    def __init__(self, package: Path, since: str | None = None) -> None:
        super().__init__(package)
        if self.is_shallow:
            raise UsageError(self.unshallow)
        self.head = (git_output(package, "rev-parse", "--verify", "HEAD") or "").strip("\n")
        if not self.head:
            raise UsageError(f"{self.top} has no commit yet. {_REMEDY}")
        if (self.top / ".gitmodules").exists():
            raise UsageError(f"{self.top} has submodules, whose files are not in its history. {_REMEDY}")
        if since:
            self.commit(since)
        self._since = [f"^{since}"] if since else []
        self._prefix = self.package.relative_to(self.top)

    def commits(
        self,
        count: int,
        beside: Iterable[Path] = (),
        narrowed: Callable[[Commit], Commit] = lambda commit: commit,
    ) -> list[Commit]:
        """At most so many of the last commits, each after its parents.

        Raises `UsageError` where there are none. `beside` are the folders of local packages that the package needs.
        `narrowed` returns a commit with the changes that count; one that has none is not taken.
        """
        known = self._log([self._prefix, *(self._prefix / each for each in beside)])
        found = [*islice((each for each in map(narrowed, known) if each.changed), count)]
        if not found:
            since = "".join(f" since {each[1:]}" for each in self._since)
            raise UsageError(
                f"No commit of {self.package.name} with one parent{since} changes sources or the manifest, so there is "
                f"no step to measure. {_REMEDY}"
            )
        return found[::-1]

    def path(self, file: Path) -> Path:
        return Path(os.path.normpath(self.package / file))

    def without(self, commit: Commit, paths: Collection[Path]) -> Commit:
        """A commit without the changes of some paths."""
        kept = {file: kind for file, kind in commit.changed.items() if self.path(file) not in paths}
        return replace(commit, changed=kept)

    def texts(self, names: Collection[tuple[str, Path]]) -> list[bytes]:
        """The contents of files, each in a commit, also behind links; nothing where a file is not there."""
        return self.contents([f"{commit}:{os.path.normpath(self._prefix / path)}" for commit, path in names])

    def _log(self, folders: Sequence[Path]) -> Iterator[Commit]:
        """The commits with one parent that change files in some folders, the youngest first, a branch's together."""
        output = self.read(
            *("log", "-z", "--topo-order", "--no-merges", "--no-renames", "--name-status"),
            *(f"--format={_RECORD}%H{_FIELD}%P{_FIELD}%s", self.head, *self._since, "--", *map(str, folders)),
        )
        for record in os.fsdecode(output).split(_RECORD)[1:]:
            header, _, rest = record.partition("\0\n")
            identifier, parent, subject = header.split(_FIELD, 2)
            parts = rest.split("\0")
            # A file is also known by the paths that links give it.
            changed = {
                Path(os.path.relpath(path, self.package)): kind
                for kind, name in zip(parts[::2], parts[1::2], strict=False)
                for path in (self.top / name, *self.aliases(self.top / name))
            }
            if parent and changed:
                yield Commit(identifier, parent, subject, changed)
