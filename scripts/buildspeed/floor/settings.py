"""Settings of `swift build` that may make it faster."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from buildspeed.failures import UsageError
from buildspeed.package_graph import Package, Target

DEFAULT = "default"
# Where a setting wants a folder that outlives its builds.
_FOLDER = "{folder}"


@dataclass(frozen=True)
class Setting:
    """Options of `swift build`. `only_clean` marks what says nothing about an edit, and `platforms` where it exists,
    as Python calls them; everywhere when empty."""

    name: str
    meaning: str
    options: tuple[str, ...]
    only_clean: bool = False
    platforms: tuple[str, ...] = ()

    def words(self, folder: Path) -> tuple[str, ...]:
        """The options, with a folder for what outlives a build."""
        return tuple(word.replace(_FOLDER, str(folder)) for word in self.options)

    @property
    def keeps_results(self) -> bool:
        """Whether a later clean build finds the results of an earlier one."""
        return any(_FOLDER in word for word in self.options)


def _to_compiler(*words: str) -> tuple[str, ...]:
    return tuple(each for word in words for each in ("-Xswiftc", word))


_LLD = _to_compiler("-use-ld=lld")
_LINUX = ("linux",)

SETTINGS: Mapping[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting(DEFAULT, "what SwiftPM does by itself (on Linux the linker gold)", ()),
        Setting("lld", "the toolchain's linker lld", _LLD, platforms=_LINUX),
        Setting("no-index", "no index of the sources, which editors read", ("--disable-index-store",)),
        Setting(
            "line-tables",
            "debug information for backtraces only; a debugger shows no variables",
            _to_compiler("-gline-tables-only"),
        ),
        Setting("no-debug-info", "no debug information", ("-debug-info-format", "none")),
        Setting("lld-no-index", "`lld` and `no-index` together", (*_LLD, "--disable-index-store"), platforms=_LINUX),
        Setting(
            "cache",
            "the compile cache: results are kept, and a later clean build takes them",
            _to_compiler("-explicit-module-build", "-cache-compile-job", "-cas-path", f"{_FOLDER}/cache"),
            only_clean=True,
        ),
    )
}


def usable_settings() -> tuple[str, ...]:
    """The names of the settings that exist on this platform."""
    return tuple(name for name, setting in SETTINGS.items() if _is_usable(setting))


def require_usable(names: tuple[str, ...]) -> None:
    """Refuses settings that do not exist on this platform."""
    for name in names:
        if not _is_usable(SETTINGS[name]):
            platforms = ", ".join(SETTINGS[name].platforms)
            raise UsageError(f"the setting '{name}' exists on {platforms} only, and this is {sys.platform}.")


def without_linker(package: Package) -> Package:
    """The package without a choice of linker in its manifest, so that every setting makes its own."""

    def stripped(target: Target) -> Target:
        return replace(target, settings=tuple(each for each in target.settings if not _chooses_linker(each)))

    return replace(package, targets=tuple(map(stripped, package.targets)), tests=tuple(map(stripped, package.tests)))


def _chooses_linker(setting: Mapping[str, object]) -> bool:
    match setting:
        case {"tool": "linker", "kind": {"unsafeFlags": {"_0": flags}}} if isinstance(flags, list):
            return any(str(flag).startswith("-use-ld=") for flag in flags)
    return False


def _is_usable(setting: Setting) -> bool:
    return not setting.platforms or sys.platform in setting.platforms
