"""The commands of this repository on copies of its checkout, and changes of these."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from repo import cli

REPOSITORY = cli.REPOSITORY


def run(checkout: Path, *arguments: str) -> int:
    """Runs a command of the repository on a copy, and returns its exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli, "REPOSITORY", checkout)
        patch.setattr("sys.argv", ["repo", *arguments])
        return cli.main(arguments)


def words_of(checkout: Path, *arguments: str) -> list[str]:
    """The words of such a command in a process of its own."""
    code = "import pathlib, sys; from repo import cli; cli.REPOSITORY = pathlib.Path(sys.argv.pop(1)); "
    code += "sys.exit(cli.main(sys.argv[1:]))"
    path = f"PYTHONPATH={REPOSITORY / 'scripts/tool'}:{REPOSITORY / 'scripts'}"
    return ["/usr/bin/env", path, sys.executable, "-c", code, str(checkout), *arguments]


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every file, and every folder as None, but for `.build` and `.git`."""
    paths = [path for path in folder.rglob("*") if {".build", ".git"}.isdisjoint(path.relative_to(folder).parts)]
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in paths}


def edit(checkout: Path, path: str, old: str, new: str) -> None:
    """Replaces text that a file has once."""
    text = (checkout / path).read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path} has {text.count(old)} of {old!r}"
    (checkout / path).write_text(text.replace(old, new), encoding="utf-8")
