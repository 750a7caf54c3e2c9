"""Reading `swiftmodules.toml`."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_files import files
from swiftmodules.errors import UsageError
from swiftmodules.swiftpm.config import Config, config_of, read_config

FILE = "swiftmodules.toml"


def test_configuration_is_found_in_the_package_or_its_scripts(tmp_path: Path) -> None:
    assert config_of(tmp_path) == Config()
    for name in (f"scripts/{FILE}", FILE):
        files(tmp_path, {name: f'[measure]\nmodules = ["{name}"]\n'})
        assert config_of(tmp_path).measure.modules == (name,)
    with pytest.raises(UsageError, match="cannot be read"):
        read_config(tmp_path / "other.toml")


INVALID = {
    "[[targets": "is not TOML",
    "[rule]\n": r"unknown field `rule`\.$",
    '[[targets]]\nkind = "feature"\nnames = []\n': r"'feature' - at `\$\.targets\[0\]\.kind`\.$",
    "[changes]\ntests = { x = 1 }\n": r"Expected `array`, got `int` - at `\$\.changes\.tests\[\.\.\.\]`\.$",
    "[live]\n": r"missing required field `protocol` - at `\$\.live`\.$",
}


def test_invalid_configuration_is_reported_with_its_place(tmp_path: Path) -> None:
    for text, message in INVALID.items():
        with pytest.raises(UsageError, match=message):
            read_config(*files(tmp_path, {FILE: text}))
