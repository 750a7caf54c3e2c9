"""What a run does: the choices of the user with all that they leave open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from swiftmodules.errors import UsageError
from swiftmodules.layouts.generate import FUSED, INTERFACE, LAYOUTS
from swiftmodules.measure.record import Variant
from swiftmodules.options import MeasureChoices
from swiftmodules.steps.edit import DEFAULT_EDITS, EDITS
from swiftmodules.steps.history import history_count
from swiftmodules.swiftpm.config import Config, Setting, read_config

# The rounds of a run for which the user has chosen no number.
ROUNDS = 6
# The present state of the package, which `--against` compares with a revision.
NOW = "now"
# The settings that every package can compare.
_SETTINGS = Path(__file__).with_name("settings.toml")


@dataclass(frozen=True, kw_only=True)
class Plan(MeasureChoices):
    """The choices of a run, with a value for each choice that the user has left open."""

    rounds: int = ROUNDS
    # The number of the commits that are the steps, in place of edits; 0 for edits.
    history: int = 0
    # The revision after which its commits come.
    since: str | None = None
    ways: Mapping[str, Setting] = field(default_factory=dict)

    @classmethod
    def of(cls, choices: MeasureChoices, config: Config) -> Plan:
        """Raises `UsageError` for wrong names, and for choices that exclude one another."""
        history = history_count(choices.edits)
        known = {each.name: each for each in (*read_config(_SETTINGS).measure.settings, *config.measure.settings)}
        _require_compatible(choices, known, bool(history))
        settings = tuple(known) if choices.settings == ("all",) else choices.settings or ("default",)
        rounds = (1 if history else ROUNDS) if choices.rounds is None else choices.rounds
        kinds = choices.edits or (DEFAULT_EDITS if rounds else ("all",))
        layouts = (INTERFACE,) if len(settings) > 1 else tuple(LAYOUTS)
        if choices.against:
            layouts = (INTERFACE, FUSED) if history else (choices.against, NOW)
        layouts = choices.layouts or layouts
        if len(layouts) > 1 and len(settings) > 1:
            raise UsageError(
                f"A run cannot compare {len(layouts)} layouts and {len(settings)} settings. Name one layout, or one "
                "setting."
            )
        made: dict[str, Any] = {
            "layouts": layouts,
            "settings": settings,
            "ways": {name: known[name] for name in settings},
            "edits": () if history else tuple(EDITS) if kinds == ("all",) else kinds,
            "rounds": rounds,
            "history": history,
            "since": choices.against if history else None,
            "against": None if history else choices.against,
        }
        return cls(**{**vars(choices), **made})

    @property
    def is_timed(self) -> bool:
        """Whether samples have times, and what else depends on the machine."""
        return self.rounds > 0

    @property
    def verifies(self) -> bool:
        return self.is_timed and not self.quick if self.verify is None else self.verify

    @property
    def variants(self) -> list[Variant]:
        """Everything that is built again and again, the baseline first."""
        return [Variant(layout=layout, setting=setting) for setting in self.settings for layout in self.layouts]


def _require_compatible(choices: MeasureChoices, settings: Mapping[str, Setting], is_history: bool) -> None:
    if choices.quick and choices.rounds is not None:
        raise UsageError("--quick chooses the number of rounds. Leave out --rounds, or --quick.")
    if choices.quick and is_history:
        raise UsageError("--quick cannot replay a history. Leave out --quick, and choose a smaller number.")
    if is_history and choices.copies:
        raise UsageError("A history has no copies. Leave out --copies.")
    if choices.against and (choices.layouts or choices.copies):
        raise UsageError(
            "--against chooses the layouts itself, and has no copies. Leave out --layouts and --copies, or --against."
        )
    edits = () if is_history or choices.edits == ("all",) else choices.edits
    ways = () if choices.settings == ("all",) else choices.settings
    for noun, names, known in (
        ("edit", edits, EDITS),
        ("layout", choices.layouts, LAYOUTS),
        ("setting", ways, settings),
    ):
        for name in names:
            if name not in known:
                raise UsageError(f"No {noun} is called '{name}'. Choose from: {', '.join(known)}.")
    engines = [name for name in ways if "--build-system" in settings[name].options]
    if choices.until != "built" and engines:
        raise UsageError(
            f"--until {choices.until} needs the native build engine, and '{engines[0]}' is another. Leave out one of "
            "them."
        )
