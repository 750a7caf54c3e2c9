"""Reads why the compiler's driver compiled each file, from its remarks (`-driver-show-incremental`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from swiftmodules.builds.recorder import Records
from swiftmodules.layouts.layout import Layout

EDITED, ADDED, UNKNOWN = "edited", "added", "not told"

_REMARK = b"remark: Incremental compilation: "
_TARGET = re.compile(r"/(\w+)\.build/")
_JOB = re.compile(r"\{compile: .* <= (.+?)\}")
_LAST_NODE = re.compile(r"source file from (.+)\.swiftdeps")
_IN_FILE = re.compile(r" in \S[^/]*$")
# Top-level names and those of members are not mangled.
_MANGLED = re.compile(r"(?<=type |. of )'(\w+)(@\w+)?'")
_NUMBERED = re.compile(r"\b([Ee])dit\d+\b")


def read_reasons(records: Records, layout: Layout) -> dict[str, str]:
    """The reasons of one build, by original path. No two files of a target have the same name."""
    targets = {file.path: file.target for file in layout.files.values()}
    folders = {path.parent: target for path, target in targets.items()}
    known = {
        # A file that an edit added is in the target of its neighbours.
        (targets.get(path) or folders.get(path.parent), path.name): original.as_posix()
        for path, original in layout.originals.items()
    }
    result: dict[str, str] = {}
    for output in records.outputs():
        target, found = reasons(output)
        result |= {known[target, name]: reason for name, reason in found.items() if (target, name) in known}
    return result


def reasons(output: bytes) -> tuple[str | None, dict[str, str]]:
    """Finds why files were compiled, from the output of one run of the driver, which builds one target.

    Returns the name of the target, and the reasons by file name. The reason of a file that was not changed is the path
    that the driver traced to it, in its words: what changed elsewhere, and what the file uses that depends on it where
    that is something else.
    """
    target: str | None = None
    found: dict[str, str] = {}
    for line in output.splitlines():
        if not line.startswith(_REMARK):
            continue
        remark = line.removeprefix(_REMARK).decode(errors="replace")
        if target is None and (match := _TARGET.search(remark)):
            target = match[1]
        job = _JOB.search(remark)
        if remark.startswith("Scheduling changed input") and job:
            found[job[1]] = EDITED
        elif remark.startswith("Scheduling new") and job:
            found[job[1]] = ADDED
        elif remark.startswith("Traced: "):
            nodes = remark.removeprefix("Traced: ").split(" -> ")
            last = _LAST_NODE.search(nodes[-1])
            if last and len(nodes) > 1:
                ends = dict.fromkeys(_IN_FILE.sub("", node) for node in (nodes[0], nodes[-2]))
                found.setdefault(f"{last[1]}.swift", " → ".join(ends))
    return target, found


def mangled_names(reasons: Iterable[str]) -> set[str]:
    """The mangled names in reasons, as `swift-demangle` reads them."""
    return {f"$s{match[1]}" for reason in reasons for match in _MANGLED.finditer(reason)}


def readable(reason: str, demangled: Mapping[str, str]) -> str:
    """The reason with names as in source code, and without what differs from one edit to the next: the number of
    the edit, and the fingerprint that distinguishes the `extension` blocks of a type."""

    def name(match: re.Match[str]) -> str:
        block = " (one block of it)" if match[2] else ""
        return f"'{demangled.get(f'$s{match[1]}', match[1])}'{block}"

    reason = re.sub(r"source file from (.+)\.swiftdeps", r"the file \1.swift", reason)
    reason = re.sub(r"source file from (\w+)(?= →|$)", r"the module \1", reason)
    return _NUMBERED.sub(r"\1dit", _MANGLED.sub(name, reason))
