"""Edits that are made up, in the package as it is, or also in an earlier state of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

from msgspec.structs import asdict
from rich.console import Console

from swiftmodules.errors import UsageError
from swiftmodules.layouts.layout import Layout
from swiftmodules.layouts.replicate import replicate
from swiftmodules.measure import record
from swiftmodules.measure.plan import NOW, Plan
from swiftmodules.measure.record import Cell, LeftOut, Variant
from swiftmodules.measure.states import States
from swiftmodules.measure.subject import Origin, Subject, read_subject
from swiftmodules.progress import ProgressView
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
from swiftmodules.swiftpm.git import written_at
from swiftmodules.swiftpm.modules import Module


class Edits(States):
    """Edits that are made up: each is a step from the package to the package with the edit. Against a revision, the
    layouts are two states of the package, and each edit is made in the same declaration of both."""

    last = NOW

    def __init__(self, plan: Plan, origin: Origin) -> None:
        super().__init__(plan, origin)
        self._numbers = count(1)
        self.subject = read_subject(origin)
        wanted = [wanted_edit(word) for word in plan.edits]
        files = [path_in_package(name, origin.package) for name in plan.modules if name.endswith(".swift")]
        names = [name for name in plan.modules if not name.endswith(".swift")]
        if not files:
            names = self._chosen(names) if any(file is None for _, file in wanted) else []
        places = [*names, *(path.as_posix() for path in files)]
        keys: dict[Key, None] = {}
        for edit, file in wanted:
            own = [path_in_package(file, origin.package).as_posix()] if file is not None else places
            keys |= dict.fromkeys((edit, place) for place in own)
        tested = {path.as_posix() for target in self.subject.package.tests for path in target.sources}
        self.with_tests = plan.until == "tests" or any(place in tested for _, place in keys)
        self._modules = {name: module for name, module in self._known.items() if name in names}
        self._keys = list(keys)
        placements, missing = self._placed(self.subject, self._modules)
        # By the state and the number of copies.
        self._subjects = {(NOW, 0): self.subject}
        self._placements = {(NOW, 0): placements}
        if plan.against:
            missing |= self._compare(plan.against, placements)
        self.left_out = [LeftOut(edit=edit, module=name, reason=reason) for (edit, name), reason in missing.items()]
        self.rows = list(placements)
        if not self.rows:
            reasons = "; ".join(f"{each.edit}: {each.reason}" for each in self.left_out)
            raise UsageError(f"no edit fits the chosen modules. {reasons}")

    def _compare(self, revision: str, placements: dict[Key, Placement]) -> dict[Key, str]:
        """Finds the places in an earlier state too. Removes the places that are missing there, and returns them with
        the reason."""
        folder = self.origin.folder / "against"
        package = written_at(revision, self.origin.package, folder / "tree")
        self.origin.view.note(f"Reading it at {revision}")
        quiet = ProgressView(Console(quiet=True))
        former = read_subject(replace(self.origin, package=package, folder=folder, view=quiet))
        then: dict[Key, Placement] = {}
        missing: dict[Key, str] = {}
        for key, placement in list(placements.items()):
            try:
                then[key] = same_place(placement, self.subject.sources, former.sources)
            except NoPlaceError as reason:
                del placements[key]
                missing[key] = f"{revision}: {reason}"
        self._subjects[revision, 0], self._placements[revision, 0] = former, then
        return missing

    def sized(self, state: str, copies: int) -> Subject:
        if (state, copies) not in self._subjects:
            known = self.subject.package.modules
            if others := [name for _, name in self.rows if name not in known]:
                raise UsageError(
                    f"With copies, only modules with an interface can be edited, not {others[0]}. Leave one out."
                )
            module, origin = self.origin.config.measure.scale_module or "", self.origin
            whole, folder = self.subject, origin.folder / "copies"
            made, sources = replicate(whole.package, whole.sources, module, copies, folder, origin.toolchain)
            subject = self._subjects[state, copies] = Subject(made, sources)
            # Edits of the module are made in its first copy.
            copied = {name: made.modules[f"{name}1" if name == module else name] for name in self._modules}
            modules = {name: replace(each, name=name) for name, each in copied.items()}
            self._placements[state, copies], _ = self._placed(subject, modules)
        return self._subjects[state, copies]

    def before(self, cell: Cell, with_tests: bool) -> Layout:
        return self._layout(self._state(cell), cell, with_tests)

    def after(self, cell: Cell, with_tests: bool) -> Layout:
        return self.before(cell, with_tests).with_edit(self._placement(cell), next(self._numbers))

    def changed(self, cell: Cell) -> Iterable[str]:
        file, targets = self._placement(cell).file, self.sized(self._state(cell), cell.copies).package.targets
        return [target.name for target in targets if file in target.sources]

    def warm_up(self, variant: Variant) -> Sequence[Cell]:
        examples = {edit: (edit, module) for edit, module in reversed(self.rows)}
        rows = [examples[edit] for edit in FIRST_EDITS if edit in examples] or self.rows[:1]
        return [Cell(**asdict(variant), edit=edit, module=module) for edit, module in rows]

    def facts(self) -> dict[str, Any]:
        return {
            "placements": tuple(
                record.PlacedEdit(edit=edit, module=name, description=each.description, file=each.file.as_posix())
                for (edit, name), each in self._placements[NOW, 0].items()
            ),
        }

    def _state(self, cell: Cell) -> str:
        return cell.layout if self.plan.against else NOW

    def _placement(self, cell: Cell) -> Placement:
        self.sized(self._state(cell), cell.copies)
        return self._placements[self._state(cell), cell.copies][cell.row]

    @cached_property
    def _known(self) -> dict[str, Module]:
        """The modules and targets in which edits can be made."""
        package = self.subject.package
        return {each.name: Module.of(each) for each in package.code} | package.edited_modules

    def _chosen(self, modules: Sequence[str]) -> list[str]:
        """The modules in which kinds of edits are made."""
        package, config = self.subject.package, self.origin.config.measure
        known = package.edited_modules
        for name in modules:
            if name not in self._known:
                raise UsageError(f"No module is called '{name}'. Choose from: {', '.join(known) or 'none'}.")
        configured = [name for name in config.modules if name in known]
        if any(self.plan.copies) and not modules and config.scale_module:
            # The first of the others stands for what all copies use.
            return [*[name for name in configured if name != config.scale_module][:1], config.scale_module]
        if modules or configured:
            return list(modules or configured[: 1 if self.plan.quick else None])
        if self.plan.usual_modules is None:
            return list(known)
        return list(most_imported(Site(package, self.subject.sources), package.modules, self.plan.usual_modules))

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
