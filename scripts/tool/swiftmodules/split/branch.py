"""Cuts a target on a new branch: builds, repairs what the compiler refuses, and commits if the same tests pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from swiftmodules.closure import reached
from swiftmodules.errors import BuildFailedError, ToolError, UsageError
from swiftmodules.observed import amount
from swiftmodules.progress import ProgressView
from swiftmodules.split.costs import Edit, edits, last_commits
from swiftmodules.split.cut import Cut, changed
from swiftmodules.split.declarations import Declarations
from swiftmodules.split.graph import Graph
from swiftmodules.split.manifest import cut_manifest
from swiftmodules.split.parts import Parts
from swiftmodules.split.proposal import Proposal, large_target, propose
from swiftmodules.split.repair import repairs
from swiftmodules.split.tree import Outcome, Tree
from swiftmodules.steps.history import Repository
from swiftmodules.swiftpm.config import Config
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.git import git_output
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import read_sources, require_readable
from swiftmodules.swiftpm.state import State
from swiftmodules.swiftpm.target import Target
from swiftmodules.swiftpm.toolchain import Toolchain

_ROUNDS = 5
_LISTED = 8


@dataclass(frozen=True)
class Done:
    """A cut that was committed: what it was, the branch, the repairs, what it may break unseen, the tests before it,
    those that passed when they were run again, and git's summary of the changes."""

    proposal: Proposal
    branch: str
    repairs: Sequence[str]
    unseen: Sequence[str]
    tests: Outcome
    retried: Sequence[str]
    changes: str

    def lines(self, program: str, package: Path) -> Iterator[str]:
        parts, target = self.proposal.parts, self.proposal.parts.graph.target
        names = ", ".join(parts.names[part] for part in parts.below)
        count, trouble = self.tests.passed.total(), self.tests.trouble
        passed = f"{count} tests pass" if count else "no test passed before the cut, so none has checked it"
        passed += f"; before the cut, the run of the tests ended with '{trouble}'" if trouble else ""
        yield f"Branch {self.branch}: {target} is cut into {names} and {target}. It builds; {passed}."
        yield from (f"  {line.strip()}" for line in self.changes.strip().splitlines()[-1:])
        if self.repairs:
            more = " …" if len(self.repairs) > _LISTED else ""
            yield f"  After the compiler's errors: {'; '.join(self.repairs[:_LISTED])}{more}."
        if self.retried:
            yield f"  Passed at the second run, and not at the first: {', '.join(self.retried)}."
        if self.unseen:
            yield "  Not compiled here, and moved or with names of what moved, so build these on their platforms:"
            yield from (f"    {each}" for each in self.unseen)
        yield from (f"  {line}" if number else line for number, line in enumerate(self.proposal.lines))
        yield "Measure the gain on the branch:"
        yield f"  git -C {package} switch {self.branch}"
        yield f"  {program} {package} --against {self.branch}~1 --modules {target} --rounds 0"
        yield f"  {program} {package} --against {self.branch}~1 --edits history:20"


class Whole:
    """A package at its last commit, written into a folder of its own and built, with a target that is to be cut, or
    some files of that."""

    def __init__(
        self,
        repository: Repository,
        work: Path,
        toolchain: Toolchain,
        config: Config,
        view: ProgressView,
        target: str,
        files: Sequence[str] = (),
        count: int = 200,
    ) -> None:
        self._repository, self._view, self._root = repository, view, work / "tree"
        self._tree = Tree(repository.write(repository.head, self._root), work, toolchain)
        place = self._tree.package
        package = read_package(place, toolchain, config.names, root=self._root)
        sources = read_sources(place, package, toolchain)
        require_readable(sources.values())
        _refuse(package, target)
        self._files = _chosen(package.by_name[target], files)
        state = State.read(package, sources, toolchain, self._root)
        # With the line breaks that it has.
        self._manifest = (place / package.manifest).read_bytes().decode()
        # The files that the last cut has changed; None where one is gone.
        self._written: dict[Path, bytes | None] = {}
        view.note("Building the package as it is, and running its tests")
        if failure := self._tree.build():
            raise BuildFailedError(f"{package.name} does not build before it is cut:\n{failure}")
        self._tests = self._tree.run_tests()
        self._initialisers = self._tree.initialisers()
        self.graph = Graph(target, Declarations(sources, self._tree.occurrences(), state.package), state.package)
        self.edits = edits(self.graph, last_commits(repository, count, state, config.changes, work, toolchain))

    def cut(self, branch: str, parts: int | None = None) -> Done:
        """Cuts the target as is proposed, or the chosen files and all that they use from the rest. Raises `ToolError`
        with the reason where that is not possible; then there is no branch."""
        target, made = self.graph.target, self.edits
        proposal = _cut_off(self.graph, made, self._files) if self._files else propose(self.graph, made, parts)
        if not proposal.is_worth_it:
            raise ToolError(f"{next(iter(proposal.lines))} There is nothing to gain by a cut.")
        cut = Cut(proposal.parts, self._initialisers)
        repairs = self._built(cut)
        self._view.note("Running the tests")
        retried = passing_again(self._tests, self._tree.run_tests)
        names = ", ".join(proposal.parts.names[part] for part in proposal.parts.below)
        commit = self._committed(f"Cut {target} into {names} and {target}")
        summary = self._git("show", "--stat", "--find-renames", "--format=", commit)
        self._git("branch", branch, commit)
        last = replace(proposal, parts=cut.parts, after=cut.parts.cost(made[-proposal.unseen :]))
        return Done(last, branch, repairs, cut.unseen(), self._tests, retried, summary)

    def _built(self, cut: Cut) -> list[str]:
        """Writes the cut, builds it, and repairs it by the errors. Raises `ToolError` where it does not build."""
        place, manifest, sources = self._tree.package, self.graph.package.manifest, self.graph.sources
        done: list[str] = []
        for number in range(_ROUNDS):
            text, missing = cut_manifest(self._manifest, cut)
            if missing:
                raise ToolError(
                    f"{manifest} does not write these targets out, so it has to be changed by hand:\n"
                    + "\n".join(f"  {each}" for each in missing)
                )
            # What is written no more is as it was.
            former = {path: sources[path].text if path in sources else None for path in self._written}
            self._written = cut.files()
            changed(place, former | self._written)
            (place / manifest).write_bytes(text.encode())
            self._view.note(f"Building the cut, round {number + 1} of at most {_ROUNDS}")
            if not (failure := self._tree.build()):
                return done
            more = [*repairs(cut, failure.errors)]
            done += more
            if not more:
                break
        raise ToolError(
            f"The cut does not build after {amount(number + 1, 'round')}, so nothing was committed. "
            f"The compiler's errors:\n{failure}"
        )

    def _committed(self, message: str) -> str:
        """A commit with the files of the cut, which is made beside the checkout and its index: without the hooks that
        the user has for these, and without a signature."""
        self._git("read-tree", self._repository.head)
        # With files that git ignores and that were committed all the same, and those that a sparse checkout leaves out.
        paths = (str(self._tree.package / each) for each in (self.graph.package.manifest, *self._written))
        self._git("-c", "core.sparseCheckout=false", "add", "--all", "--force", "--", *paths)
        tree = self._git("write-tree").strip()
        return self._git("commit-tree", tree, "-p", self._repository.head, "-m", message).strip()

    def _git(self, *words: str) -> str:
        top = self._root / self._repository.top.relative_to("/")
        index = str(self._root / "index-of-the-cut")
        return self._repository.read(*words, GIT_INDEX_FILE=index, GIT_WORK_TREE=str(top)).decode(errors="replace")


def passing_again(before: Outcome, run: Callable[[], Outcome]) -> list[str]:
    """Runs the tests, and again where they end worse than before: a test that measures time may fail on a busy machine.
    Returns what was worse at the first run only. Raises `ToolError` where the second one is no better."""
    missing, trouble = before.lost(run())
    if not missing and not trouble:
        return []
    # Several tests may have the same name.
    again, still = before.lost(run())
    reason = f": {still}" if still else ""
    if failing := missing & again:
        raise ToolError(
            f"{amount(len(failing), 'test')} passed before the cut and not after it, so nothing was committed: "
            f"{', '.join(sorted(failing)[:_LISTED])}{reason}."
        )
    if still:
        raise ToolError(
            f"The run of the tests fails after the cut, and did not before, so nothing was committed{reason}."
        )
    return [*sorted(missing), *filter(None, [trouble])]


def require_new_branch(repository: Repository, branch: str) -> None:
    """Raises `UsageError` where git cannot make a branch, which is made and removed, or does not know who commits."""
    if None in (git_output(repository.top, "var", f"GIT_{each}_IDENT") for each in ("AUTHOR", "COMMITTER")):
        raise UsageError(
            "git does not know who commits. Set it first: git config --global user.name 'Your Name', and "
            "git config --global user.email you@example.com."
        )
    if git_output(repository.top, "check-ref-format", "--branch", branch) is None:
        raise UsageError(f"'{branch}' is no name for a branch. Name another one with --branch.")
    try:
        repository.read("branch", branch, repository.head)
    except ToolError as error:
        reason = str(error).rpartition("fatal: ")[2]
        raise UsageError(f"git cannot make a branch '{branch}': {reason}. Name another one with --branch.") from error
    repository.read("branch", "--quiet", "--delete", "--force", branch)


def _chosen(target: Target, files: Sequence[str]) -> list[Path]:
    """The sources that the user names, by their paths or by their names alone."""
    if unknown := {*files} - {name for file in target.sources for name in (file.as_posix(), file.name)}:
        raise UsageError(f"{target.name} has no source {', '.join(sorted(unknown))}.")
    return [file for file in target.sources if file.as_posix() in files or file.name in files]


def _cut_off(graph: Graph, made: Sequence[Edit], files: Sequence[Path]) -> Proposal:
    """The cut of some files, with all that they use, from the rest."""
    moved = reached([number for file in files for number in graph.of_file[file]], graph.following.__getitem__)
    if len(moved) == len(graph.pieces) or any(graph.pieces[number].is_program for number in moved):
        names = ", ".join(file.name for file in files)
        raise ToolError(f"{names} cannot be cut off: what they use reaches all of {graph.target}, or its program.")
    whole = Parts(graph, [0] * len(graph.pieces))
    parts = Parts(graph, [int(each not in moved) for each in range(len(graph.pieces))], kept=1)
    return Proposal(parts, len(made), len(made), whole.cost(made), parts.cost(made))


def _refuse(package: Package, target: str) -> None:
    """Raises `ToolError` where a target cannot be cut by its sources alone."""
    found = package.by_name[large_target(package, target) or target]
    if found.folder == Path():
        raise ToolError(
            f"{target} takes its sources from the folder of the package, beside which no other target has a place. "
            "Move them into a folder of their own first."
        )
    if found.resources:
        raise ToolError(
            f"{target} has resources, which Bundle.module finds in the bundle of its own target. Move the code that "
            "loads them into a target with them first."
        )
    macros = [name for name in found.dependencies if (one := package.target(name)) and one.kind == "macro"]
    if macros:
        raise ToolError(
            f"{target} declares macros of {', '.join(macros)}, which name their module in '#externalMacro'. Move the "
            "declarations of macros into a target of their own first."
        )
