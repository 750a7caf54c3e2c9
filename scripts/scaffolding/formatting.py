"""Lays out Swift files as `swift format` does, with the checkout's rules."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from buildspeed.toolchain import Toolchain
from scaffolding.failures import RefusedError


def formatted(files: Mapping[str, str], checkout: Path, toolchain: Toolchain) -> dict[str, str]:
    """The same files with Swift laid out; files in other languages as they are.

    Raises `RefusedError` with the compiler's words where a file is no Swift.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = [path for path in files if path.endswith(".swift")]
        for path in sources:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(files[path], encoding="utf-8")
        command = [toolchain.swift, "format", "--in-place", "--configuration", checkout / ".swift-format", *sources]
        if sources:
            result = subprocess.run(command, cwd=folder, env=toolchain.environment, capture_output=True, text=True)
            if result.returncode != 0:
                raise RefusedError(f"'swift format' cannot read what is to be edited:\n{result.stderr.strip()}")
        return {
            path: (folder / path).read_text(encoding="utf-8") if path in sources else text
            for path, text in files.items()
        }
