"""The subject of a measurement: a package as read from a private copy, the edits with their places, and its layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from swiftmodules.edits.catalogue import (
    EDITS,
    Key,
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
from swiftmodules.layouts.generate import INTERFACE, copied_layout, make_layout, without_linker, without_tests
from swiftmodules.layouts.layout import Layout
from swiftmodules.layouts.replicate import Replicator
from swiftmodules.measure.progress import ProgressView
from swiftmodules.measure.record import Missing, ModuleFacts, Place, Refusal
from swiftmodules.swiftpm.config import Config
from swiftmodules.swiftpm.copy import PackageCopy, copy_with_local_packages
from swiftmodules.swiftpm.modules import Module, Naming, edited_modules, find_modules
from swiftmodules.swiftpm.package import Package, read_package
from swiftmodules.swiftpm.reader import Known, SourceFile, read_sources, require_readable
from swiftmodules.swiftpm.toolchain import Toolchain

# Where neither the user nor the configuration names modules.
USUAL_MODULES = 3
# The folder of a run in which the copies of the package and of those that it needs are.
COPY = "original"

# Finds the places of edits in modules: see `place_all`.
Placing = Callable[[Iterable[str], Site, Mapping[str, Module]], tuple[Mapping[Key, Placement], Mapping[Key, str]]]


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

    @property
    def pairs(self) -> dict[str, Module]:
        """The modules that have an interface."""
        return find_modules(self.package, self.naming)

    @property
    def made(self) -> list[Key]:
        """The edits that are made: those with a place, and what changes nothing."""
        return [key for key in self.keys if key not in self.missing]

    @property
    def places(self) -> tuple[Place, ...]:
        """The places of the edits, as records hold them."""
        found = [(key, each) for key, each in self.placements.items() if key not in self.missing]
        return tuple(
            Place(
                edit=edit, module=module, description=each.description, file=each.file.as_posix() if each.file else None
            )
            for (edit, module), each in found
        )

    @property
    def reasons(self) -> tuple[Missing, ...]:
        """The reasons why edits are not made, as records hold them."""
        return tuple(Missing(edit=key[0], module=key[1], reason=reason) for key, reason in self.missing.items())

    def is_tested(self, key: Key) -> bool:
        """Whether only a build with the tests shows an edit."""
        in_tests = {path.as_posix() for target in self.package.tests for path in target.sources}
        return EDITS[key[0]].needs_tests or key[1] in in_tests

    def part(self, tested: bool) -> Subject:
        """The edits that only a build with the tests shows, or the others in the package without its tests."""
        keys = [key for key in self.keys if self.is_tested(key) == tested]
        if tested or not self.package.tests:
            return replace(self, keys=keys)
        kept = without_tests(self.package)
        sources = {path: self.sources[path] for target in kept.targets for path in target.sources}
        # Without the tests, other functions may be changed.
        modules = {name: module for name, module in self.modules.items() if not name.endswith(".swift")}
        placements, missing = _place(keys, Site(kept, sources), modules, place_all)
        return replace(
            self, package=kept, sources=sources, keys=keys, placements=placements, missing=dict(self.missing) | missing
        )

    def without(self, missing: Mapping[Key, str]) -> Subject:
        """The same without some edits, and the reasons why."""
        return replace(self, missing=dict(self.missing) | dict(missing))

    def only(self, keys: Sequence[Key]) -> Subject:
        """The same with some of the edits."""
        return replace(self, keys=[key for key in self.keys if key in keys or key in self.missing])

    def without_linker(self) -> Subject:
        """The same without a choice of linker in the manifest, so that every setting makes its own."""
        return replace(self, package=without_linker(self.package))

    def facts(self, name: str) -> ModuleFacts:
        """Counts the importers of the interface of a module."""
        module, pairs = self.modules[name], self.pairs
        own = {path for target in module.targets for path in target.sources}
        owners = {target: each.name for each in pairs.values() for target in each.names}
        targets = {path: owners.get(each.name, each.name) for each in self.package.code for path in each.sources}
        files = [each.path for each in importing_files(module, self.package, self.sources.values())]
        importing = [targets[path] for path in files if path not in own]
        return ModuleFacts(len(importing), len(set(importing)), None if name in pairs else module.interface.name)

    def layout(self, name: str, as_it_is: bool = False) -> Layout:
        """One layout; `interface` is the package as it is where that is asked for, or where it holds what a generated
        package cannot. Raises `ToolError` where the layout is not possible."""
        if self.copy is None or name != INTERFACE:
            return make_layout(name, self.package, self.sources, self.pairs, self.copy)
        with suppress(ToolError):
            if not as_it_is:
                return make_layout(name, self.package, self.sources, self.pairs)
        return copied_layout(name, self.package, self.sources, self.copy)


def possible(
    subject: Subject, names: Sequence[str], as_it_is: bool | None, view: ProgressView
) -> tuple[dict[str, Layout], list[Refusal]]:
    """The layouts of these names that are possible, and why the others are not.

    Where nothing can be compared with it, `interface` is the package as it is. Raises `ToolError` where no layout is
    left.
    """
    found: dict[str, Layout] = {}
    refused = []
    # Last, as it depends on the others.
    for name in sorted(names, key=lambda name: name == INTERFACE):
        try:
            found[name] = subject.layout(name, not found if as_it_is is None else as_it_is)
        except ToolError as error:
            refused.append(refusal(name, str(error), view))
    if not found:
        raise ToolError("\n".join(each.reason for each in refused))
    return {name: found[name] for name in names if name in found}, refused


def refusal(layout: str, reason: str, view: ProgressView) -> Refusal:
    """Shows why a layout is left out."""
    reason = reason.removeprefix(f"the layout '{layout}' is not possible: ")
    view.note(f"The layout '{layout}' is left out: {reason}")
    return Refusal(layout=layout, reason=reason)


@dataclass(frozen=True)
class Reader:
    """Reads the package of a run, from a private copy below a folder."""

    package: Path
    folder: Path
    toolchain: Toolchain
    config: Config
    view: ProgressView
    place: Placing = place_all
    known: Known = None

    def read(self, edits: Sequence[str], modules: Sequence[str] = (), usual: int | None = None) -> Subject:
        """Copies and reads the package, and finds the places of the edits.

        `edits` are typed by the user: `KIND` or `FILE:KIND`. `modules` are those in which kinds are made, or files;
        where none are named, those of the configuration, or else the `usual` number of the most imported ones, None for
        all.
        """
        self.view.stage("Copying and reading the package")
        scratch = self.folder / "package-scratch"
        copy = copy_with_local_packages(self.package, self.folder / COPY, self.toolchain, scratch)
        try:
            package = read_package(copy.folder, self.toolchain, scratch=scratch)
        except ToolError as error:
            raise ToolError(copy.original_names(str(error))) from error
        for name, reason in package.left_out.items():
            self.view.note(f"Left out: {name}: {reason}")
        wanted = [wanted_edit(word) for word in edits]
        if not package.code:
            raise UsageError(f"{package.name} has no target in Swift, so there is nothing to edit.")
        files = [path_in_package(name, self.package) for name in modules if name.endswith(".swift")]
        tested = {path for target in package.tests for path in target.sources}
        if not needs_tests(wanted, package, self.package) and not tested.intersection(files):
            package = without_tests(package)
        self.view.stage("Parsing its files")
        sources = read_sources(copy.folder, package, self.toolchain, self.known)
        require_readable(sources.values())
        site, naming = Site(package, sources), Naming.of(self.config.targets)
        names = [name for name in modules if not name.endswith(".swift")]
        if not files:
            is_per_module = any(each.file is None and EDITS[each.edit].is_per_module for each in wanted)
            names = self._chosen(site, naming, names, usual) if is_per_module else []
        known = edited_modules(package, naming) | {
            each.name: Module(each.name, each, (each,)) for each in package.code if each.name in names
        }
        chosen = {name: find_modules(package, naming).get(name) or known[name] for name in names}
        keys: list[Key] = []
        for each in wanted:
            if each.file is not None:
                path = path_in_package(each.file, self.package)
                keys.append((each.edit, None if each.edit == "manifest-touch" else path.as_posix()))
            elif EDITS[each.edit].is_per_module:
                keys += [(each.edit, name) for name in (*names, *(path.as_posix() for path in files))]
            else:
                keys.append((each.edit, None))
        keys = list(dict.fromkeys(keys))
        placements, missing = _place(keys, site, chosen, self.place)
        if missing and not placements:
            reasons = "; ".join(f"{edit}: {reason}" for (edit, _), reason in missing.items())
            raise UsageError(f"none of the edits has a place in the modules that are measured. {reasons}")
        in_files = {name: file_module(Path(name), package) for _, name in keys if name and name not in chosen}
        return Subject(package, sources, naming, chosen | in_files, keys, placements, missing, copy)

    def _chosen(self, site: Site, naming: Naming, modules: Sequence[str], usual: int | None) -> list[str]:
        """The modules in which kinds of edits are made."""
        known = edited_modules(site.package, naming)
        for name in modules:
            if name not in known and site.package.target(name) is None:
                raise UsageError(f"No module is called '{name}'. Choose from: {', '.join(known) or 'none'}.")
        configured = [name for name in self.config.measure.modules if name in known]
        if modules or configured:
            return list(modules or configured)
        pairs = find_modules(site.package, naming)
        return list(most_imported(site, pairs, usual)) if usual is not None else list(known)

    def with_copies(self, original: Subject) -> Callable[[int], Subject]:
        """Returns a function that makes packages with a number of copies of the module that the configuration names.

        Edits in that module are made in the first copy, which has its name in records.
        """
        copied = self.config.measure.scale_module or ""
        replicator = Replicator(
            *(original.package, original.sources, original.pairs, copied),
            *(self.folder / "copies", self.toolchain, self.known),
        )
        for edit, name in original.keys:
            if EDITS[edit].needs_tests or (name is not None and name not in original.pairs):
                raise UsageError(f"the edit '{edit}' cannot be made in the copies: they have no tests, and no files.")

        def of(size: int) -> Subject:
            replicas = replicator.make(size)
            subject = replace(original, package=replicas.package, sources=replicas.sources, copy=None)
            pairs = subject.pairs
            modules = {
                name: replace(pairs[replicas.copies[0] if name == copied else name], name=name)
                for name in original.modules
            }
            placements, missing = _place(original.keys, Site(subject.package, subject.sources), modules, self.place)
            return replace(subject, modules=modules, placements=placements, missing=dict(original.missing) | missing)

        return of


def _place(
    keys: Sequence[Key], site: Site, modules: Mapping[str, Module], place: Placing
) -> tuple[dict[Key, Placement], dict[Key, str]]:
    placements: dict[Key, Placement] = {}
    missing: dict[Key, str] = {}
    for edit, name in keys:
        if name is not None and name not in modules:
            placements[edit, name] = place_in_file(Path(name), edit, site)
            continue
        placed, none = place([edit], site, {name: modules[name]} if name else {})
        placements |= placed
        missing |= none
    return placements, missing
