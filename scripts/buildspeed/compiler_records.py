"""Reads what `record-swiftc` kept of one build: the compiler's jobs."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

RECORDER = Path(__file__).with_name("record-swiftc")


@dataclass(frozen=True)
class CompilerWork:
    """The compiled files, by their original paths, the number of `emit-module` jobs, and the names of the linked
    products."""

    compiled: tuple[str, ...]
    emitted_modules: int
    linked: tuple[str, ...]

    @property
    def links(self) -> int:
        return len(self.linked)

    @property
    def is_nothing(self) -> bool:
        """Whether the build compiled and linked nothing."""
        return not self.compiled and not self.linked


def clear_records(folder: Path) -> None:
    """Forgets earlier builds."""
    for file in folder.iterdir():
        file.unlink()


def read_records(folder: Path, package: Path, originals: Mapping[Path, Path]) -> CompilerWork:
    """Reads the records of one build of the generated package in `package`.

    `originals` gives the original path of each generated one, so that counts compare between layouts.
    """
    jobs: Counter[str] = Counter()
    compiled: set[str] = set()
    for file in sorted(folder.glob("*.messages")):
        for message in messages(file.read_bytes()):
            if message.get("kind") != "began":
                continue
            jobs[message["name"]] += 1
            if message["name"] == "compile":
                compiled.update(_original(Path(each), package, originals) for each in message["inputs"])
    linked = sorted(_product(file) for file in folder.glob("*.link"))
    return CompilerWork(tuple(sorted(compiled)), jobs["emit-module"], tuple(linked))


def _product(link: Path) -> str:
    """The name of the file that a link job wrote."""
    arguments = link.read_text(errors="replace").splitlines()
    outputs = [value for option, value in pairwise(arguments) if option == "-o"]
    return Path(outputs[-1]).name if outputs else "(unknown)"


def messages(output: bytes) -> Iterator[dict[str, Any]]:
    """The messages of the compiler's parseable output."""
    return (message for _, message in placed_messages(output))


def placed_messages(output: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """The messages of the compiler's parseable output, each with the position of its end: a line with a length in
    bytes, then so much JSON.

    Other lines, which the compiler's own children may write, are skipped.
    """
    position = 0
    while position < len(output):
        end = output.find(b"\n", position)
        end = len(output) if end < 0 else end
        line = output[position:end].strip()
        position = end + 1
        if line.isdigit():
            length = int(line)
            try:
                yield position + length, json.loads(output[position : position + length])
            except ValueError:
                continue
            position += length


def _original(path: Path, package: Path, originals: Mapping[Path, Path]) -> str:
    # Files of other packages may stand beside it.
    relative = Path(os.path.relpath(path, package))
    return originals[relative].as_posix() if relative in originals else f"(generated) {path.name}"
