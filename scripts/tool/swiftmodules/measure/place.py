"""A variant in a folder of its own, which stands at one state of the sources after another."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import count

from msgspec.structs import asdict, replace

from swiftmodules.builds.printed import first_error
from swiftmodules.builds.reasons import read_reasons
from swiftmodules.builds.workspace import Build, Workspace
from swiftmodules.closure import reached
from swiftmodules.errors import BuildFailedError, ToolError
from swiftmodules.layouts.layout import Layout
from swiftmodules.measure.record import CLEAN, LeftOut, Sample, Step, Variant
from swiftmodules.measure.states import States
from swiftmodules.swiftpm.target import Target


class Place:
    """One variant as it is built again and again. It is built clean when it is made."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._is_built = True
        self.clean = workspace.build_clean()

    def stand(self, layout: Layout) -> None:
        """Builds a state of the sources, which is not measured. Raises `BuildFailedError`."""
        if self.workspace.become(layout) or not self._is_built:
            self._build()

    def take(self, layout: Layout) -> Build:
        """Builds the next state. Raises `BuildFailedError`, and `ToolError` where the build did not compile the file
        that is another, so that its records cannot be trusted."""
        self.workspace.become(layout)
        build = self._build()
        for file in (layout.originals[path].as_posix() for path in layout.edited):
            if file not in build.compiled:
                raise ToolError(
                    f"the build of '{layout.name}' did not compile {file}, which was edited, so its records cannot be "
                    "trusted. Use a toolchain whose compiler's driver has the option -tools-directory."
                )
        return build

    def take_cached(self, layout: Layout, changed: Iterable[str]) -> tuple[Build, int]:
        """Builds the next state as caches of targets do, and returns the build of what a cache by source lacks, and the
        number of files that a cache by interface lacks.

        The first build compiles all dependents of a change, so it makes the modules of a clean build. They are compared
        with the modules of the state before, in the same folder, whose name is a part of a module's bytes. The second
        build begins at the state before too, and shows that a target with the same key needs no build.
        """
        workspace, own = self.workspace, {layout.groups.get(each, each) for each in changed}
        former, by_source = workspace.layout, layout.rebuilt(own)
        before = _interfaces(former, workspace.modules())
        workspace.become(layout)
        build = self._rebuild(by_source)
        after = _interfaces(layout, workspace.modules(), {each.name for each in by_source})
        by_interface = [each for each in by_source if each.name in own or before.get(each.name) != after[each.name]]
        self.stand(former)
        workspace.become(layout)
        self._rebuild(by_interface)
        return build, sum(len(each.sources) for each in by_interface if not each.is_test)

    def _rebuild(self, targets: Iterable[Target]) -> Build:
        """Builds after the outputs of these targets are removed. Raises `ToolError` where the build did not compile
        exactly the files of these targets."""
        layout, rebuilt = self.workspace.layout, [*targets]
        self.workspace.remove_outputs(each.imported_as for each in rebuilt)
        build = self._build()
        expected = {path.as_posix() for each in rebuilt for path in each.sources if path in layout.files}
        # Other packages are built too, and what SwiftPM generates.
        compiled = {path.as_posix() for path in layout.files}.intersection(build.compiled)
        if differing := sorted(expected ^ compiled):
            names = ", ".join(each.name for each in rebuilt)
            raise ToolError(
                f"without the outputs of [{names}], a build compiled too much or too little: {', '.join(differing)}."
            )
        return build

    def _build(self) -> Build:
        self._is_built = False
        build = self.workspace.build()
        self._is_built = True
        return build

    def reasons(self, build: Build) -> dict[str, str]:
        """The files that the last build compiled, with the reasons of the compiler's driver."""
        return read_reasons(build.output, build.compiled, self.workspace.layout, self.workspace.toolchain)

    def close(self) -> None:
        shutil.rmtree(self.workspace.scratch.parent, ignore_errors=True)


class Places:
    """The places of one round, each made when a step first needs it. Other variants than the baseline may fail; what
    could not be built is reported in place of its samples."""

    def __init__(self, states: States, with_tests: bool = False) -> None:
        self._states = states
        self._with_tests = with_tests
        self._plan, self._origin = states.plan, states.origin
        self._places: dict[tuple[Variant, bool], Place] = {}
        self._folders = count(1)

    def take(self, steps: Iterable[Step]) -> Iterator[Sample | LeftOut]:
        """Takes the steps of the round, and removes all places in the end."""
        try:
            for step in steps:
                yield from self._taken(step)
        finally:
            self.close()

    def place(self, step: Step) -> Place:
        """The place of a step, made when a step first needs it. Raises `ToolError`."""
        key = (step.variant, step.control)
        if key not in self._places:
            self._places[key] = self._made(step)
        return self._places[key]

    def close(self) -> None:
        for place in self._places.values():
            place.close()
        self._places.clear()

    def _taken(self, step: Step) -> Iterator[Sample | LeftOut]:
        states, is_new = self._states, (step.variant, step.control) not in self._places
        try:
            place = self.place(step)
        except ToolError as error:
            yield self._without(step, error, has_place=False)
            return
        if is_new:
            if self._plan.is_timed and not self._plan.history:
                yield self._sample(step, place, place.clean, place.clean.seconds, edit=CLEAN, module=None)
            for cell in states.warm_up(step.variant):
                with suppress(BuildFailedError):
                    place.take(states.after(cell, self._with_tests))
                    place.stand(states.before(cell, self._with_tests))
        try:
            self.stand_before(step, place)
            build, by_interface = self.built(step, place)
            seconds = self._tested(step, place) if self._plan.until == "tests" else build.seconds
        except ToolError as error:
            yield self._without(step, error, has_place=True)
            return
        yield self._sample(step, place, build, seconds, by_interface)

    def built(self, step: Step, place: Place) -> tuple[Build, int | None]:
        """Builds the state after a step to the end that the run asks for. Returns the build, and where it is counted,
        the number of files that a cache by interface lacks."""
        layout = self._states.after(step, self._with_tests)
        if self._plan.until != "cached":
            return place.take(layout), None
        return place.take_cached(layout, self._states.changed(step))

    def _tested(self, step: Step, place: Place) -> float | None:
        """Runs the tests that a step reaches, and returns the seconds; None where it reaches none."""
        rebuilt = place.workspace.layout.rebuilt(self._states.changed(step))
        tests = [each.imported_as for each in rebuilt if each.is_test]
        return place.workspace.run_tests(tests) if tests else None

    def stand_before(self, step: Step, place: Place) -> None:
        """Raises `BuildFailedError` where the state before the step builds neither incrementally nor clean."""
        try:
            place.stand(self._states.before(step, self._with_tests))
        except BuildFailedError:
            try:
                place.workspace.build_clean()
            except BuildFailedError as error:
                raise BuildFailedError(f"the state before it does not build: {first_error(str(error))}") from error
            self._origin.view.note(f"Before {step.name}, an incremental build failed, and a clean build succeeded.")

    def _sample(
        self,
        step: Step,
        place: Place,
        build: Build,
        seconds: float | None,
        by_interface: int | None = None,
        **cell: str | None,
    ) -> Sample:
        is_clean, is_timed = cell.get("edit") == CLEAN, self._plan.is_timed
        # A record of thousands of files has their number only.
        compiled = len(build.compiled) if is_clean or self._plan.copies else place.reasons(build)
        rebuilt = None if is_clean else replace(self._states.rebuilt(step.cell), by_interface=by_interface)
        return Sample(
            **(asdict(step) | cell),
            seconds=seconds if is_timed else None,
            compiled=compiled,
            linked=tuple(build.linked),
            rebuilt=rebuilt,
        )

    def _without(self, step: Step, error: ToolError, has_place: bool) -> LeftOut:
        """The record of a place that could not be made, or of a step that could not be built in it. Raises the error
        where the variant is not to blame for it, as for a full disk, or where nothing else would be left."""
        if type(error) not in (ToolError, BuildFailedError):
            raise error
        reason = first_error(str(error))
        # The layout may be possible at another commit.
        if has_place or self._plan.history:
            return LeftOut(**asdict(step.cell), reason=reason)
        if step.variant != self._plan.variants[0]:
            return LeftOut(**asdict(step.variant), reason=f"it does not build: {reason}")
        _, _, message = str(error).partition("\n")
        if not self._states.is_copy or not message:
            raise error
        raise BuildFailedError(
            f"{self._origin.package} does not build, so it cannot be measured. (The copy has no files that git "
            "ignores, and the manifest reads only the environment variables of --variable.) 'swift build' printed:\n"
            f"{message}"
        ) from error

    def _made(self, step: Step) -> Place:
        origin, setting = self._origin, self._plan.ways[step.setting]
        layout = self._states.before(step, self._with_tests)
        words = f"{step.variant.name}{' (control)' * step.control}"
        origin.view.note(f"Building {words}")
        # Each round has paths of its own.
        name = "-".join([str(step.round), str(next(self._folders)), *re.findall(r"\w+", words)])
        folder = origin.folder / "places" / name
        shutil.rmtree(folder, ignore_errors=True)
        return Place(Workspace(layout, folder, origin.toolchain, setting.words))


def _interfaces(
    layout: Layout, modules: Mapping[str, str], rebuilt: Collection[str] = ()
) -> dict[str, Mapping[str, object]]:
    """The compiled interfaces of all targets that each target depends on. A target without a module, such as one in C,
    counts as changed where it is rebuilt."""
    package = layout.package
    known = {each.name: modules.get(each.imported_as, each.name in rebuilt) for each in package.by_name.values()}
    return {
        name: {each: known[each] for each in reached(package.dependencies_of(name), package.dependencies_of)}
        for name in known
    }
