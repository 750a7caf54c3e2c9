"""The subject of a measurement: a package as read from a private copy, the edits with their places, and its layouts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from swiftmodules.edits.catalogue import (
    EDITS,
    Key,
    WantedEdit,
    file_module,
    most_imported,
    needs_tests,
    path_in_package,
    place_all,
    place_in_file,
    wanted_edit,
)
from swiftmodules.edits.placement import Placement
from swiftmodules.edits.site import Site
from swiftmodules.edits.uses import importing_files
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.experiment.progress import ProgressView
from swiftmodules.experiment.runner import COPY, Task
from swiftmodules.layouts.generate import INTERFACE, copied_layout, make_layout, without_tests
from swiftmodules.layouts.layout import Layout
from swiftmodules.records.kinds import MatrixRecord, ModuleFacts, RunRecord
from swiftmodules.records.model import NOT_ASKED_FOR, Cell, place_name
from swiftmodules.swiftpm.copy import PackageCopy, copy_with_local_packages
from swiftmodules.swiftpm.modules import Module, Naming, edited_modules, find_modules
from swiftmodules.swiftpm.package import Package, read_package
from swiftmodules.swiftpm.syntax import SourceFile, read_sources, require_readable


@dataclass(frozen=True)
class Subject:
    """A package with its parsed files, and the modules in which edits are made, by name; a file that the user named is
    a module of its own. `keys` are the edits in their order, also those that have no place or change nothing."""

    package: Package
    sources: Mapping[Path, SourceFile]
    naming: Naming
    modules: Mapping[str, Module]
    keys: Sequence[Key]
    placements: Mapping[Key, Placement]
    missing: Mapping[Key, str]
    copy: PackageCopy | None = None
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def pairs(self) -> dict[str, Module]:
        """The modules that have an interface."""
        return find_modules(self.package, self.naming)

    @property
    def edits(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(edit for edit, _ in self.keys))

    @property
    def made(self) -> list[Key]:
        """The edits that are made: those with a place, and what changes nothing."""
        return [key for key in self.keys if key not in self.missing]

    @property
    def described(self) -> dict[str, str]:
        """The places of the edits in words, as records hold them."""
        return {place_name(*key): each.description for key, each in self.placements.items()}

    @property
    def reasons(self) -> dict[str, str]:
        """The reasons why edits are not made, as records hold them."""
        everywhere = [(edit, name) for edit in self.edits if EDITS[edit].is_per_module for name in self.modules]
        others = {place_name(*key): NOT_ASKED_FOR for key in everywhere if key not in self.keys}
        return {place_name(*key): reason for key, reason in self.missing.items()} | others

    def part(self, tested: bool) -> Subject:
        """The edits that need the tests, or the others in the package without its tests."""
        package, sources = self.package, self.sources
        in_tests = {path.as_posix() for target in package.tests for path in target.sources}
        keys = [key for key in self.keys if (EDITS[key[0]].needs_tests or key[1] in in_tests) == tested]
        if not tested:
            package = without_tests(package)
            sources = {path: file for path, file in sources.items() if path.as_posix() not in in_tests}
        modules = {name: module for name, module in self.modules.items() if not name.endswith(".swift")}
        placements, missing = _place(keys, Site(package, sources), modules)
        return replace(
            self, package=package, sources=sources, keys=keys, placements=placements, missing=missing, refused={}
        )

    def without(self, missing: Mapping[Key, str]) -> Subject:
        """The same without some edits, and the reasons why."""
        kept = {key: each for key, each in self.placements.items() if key not in missing}
        return replace(self, placements=kept, missing=dict(self.missing) | dict(missing))

    def cells(self, layouts: Iterable[str], keys: Sequence[Key] | None = None) -> list[Cell]:
        """Every combination of an edit and a layout, in the order of the report."""
        layouts = list(layouts)
        return [Cell(layout, *key) for key in (self.made if keys is None else keys) for layout in layouts]

    def placement(self, cell: Cell) -> Placement | None:
        """The place of the edit of a cell; None for what changes nothing."""
        return self.placements.get((cell.edit or "", cell.module))

    def facts(self, name: str) -> ModuleFacts:
        """Counts the importers of the interface of a module."""
        module, pairs = self.modules[name], self.pairs
        own = {path for target in module.targets for path in target.sources}
        owners = {target: each.name for each in pairs.values() for target in each.names}
        targets = {path: owners.get(each.name, each.name) for each in self.package.code for path in each.sources}
        files = [each.path for each in importing_files(module, self.package, self.sources.values())]
        importing = [targets[path] for path in files if path not in own]
        return ModuleFacts(len(importing), len(set(importing)), None if name in pairs else module.interface.name)

    def layouts(self, names: Sequence[str], view: ProgressView, as_it_is: bool | None = None) -> dict[str, Layout]:
        """The layouts of these names that are possible; the others are noted in `refused`.

        `interface` is the package as it is, a copy with its own manifest, where nothing can be compared with it, or
        where it holds what a generated package cannot. Raises `ToolError` where no layout is left.
        """
        found: dict[str, Layout] = {}
        # Last, as it depends on the others.
        for name in sorted(names, key=lambda name: name == INTERFACE):
            try:
                if name == INTERFACE:
                    found[name] = self.interface(as_it_is=not found if as_it_is is None else as_it_is)
                else:
                    found[name] = make_layout(name, self.package, self.sources, self.pairs, self.copy)
            except ToolError as error:
                self.refuse(name, str(error), view)
        if not found:
            raise ToolError("\n".join(self.refused.values()))
        return {name: found[name] for name in names if name in found}

    def refuse(self, layout: str, reason: str, view: ProgressView) -> None:
        """Notes why a layout is left out."""
        self.refused[layout] = reason.removeprefix(f"the layout '{layout}' is not possible: ")
        view.note(f"The layout '{layout}' is left out: {self.refused[layout]}")

    def interface(self, as_it_is: bool = False) -> Layout:
        """The layout `interface`: generated, or the package as it is where that is asked for, or where it holds what a
        generated one cannot."""
        try:
            if not as_it_is or self.copy is None:
                return make_layout(INTERFACE, self.package, self.sources, self.pairs)
        except ToolError:
            if self.copy is None:
                raise
        return copied_layout(INTERFACE, self.package, self.sources, self.copy)


def read_subject(
    task: Task,
    folder: Path,
    edits: Sequence[str],
    modules: Sequence[str] = (),
    usual: int | None = None,
    earlier: RunRecord | MatrixRecord | None = None,
) -> Subject:
    """Copies the package to a folder, reads the copy, and finds the places of the edits.

    `edits` are typed by the user: `KIND` or `FILE:KIND`. `modules` are those in which kinds are made, or files; where
    none are named, those of the configuration, or else the `usual` number of the most imported ones, None for all.
    `earlier` is the record of a run that is resumed, whose options these are.
    """
    task.view.stage("Copying and reading the package")
    scratch = folder / "package-scratch"
    copy = copy_with_local_packages(task.package, folder / COPY, task.toolchain, scratch)
    try:
        package = read_package(copy.folder, task.toolchain, scratch=scratch)
    except ToolError as error:
        raise ToolError(copy.original_names(str(error))) from error
    wanted = [wanted_edit(word) for word in edits]
    if not package.code:
        raise UsageError(f"{package.name} has no target in Swift, so there is nothing to edit.")
    files = [path_in_package(name, task.package) for name in modules if name.endswith(".swift")]
    tested = {path for target in package.tests for path in target.sources}
    if not needs_tests(wanted, package, task.package) and not tested.intersection(files):
        package = without_tests(package)
    task.view.stage("Parsing its files")
    sources = read_sources(copy.folder, package, task.toolchain)
    require_readable(sources.values())
    naming = Naming.of(task.config.targets)
    site = Site(package, sources)
    names = [name for name in modules if not name.endswith(".swift")]
    if not files:
        names = _chosen(task, site, naming, names, wanted, usual)
    known = edited_modules(package, naming) | {
        each.name: Module(each.name, each, (each,)) for each in package.code if each.name in names
    }
    chosen = {name: find_modules(package, naming).get(name) or known[name] for name in names}
    missing_before = earlier.missing if earlier else {}
    left_out = {name for name, reason in missing_before.items() if reason == NOT_ASKED_FOR}
    keys: list[Key] = []
    for each in wanted:
        if each.file is not None:
            path = path_in_package(each.file, task.package)
            keys.append((each.edit, None if each.edit == "manifest-touch" else path.as_posix()))
        elif EDITS[each.edit].is_per_module:
            keys += [(each.edit, name) for name in (*names, *(path.as_posix() for path in files))]
        else:
            keys.append((each.edit, None))
    keys = [key for key in dict.fromkeys(keys) if place_name(*key) not in left_out]
    placements, missing = _place(keys, site, chosen)
    for key, reason in missing.items():
        task.view.note(f"Left out: {place_name(*key)}: {reason}")
    if missing and not placements:
        raise UsageError("none of the edits has a place in the modules that are measured.")
    in_files = {name: file_module(Path(name), package) for _, name in keys if name and name not in chosen}
    return Subject(package, sources, naming, chosen | in_files, keys, placements, missing, copy)


def _chosen(
    task: Task, site: Site, naming: Naming, modules: Sequence[str], wanted: Sequence[WantedEdit], usual: int | None
) -> list[str]:
    """The modules in which kinds of edits are made."""
    if not any(each.file is None and EDITS[each.edit].is_per_module for each in wanted):
        return []
    known = edited_modules(site.package, naming)
    for name in modules:
        if name not in known and site.package.target(name) is None:
            raise UsageError(f"No module is called '{name}'. Choose from: {', '.join(known) or 'none'}.")
    configured = [name for name in task.config.measure.modules if name in known]
    if modules or configured:
        return list(modules or configured)
    pairs = find_modules(site.package, naming)
    return list(most_imported(site, pairs, usual)) if usual is not None else list(known)


def _place(
    keys: Sequence[Key], site: Site, modules: Mapping[str, Module]
) -> tuple[dict[Key, Placement], dict[Key, str]]:
    placements: dict[Key, Placement] = {}
    missing: dict[Key, str] = {}
    for edit, name in keys:
        if name is not None and name not in modules:
            placements[edit, name] = place_in_file(Path(name), edit, site)
            continue
        placed, none = place_all([edit], site, {name: modules[name]} if name else {})
        placements |= placed
        missing |= none
    return placements, missing
