"""Tells a full disk from other failures, as builds fail on one with words of every kind, or seem to succeed."""

from __future__ import annotations

import shutil
from pathlib import Path

from buildspeed.failures import DiskFullError

# With less than this, what a build or its records wrote last may be missing or cut off.
_LEAST_FREE_BYTES = 2**20


def require_space(folder: Path, work: str) -> None:
    """Raises `DiskFullError` where the disk of a folder is full; `work` is what has just been done there."""
    free = shutil.disk_usage(folder).free
    if free < _LEAST_FREE_BYTES:
        raise DiskFullError(
            f"the disk of {folder} is full ({free // 1024} KiB are free), so {work} cannot be trusted. Make space, "
            "or name a folder on another disk with --scratch-path."
        )
