"""Runs the commands of a package that find problems on their own, and reads what they print."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from swiftmodules.check.findings import Finding
from swiftmodules.check.subject import Subject
from swiftmodules.swiftpm import cache as kept
from swiftmodules.swiftpm.config import Gate

_PLACED = re.compile(r"(?P<path>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)?\s*(?P<message>.+)")
_SEVERITY = re.compile(r"(?P<severity>error|warning|note):\s*(?P<message>.+)")
_LAST_LINES = 10
_FILES = ("{swift files}", "{python files}")


def applies(gate: Gate, subject: Subject) -> bool:
    """Whether the package has what the gate looks at."""
    return any(path.match(gate.needs) for path in subject.tracked)


def run_gate(gate: Gate, subject: Subject, cache: Path | None = None) -> list[Finding]:
    """Runs a gate in the package's folder; it finds nothing where the command ends with 0.

    A gate with `inputs` looks only at what has changed since it found nothing; `cache` is where that is kept.
    """
    file = cache / "gates" / kept.key([os.fsencode(subject.folder), gate.rule.encode()]) if cache else None
    if file is None or not gate.inputs:
        return _run(gate, subject, _files(gate, subject))
    state = _state(gate, subject)
    keys = {path: kept.key([state, os.fsencode(path), _content(subject, path)]) for path in _files(gate, subject)}
    keys = keys or {Path(): kept.key([state])}
    clean = set(kept.load(file, list[str]) or ())
    unknown = [path for path, key in keys.items() if key not in clean]
    found = _run(gate, subject, unknown) if unknown else []
    kept.store(file, [key for path, key in keys.items() if key in clean or not found])
    return found


def _state(gate: Gate, subject: Subject) -> bytes:
    """All that decides what a gate finds, but for the files that its command names."""
    parts = [subject.toolchain.version.encode(), sys.version.encode(), "\0".join(gate.command).encode()]
    for path in subject.matching(gate.inputs):
        parts += [os.fsencode(path), _content(subject, path)]
    return kept.key(parts).encode()


def _content(subject: Subject, path: Path) -> bytes:
    file = subject.folder / path
    return file.read_bytes() if file.is_file() else b""


def _files(gate: Gate, subject: Subject) -> list[Path]:
    """The files that the command of a gate names by a placeholder."""
    if "{swift files}" in gate.command:
        return sorted(path for path in subject.tracked if path.suffix == ".swift")
    if "{python files}" in gate.command:
        return sorted(path for path in subject.tracked if _is_python(subject.folder / path))
    return []


def _is_python(file: Path) -> bool:
    if file.suffix or not file.is_file():
        return file.suffix == ".py"
    with file.open("rb") as content:
        return re.match(rb"#!.*\bpython", content.readline()) is not None


def _run(gate: Gate, subject: Subject, files: Sequence[Path]) -> list[Finding]:
    command: list[str] = []
    for word in gate.command:
        command += map(str, files) if word in _FILES else [sys.executable if word == "{python}" else word]
    try:
        exit_code, output = _output(command, subject.folder)
    except OSError as error:
        exit_code, output = 127, str(error)
    if exit_code == 0:
        return []
    # A build reports an error in a file once for each target that it keeps from being built.
    found = list(dict.fromkeys(_findings(gate, output, subject)))
    if found:
        return found
    last = "\n".join(output.strip().splitlines()[-_LAST_LINES:])
    message = f"'{' '.join(gate.command)}' ended with {exit_code}:\n{last}"
    return [Finding(subject.package.manifest, 1, gate.rule, message, _fix(gate, last))]


def _output(command: Sequence[str], folder: Path) -> tuple[int, str]:
    """The exit code and all output of a command, which is ended with its descendants when an interrupt comes."""
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        output, _ = process.communicate()
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    return process.returncode, output.decode(errors="replace")


def _findings(gate: Gate, output: str, subject: Subject) -> Iterator[Finding]:
    for line in output.splitlines():
        placed = _PLACED.fullmatch(line)
        severity = _SEVERITY.fullmatch(placed["message"] if placed else line)
        if severity and severity["severity"] != "error":
            continue
        message = severity["message"] if severity else placed["message"] if placed else ""
        if placed:
            path = Path(placed["path"])
            path = path.relative_to(subject.folder) if path.is_relative_to(subject.folder) else path
            if (subject.folder / path).exists():
                yield Finding(path, int(placed["line"]), gate.rule, message, _fix(gate, message))
        elif severity:
            # Of the package as a whole; it may name a target.
            named = [each.name for each in subject.package.targets if re.search(rf"\b{each.name}\b", message)]
            place = subject.manifest_line(named[0]) if named else 1
            yield Finding(subject.package.manifest, place, gate.rule, message, _fix(gate, message))


def _fix(gate: Gate, message: str) -> str:
    return next((each.fix for each in gate.remedies if re.search(each.message, message)), gate.fix)
