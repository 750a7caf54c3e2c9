"""Which target to split first: what a package's own commits cost today, and what they would behind interfaces.

The compiled files are predicted by the laws of docs/BuildSpeed.md from the compiler's index: a body reaches nobody; a
change inside a type reaches the files that use the type; anything added to a module reaches every file outside that
uses it. A cache of targets rebuilds a target as a whole when its sources or those of a target below it change, and the
test targets that it rebuilds are run.

An interface would hold the public declarations that other targets use, the functions of values with their bodies and
all that these need. A commit that changes one of them reaches what it reaches today. Everything else reaches the
implementation, and what names it: programs, tests of it, and targets that pass it on with `@_exported import`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from swiftmodules import closure
from swiftmodules.builds.index import DEFINITION, occurrences
from swiftmodules.builds.lock import run_folder
from swiftmodules.builds.workspace import Workspace
from swiftmodules.interrupts import interruptible
from swiftmodules.layouts.generate import INTERFACE
from swiftmodules.measure.results import amount
from swiftmodules.measure.subject import Origin, read_subject
from swiftmodules.measure.tables import Table
from swiftmodules.observed import KINDS, Kind
from swiftmodules.progress import ProgressView
from swiftmodules.steps.changes import Changes
from swiftmodules.steps.history import FEWER, Commit, Repository
from swiftmodules.swiftpm.config import Config
from swiftmodules.swiftpm.outlines import TOP, declarations, public_declarations
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import Declaration, Owners, SourceFile, path
from swiftmodules.swiftpm.toolchain import Toolchain

# What the names of operators begin with.
_OPERATORS = tuple("=<>+-*/%!&|^~?")
# A saving below this share, by a cache and by the compiler, is not worth an interface.
_WORTH = 0.1
# The interfaces that are listed with their costs.
_COSTLIEST = 10


@dataclass
class Split:
    """One target: the commits that edited it, by kind; what all changes of these rebuild in a cache and compile, in
    files, and the test targets that they run, today and with an interface in front of the target; the declarations
    that this interface would have, and the commits that changed them."""

    target: str
    commits: int = 0
    kinds: dict[Kind, int] = field(default_factory=dict)
    cached: int = 0
    cached_with_interface: int = 0
    files: int = 0
    files_with_interface: int = 0
    tests: int = 0
    tests_with_interface: int = 0
    declarations: int = 0
    commits_of_declarations: int = 0

    @property
    def order(self) -> tuple[int, int, str]:
        """Those first of which a cache would have saved most, then the compiler."""
        return self.cached_with_interface - self.cached, self.files_with_interface - self.files, self.target

    @property
    def is_worth_it(self) -> bool:
        pairs = (self.cached, self.cached_with_interface), (self.files, self.files_with_interface)
        return self.declarations > 0 and any(today - behind > _WORTH * today for today, behind in pairs)

    def sentence(self, all_commits: int, verb: str) -> str:
        """What a split would bring, or why it would not."""
        cost = {
            "a cache rebuilds {} files{}": (self.cached, self.cached_with_interface),
            "builds compile {} files{}": (self.files, self.files_with_interface),
            "{} test targets run": (self.tests, self.tests_with_interface),
        }
        saved = [
            words.format(f"{today} → {behind}", f" ({behind / max(today, 1) - 1:+.0%})")
            for words, (today, behind) in cost.items()
            if behind != today
        ]
        costs = f"with an interface, {', '.join(saved)}" if saved else "an interface would have saved nothing"
        costs = f"{self.commits} of the last {amount(all_commits, 'commit')} edited it; {costs}"
        changed = f"changed in {self.commits_of_declarations}"
        if self.is_worth_it:
            own = f"the interface would be {amount(self.declarations, 'declaration')}, which {changed} of these commits"
            return f"{verb} `{self.target}`: {costs}; {own}."
        # Operators alone, which the compiler knows by name, are no use.
        if not self.declarations:
            return f"`{self.target}` is not worth it: no file outside of it uses it, tests aside."
        kind, count = max(self.kinds.items(), key=lambda each: each[1])
        reason = f"{count} of these edits changed {KINDS[kind]}"
        if self.commits_of_declarations > self.commits / 2:
            reason = f"the interface, {amount(self.declarations, 'declaration')}, {changed}"
        return f"`{self.target}` is not worth it: {costs}; {reason}."


@dataclass
class Interface:
    """A target that modules meet at: the commits that changed it, the files that a cache rebuilt for that, and their
    share of all that it rebuilt."""

    target: str
    commits: int = 0
    cached: int = 0
    share: float = 0


@dataclass(frozen=True)
class Advice:
    """The targets, those first that an interface would help most, and the interfaces that cost most, after so many
    commits."""

    commits: int
    targets: list[Split]
    interfaces: list[Interface]

    @property
    def lines(self) -> list[str]:
        """The ranking as sentences: what to split, and what not to."""
        worth = [each for each in self.targets if each.is_worth_it]
        lines = [each.sentence(self.commits, "Then" if number else "Split first") for number, each in enumerate(worth)]
        others = [each.sentence(self.commits, "") for each in self.targets if each.commits and not each.is_worth_it]
        return [*(lines or ["No interface would pay."]), *others]

    @property
    def table(self) -> Table:
        """What the interfaces cost that are there."""
        rows = [[each.target, f"{each.commits}", f"{each.cached}", f"{each.share:.0%}"] for each in self.interfaces]
        return Table(("interface", "commits that changed it", "files a cache rebuilt for that", "of all"), rows, 1)


def find_advice(
    folder: Path, scratch: Path, toolchain: Toolchain, config: Config, view: ProgressView, count: int
) -> Advice:
    """Builds a package once, and returns what its last commits cost."""
    with interruptible(), run_folder(scratch, takes_times=False) as folders:
        kept = toolchain.keeping(TMPDIR=str(folders.temporary))
        repository = Repository(folder)
        commits = repository.commits(count)
        if len(commits) < count:
            view.note(FEWER.format(amount(len(commits), "commit")))
        subject = read_subject(Origin(folder, folders.work, kept, config, view))
        layout = subject.without_tests().layout(INTERFACE, is_copy=True)
        workspace = Workspace(layout, folders.work / "built", folders.work, kept, options=("--enable-index-store",))
        view.note("Building it once, for the compiler's index")
        workspace.build()
        changes = Changes(commits, repository, folders.work / "compared", kept)
        interfaces = [part for each in subject.package.modules.values() for part in (each.interface, *each.parts)]
        uses, names = Uses(workspace, subject.sources), [each.name for each in interfaces]
        return advise(uses, Targets(subject.package, subject.sources), commits, changes, names)


@dataclass(frozen=True)
class _Declared:
    """A declaration with its full name, its identities in the index, and those of all that its code mentions."""

    title: str
    declaration: Declaration
    owners: Owners
    usrs: Collection[str]
    is_public: bool
    needs: Collection[str]

    @property
    def owner(self) -> str:
        """The type around it."""
        return path(self.owners[-1], self.owners[:-1]) if self.owners else ""

    @property
    def conforms(self) -> bool:
        """Whether it stands in a block that makes a type conform to protocols."""
        return bool(self.owners) and self.owners[-1].kind == "extension" and bool(self.owners[-1].inherits)


class Uses:
    """The declarations of a program that was built, and the files that use them, by the compiler's index."""

    def __init__(self, workspace: Workspace, sources: Mapping[Path, SourceFile]) -> None:
        self.target = {path: each.name for each in workspace.layout.package.targets for path in each.sources}
        self._sources = sources
        # By declaration.
        self.files: dict[str, set[Path]] = defaultdict(set)
        # By file and line.
        self._mentioned: dict[Path, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        # The same, with their names.
        self._defined: dict[Path, dict[int, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
        # The compiler knows them by name only: a `==` in a file reaches every file that uses one and may see it.
        self._operators: dict[Path, set[str]] = defaultdict(set)
        named = workspace.layout.dependencies
        self._seen = {name: closure.reached([name], lambda each: named.get(each, ())) for name in self.target.values()}
        for file, each in occurrences(workspace, workspace.toolchain):
            self.files[each.usr].add(file)
            self._mentioned[file][each.line].add(each.usr)
            if each.roles & DEFINITION:
                self._defined[file][each.line].append((each.name, each.usr))
            if each.name.startswith(_OPERATORS):
                self.files[each.name].add(file)
                if each.roles & DEFINITION:
                    self._operators[file].add(each.name)

    def users_of(self, file: Path, block: str = TOP, without: Collection[str] = ()) -> set[Path]:
        """The other files that use a type or `extension` block in a file, or anything of it, apart from some
        declarations."""
        lines = [each for name, each in self.blocks(file) if name == block]
        defined = self._defined[file].items()
        inside = [found for line, found in defined if block == TOP or any(line in each for each in lines)]
        users = {user for found in inside for _, usr in found if usr not in without for user in self.files[usr]}
        same = {user for each in self._operators[file] for user in self.files[each] if block == TOP}
        return {*users, *(user for user in same if self.target[file] in self._seen[self.target[user]])} - {file}

    def declared(self, file: Path) -> Iterator[_Declared]:
        """The declarations of a file."""
        if (source := self._sources.get(file)) is None:
            return
        public = {each.start for _, each, _ in public_declarations(source)}
        for title, each, owners in declarations(source):
            first, name = source.line_of(each), each.name.strip("`")
            usrs = [usr for own, usr in self._defined[file].get(first, ()) if own.partition("(")[0] == name]
            lines = range(source.line_at(each.start), source.line_at(each.end) + 1)
            needs = {usr for line in lines for usr in self._mentioned[file].get(line, ())}
            yield _Declared(title, each, owners, usrs, each.start in public, needs)

    def blocks(self, file: Path) -> Iterator[tuple[str, range]]:
        """The types and `extension` blocks in a file, by their paths, with their lines."""
        if (source := self._sources.get(file)) is None:
            return
        for each, owners in source.walk():
            if each.is_block:
                yield path(each, owners), range(source.line_of(each), source.line_at(each.end) + 1)


class Targets:
    """The targets that are built, with their files and those that depend on them, tests too."""

    def __init__(self, package: Package, sources: Mapping[Path, SourceFile]) -> None:
        self._package = package
        # The modules that each target passes on to its own users.
        self._exported = {
            target.name: {
                each.module
                for path in target.sources
                for each in sources[path].imports
                if "_exported" in each.attributes
            }
            for target in package.targets
        }
        known = [each for each in (*package.targets, *package.others) if each.name not in package.left_out]
        self.files = {each.name: set(each.sources) for each in known}
        self.tests = {each.name for each in known if each.is_test}
        self.programs = {each.name for each in known if each.is_executable}

    def owner(self, file: Path) -> str | None:
        """The target of a file; one that has moved or gone since belongs to the target around it."""
        target = self._package.target_of(file)
        is_inside = target is not None and (file in target.sources or target.folder != Path())
        return target.name if target and is_inside and target.name in self.files else None

    def above(self, names: Iterable[str]) -> set[str]:
        """Targets with all that depend on them."""
        return self.files.keys() & {each.name for each in self._package.above(names)}

    def behind(self, name: str) -> set[str]:
        """An implementation with what would depend on it: the programs that it is part of, tests that name it, and
        targets that pass it on."""
        module = self._package.by_name[name].imported_as
        known = self.files.keys() & self._package.users.get(name, ())
        users = {each for each in known if each in self.tests or module in self._exported.get(each, ())}
        return {name, *self.above(self.programs & self.above([name]) | users)}

    def size(self, names: Iterable[str]) -> int:
        return sum(len(self.files[name]) for name in names)


class _Module:
    """A target with what an interface in front of it would hold: the public declarations that others use."""

    def __init__(self, name: str, uses: Uses, targets: Targets) -> None:
        self._uses = uses
        self._own = targets.files[name]
        self.outside = {user for file in self._own for user in uses.users_of(file)} - self._own
        declared = [each for file in self._own for each in uses.declared(file)]
        public = [each for each in declared if each.is_public]
        self._known = {each.title for each in public}
        self._declared = {each.title for each in declared}
        used = {each.title for each in public if any(uses.files[usr] - self._own for usr in each.usrs)}
        # With the types around them, and the parts of these that cannot stand elsewhere.
        around = {
            path(owner, each.owners[:at])
            for each in public
            if each.title in used
            for at, owner in enumerate(each.owners)
        }
        self.shown = used | around & self._known
        self.shown |= {each.title for each in public if _is_part(each) and each.owner in self.shown}
        self._needed = self._needs(declared)
        self._usrs = {usr for each in public if each.title in self.shown for usr in each.usrs}
        # The files of each program that it is part of, with the one that would name the implementation.
        programs = [targets.files[each] for each in targets.programs & targets.above([name]) - {name}]
        self._programs = [(files, min(self.outside & files or files)) for files in programs]

    def _needs(self, declared: Collection[_Declared]) -> set[str]:
        """The values that others use and their functions, with all that the code of these needs."""
        kinds = {each.title: each.declaration.kind for each in declared if each.is_public and each.declaration.is_type}
        # A class becomes a protocol.
        values = {name for name, kind in kinds.items() if kind in ("struct", "enum", "protocol")}
        known = {usr: each for each in declared for usr in each.usrs}
        parts: dict[str, list[_Declared]] = defaultdict(list)
        for each in declared:
            if _is_part(each) or each.conforms:
                parts[each.owner].append(each)
        ahead = [
            each
            for each in declared
            if each.title in self.shown
            if each.title in values or (each.declaration.has_body and each.owner in values)
        ]
        found: dict[int, _Declared] = {}
        while ahead:
            one = ahead.pop()
            if id(one) in found or {one.title, one.owner} & kinds.keys() - values:
                continue
            found[id(one)] = one
            needed = [known[usr] for usr in one.needs if usr in known]
            ahead += parts[one.title] if one.title in values else needed
        return {each.title for each in found.values()}

    def reach(self, commit: Commit, files: Collection[Path], changes: Changes) -> tuple[set[Path], set[Path], bool]:
        """The files that a commit's changes in some files of the target compile, today and with an interface in front
        of it, and whether they change that."""
        shown = {name for name in changes.public_names(commit, files) if self._is_shown(name)}
        shown |= {name for name in changes.names(commit, files) if self._is_needed(name)}
        blocks = [(file, block) for file in files for block in changes.declarations(commit, file)]
        owners = {name.partition("(")[0].rpartition(".")[0] for name in shown}
        # What is in no block that was there before belongs to the top level.
        through = {owner if owner in {block for _, block in blocks} else TOP for owner in owners}
        today = {file for file in files if commit.changed[file] != "D"}
        behind = set(today)
        for file, block in blocks:
            reached = self._uses.users_of(file, block)
            if block == TOP:
                reached = reached & self._own | self.outside
            today |= reached
            behind |= reached if block in through else self._uses.users_of(file, block, self._usrs) & self._own
            behind |= {name for files, name in self._programs if block == TOP or not files.isdisjoint(reached)}
        return today, behind, bool(shown)

    def _is_shown(self, name: str) -> bool:
        """Whether others use a declaration. One that has gone since may have been used; a conformance is one of its
        type."""
        plain = name.replace("extension ", "")
        return plain in self.shown or (plain == name and name not in self._known)

    def _is_needed(self, name: str) -> bool:
        """Whether the interface would hold a declaration for what its own code needs. One that has gone since belongs
        to the type around it."""
        while name and name not in self._declared:
            name = name.partition("(")[0].rpartition(".")[0]
        return name in self._needed


def _is_part(declared: _Declared) -> bool:
    """Whether a declaration goes wherever its type goes: a case, a requirement, a stored property of a value."""
    each, owners = declared.declaration, declared.owners
    is_stored = each.kind == "var" and not each.has_body and not each.is_static
    kind = owners[-1].kind if owners else ""
    return each.kind == "case" or kind == "protocol" or (kind == "struct" and is_stored)


def advise(
    uses: Uses, targets: Targets, commits: Collection[Commit], changes: Changes, interfaces: Iterable[str]
) -> Advice:
    """What each target costs, and each of the interfaces that are there."""
    modules = {name: _Module(name, uses, targets) for name in sorted(set(uses.target.values()))}
    costs = {name: Interface(name) for name in interfaces if name in modules}
    found = {name: Split(name, declarations=len(each.shown)) for name, each in modules.items() if name not in costs}
    total = 0
    for commit in commits:
        edited: dict[str, list[Path]] = defaultdict(list)
        for file in commit.changed:
            if owner := targets.owner(file):
                edited[owner].append(file)
        rebuilt = targets.above(edited)
        total += targets.size(rebuilt)
        reached = {name: modules[name].reach(commit, edited[name], changes) for name in edited if name in modules}
        for name in edited.keys() & costs.keys():
            costs[name].commits += 1
            costs[name].cached += targets.size(targets.above([name]))
        for name in reached.keys() & found.keys():
            split, (_, behind, is_shown) = found[name], reached[name]
            split.commits += 1
            split.commits_of_declarations += is_shown
            kind = changes.kind(commit, edited[name])
            split.kinds[kind] = split.kinds.get(kind, 0) + 1
            split.files += len(set().union(*(today for today, _, _ in reached.values())))
            split.files_with_interface += len(
                behind.union(*(today for other, (today, _, _) in reached.items() if other != name))
            )
            kept = rebuilt if is_shown else targets.above(edited.keys() - {name}) | targets.behind(name)
            split.cached += targets.size(rebuilt)
            split.cached_with_interface += targets.size(kept)
            split.tests += len(rebuilt & targets.tests)
            split.tests_with_interface += len(kept & targets.tests)
    for cost in costs.values():
        cost.share = cost.cached / total if total else 0
    dear = sorted((each for each in costs.values() if each.commits), key=lambda each: (-each.cached, each.target))
    return Advice(len(commits), sorted(found.values(), key=lambda each: each.order), dear[:_COSTLIEST])
