"""Every build runs with the same environment, locale and number of jobs, wherever it is started, and with a toolchain
that is there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from conftest import Subject

from buildspeed.failures import MeasurementError, MissingToolchainError
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


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo 'error: no swift-build'; rm -r \"${0%/*}\"; exit 1", "has no 'swift' and 'swiftc' in"),
        ("echo 'error: no swift-build'; exit 1", "the build of the layout 'fused' failed:\nerror: no swift-build"),
    ],
)
def test_toolchain_that_goes_away_during_a_build_is_told_from_a_build_that_fails(
    script: str, message: str, tiny_subject: Subject, tmp_path: Path
) -> None:
    workspace = workspace_with(script, tiny_subject, tmp_path)
    with pytest.raises(MeasurementError, match=re.escape(message)):
        workspace.build()


def test_toolchain_that_has_gone_before_a_build_is_told(tiny_subject: Subject, tmp_path: Path) -> None:
    workspace = workspace_with("exit 0", tiny_subject, tmp_path)
    shutil.rmtree(tmp_path / "bin")
    for build in (workspace.build, lambda: workspace.build_apart(tmp_path / "apart")):
        with pytest.raises(MissingToolchainError, match=r"Put it back, or install one from https://www\.swift\.org"):
            build()


def workspace_with(script: str, subject: Subject, folder: Path) -> Workspace:
    """A workspace whose toolchain consists of two scripts."""
    programs = folder / "bin"
    programs.mkdir()
    for name in ("swift", "swiftc"):
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    layout = make_layout("fused", subject.package, subject.sources)
    return Workspace(layout, folder / "work", Toolchain(programs, "Swift"), jobs=2)
