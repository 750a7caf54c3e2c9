"""A variant that is built for what is compiled, and why: nothing is timed, and each edit begins from the same state."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from swiftmodules import process
from swiftmodules.builds.index import Mentions
from swiftmodules.builds.reasons import UNKNOWN, mangled_names, read_reasons, readable
from swiftmodules.builds.snapshot import Snapshot
from swiftmodules.builds.workspace import Build, Workspace
from swiftmodules.edits.catalogue import place_all
from swiftmodules.edits.site import Site
from swiftmodules.errors import BuildFailedError, ToolError
from swiftmodules.measure.plan import Step
from swiftmodules.measure.record import Sample
from swiftmodules.measure.samples import sample_of
from swiftmodules.measure.subject import Subject
from swiftmodules.swiftpm.modules import edited_modules

# One job at a time in a module, and no random order in the driver's sets: it finds the same reasons each time.
OPTIONS = ("--enable-index-store", "-Xswiftc", "-driver-show-incremental", "-Xswiftc", "-j1")
ENVIRONMENT = {"SWIFT_DETERMINISTIC_HASHING": "1"}
# A cheap and an expensive edit: the first builds after a clean one compile more, and are slower.
FIRST_EDITS = ("body", "interface-extension-member")


class Counted:
    """A variant in the state after a clean build and the first edits, to which it is restored after each edit."""

    def __init__(self, workspace: Workspace, subject: Subject, numbers: Iterator[int]) -> None:
        self._workspace = workspace
        self._subject = subject
        self._numbers = numbers
        self._demangled: dict[str, str] = {}
        workspace.build_clean()
        self._mentions = Mentions.read(workspace, workspace.toolchain)
        # Of all modules, so that it does not matter which are chosen.
        site = Site(subject.package, subject.sources)
        everywhere, _ = place_all(FIRST_EDITS, site, edited_modules(subject.package, subject.naming))
        for placement in {key[0]: placement for key, placement in everywhere.items()}.values():
            try:
                with workspace.edited(placement, next(numbers)):
                    pass
            except BuildFailedError:
                workspace.undo(placement)
        workspace.settle()
        # What the compiler records of a file depends on what it compiled with it, and so on the edits before.
        folder = workspace.scratch.parent
        self._settled = Snapshot(folder, folder.with_name(f"{folder.name}-settled"))

    def take(self, step: Step, number: int, position: int) -> list[Sample]:
        workspace, placement = self._workspace, self._subject.placements.get(step.key)
        build = workspace.edit_and_build(placement, next(self._numbers))
        compiled = reasons_of(workspace, build, self._demangled)
        workspace.undo(placement)
        self._settled.restore()
        left = workspace.build().work
        if not left.is_nothing:
            raise ToolError(
                f"the layout '{step.layout}' was restored to the state of its build, and yet a build found something "
                f"to do: {', '.join(left.compiled) or 'a link'}."
            )
        place, work = {"round": number, "position": position}, build.work
        smallest, made = self._mentions.smallest(placement), work.emitted_modules or 0
        return [
            sample_of(step, **place, compiled=compiled, smallest=smallest, linked=work.linked, emitted_modules=made)
        ]

    def close(self) -> None:
        self._workspace.remove_scratch()


def reasons_of(workspace: Workspace, build: Build, demangled: dict[str, str]) -> dict[str, str]:
    """The files that the last build compiled, with the reasons; `demangled` keeps the names that are known."""
    reasons = read_reasons(workspace.records, workspace.layout, workspace.originals)
    names = sorted(mangled_names(reasons.values()) - demangled.keys())
    if names:
        toolchain = workspace.toolchain
        command: list[str | Path] = [toolchain.bin / "swift-demangle", "-compact", *names]
        output = process.read(command, toolchain.environment, workspace.package)
        demangled |= dict(zip(names, output.decode().splitlines(), strict=True))
    found = {file: readable(reason, demangled) for file, reason in reasons.items()}
    return {file: found.get(file, UNKNOWN) for file in build.work.compiled}
