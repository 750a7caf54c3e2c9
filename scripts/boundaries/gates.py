"""Runs the commands of a package that find problems by themselves, and reads what they say."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from boundaries.configuration import Gate
from boundaries.findings import Finding
from boundaries.subject import MANIFEST, Subject
from buildspeed import processes

_PLACED = re.compile(r"(?P<path>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)?\s*(?P<message>.+)")
_SEVERITY = re.compile(r"(?P<severity>error|warning|note):\s*(?P<message>.+)")
_LAST_LINES = 10


def applies(gate: Gate, subject: Subject) -> bool:
    """Whether the package has what the gate looks at."""
    return any(path.match(gate.needs) for path in subject.tracked)


def run_gate(gate: Gate, subject: Subject) -> list[Finding]:
    """Runs a gate in the package's folder; it finds nothing where the command ends with 0."""
    command = [part for word in gate.command for part in _expanded(word, subject)]
    with tempfile.TemporaryDirectory(prefix="boundaries-") as temporary:
        log = Path(temporary) / "log"
        finished = processes.run(command, os.environ, subject.folder, log)
        output = log.read_text(encoding="utf-8", errors="replace")
    if finished.exit_code == 0:
        return []
    # A build tells of an error in a file once for each target that it keeps from being built.
    found = list(dict.fromkeys(_findings(gate, output, subject)))
    if found:
        return found
    last = "\n".join(output.strip().splitlines()[-_LAST_LINES:])
    words = " ".join(gate.command)
    return [Finding(MANIFEST, 1, gate.rule, f"'{words}' ended with {finished.exit_code}:\n{last}", gate.fix)]


def _expanded(word: str, subject: Subject) -> list[str]:
    match word:
        case "{python}":
            return [sys.executable]
        case "{swift files}":
            return sorted(str(path) for path in subject.tracked if path.suffix == ".swift")
        case "{python files}":
            return sorted(str(path) for path in subject.tracked if _is_python(subject.folder / path))
    return [word]


def _is_python(file: Path) -> bool:
    if file.suffix or not file.is_file():
        return file.suffix == ".py"
    with file.open("rb") as content:
        return re.match(rb"#!.*\bpython", content.readline()) is not None


def _findings(gate: Gate, output: str, subject: Subject) -> Iterator[Finding]:
    for line in output.splitlines():
        placed = _PLACED.fullmatch(line)
        severity = _SEVERITY.fullmatch(placed["message"] if placed else line)
        if severity and severity["severity"] != "error":
            continue
        message = severity["message"] if severity else placed["message"] if placed else ""
        if placed:
            path = _relative(Path(placed["path"]), subject.folder)
            if (subject.folder / path).exists():
                yield Finding(path, int(placed["line"]), gate.rule, message, gate.fix)
        elif severity:
            # Of the package as a whole; it may name a target.
            named = [each.name for each in subject.package.targets if re.search(rf"\b{each.name}\b", message)]
            line = subject.manifest_line(named[0]) if named else 1
            yield Finding(MANIFEST, line, gate.rule, message, gate.fix)


def _relative(path: Path, folder: Path) -> Path:
    return path.relative_to(folder) if path.is_relative_to(folder) else path
