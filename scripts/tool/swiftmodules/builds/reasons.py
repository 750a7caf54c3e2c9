"""Reads why the compiler's driver compiled each file, from its remarks (`-driver-show-incremental`)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from swiftmodules.layouts.layout import Layout

EDITED, ADDED, UNKNOWN = "edited", "added", "not reported"

_REMARK = re.compile(r"remark: Incremental compilation: (.*)")
_JOB = re.compile(r"\{compile: .* <= (.+?)\}")
_LAST_NODE = re.compile(r"source file from (.+)\.swiftdeps")
_IN_FILE = re.compile(r" in \S[^/]*$")
# Top-level names and those of members are not mangled.
_MANGLED = re.compile(r"(?<=type |. of )'(\w+)(@\w+)?'")
_NUMBERED = re.compile(r"\b([Ee])dit\d+\b")


def read_reasons(output: bytes, compiled: Collection[str], layout: Layout) -> dict[str, str]:
    """The reasons for the files that a build compiled, by original path.

    The driver names the files alone, so several of one name have none.
    """
    named: dict[str, list[str]] = {}
    for path, original in layout.originals.items():
        if original.as_posix() in compiled:
            named.setdefault(path.name, []).append(original.as_posix())
    result: dict[str, str] = {}
    for name, reason in reasons(output):
        files = named.get(name, [])
        if len(files) == 1 and (files[0] not in result or reason in (EDITED, ADDED)):
            result[files[0]] = reason
    return result


def reasons(output: bytes) -> Iterator[tuple[str, str]]:
    """Finds why files were compiled, in the output of a build.

    Yields the name of each file, and the reason. That of a file that was not changed is the path that the driver traced
    to it, in its words: what changed elsewhere, and what the file uses that depends on it where that is something else.
    """
    for found in _REMARK.finditer(output.decode(errors="replace")):
        remark = found[1]
        job = _JOB.search(remark)
        if remark.startswith("Scheduling changed input") and job:
            yield job[1], EDITED
        elif remark.startswith("Scheduling new") and job:
            yield job[1], ADDED
        elif remark.startswith("Traced: "):
            nodes = remark.removeprefix("Traced: ").split(" -> ")
            last = _LAST_NODE.search(nodes[-1])
            if last and len(nodes) > 1:
                ends = dict.fromkeys(_IN_FILE.sub("", node) for node in (nodes[0], nodes[-2]))
                yield f"{last[1]}.swift", " → ".join(ends)


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
