"""The git repository that holds a package, which is only read: its revisions, and the paths that differ."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cached_property
from itertools import chain
from pathlib import Path
from subprocess import CompletedProcess

from swiftmodules.errors import MissingToolError, ToolError, UsageError
from swiftmodules.process import captured
from swiftmodules.swiftpm.package import BUILDS, LEFT_OUT, MANIFEST

# Modes of a symbolic link and of a submodule in a tree.
_LINK, _SUBMODULE = "120000", "160000"
# What comes before the content of an object, which is that of a file or not (`git cat-file --batch --follow-symlinks`).
_OBJECT = re.compile(rb"(?:([0-9a-f]+ blob)|[0-9a-f]+ \w+|symlink|dangling|loop|notdir) (\d+)")
# Git sets them for hooks; they name another repository than that of a folder.
_OF_HOOKS = {"GIT_COMMON_DIR", "GIT_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_WORK_TREE"}
# The tags of paths that git takes for unchanged without a look: `assume-unchanged`, `skip-worktree`, and both.
_UNSEEN = ("h ", "S ", "s ")
# A path that leads through more leads nowhere.
_MOST_LINKS = 40


def git_output(folder: Path, *arguments: str) -> str | None:
    """The output of git, or None where it fails, as outside of a checkout. Takes no locks: the checkout is only read.

    Raises `MissingToolError` where a checkout needs git, and `UsageError` with git's own advice where the repository
    belongs to another user.
    """
    try:
        result = _git(folder, *arguments)
    except FileNotFoundError:
        if any((each / ".git").exists() for each in (folder.resolve(), *folder.resolve().parents)):
            raise MissingToolError(f"{folder} is in a git repository, and 'git' is not in PATH. Install it.") from None
        return None
    if b"dubious ownership" in result.stderr:
        advice = os.fsdecode(result.stderr).partition("\n")[2].strip()
        raise UsageError(f"The git repository of {folder} belongs to another user, so git does not read it. {advice}")
    return os.fsdecode(result.stdout) if result.returncode == 0 else None


def _git(folder: Path, *arguments: str, given: bytes = b"", **variables: str) -> CompletedProcess[bytes]:
    # Signatures would stand in what is printed of commits.
    options = ("--no-optional-locks", "-c", "log.showSignature=false")
    command = ["git", *options, "-C", str(folder), *arguments]
    kept = {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}
    return captured(command, {**kept, "LC_ALL": "C", **variables}, given=given)


class Checkout:
    """The checkout that holds a package. Paths are absolute, with links resolved in the folder of the checkout."""

    # What to do without a history.
    remedy = ""

    def __init__(self, package: Path) -> None:
        self.package = package.resolve()
        top = git_output(package, "rev-parse", "--show-toplevel")
        if not top:
            raise UsageError(f"{package} is in no git repository, so it has no history. {self.remedy}".rstrip())
        self.top = Path(top.removesuffix("\n")).resolve()
        # The links and submodules of the commits that were asked about, each with its mode, its type and its object.
        self._trees: dict[str, dict[Path, list[str]]] = {}

    @cached_property
    def is_shallow(self) -> bool:
        return self._asked("rev-parse", "--is-shallow-repository") == "true"

    @property
    def unshallow(self) -> str:
        """The advice for a shallow clone."""
        return (
            f"{self.top} is a shallow clone. Run 'git -C {self.top} fetch --unshallow' first; in a workflow, check out "
            "with 'fetch-depth: 0'."
        )

    def commit(self, revision: str) -> str:
        """The commit that a revision names. Raises `UsageError` where there is none."""
        found = self._asked("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        if not found:
            advice = self.unshallow if self.is_shallow else "Name a commit, a branch or a tag."
            raise UsageError(f"{self.top} has no revision '{revision}'. {advice}")
        return found

    def common(self, revision: str) -> tuple[str, int]:
        """The commit where the checked-out branch left a revision, and when it was made: the revision itself where the
        branch has left it more than once, or where a shallow clone may not have that commit. A merge that is not
        committed yet is one of the branch. Raises `UsageError` where git does not know the revision."""
        commit = self.commit(revision)
        merged = self._git_path("MERGE_HEAD")
        heads = ("HEAD", *(merged.read_text().split() if merged.is_file() else ()))
        found = self._asked("merge-base", "--all", commit, *heads).split()
        base = found[0] if len(found) == 1 and not self.is_shallow else commit
        return base, min(map(self._moment, found), default=0)

    def changed(self, old: str, new: str | None = None) -> set[Path]:
        """The paths whose content or mode differs between two commits, or between a commit and the files that are
        there."""
        commits = (old, new) if new else (old,)
        options = ("--name-only", "-z", "--no-renames", "--no-relative", "--ignore-submodules=none")
        found = {*self._paths("diff", *options, *commits)}
        if new is None:
            # Git names another checkout inside by its folder; its files are known there only.
            others = self._paths("ls-files", "-z", "--others", "--exclude-standard")
            found |= {path for path in others if BUILDS not in path.parts}
        for path, (submodule, commit) in self._submodules(old).items():
            if path in found:
                found = found - {path} | submodule.changed_since(commit)
        return found

    def changed_since(self, commit: str) -> set[Path]:
        """The paths that differ from those of a commit; all where git does not have it."""
        if self._asked("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"):
            return self.changed(commit)
        return {*self._paths("ls-files", "-z", "--cached", "--others", "--exclude-standard")}

    def holds(self, folder: Path) -> bool:
        """Whether a folder is part of this checkout, or of a submodule, and not of another checkout."""
        if not folder.is_relative_to(self.top):
            return False
        top = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), self.top)
        return top == self.top or any(folder.is_relative_to(each) for each in self._entries("HEAD", _SUBMODULE))

    def changed_outside(self, moment: int, folder: Path, targets: Iterable[Path]) -> set[Path]:
        """The paths below a folder outside of this checkout that have changed since a moment, also behind links: those
        that differ from what was checked out then, or from the last commit before it, where the folder has a history;
        else those that were written later. A folder below those of targets that was written later has lost a file, or
        got one."""
        if not git_output(folder, "rev-parse", "--verify", "HEAD"):
            return {*_written_after(moment, folder, tuple(targets))}
        other, second = Checkout(folder), moment // 10**9
        there = other._asked("rev-parse", "--verify", "--quiet", f"HEAD@{{{datetime.fromtimestamp(second, UTC)}}}")
        before = other._asked("rev-list", "--max-count=1", f"--before={second}", "HEAD")
        changed = (other.changed_since(commit) for commit in {there or before, before})
        found = {*chain.from_iterable(changed)} | other.changed_unseen(moment, [folder])
        found |= {name for path in found for name in other.aliases(path)} | other.changed_behind_links(moment)
        return {path for path in found if path.is_relative_to(folder)}

    def changed_unseen(self, moment: int, places: Iterable[Path]) -> set[Path]:
        """The paths at which git does not look, and that were written after a moment: those that it ignores, in some
        places and where links lead, with their folders, from which others may be gone; and those that it was asked to
        take for unchanged, or a folder around them where they are gone. Those of submodules count too."""
        places = {*places, *chain.from_iterable(self._links.values())}
        inner = self._submodules("HEAD")
        own = (
            each for each in places if each.is_relative_to(self.top) and inner.keys().isdisjoint((each, *each.parents))
        )
        inside = sorted(map(str, own))
        options = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", *inside)
        ignored = self._paths(*options) if inside else ()
        tagged = os.fsdecode(self.read("ls-files", "-v", "-z")).split("\0")
        assumed = (self.top / each[2:] for each in tagged if each.startswith(_UNSEEN))
        unknown = [path for path in ignored if not _is_hidden(path, self.top)]
        found = {path for path in (*assumed, *unknown) if _holds_later(moment, path)}
        folders = {path.parent for path in unknown} - {path.parent for path in found}
        found |= {path for path in folders if _was_written_after(moment, path)}
        return found.union(*(submodule.changed_unseen(moment, places) for submodule, _ in inner.values()))

    def write(self, commit: str, folder: Path) -> Path:
        """Writes a commit with its submodules into a folder, at the checkout's own path, and returns the package in
        it. What links lead to outside of the checkout is where it is."""
        self._write(commit, folder, folder / "index")
        return folder / self.package.relative_to("/")

    def changed_behind_links(self, moment: int) -> set[Path]:
        """The links that lead out of this checkout, to what was written after a moment."""
        outside = ((link, to) for link, all in self._links.items() for to in all if not to.is_relative_to(self.top))
        return {link for link, to in outside if _holds_later(moment, to)}

    def _write(self, commit: str, folder: Path, index: Path) -> None:
        # As a checkout has them: an archive may leave out files, and not convert line ends as the user's checkout does.
        destination = folder / self.top.relative_to("/")
        destination.mkdir(parents=True, exist_ok=True)
        for words in (["read-tree", commit], ["checkout-index", "--all", f"--prefix={destination}/"]):
            self.read(*words, GIT_INDEX_FILE=str(index))
        for link in self._entries(commit, _LINK):
            copy = folder / link.relative_to("/")
            *_, end = _led(copy)
            to = Path("/") / end.relative_to(folder) if end.is_relative_to(folder) else end
            place = folder / to.relative_to("/") if to.is_relative_to(self.top) else to
            if end != place:
                copy.unlink()
                copy.symlink_to(place)
        for path, (submodule, inner) in self._submodules(commit).items():
            if git_output(path, "cat-file", "-e", inner) is not None:
                submodule._write(inner, folder, index)

    def aliases(self, path: Path) -> Iterator[Path]:
        """The paths that links to a file, or to a folder around it, give it, also through other links: targets may
        consist of links."""
        yield from _aliases(path, self._links)

    @cached_property
    def _links(self) -> dict[Path, tuple[Path, ...]]:
        """The links of this checkout and of its submodules, each with the links that it leads through, and its end."""
        own = {link: tuple(_led(link)) for link in self._entries("HEAD", _LINK) if link.is_symlink()}
        inner = (submodule._links for submodule, _ in self._submodules("HEAD").values())
        return dict(chain.from_iterable(each.items() for each in (own, *inner)))

    def _submodules(self, commit: str) -> dict[Path, tuple[Checkout, str]]:
        """The submodules of a commit that are checked out, each with its own commit there, by their paths."""
        found = self._entries(commit, _SUBMODULE).items()
        return {path: (Checkout(path), inner) for path, inner in found if (path / ".git").exists()}

    def contents(self, names: Collection[str]) -> list[bytes]:
        """The contents of files, which are objects or `commit:path`, also behind links; nothing where a file is not
        there."""
        asked = "".join(f"{each}\n" for each in names)
        output = self.read("cat-file", "--batch", "--follow-symlinks", given=os.fsencode(asked)) if asked else b""
        found, position = [], 0
        for _ in names:
            end = output.index(b"\n", position)
            header = _OBJECT.fullmatch(output, position, end)
            position = end + 1
            size = int(header[2]) if header else 0
            found.append(output[position : position + size] if header and header[1] else b"")
            position += size + 1 if header else 0
        return found

    def _entries(self, commit: str, kind: str) -> dict[Path, str]:
        """The paths of a commit that have a mode, with their objects."""
        if commit not in self._trees:
            entries = (git_output(self.top, "ls-tree", "-r", "-z", commit) or "").split("\0")
            kept = (each.partition("\t") for each in entries if each.startswith((_LINK, _SUBMODULE)))
            self._trees[commit] = {self.top / name: description.split() for description, _, name in kept}
        return {path: made for path, (mode, _, made) in self._trees[commit].items() if mode == kind}

    def read(self, *arguments: str, given: bytes = b"", **variables: str) -> bytes:
        """The output of git, whose failure must not look like nothing."""
        done = _git(self.top, *arguments, given=given, **variables)
        if done.returncode != 0:
            raise ToolError(f"'git {' '.join(arguments)}' failed in {self.top}:\n{os.fsdecode(done.stderr).strip()}")
        return done.stdout

    def _paths(self, *arguments: str) -> Iterator[Path]:
        return (self.top / name.rstrip("/") for name in os.fsdecode(self.read(*arguments)).split("\0") if name)

    def _asked(self, *arguments: str) -> str:
        return (git_output(self.top, *arguments) or "").removesuffix("\n")

    def _moment(self, commit: str) -> int:
        """When a commit was made, in nanoseconds: git keeps the second, and the file of the commit more where it is
        one of its own."""
        second = int(self._asked("show", "--no-patch", "--format=%ct", commit)) * 10**9
        file = self._git_path(f"objects/{commit[:2]}/{commit[2:]}")
        return min(file.stat().st_mtime_ns, second + 10**9) if file.is_file() else second

    def _git_path(self, name: str) -> Path:
        """A file of git, which has its own place in a further work tree."""
        return self.top / self._asked("rev-parse", "--git-path", name)


def _aliases(path: Path, links: Mapping[Path, tuple[Path, ...]]) -> Iterator[Path]:
    for link, places in links.items():
        for alias in {link / path.relative_to(each) for each in places if path.is_relative_to(each)}:
            yield alias
            # Each link once, as links may lead in a cycle.
            yield from _aliases(alias, {each: to for each, to in links.items() if each != link})


def _led(link: Path) -> Iterator[Path]:
    """The other links that a link leads through, and its end."""
    place, parts, passed = link.parent, [*reversed(link.readlink().parts)], 0
    while parts:
        part = parts.pop()
        place = place.parent if part == ".." else place / part
        if part != ".." and passed < _MOST_LINKS and place.is_symlink():
            yield place
            parts += reversed(place.readlink().parts)
            place, passed = place.parent, passed + 1
    yield place


def written_at(revision: str, package: Path, folder: Path) -> Path:
    """Writes the repository of a package as it was at a revision into a folder, and returns the package in it. Raises
    `UsageError` where git does not know it."""
    checkout = Checkout(package)
    found = checkout.write(checkout.commit(revision), folder)
    if not (found / MANIFEST).is_file():
        raise UsageError(f"At {revision}, there was no package in {package}. Name a later revision.")
    return found


def _written_after(moment: int, folder: Path, targets: Collection[Path]) -> Iterator[Path]:
    """The files and links of a folder that were written after a moment, also behind links, and the folders of
    targets."""
    for name, folders, files in os.walk(folder, followlinks=True):
        parent = Path(name)
        folders[:] = [each for each in folders if each not in LEFT_OUT and not _is_cycle(parent / each)]
        links = [each for each in folders if (parent / each).is_symlink()]
        found = [parent] if any(parent.is_relative_to(each) for each in targets) else []
        paths = (*found, *map(parent.joinpath, (*links, *files)))
        yield from (path for path in paths if _was_written_after(moment, path))


def _holds_later(moment: int, path: Path) -> bool:
    """Whether a path, or anything in the folder that it is or leads to, was written after a moment."""
    return _was_written_after(moment, path) or any(_written_after(moment, path, (path,)))


def _is_cycle(path: Path) -> bool:
    """Whether a path is a link to a folder around it."""
    return path.is_symlink() and os.path.realpath(path) in map(os.path.realpath, path.parents)


def _was_written_after(moment: int, path: Path) -> bool:
    """Whether a path, or what it leads to, was written after a moment; of one that is gone, a folder around it."""
    there = next(each for each in (path, *path.parents) if os.path.lexists(each))
    times = (there.lstat(), *([there.stat()] if there.exists() else ()))
    return any(each.st_mtime_ns > moment for each in times)


def _is_hidden(path: Path, top: Path) -> bool:
    """Whether a path is in a folder of a build, or the file of a file browser, of which no target is made."""
    return path.name == ".DS_Store" or not LEFT_OUT.isdisjoint(path.relative_to(top).parts)
