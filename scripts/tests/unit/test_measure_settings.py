"""The settings that can be compared: their list, and those that a package adds."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_files import files
from swiftmodules.errors import UsageError
from swiftmodules.measure.settings import chosen_settings, settings_of
from swiftmodules.swiftpm.config import Config, Measure, Setting, read_config


def test_words_hold_all_that_a_setting_adds() -> None:
    setting = Setting("all", "everything", ("--quiet",), ("-O",), {"A": "1", "B": ""}, jobs=3)
    assert setting.words == ("A=1", "B=", "--quiet", "-Xswiftc", "-O", "--jobs", "3")
    assert setting.all_options == ("--quiet", "-Xswiftc", "-O")


def test_settings_of_a_package_come_after_the_others_with_names_of_their_own(tmp_path: Path) -> None:
    text = '[[measure.settings]]\nname = "thin"\nmeaning = "what we try"\njobs = 4\n'
    (file,) = files(tmp_path, {"swiftmodules.toml": text})
    config = read_config(file)
    assert chosen_settings(("all",), config)[-1] == "thin" and settings_of(config)["thin"].jobs == 4
    assert chosen_settings(("thin", "default"), config) == ("thin", "default")
    with pytest.raises(UsageError, match=r"no setting 'fat'\. Choose from: default, .*, thin\."):
        chosen_settings(("default", "fat"), config)
    for name in ("lld", "thin"):
        own = Measure(settings=(Setting("thin", "what we try"), Setting(name, "the same")))
        with pytest.raises(UsageError, match=rf"'{name}' in \[\[measure\.settings\]\] is the name of another setting"):
            settings_of(Config(measure=own))
