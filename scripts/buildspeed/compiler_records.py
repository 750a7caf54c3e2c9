"""Reads what `record-swiftc` kept of one build: the compiler's jobs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RECORDER = Path(__file__).with_name("record-swiftc")


@dataclass(frozen=True)
class CompilerWork:
    """The compiled files, by their original paths, and the numbers of `emit-module` and link jobs."""

    compiled: tuple[str, ...]
    emitted_modules: int
    links: int


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
    return CompilerWork(tuple(sorted(compiled)), jobs["emit-module"], len(list(folder.glob("*.link"))))


def messages(output: bytes) -> Iterator[dict[str, Any]]:
    """The messages of the compiler's parseable output: each a line with a length in bytes, then so much JSON.

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
                yield json.loads(output[position : position + length])
            except ValueError:
                continue
            position += length


def _original(path: Path, package: Path, originals: Mapping[Path, Path]) -> str:
    if not path.is_relative_to(package):
        return f"(generated) {path.name}"
    relative = path.relative_to(package)
    return originals[relative].as_posix() if relative in originals else f"(generated) {path.name}"
