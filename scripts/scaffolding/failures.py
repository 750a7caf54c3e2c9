"""What can go wrong besides what `buildspeed.failures` has."""

from __future__ import annotations

from buildspeed.failures import MeasurementError


class RefusedError(MeasurementError):
    """Something that cannot be done safely; nothing was changed. The message says why and what to do."""
