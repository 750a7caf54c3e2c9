"""Edits that are made up, in the package as it is, or also in an earlier state of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import Any

from msgspec.structs import asdict
from rich.console import Console

from swiftmodules.errors import UsageError
from swiftmodules.layouts.generate import INTERFACE
from swiftmodules.layouts.layout import Layout
from swiftmodules.layouts.replicate import Replicator
from swiftmodules.measure import record
from swiftmodules.measure.progress import ProgressView
from swiftmodules.measure.record import Cell, LeftOut, Variant
from swiftmodules.measure.sources import Plan, Sources
from swiftmodules.measure.subject import Origin, Subject, read_subject
from swiftmodules.steps.edit import (
    FIRST_EDITS,
    Key,
    most_imported,
    path_in_package,
    place_all,
    place_in_file,
    wanted_edit,
)
from swiftmodules.steps.placement import NoPlaceError, Placement, Site, same_place
from swiftmodules.swiftpm.copy import written_at
from swiftmodules.swiftpm.modules import Module

# The state of the package that is compared with that of a revision.
NOW = "now"


class Edits(Sources):
    """Edits that are made up: each is a step from the package to the package with the edit."""

    def __init__(self, plan: Plan, origin: Origin) -> None:
        self.plan = plan
        self._origin = origin
        self._numbers = count(1)
        subject = read_subject(origin)
        self.subject = subject if len(plan.settings) == 1 else subject.without_linker()
        wanted = [wanted_edit(word) for word in plan.edits]
        files = [path_in_package(name, origin.package) for name in plan.modules if name.endswith(".swift")]
        names = [name for name in plan.modules if not name.endswith(".swift")]
        if not files:
            names = self._chosen(names) if any(each.file is None for each in wanted) else []
        places = [*names, *(path.as_posix() for path in files)]
        keys: dict[Key, None] = {}
        for each in wanted:
            own = [path_in_package(each.file, origin.package).as_posix()] if each.file is not None else places
            keys |= dict.fromkeys((each.edit, place) for place in own)
        tested = {path.as_posix() for target in self.subject.package.tests for path in target.sources}
        self.with_tests = plan.until == "tests" or any(place in tested for _, place in keys)
        self._modules = {name: module for name, module in self._known.items() if name in names}
        self._keys = list(keys)
        self._placements, missing = self._placed(self.subject, self._modules)
        self.left_out = [LeftOut(edit=edit, module=name, reason=reason) for (edit, name), reason in missing.items()]
        self.rows = list(self._placements)
        if not self.rows:
            reasons = "; ".join(f"{each.edit}: {each.reason}" for each in self.left_out)
            raise UsageError(f"none of the edits has a place in the modules that are measured. {reasons}")

    def sized(self, copies: int) -> Subject:
        return self._replicas(copies)[0]

    def before(self, cell: Cell, with_tests: bool) -> Layout:
        return self._layout(cell.layout, cell.copies, with_tests or self.with_tests)

    def after(self, cell: Cell, with_tests: bool) -> Layout:
        _, placements = self._replicas(cell.copies)
        return self.before(cell, with_tests).with_edit(placements[cell.row], next(self._numbers))

    def changed(self, cell: Cell) -> Iterable[str]:
        subject, placements = self._replicas(cell.copies)
        file = placements[cell.row].file
        return [target.name for target in subject.package.targets if file in target.sources]

    def warm_up(self, variant: Variant) -> Sequence[Cell]:
        examples = {edit: (edit, module) for edit, module in reversed(self.rows)}
        rows = [examples[edit] for edit in FIRST_EDITS if edit in examples] or self.rows[:1]
        return [Cell(**asdict(variant), edit=edit, module=module) for edit, module in rows]

    def facts(self) -> dict[str, Any]:
        return {
            "placements": tuple(
                record.Place(edit=edit, module=name, description=each.description, file=each.file.as_posix())
                for (edit, name), each in self._placements.items()
            ),
        }

    @cached_property
    def _known(self) -> dict[str, Module]:
        """The modules and targets in which edits can be made."""
        package = self.subject.package
        alone = {each.name: Module(each.name, each, (each,)) for each in package.code}
        return alone | package.edited_modules

    def _chosen(self, modules: Sequence[str]) -> list[str]:
        """The modules in which kinds of edits are made."""
        package, config = self.subject.package, self._origin.config.measure
        known = package.edited_modules
        for name in modules:
            if name not in self._known:
                raise UsageError(f"No module is called '{name}'. Choose from: {', '.join(known) or 'none'}.")
        configured = [name for name in config.modules if name in known]
        if any(self.plan.copies) and not modules and config.scale_module:
            # The first of the others stands for what all copies use.
            return [*[name for name in configured if name != config.scale_module][:1], config.scale_module]
        if modules or configured:
            return list(modules or configured)
        if self.plan.usual is None:
            return list(known)
        return list(most_imported(Site(package, self.subject.sources), package.modules, self.plan.usual))

    def _placed(self, subject: Subject, modules: Mapping[str, Module]) -> tuple[dict[Key, Placement], dict[Key, str]]:
        placements: dict[Key, Placement] = {}
        missing: dict[Key, str] = {}
        site = Site(subject.package, subject.sources)
        for edit, name in self._keys:
            if name is not None and name in modules:
                placed, none = place_all([edit], site, {name: modules[name]})
                placements |= placed
                missing |= none
            else:
                placements[edit, name] = place_in_file(Path(name or ""), edit, site)
        return placements, missing

    @cache  # noqa: B019  as long as the run
    def _replicas(self, copies: int) -> tuple[Subject, Mapping[Key, Placement]]:
        """The package with so many copies, and the places of the edits, which are made in the first copy."""
        if not copies:
            return self.subject, self._placements
        if others := [name for _, name in self.rows if name not in self.subject.package.modules]:
            raise UsageError(f"Beside copies no edit can be made in {others[0]}, which is no module with an interface.")
        replicas = self._replicator.make(copies)
        subject = Subject(replicas.package, replicas.sources)
        pairs, copied = subject.package.modules, self._replicator.module
        modules = {
            name: replace(pairs[replicas.copies[0] if name == copied else name], name=name) for name in self._modules
        }
        placements, _ = self._placed(subject, modules)
        return subject, placements

    @cached_property
    def _replicator(self) -> Replicator:
        subject, origin = self.subject, self._origin
        module = origin.config.measure.scale_module or ""
        return Replicator(
            *(subject.package, subject.sources, module),
            *(origin.folder / "copies", origin.toolchain, None),
        )

    @cache  # noqa: B019  as long as the run
    def _layout(self, name: str, copies: int, with_tests: bool) -> Layout:
        subject = self.sized(copies)
        return (subject if with_tests else subject.without_tests()).layout(name, self.plan.is_copy)


class Against(Edits):
    """The same edits in two states of the package as it is: at a revision, and now."""

    def __init__(self, plan: Plan, origin: Origin) -> None:
        super().__init__(plan, origin)
        assert plan.against is not None
        folder = origin.folder / "against"
        package = written_at(plan.against, origin.package, folder / "tree")
        origin.view.stage(f"Reading it at {plan.against}")
        quiet = ProgressView(Console(quiet=True))
        self._former = read_subject(replace(origin, package=package, folder=folder, view=quiet))
        self._places_then: dict[Key, Placement] = {}
        for key, placement in list(self._placements.items()):
            try:
                self._places_then[key] = same_place(placement, self.subject.sources, self._former.sources)
            except NoPlaceError as reason:
                del self._placements[key]
                self.left_out = [
                    *self.left_out,
                    LeftOut(edit=key[0], module=key[1], reason=f"{plan.against}: {reason}"),
                ]
        self.rows = list(self._placements)
        if not self.rows:
            raise UsageError(f"none of the edits has a place in the package at {plan.against} too.")

    def meaning(self, layout: str) -> str:
        return f"the package at {layout}" if layout == self.plan.against else "the package as it is now"

    def possible(self) -> tuple[dict[str, Layout], list[LeftOut]]:
        return {name: self._layout(name, 0, self.with_tests) for name in self.plan.layouts}, []

    def with_all_tests(self, layout: str) -> Layout:
        return self._layout(layout, 0, True)

    def after(self, cell: Cell, with_tests: bool) -> Layout:
        return self.before(cell, with_tests).with_edit(self._placement(cell), next(self._numbers))

    def changed(self, cell: Cell) -> Iterable[str]:
        file, targets = self._placement(cell).file, self._subject_of(cell.layout).package.targets
        return [target.name for target in targets if file in target.sources]

    def _placement(self, cell: Cell) -> Placement:
        return (self._placements if cell.layout == NOW else self._places_then)[cell.row]

    def _subject_of(self, layout: str) -> Subject:
        return self.subject if layout == NOW else self._former

    @cache  # noqa: B019  as long as the run
    def _layout(self, name: str, copies: int, with_tests: bool) -> Layout:
        subject = self._subject_of(name)
        made = (subject if with_tests else subject.without_tests()).layout(INTERFACE, is_copy=True)
        return replace(made, name=name)
