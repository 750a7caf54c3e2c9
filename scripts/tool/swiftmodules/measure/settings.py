"""The settings that can be compared: those of settings.toml, and those of the package's configuration."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from swiftmodules.errors import UsageError
from swiftmodules.measure.record import SettingFacts
from swiftmodules.swiftpm.config import Config, Setting, read_config

_OWN = Path(__file__).with_name("settings.toml")


def settings_of(config: Config) -> dict[str, Setting]:
    """All settings by their names. Raises `UsageError` where the configuration uses a name that is taken."""
    found: dict[str, Setting] = {}
    for setting in (*read_config(_OWN).measure.settings, *config.measure.settings):
        if setting.name in found:
            raise UsageError(
                f"'{setting.name}' in [[measure.settings]] is the name of another setting. Give it one of its own."
            )
        found[setting.name] = setting
    return found


def is_usable(setting: Setting) -> bool:
    """Whether the setting exists on this platform."""
    return not setting.platforms or sys.platform in setting.platforms


def chosen_settings(names: Sequence[str], config: Config) -> tuple[str, ...]:
    """The settings of these names; of `all`, those of this platform. Raises `UsageError` for those that do not exist,
    or not on this platform."""
    known = settings_of(config)
    if tuple(names) == ("all",):
        return tuple(name for name, each in known.items() if is_usable(each))
    for name in names:
        if name not in known:
            raise UsageError(f"There is no setting '{name}'. Choose from: {', '.join(known)}.")
        if not is_usable(known[name]):
            platforms = ", ".join(known[name].platforms)
            raise UsageError(f"The setting '{name}' exists on {platforms} only, and this is {sys.platform}.")
    return tuple(names)


def options_of(setting: Setting) -> tuple[str, ...]:
    """The options of `swift build`, those of the compiler among them."""
    return (*setting.options, *(word for each in setting.compiler for word in ("-Xswiftc", each)))


def facts_of(setting: Setting) -> SettingFacts:
    """What records hold of a setting."""
    variables = (f"{name}={value}" for name, value in setting.environment.items())
    jobs = () if setting.jobs is None else ("--jobs", str(setting.jobs))
    return SettingFacts((*variables, *options_of(setting), *jobs), setting.source)
