"""The settings that can be compared: from settings.toml and from the package's configuration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from swiftmodules.errors import UsageError
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


def chosen_settings(names: Sequence[str], config: Config) -> tuple[str, ...]:
    """The settings of these names, or `all`. Raises `UsageError` for an unknown name."""
    known = settings_of(config)
    if tuple(names) == ("all",):
        return tuple(known)
    for name in names:
        if name not in known:
            raise UsageError(f"There is no setting '{name}'. Choose from: {', '.join(known)}.")
    return tuple(names)
