"""The folder of this program in the user's cache, for work that has no place in a package."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """The folder that `SWIFTMODULES_CACHE` names, or one in the user's cache."""
    user = Path.home() / "Library/Caches" if sys.platform == "darwin" else Path.home() / ".cache"
    usual = Path(os.environ.get("XDG_CACHE_HOME") or user) / "swiftmodules"
    return Path(os.environ.get("SWIFTMODULES_CACHE") or usual)
