"""The settings that `measure floor` compares: those of settings.toml, and those of the package's configuration."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from swiftmodules.errors import UsageError
from swiftmodules.records.model import CONTROL
from swiftmodules.swiftpm.config import Config, Setting, read_config

_OWN = Path(__file__).with_name("settings.toml")
# Where a setting wants a folder that outlives its builds.
_FOLDER = "{folder}"


def settings_of(config: Config) -> dict[str, Setting]:
    """All settings by their names. Raises `UsageError` where the configuration uses a name that is taken."""
    found: dict[str, Setting] = {}
    for setting in (*read_config(_OWN).measure.settings, *config.measure.settings):
        if setting.name in (CONTROL, *found):
            raise UsageError(
                f"'{setting.name}' in [[measure.settings]] is the name of another setting. Give it one of its own."
            )
        found[setting.name] = setting
    return found


def is_usable(setting: Setting) -> bool:
    """Whether the setting exists on this platform."""
    return not setting.platforms or sys.platform in setting.platforms


def chosen_settings(names: Sequence[str], config: Config) -> dict[str, Setting]:
    """The settings of these names, or all of this platform. Raises `UsageError` for those that do not exist, or not on
    this platform."""
    known = settings_of(config)
    for name in names:
        if name not in known:
            raise UsageError(f"There is no setting '{name}'. Choose from: {', '.join(known)}.")
        if not is_usable(known[name]):
            platforms = ", ".join(known[name].platforms)
            raise UsageError(f"The setting '{name}' exists on {platforms} only, and this is {sys.platform}.")
    return {name: known[name] for name in names or [name for name, each in known.items() if is_usable(each)]}


def options_of(setting: Setting) -> tuple[str, ...]:
    """The options of `swift build`, those of the compiler among them, with a place for the folder."""
    return (*setting.options, *(word for each in setting.compiler for word in ("-Xswiftc", each)))


def words_of(setting: Setting) -> tuple[str, ...]:
    """All that a setting adds to a command line, to be read."""
    jobs = () if setting.jobs is None else ("--jobs", str(setting.jobs))
    return (*(f"{name}={value}" for name, value in setting.environment.items()), *options_of(setting), *jobs)


def options_in(folder: Path, setting: Setting) -> tuple[str, ...]:
    """The options, with a folder for what outlives a build."""
    return tuple(word.replace(_FOLDER, str(folder)) for word in options_of(setting))


def keeps_results(setting: Setting) -> bool:
    """Whether a later clean build finds the results of an earlier one."""
    return any(_FOLDER in word for word in options_of(setting))
