"""Edits that are made up, in the package as it is, or also in an earlier state of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from msgspec.structs import asdict

from swiftmodules.errors import UsageError
from swiftmodules.layouts.layout import Layout
from swiftmodules.layouts.replicate import replicate
from swiftmodules.measure import record
from swiftmodules.measure.plan import NOW, Plan
from swiftmodules.measure.record import Cell, LeftOut, Variant
from swiftmodules.measure.states import States
from swiftmodules.measure.subject import Origin, Subject, read_subject
from swiftmodules.steps.edit import Key, most_imported, place_all
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
        self._modules = self._chosen()
        placements, missing = self._placed(self.subject, self._modules)
        # The record describes the edits in the package as it is, also with copies.
        self._described = placements
        # The package, and the places of the edits, in each state.
        self._subjects = {NOW: self.subject}
        self._placements = {NOW: placements}
        if plan.against:
            missing |= self._compare(plan.against, placements)
        self.left_out = [LeftOut(edit=edit, module=name, reason=reason) for (edit, name), reason in missing.items()]
        self.rows = list(placements)
        if not self.rows:
            reasons = "; ".join(f"{each.edit}: {each.reason}" for each in self.left_out)
            raise UsageError(f"no edit fits the chosen modules. {reasons}")
        if plan.copies:
            self._replicate(plan.copies)

    def _compare(self, revision: str, placements: dict[Key, Placement]) -> dict[Key, str]:
        """Finds the places in an earlier state too. Removes the places that are missing there, and returns them with
        the reason."""
        folder = self.origin.folder / "against"
        package = written_at(revision, self.origin.package, folder / "tree")
        self.origin.view.note(f"Reading it at {revision}")
        former = read_subject(self.origin.quiet(package=package, folder=folder))
        then: dict[Key, Placement] = {}
        missing: dict[Key, str] = {}
        for key, placement in list(placements.items()):
            try:
                then[key] = same_place(placement, self.subject.sources, former.sources)
            except NoPlaceError as reason:
                del placements[key]
                missing[key] = f"{revision}: {reason}"
        self._subjects[revision], self._placements[revision] = former, then
        return missing

    def _replicate(self, copies: int) -> None:
        """Puts a package with copies of a module in the place of the package, with the edits in the first copy."""
        known, origin = self.subject.package.modules, self.origin
        if others := [name for name in self._modules if name not in known]:
            raise UsageError(
                f"With copies, only modules with an interface can be edited, not {others[0]}. Leave it out."
            )
        module, folder = origin.config.measure.scale_module or "", origin.folder / "copies"
        made, sources = replicate(self.subject.package, self.subject.sources, module, copies, folder, origin.toolchain)
        copied = {name: made.modules[f"{name}1" if name == module else name] for name in self._modules}
        self._subjects[NOW] = Subject(made, sources)
        self._placements[NOW], _ = self._placed(self._subjects[NOW], copied)

    def at(self, state: str) -> Subject:
        return self._subjects[state]

    def before(self, cell: Cell, with_tests: bool) -> Layout:
        return self._layout(self._state(cell), cell.layout, with_tests)

    def after(self, cell: Cell, with_tests: bool) -> Layout:
        return self.before(cell, with_tests).with_edit(self._placement(cell), next(self._numbers))

    def changed(self, cell: Cell) -> Iterable[str]:
        file, targets = self._placement(cell).file, self.at(self._state(cell)).package.targets
        return [target.name for target in targets if file in target.sources]

    def warm_up(self, variant: Variant) -> Sequence[Cell]:
        rows = dict.fromkeys((self.rows[0], self.rows[-1]))
        return [Cell(**asdict(variant), edit=edit, module=module) for edit, module in rows]

    def facts(self) -> dict[str, Any]:
        return {
            "placements": tuple(
                record.PlacedEdit(edit=edit, module=name, description=each.description, file=each.file.as_posix())
                for (edit, name), each in self._described.items()
            ),
        }

    def _state(self, cell: Cell) -> str:
        return cell.layout if self.plan.against else NOW

    def _placement(self, cell: Cell) -> Placement:
        return self._placements[self._state(cell)][cell.row]

    def _chosen(self) -> dict[str, Module]:
        """The modules and targets in which the edits are made."""
        package, config, plan = self.subject.package, self.origin.config.measure, self.plan
        usual = package.edited_modules
        known = {each.name: Module.of(each) for each in package.code} | usual
        if unknown := [name for name in plan.modules if name not in known]:
            raise UsageError(f"No module is called '{unknown[0]}'. Choose from: {', '.join(usual) or 'none'}.")
        configured = [name for name in config.modules if name in usual]
        names: Sequence[str] = plan.modules or configured[: 1 if plan.quick else None]
        if plan.copies and not plan.modules and config.scale_module:
            # The first of the others stands for what all copies use.
            names = [*[name for name in configured if name != config.scale_module][:1], config.scale_module]
        if not names and not plan.is_timed:
            names = [*usual]
        names = names or [most_imported(Site(package, self.subject.sources), package.modules)]
        return {name: known[name] for name in names}

    def _placed(self, subject: Subject, modules: Mapping[str, Module]) -> tuple[dict[Key, Placement], dict[Key, str]]:
        return place_all(self.plan.edits, Site(subject.package, subject.sources), modules)
