"""Cuts a target on a new branch: builds, repairs what the compiler refuses, and commits if the same tests pass."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from swiftmodules import process
from swiftmodules.builds.index import IndexStore, Occurrence
from swiftmodules.closure import reached
from swiftmodules.errors import BuildFailedError, ToolError, UsageError
from swiftmodules.progress import ProgressView
from swiftmodules.split.costs import Edit, Parts, edits
from swiftmodules.split.cut import Cut, changed
from swiftmodules.split.graph import Graph
from swiftmodules.split.manifest import cut_manifest
from swiftmodules.split.proposal import Proposal, access_level, large_target, propose
from swiftmodules.split.repair import Repair, errors_of
from swiftmodules.steps.changes import Changes
from swiftmodules.steps.history import Repository
from swiftmodules.swiftpm.config import Config
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import read_sources, require_readable
from swiftmodules.swiftpm.toolchain import Toolchain, native_engine, read

_ROUNDS = 5
_LISTED = 8
_PASSED = re.compile(r"^(?:Test Case '(.+)' passed|\S+ Test (?!run with )(.+?) passed after)", re.MULTILINE)


@dataclass(frozen=True)
class Done:
    """A cut that was committed: what it was, the branch, the repairs, what was moved without being compiled, and git's
    summary of the changes."""

    proposal: Proposal
    branch: str
    repairs: Sequence[str]
    unseen: Sequence[str]
    tests: int
    changes: str

    def lines(self, program: str, package: Path) -> Iterator[str]:
        parts, target = self.proposal.parts, self.proposal.parts.graph.target
        names = ", ".join(parts.names[part] for part in parts.below)
        yield f"Branch {self.branch}: {target} is cut into {names} and {target}. It builds; {self.tests} tests pass."
        yield from (f"  {line.strip()}" for line in self.changes.strip().splitlines()[-1:])
        if self.repairs:
            more = " …" if len(self.repairs) > _LISTED else ""
            yield f"  After the compiler's errors: {'; '.join(self.repairs[:_LISTED])}{more}."
        if self.unseen:
            yield "  Moved without being compiled here, so build these on their platforms:"
            yield from (f"    {each}" for each in self.unseen)
        yield from (f"  {line}" if number else line for number, line in enumerate(self.proposal.lines))
        yield "Measure the gain on the branch:"
        yield f"  git -C {package} switch {self.branch}"
        yield f"  {program} {package} --against {self.branch}~1 --modules {target} --rounds 0"
        yield f"  {program} {package} --against {self.branch}~1 --edits history:20"


class Tree:
    """A worktree of a package at its last commit, and the builds in it."""

    def __init__(self, repository: Repository, work: Path, toolchain: Toolchain) -> None:
        self.top, self.scratch = work / "tree", work / "scratch"
        self.package = self.top / repository.package.relative_to(repository.top)
        self._log, self._toolchain = work / "build.log", toolchain

    def build(self) -> str:
        """Builds the package with its tests, and returns what was printed where that fails."""
        code, log = self._swift("build", "--build-tests", "--enable-index-store")
        return log if code else ""

    def passed(self) -> Counter[str]:
        """The tests that pass, each as often as it does."""
        _, log = self._swift("test", "--skip-build")
        return Counter(next(filter(None, names)) for names in _PASSED.findall(log))

    def _swift(self, *words: str) -> tuple[int | None, str]:
        places: list[str | Path] = ["--package-path", self.package, "--scratch-path", self.scratch]
        command = [self._toolchain.swift, *words, *native_engine(self._toolchain), *places]
        finished = process.run(command, self._toolchain.environment, self.package, self._log)
        return finished.exit_code, self._log.read_text(errors="replace")

    def occurrences(self) -> Iterator[tuple[Path, Occurrence]]:
        _, products = self._swift("build", "--show-bin-path")
        with closing(IndexStore(Path(products.splitlines()[-1]) / "index" / "store", self._toolchain)) as store:
            for file, each in store.occurrences():
                if file.is_relative_to(self.package):
                    yield file.relative_to(self.package), each


@contextmanager
def worktree(repository: Repository, work: Path, toolchain: Toolchain) -> Iterator[Tree]:
    """A worktree at the last commit, which is removed in the end; the user's checkout is not touched."""
    tree = Tree(repository, work, toolchain)
    git(repository.top, "worktree", "prune")
    git(repository.top, "worktree", "add", "--quiet", "--detach", str(tree.top), repository.head)
    try:
        yield tree
    finally:
        git(repository.top, "worktree", "remove", "--force", str(tree.top))


def git(folder: Path, *words: str) -> str:
    """Runs git without the user's hooks, which expect a checkout that is worked in."""
    return read(["git", "-c", f"core.hooksPath={os.devnull}", "-C", folder, *words], os.environ, folder).decode(
        errors="replace"
    )


def split(
    folder: Path,
    work: Path,
    toolchain: Toolchain,
    config: Config,
    view: ProgressView,
    target: str,
    count: int = 200,
    parts: int | None = None,
    files: Sequence[str] = (),
    branch: str = "",
) -> Done:
    """Cuts a target as is proposed, or some files and all that they use from the rest. Raises `ToolError` with the
    reason where that is not possible; then there is no commit and no branch."""
    repository = Repository(folder)
    branch = branch or f"cut-{target.lower()}"
    if git(repository.top, "branch", "--list", branch).strip():
        raise UsageError(f"{repository.top} has a branch '{branch}' already. Name another one with --branch.")
    # Fails now where git knows no name for the commit.
    git(repository.top, "var", "GIT_COMMITTER_IDENT")
    with worktree(repository, work, toolchain) as tree:
        package = read_package(tree.package, toolchain, config.names)
        sources = read_sources(tree.package, package, toolchain)
        require_readable(sources.values())
        _refuse(package, target)
        view.note("Building the package as it is, and running its tests")
        if log := tree.build():
            raise BuildFailedError(f"{package.name} does not build before it is cut:\n{_summary(log, tree)}")
        before = tree.passed()
        owners = {file: each.name for each in package.targets for file in each.sources}
        graph = Graph(target, sources, owners, tree.occurrences())
        commits = repository.commits(count)
        made = edits(graph, commits, Changes(commits, repository, work / "compared", toolchain))
        proposal = _named(graph, package, made, files) if files else propose(graph, package, made, parts)
        if not proposal.is_worth_it:
            raise ToolError(f"{next(iter(proposal.lines))} There is nothing to gain by a cut.")
        manifest = (tree.package / package.manifest).read_text(encoding="utf-8")
        cut = Cut(proposal.parts, access_level(package), manifest)
        repairs = _built(cut, tree, package, manifest, view)
        view.note("Running the tests")
        # A test that measures time may fail on a busy machine, so a failure is tried again.
        if (missing := before - tree.passed()) and (missing := missing - tree.passed()):
            raise ToolError(
                f"{len(missing)} tests that passed before the cut do not pass after it, so nothing was committed: "
                f"{', '.join(sorted(missing)[:_LISTED])}."
            )
        git(tree.top, "add", "--all", ".")
        names = ", ".join(proposal.parts.names[part] for part in proposal.parts.below)
        git(tree.top, "commit", "--quiet", "--message", f"Cut {target} into {names} and {target}")
        summary = git(tree.top, "show", "--stat", "--find-renames", "--format=", "HEAD")
        git(tree.top, "branch", branch)
        last = replace(proposal, parts=cut.parts, after=cut.parts.cost(made[-proposal.unseen :]))
        return Done(last, branch, repairs, cut.unseen(), before.total(), summary)


def _named(graph: Graph, package: Package, made: Sequence[Edit], files: Sequence[str]) -> Proposal:
    """The cut of some files, with all that they use, from the rest."""
    chosen = [file for file in graph.files if file.as_posix() in files or file.name in files]
    if unknown := {*files} - {name for file in chosen for name in (file.as_posix(), file.name)}:
        raise UsageError(f"{graph.target} has no source {', '.join(sorted(unknown))}.")
    moved = reached([number for file in chosen for number in graph.of_file[file]], graph.following.__getitem__)
    if len(moved) == len(graph.pieces) or any(graph.pieces[number].is_program for number in moved):
        raise ToolError(
            f"{', '.join(files)} cannot be cut off: what they use reaches all of {graph.target}, or its program."
        )
    whole = Parts(graph, package, [0] * len(graph.pieces))
    parts = Parts(graph, package, [int(each not in moved) for each in range(len(graph.pieces))], kept=1)
    return Proposal(parts, len(made), len(made), whole.cost(made), parts.cost(made))


def _refuse(package: Package, target: str) -> None:
    """Raises `ToolError` where a target cannot be cut by its sources alone."""
    found = package.by_name[large_target(package, target) or target]
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


def _built(cut: Cut, tree: Tree, package: Package, manifest: str, view: ProgressView) -> list[str]:
    """Writes the cut, builds it, and repairs it by the errors. Raises `ToolError` where it does not build."""
    repair, log = Repair(cut, tree.package), ""
    for number in range(_ROUNDS):
        text, missing = cut_manifest(manifest, cut)
        if missing:
            raise ToolError(
                f"{package.manifest} does not write these targets out, so it has to be changed by hand:\n"
                + "\n".join(f"  {each}" for each in missing)
            )
        git(tree.top, "reset", "--quiet", "--hard")
        git(tree.top, "clean", "--quiet", "--force", "-d")
        changed(tree.package, cut.files())
        (tree.package / package.manifest).write_text(text, encoding="utf-8")
        view.note(f"Building the cut, round {number + 1} of at most {_ROUNDS}")
        if not (log := tree.build()):
            return repair.done
        before = len(repair.done)
        repair.apply(log)
        if len(repair.done) == before:
            break
    failed = f" No type is known for {', '.join(sorted(cut.access.failed))}." if cut.access.failed else ""
    raise ToolError(
        f"The cut does not build after {number + 1} rounds, so nothing was committed.{failed} The compiler's errors:\n"
        f"{_summary(log, tree)}"
    )


def _summary(log: str, tree: Tree) -> str:
    """The first errors of a build, or the end of what it printed."""
    errors = [f"{each.path}:{each.line}: {each.message}" for each in errors_of(log, tree.package)]
    return "\n".join(errors[:_LISTED] or log.strip().splitlines()[-_LISTED:])
