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

_LINE = re.compile(
    r"(?:(?P<path>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)?\s*)?(?:(?P<severity>error|warning|note):\s*)?(?P<message>.+)"
)
_LAST_LINES = 10


def applies(gate: Gate, subject: Subject) -> bool:
    """Whether the package has what the gate looks at."""
    return any(path.match(gate.needs) for path in subject.tracked)


def run_gate(gate: Gate, subject: Subject, cache: Path | None = None) -> list[Finding]:
    """Runs a gate in the package's folder; it finds nothing where the command ends with 0.

    A gate with `inputs` looks only at what has changed since it found nothing; `cache` is where that is kept.
    """
    files = _files(gate, subject)
    if cache is None or not gate.inputs:
        return _run(gate, subject, files)
    # All that decides what it finds, but for the files that its command names.
    state = [subject.toolchain.version, sys.version, *gate.command]
    common = kept.key([*(word.encode() for word in state), *_contents(subject, subject.matching(gate.inputs))]).encode()
    keys = {path: kept.key([common, *_contents(subject, [path])]) for path in files or [Path()]}
    file = cache / "gates" / kept.key([os.fsencode(subject.folder), gate.rule.encode()])
    clean = set(kept.load(file, list[str]) or ())
    unknown = [path for path, key in keys.items() if key not in clean]
    found = _run(gate, subject, [path for path in files if path in unknown]) if unknown else []
    kept.store(file, [key for path, key in keys.items() if key in clean or not found])
    return found


def _contents(subject: Subject, paths: Sequence[Path]) -> Iterator[bytes]:
    for path in paths:
        file = subject.folder / path
        yield os.fsencode(path)
        yield file.read_bytes() if file.is_file() else b""


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
    words = {"{python}": [sys.executable], "{swift files}": files, "{python files}": files}
    command = [str(each) for word in gate.command for each in words.get(word, [word])]
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
    for match in filter(None, map(_LINE.fullmatch, output.splitlines())):
        message, severity = match["message"], match["severity"]
        if match["path"] and severity in (None, "error"):
            path = Path(match["path"])
            path = path.relative_to(subject.folder) if path.is_relative_to(subject.folder) else path
            if (subject.folder / path).exists():
                yield Finding(path, int(match["line"]), gate.rule, message, _fix(gate, message))
        elif severity == "error":
            # Of the package as a whole; it may name a target.
            named = [each.name for each in subject.package.targets if re.search(rf"\b{each.name}\b", message)]
            line = subject.manifest_line(named[0]) if named else 1
            yield Finding(subject.package.manifest, line, gate.rule, message, _fix(gate, message))


def _fix(gate: Gate, message: str) -> str:
    return next((each.fix for each in gate.remedies if re.search(each.message, message)), gate.fix)
