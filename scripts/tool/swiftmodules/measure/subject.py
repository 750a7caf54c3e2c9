"""A package as it was read from a private copy, and its layouts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from swiftmodules.errors import ToolError, UsageError
from swiftmodules.layouts.generate import (
    INTERFACE,
    copied_layout,
    flags_of,
    make_layout,
    without_flags,
)
from swiftmodules.layouts.layout import Layout
from swiftmodules.progress import ProgressView
from swiftmodules.swiftpm.config import Config
from swiftmodules.swiftpm.copy import PackageCopy, copy_with_local_packages
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import SourceFile, read_sources, require_readable
from swiftmodules.swiftpm.state import State
from swiftmodules.swiftpm.toolchain import Toolchain


@dataclass(frozen=True)
class Subject:
    """A package with its parsed files, including its tests; a generated package has no `copy` and no `state`. `removed`
    are the flags of its manifest that it is built without."""

    package: Package
    sources: Mapping[Path, SourceFile]
    copy: PackageCopy | None = None
    state: State | None = None
    removed: tuple[str, ...] = ()

    def without_choices_of(self, compared: Collection[str]) -> Subject:
        """The package without the flags of its manifest that choose what some flags do."""
        removed = flags_of(self.package, compared)
        return replace(self, package=without_flags(self.package, removed), removed=removed)

    def layout(self, name: str, is_copy: bool = False) -> Layout:
        """One layout, generated, or for `interface` the package as it is. Raises `ToolError` where it is not
        possible."""
        try:
            if is_copy and name == INTERFACE and self.copy is not None:
                if self.removed:
                    raise ToolError("a copy of the package has its own manifest.")
                return copied_layout(name, self.package, self.sources, self.copy)
            return make_layout(name, self.package, self.sources, self.copy)
        except ToolError as error:
            if not self.removed:
                raise
            flags = ", ".join(map(repr, self.removed))
            raise ToolError(
                f"{error} The settings compare {flags}, which the manifest gives, so the copy needs another manifest. "
                "Leave out --settings, or remove the flags from the manifest."
            ) from error


@dataclass(frozen=True)
class Origin:
    """A package, the folder in which it is copied and built, and what that takes. `root` is the folder below which an
    earlier state of it was written."""

    package: Path
    folder: Path
    toolchain: Toolchain
    config: Config
    view: ProgressView
    root: Path = Path("/")

    def quiet(self, **changes: Any) -> Origin:  # noqa: ANN401  fields
        """Another state of the package, of whose reading nothing is shown."""
        return replace(self, view=ProgressView(lambda text: None), **changes)


def read_subject(origin: Origin) -> Subject:
    """Copies a package, and reads it."""
    view = origin.view
    view.note("Copying and reading the package")
    copy = copy_with_local_packages(origin.package, origin.folder / "original", origin.toolchain)
    root = copy.root / origin.root.relative_to("/")
    try:
        found = read_package(copy.folder, origin.toolchain, origin.config.names, root=root)
    except ToolError as error:
        raise ToolError(copy.original_names(str(error))) from error
    for name, reason in found.left_out.items():
        view.note(f"Left out: {name}: {reason}")
    if not found.code:
        raise UsageError(f"{found.name} has no target in Swift, so there is nothing to edit.")
    view.note("Parsing the sources")
    sources = read_sources(copy.folder, found, origin.toolchain)
    require_readable(sources.values())
    state = State.read(found, sources, origin.toolchain, root)
    return Subject(state.package, sources, copy, state)
