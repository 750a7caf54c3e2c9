"""A target of a package, with its sources, settings and dependencies."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

# A `command` is a plugin that no build runs; SwiftPM compiles it when the command is called.
TargetKind = Literal[
    "library", "executable", "test", "macro", "plugin", "command", "snippet", "clang", "binary", "system"
]


class Resource(msgspec.Struct, frozen=True):
    """A file or folder that a target takes along. The path is relative to the target's folder, and `rule` is as
    `swift package dump-package` prints it."""

    path: Path
    rule: dict[str, Any]


class Target(msgspec.Struct, frozen=True):
    """A target with its sources, relative to the package."""

    name: str
    kind: TargetKind
    folder: Path
    sources: tuple[Path, ...] = ()
    # Targets of the same package, plugins among them.
    dependencies: tuple[str, ...] = ()
    # Products of other packages, each with its package (None where the manifest does not name it).
    products: tuple[tuple[str, str | None], ...] = ()
    # The dependencies and products that it has on some platforms only, each with these: `macos`.
    platforms: dict[str, tuple[str, ...]] = {}
    # As `swift package dump-package` prints them.
    settings: tuple[dict[str, Any], ...] = ()
    resources: tuple[Resource, ...] = ()
    # The name by which sources import it; another one than `name` where that is not an identifier.
    import_name: str = ""

    @property
    def is_test(self) -> bool:
        return self.kind == "test"

    @property
    def is_executable(self) -> bool:
        return self.kind == "executable"

    @property
    def imported_as(self) -> str:
        return self.import_name or self.name

    def has_upcoming_feature(self, name: str) -> bool:
        return {"enableUpcomingFeature": {"_0": name}} in [setting["kind"] for setting in self.settings]
