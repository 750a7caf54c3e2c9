"""Reading `swiftmodules.toml`."""

from __future__ import annotations

import signal
from pathlib import Path
from unittest import mock

import msgspec
import pytest
from made_files import files
from swiftmodules.errors import InterruptedRunError, UsageError
from swiftmodules.interrupts import interruptible
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
    "[rule]\n": r"unknown field 'rule', at 'the top'\. Allowed: targets, changes, measure, live",
    '[[targets]]\nkind = "feature"\nnames = []\n': r"'feature', at 'targets\[0\]\.kind'\. Allowed: implementation, int",
    '[[targets]]\nkind = "tests"\nnames = "A"\n': r"Expected 'array', got 'str', at 'targets\[0\]\.names'\.$",
    "[changes]\ntests = { x = 1 }\n": r"Expected 'array', got 'int', at 'changes\.tests\[\.\.\.\]'\.$",
    "[live]\n": "missing required field 'protocol', at 'live'. Allowed: protocol, interface",
}


def test_invalid_configuration_is_reported_with_the_place_and_what_is_allowed(tmp_path: Path) -> None:
    for text, message in INVALID.items():
        with pytest.raises(UsageError, match=message):
            read_config(*files(tmp_path, {FILE: text}))


def test_signal_waits_until_a_configuration_is_decoded(tmp_path: Path) -> None:
    files(tmp_path, {"swiftmodules.toml": ""})
    passed: list[str] = []

    def decode(text: str, **_: object) -> Config:
        # What is raised within it may crash the interpreter.
        signal.raise_signal(signal.SIGTERM)
        passed.append(text)
        return Config()

    with mock.patch.object(msgspec.toml, "decode", decode), pytest.raises(InterruptedRunError), interruptible():
        config_of(tmp_path)
    assert passed == [""]
