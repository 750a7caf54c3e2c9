"""Which module to split first: what a package's own commits compile today, and what they would behind interfaces.

The files are predicted by the laws of docs/BuildSpeed.md from the compiler's index: a body reaches nobody; a change
inside a type reaches the files that use the type; anything added to a module reaches every file outside that uses it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from swiftmodules import closure
from swiftmodules.builds.index import DEFINITION, occurrences
from swiftmodules.builds.lock import run_folder
from swiftmodules.builds.workspace import Workspace
from swiftmodules.interrupts import interruptible
from swiftmodules.layouts.generate import INTERFACE
from swiftmodules.measure.progress import ProgressView
from swiftmodules.measure.results import amount
from swiftmodules.measure.subject import Origin, read_subject
from swiftmodules.observed import KINDS, Kind
from swiftmodules.steps.changes import Changes
from swiftmodules.steps.history import FEWER, Commit, Repository
from swiftmodules.swiftpm.config import Config
from swiftmodules.swiftpm.outlines import TOP
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import SourceFile, path
from swiftmodules.swiftpm.toolchain import Toolchain

# What the names of operators begin with.
_OPERATORS = tuple("=<>+-*/%!&|^~?")
# A saving below this share of the compiled files is not worth an interface.
_WORTH = 0.1


@dataclass
class Split:
    """One target: the commits that edited it, by kind, the files that these compile today and would compile with an
    interface in front of it, the declarations that this interface would have, and the commits that changed them."""

    target: str
    commits: int = 0
    kinds: dict[Kind, int] = field(default_factory=dict)
    files: int = 0
    files_with_interface: int = 0
    users: int = 0
    declarations: int = 0
    commits_of_declarations: int = 0

    @property
    def saved(self) -> int:
        return self.files - self.files_with_interface

    @property
    def is_worth_it(self) -> bool:
        return self.saved > _WORTH * self.files

    def sentence(self, all_commits: int, verb: str) -> str:
        """What a split would bring, or why it would not."""
        share = f"{-self.saved / self.files:.0%}" if self.files else "nothing"
        edited = f"{self.commits} of the last {amount(all_commits, 'commit')} edited it"
        files = f"{amount(self.files, 'file')} compiled, {self.files_with_interface} with an interface ({share})"
        changed = f"changed in {self.commits_of_declarations}"
        if self.is_worth_it:
            own = f"its interface would be {amount(self.declarations, 'declaration')}, which {changed} of them"
            return f"{verb} `{self.target}`: {edited}, {files}; {own}."
        if not self.users:
            return f"`{self.target}` is not worth it: no file outside of it uses it."
        kind, count = max(self.kinds.items(), key=lambda each: each[1])
        reason = f"{count} of these edits changed {KINDS[kind]}"
        if self.commits_of_declarations > self.commits / 2:
            reason = f"its interface, {amount(self.declarations, 'declaration')}, {changed}"
        return f"`{self.target}` is not worth it: {edited}, {files}; {reason}."


def find_splits(
    folder: Path, scratch: Path, toolchain: Toolchain, config: Config, view: ProgressView, layout: str, count: int
) -> tuple[list[Split], int]:
    """Builds a layout of a package once, and returns what each target costs after its commits, with their number."""
    with interruptible(), run_folder(scratch, takes_times=False) as folders:
        kept = toolchain.keeping(TMPDIR=str(folders.temporary))
        repository = Repository(folder, folders.work)
        commits, _ = repository.commits(count)
        if len(commits) < count:
            view.note(FEWER.format(amount(len(commits), "commit")))
        subject = read_subject(Origin(folder, folders.work, kept, config, view)).without_tests()
        made = subject.layout(layout, is_copy=layout == INTERFACE)
        workspace = Workspace(made, folders.work / layout, folders.work, kept, options=("--enable-index-store",))
        view.stage("Building it once, for the compiler's index")
        workspace.build()
        changes = Changes(commits, repository, folders.work / "compared", kept)
        return splits(Uses(workspace, subject.sources), subject.package, commits, changes), len(commits)


class Uses:
    """The declarations of a program that was built, and the files that use them, by the compiler's index."""

    def __init__(self, workspace: Workspace, sources: Mapping[Path, SourceFile]) -> None:
        self.target = {original: file.target for original, file in workspace.layout.files.items()}
        self._sources = sources
        self._files: dict[str, set[Path]] = defaultdict(set)
        # By file, with the lines of the definitions.
        self._defined: dict[Path, list[tuple[int, str]]] = defaultdict(list)
        # The compiler knows them by name only: a `==` in a file reaches every file that uses one and may see it.
        self._operators: dict[Path, set[str]] = defaultdict(set)
        named = workspace.layout.dependencies
        self._seen = {name: closure.reached([name], lambda each: named.get(each, ())) for name in self.target.values()}
        for file, each in occurrences(workspace, workspace.toolchain):
            self._files[each.usr].add(file)
            if each.roles & DEFINITION:
                self._defined[file].append((each.line, each.usr))
            if each.name.startswith(_OPERATORS):
                self._files[each.name].add(file)
                if each.roles & DEFINITION:
                    self._operators[file].add(each.name)

    def users_of(self, file: Path, name: str | None = None) -> set[Path]:
        """The other files that use anything of a file, or of one type or `extension` block in it."""
        lines = [each for block, each in self.blocks(file) if block == name]
        usrs = [usr for line, usr in self._defined[file] if name is None or any(line in each for each in lines)]
        users = {user for usr in usrs for user in self._files[usr]}
        same = {user for each in self._operators[file] for user in self._files[each] if name is None}
        return {*users, *(user for user in same if self.target[file] in self._seen[self.target[user]])} - {file}

    def blocks(self, file: Path) -> Iterator[tuple[str, range]]:
        """The types and `extension` blocks in a file, by their paths, with their lines."""
        if (source := self._sources.get(file)) is None:
            return
        for each, owners in source.walk():
            if each.is_block:
                yield path(each, owners), range(source.line_of(each), source.line_at(each.end) + 1)


def splits(uses: Uses, package: Package, commits: Iterable[Commit], changes: Changes) -> list[Split]:
    """What each target costs, those first that an interface would help most."""
    programs = {file for target in package.code if target.is_executable for file in target.sources}
    by_target: dict[str, set[Path]] = defaultdict(set)
    for file, name in uses.target.items():
        by_target[name].add(file)
    folders = {each.folder: uses.target[each.sources[0]] for each in package.code if each.folder != Path()}
    found = {name: Split(name) for name in by_target}
    # By target, the files of others that use anything of it.
    outside = {name: {user for file in own for user in uses.users_of(file)} - own for name, own in by_target.items()}
    # The types of each file that other targets use, which would be in the interface.
    shown: dict[Path, set[str]] = defaultdict(set)
    for file, target in uses.target.items():
        shown[file] = {name for name, _ in uses.blocks(file) if uses.users_of(file, name) - by_target[target]}
    for name, split in found.items():
        split.users = len(outside[name])
        split.declarations = sum(len(shown[file]) for file in by_target[name])
    for commit in commits:
        edited: dict[str, list[Path]] = defaultdict(list)
        for file in commit.changed:
            # A file that has moved or gone since belongs to the target around it.
            around = (folders[each] for each in file.parents if each in folders)
            if owner := uses.target.get(file) or next(around, None):
                edited[owner].append(file)
        for name, files in edited.items():
            split, own = found[name], by_target[name]
            split.commits += 1
            kind = changes.kind(commit, files)
            split.kinds[kind] = split.kinds.get(kind, 0) + 1
            today = {file for file in files if commit.changed[file] != "D"}
            behind, is_shown = set(today), False
            for file in files:
                for declaration in changes.declarations(commit, file):
                    reached = uses.users_of(file) & own | outside[name]
                    if declaration != TOP:
                        reached = uses.users_of(file, declaration)
                    today |= reached
                    behind |= reached & own
                    # What is added beside what others use is for others.
                    if declaration in shown[file] or (declaration == TOP and shown[file]):
                        behind |= reached
                        is_shown = True
            if today - behind:
                # What composes the program names the implementation.
                behind |= set(sorted(programs & outside[name] - own)[:1])
            split.files += len(today)
            split.files_with_interface += len(behind)
            split.commits_of_declarations += is_shown
    return sorted(found.values(), key=lambda each: (-each.saved, each.target))


def advice_lines(found: Sequence[Split], commits: int) -> list[str]:
    """The ranking as sentences: what to split, and what not to."""
    worth = [each for each in found if each.is_worth_it]
    lines = [each.sentence(commits, "Then" if number else "Split first") for number, each in enumerate(worth)]
    others = [each.sentence(commits, "") for each in found if each.commits and not each.is_worth_it]
    return [*(lines or ["No interface would pay."]), *others]
