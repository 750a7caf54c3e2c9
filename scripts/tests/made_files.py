"""Writes and copies files, packages and commits for tests."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from swiftmodules.layouts.layout import Layout
from swiftmodules.swiftpm.toolchain import Toolchain

Found = TypeVar("Found")
FIXTURES = Path(__file__).resolve().parent / "fixtures"


def files(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Writes each text into its file, with the folders around it."""
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return [folder / path for path in texts]


def programs(folder: Path, scripts: Mapping[str, str]) -> list[Path]:
    """Writes shell scripts that can be run."""
    found = files(folder, {path: f"#!/bin/sh\n{script}\n" for path, script in scripts.items()})
    for path in found:
        path.chmod(0o755)
    return found


def copied(folder: Path, *names: str) -> Path:
    """Copies fixtures into a folder, and returns the first of them."""
    copies = [shutil.copytree(FIXTURES / name, folder / Path(name).name) for name in names]
    return copies[0]


def texts(name: str) -> dict[str, str]:
    """The files of a fixture."""
    found = sorted(path for path in (FIXTURES / name).rglob("*") if path.is_file())
    return {path.relative_to(FIXTURES / name).as_posix(): path.read_text(encoding="utf-8") for path in found}


def written(layout: Layout, folder: Path) -> Path:
    """Writes a layout, and returns the folder of the package."""
    for path, content in layout.contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            shutil.copy2(content, folder / path, follow_symlinks=False)
        else:
            (folder / path).write_bytes(content)
    return folder / layout.place


def ran(toolchain: Toolchain, program: str, *arguments: str | Path) -> str:
    """Runs a program of the toolchain, which has to succeed, and returns what it prints."""
    command = [toolchain.bin / program, *arguments]
    done = subprocess.run(
        command, env=toolchain.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def git(folder: Path, *arguments: str) -> str:
    options = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    command = ["git", "-C", str(folder), *options, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def committed(folder: Path, message: str = "Some", texts: Mapping[str, str] = {}) -> str:
    """Writes texts and commits all files, after creating the repository if it is missing, and returns the commit."""
    files(folder, texts)
    git(folder, "init")
    git(folder, "add", "--all")
    git(folder, "commit", "--message", message)
    return git(folder, "rev-parse", "HEAD")


def repository(folder: Path) -> Path:
    """An empty repository whose user has a name, for programs that commit to it."""
    folder.mkdir(parents=True)
    git(folder, "init", "--initial-branch", "main")
    git(folder, "config", "user.name", "A")
    git(folder, "config", "user.email", "a@example.com")
    return folder


def history(folder: Path, state: Mapping[str, str], *edited: str) -> Path:
    """A repository with a package, and ten commits that each add a function to one of some files, in turn."""
    state = {".gitignore": ".build/\n", **state}
    committed(repository(folder), "First", state)
    for number in range(10):
        path = edited[number % len(edited)]
        state[path] += f"\nprivate func added{number}() {{}}\n"
        committed(folder, f"Edit {number}", {path: state[path]})
    return folder


def contents(folder: Path) -> dict[Path, tuple[bytes, int]]:
    """Every file of a folder with its mode."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder): (path.read_bytes(), path.lstat().st_mode) for path in found}


def wait_until(holds: Callable[[], Found], seconds: float = 120) -> Found:
    """Returns what is found in time, and fails where it is nothing."""
    deadline = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return found
