"""Writes files and commits for tests."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path


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


def git(folder: Path, *arguments: str) -> str:
    options = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    command = ["git", "-C", str(folder), *options, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def committed(folder: Path) -> str:
    """Commits all files, after creating the repository if it is missing, and returns the commit."""
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "--message", "Some")
    return git(folder, "rev-parse", "HEAD")
