"""Reads why the compiler's driver compiled each file, from its remarks (`-driver-show-incremental`)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from swiftmodules.layouts.layout import Layout
from swiftmodules.swiftpm.toolchain import Toolchain, output

EDITED, ADDED = "edited", "added"

_REMARK = re.compile(r"remark: Incremental compilation: (.*)")
_JOB = re.compile(r"\{compile: .* <= (.+?)\}")
_LAST_NODE = re.compile(r"source file from (.+)\.swiftdeps")
_IN_FILE = re.compile(r" in \S[^/]*$")
# Top-level names and those of members are not mangled.
_MANGLED = re.compile(r"(?<=type |. of )'(\w+)(@\w+)?'")
_NUMBERED = re.compile(r"\b([Ee])dit\d+\b")


def read_reasons(printed: bytes, compiled: Collection[str], layout: Layout, toolchain: Toolchain) -> dict[str, str]:
    """The files that a build compiled, by original path, each with the reason, in which names are as in source code.

    The driver names the files alone, so the reason is empty where several files have one name.
    """
    named: dict[str, list[str]] = {}
    for path, original in layout.originals.items():
        if original.as_posix() in compiled:
            named.setdefault(path.name, []).append(original.as_posix())
    found: dict[str, str] = {}
    for name, reason in reasons(printed):
        files = named.get(name, [])
        if len(files) == 1 and (files[0] not in found or reason in (EDITED, ADDED)):
            found[files[0]] = reason
    text = "".join(f"{_in_words(reason)}\n" for reason in found.values()).encode()
    words = output([toolchain.bin / "swift-demangle", "-compact"], toolchain.environment, toolchain.bin, text).decode()
    # A name that is not mangled after all stays as it is.
    known = dict(zip(found, words.replace("'$s", "'").split("\n")[:-1], strict=True))
    return {file: known.get(file, "") for file in compiled}


def reasons(printed: bytes) -> Iterator[tuple[str, str]]:
    """Finds why files were compiled, in the output of a build.

    Yields the name of each file, and the reason. That of a file that was not changed is the path that the driver traced
    to it, in its words: what changed elsewhere, and what the file uses that depends on it where that is something else.
    """
    for found in _REMARK.finditer(printed.decode(errors="replace")):
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


def _in_words(reason: str) -> str:
    """The reason without what differs from one edit to the next: the number of the edit, and the fingerprint that
    distinguishes the `extension` blocks of a type. Mangled names begin as `swift-demangle` reads them."""
    reason = _MANGLED.sub(lambda match: f"'$s{match[1]}'{' (one block of it)' * bool(match[2])}", reason)
    reason = re.sub(r"source file from (.+)\.swiftdeps", r"the file \1.swift", reason)
    reason = re.sub(r"source file from (\w+)(?= →|$)", r"the module \1", reason)
    return _NUMBERED.sub(r"\1dit", reason)
