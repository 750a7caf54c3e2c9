"""Packages that a command writes, and programs of this repository that it builds before it runs them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from swiftmodules.errors import BuildFailedError
from swiftmodules.files import write_atomically
from swiftmodules.process import started
from swiftmodules.progress import to_errors
from swiftmodules.swiftpm.toolchain import Toolchain, native_engine, read

# The descriptor of standard error.
_ERRORS = 2


def write_changed(place: Path, text: str) -> None:
    """Leaves a file as it is where nothing changes, so that nothing is built again."""
    if not place.is_file() or place.read_text(encoding="utf-8") != text:
        write_atomically(place, text)


def built(product: str, package: Path, scratch: Path, toolchain: Toolchain, configuration: str = "debug") -> Path:
    """Builds a program of a package into a folder; what SwiftPM prints goes to standard error."""
    command: list[str | Path] = [toolchain.swift, "build", "--configuration", configuration, "--product", product]
    command += [*native_engine(toolchain), "--scratch-path", scratch, "--package-path", package]
    to_errors(f"Building {product} in {configuration}")
    with started(command, toolchain.environment, package, stdin=subprocess.DEVNULL, stdout=_ERRORS) as building:
        if building.wait() != 0:
            raise BuildFailedError(f"{product} does not build; the messages are above.")
    products = read([*command, "--show-bin-path"], toolchain.environment, package).decode().strip()
    return Path(products) / product
