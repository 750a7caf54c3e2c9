"""Every build runs with the same environment, locale and number of jobs, wherever it is started."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Subject

from buildspeed.layouts import make_layout
from buildspeed.toolchain import Toolchain
from buildspeed.workspace import Workspace

# Stands for `swift build`: tells how it was called.
_SWIFT = '#!/bin/sh\nenv | sort >"$0.environment"\nprintf "%s\\n" "$@" >"$0.arguments"\npwd >"$0.folder"\n'


def test_build_has_a_fixed_environment_locale_and_number_of_jobs(
    tiny_subject: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "swift").write_text(_SWIFT)
    (programs / "swift").chmod(0o755)
    seen = []
    for language, more in (("de_DE.UTF-8", {"SWIFTFLAGS": "-O"}), ("C", {"CFLAGS": "-g", "LC_TIME": "fr_FR"})):
        monkeypatch.setenv("LANG", language)
        monkeypatch.setenv("PATH", f"/somewhere/{language}", prepend=":")
        for name, value in more.items():
            monkeypatch.setenv(name, value)
        layout = make_layout("fused", tiny_subject.package, tiny_subject.sources)
        folder = tmp_path / f"work {language}"
        workspace = Workspace(layout, folder, Toolchain(programs, "Swift"), jobs=3)
        workspace.build()
        environment = (programs / "swift.environment").read_text().replace(str(folder), "")
        arguments = (programs / "swift.arguments").read_text().splitlines()
        assert arguments[arguments.index("--jobs") + 1] == "3"
        assert (programs / "swift.folder").read_text().strip() == str(workspace.package)
        seen.append(environment)
    assert seen[0] == seen[1]
    assert "LC_ALL=C.UTF-8\n" in seen[0]
    assert "LANG=C.UTF-8\n" in seen[0]
    for name in ("SWIFTFLAGS", "CFLAGS", "LC_TIME", "somewhere"):
        assert name not in seen[0]
