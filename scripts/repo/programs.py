"""Packages that a command writes, and programs of this repository that it builds before it runs them."""

from __future__ import annotations

from pathlib import Path

from swiftmodules import process
from swiftmodules.errors import BuildFailedError
from swiftmodules.files import write_atomically
from swiftmodules.progress import to_errors
from swiftmodules.swiftpm.toolchain import Toolchain, native_engine, read


def write_changed(place: Path, text: str) -> None:
    """Leaves a file as it is where nothing changes, so that nothing is built again."""
    if not place.is_file() or place.read_text(encoding="utf-8") != text:
        write_atomically(place, text)


def built(product: str, package: Path, scratch: Path, toolchain: Toolchain, configuration: str = "debug") -> Path:
    """Builds a program of a package into a folder; progress goes to standard error."""
    scratch.mkdir(parents=True, exist_ok=True)
    log = scratch / "build.log"
    command: list[str | Path] = [toolchain.swift, "build", "--configuration", configuration, "--product", product]
    command += [*native_engine(toolchain), "--scratch-path", scratch, "--package-path", package]
    to_errors(f"Building {product} in {configuration}")
    if process.run(command, toolchain.environment, package, log).exit_code != 0:
        raise BuildFailedError(f"{product} does not build:\n{log.read_text(errors='replace').strip()}")
    products = read([*command, "--show-bin-path"], toolchain.environment, package).decode().strip()
    return Path(products) / product
