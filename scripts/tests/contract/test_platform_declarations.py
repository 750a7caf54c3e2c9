"""The declarations of C and of the toolchain's modules that this package uses, against what Apple's platforms have.

Nothing is compiled for those platforms here. The uses are those of the compiler's index, which 'swift build' writes.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from repo_checkout import REPOSITORY
from swiftmodules.builds.index import IndexStore
from swiftmodules.swiftpm.description import dump_manifest
from swiftmodules.swiftpm.toolchain import Toolchain, read

INDEX = REPOSITORY / ".build/debug/index/store"
# Each declaration of C, with its declaration in the headers of macOS, or its difference from that of glibc.
DARWIN = Path(__file__).with_name("Darwin.toml")
# Of `indexstore_symbol_role_t`: nobody has written it, as where a requirement is fulfilled by a default.
IMPLICIT = 1 << 8
# They declare what App, Modules and Tests use; what Glibc declares is in the list above.
LIBRARIES = (
    *("Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Observation", "Dispatch"),
    *("FoundationEssentials", "FoundationInternationalization", "Foundation", "FoundationNetworking"),
)
C_NAME = re.compile(r"c:(?:@(?:F|T|macro)@|@Ea@\w+@)(\w+)$|c:@(S@\w+(?:@FI@\w+)?)$|c:@(\w+)$")

# What is newer than a platform of the manifest, and used in clauses of `#available` only.
GUARDED = {
    (
        "Modules/RouterService/Implementation/Routing/PendingResult.swift",
        "immediate(name:priority:executorPreference:operation:)",
    ),
    ("Tests/RouterServiceTests/TypeKeyTests.swift", "InlineArray"),
}

# The files that use a declaration, by its USR and its name.
Uses = dict[tuple[str, str], set[str]]


class Symbol(msgspec.Struct):
    """A declaration in a symbol graph."""

    identifier: dict[str, str]
    availability: list[dict[str, Any]] = []


class Graph(msgspec.Struct):
    symbols: list[Symbol]


@cache
def path_of(file: Path) -> str | None:
    """The path of a file of this repository. Files that were moved stay in the index."""
    return str(file.relative_to(REPOSITORY)) if file.is_relative_to(REPOSITORY) and file.exists() else None


@pytest.fixture(scope="module")
def uses(toolchain: Toolchain) -> Uses:
    found: Uses = defaultdict(set)
    with closing(IndexStore(INDEX, toolchain)) as store:
        for file, each in store.occurrences():
            if not each.roles & IMPLICIT and (path := path_of(file)):
                found[each.usr, each.name].add(path)
    assert any("App/main.swift" in files for files in found.values()), "There is no index. Run 'swift build' first."
    return found


def c_name(usr: str) -> str | None:
    """The name of a declaration as C writes it: `stat.st_mode`, `struct stat`; None for those of other modules."""
    # What Swift's overlay of the library declares, because C has it with variable arguments or as an expression.
    if match := re.match(r"s:5Glibc(\d+)", usr):
        return usr[match.end() :][: int(match[1])]
    if not (match := C_NAME.match(usr)):
        return None
    plain, structure, variable = match.groups()
    if structure:
        kind, *field = structure.removeprefix("S@").split("@FI@")
        return f"{kind}.{field[0]}" if field else f"struct {kind}"
    return plain or variable


def test_declarations_of_c_are_those_that_were_looked_up_in_the_headers_of_macos(uses: Uses) -> None:
    found = {}
    for (usr, _), files in uses.items():
        own = sorted(file for file in files if file.startswith(("App/", "Modules/", "Tests/")))
        if own and (known := c_name(usr)):
            found[known] = own
    recorded = tomllib.loads(DARWIN.read_text(encoding="utf-8"))
    assert {name: files for name, files in found.items() if name not in recorded} == {}, "look each up, and add it"
    assert [*recorded] == sorted(recorded)


def test_declarations_of_the_toolchain_are_available_on_the_platforms_of_the_manifest(
    uses: Uses, toolchain: Toolchain, tmp_path: Path
) -> None:
    dumped = dump_manifest(REPOSITORY, toolchain)
    minimum = {each["platformName"]: version(each["version"]) for each in dumped["platforms"]}
    assert minimum["macos"] >= (15, 0) and len(minimum) == 5
    known = availabilities(toolchain, tmp_path)
    found = {
        (file, name): problem
        for (usr, name), files in uses.items()
        for problem in problems(known.get(usr, []), minimum)
        for file in files
    }
    assert {use: problem for use, problem in found.items() if use not in GUARDED} == {}
    assert found.keys() >= GUARDED
    # The declarations of other libraries are known at all.
    assert sum(usr in known for usr, _ in uses) > 500


@pytest.mark.parametrize(
    ("availability", "expected"),
    [
        ({"domain": "macOS", "introduced": {"major": 15}}, []),
        ({"domain": "macOS", "introduced": {"major": 15, "minor": 4}}, ["needs macOS 15.4"]),
        ({"domain": "macCatalyst", "introduced": {"major": 19}}, ["needs macCatalyst 19.0"]),
        ({"domain": "watchOS", "introduced": {"major": 99}}, []),
        ({"domain": "iOS", "deprecated": {"major": 18}}, ["is deprecated on iOS"]),
        ({"domain": "iOS", "deprecated": {"major": 100_000}}, []),
        ({"domain": "iOS", "isUnconditionallyUnavailable": True}, ["is unavailable on iOS"]),
        ({"isUnconditionallyDeprecated": True}, ["is deprecated on all platforms"]),
    ],
)
def test_availability_is_compared_with_the_manifest(availability: dict[str, Any], expected: list[str]) -> None:
    minimum = {"macos": (15, 0), "ios": (18, 0), "maccatalyst": (18, 0)}
    assert [*problems([availability], minimum)] == expected


def version(text: str) -> tuple[int, int]:
    major, minor, *_ = [*map(int, text.split(".")), 0]
    return major, minor


def availabilities(toolchain: Toolchain, folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The conditions of each declaration of the toolchain's libraries, by its USR, from their symbol graphs."""
    target = json.loads(read([toolchain.swiftc, "-print-target-info"], toolchain.environment, folder))
    triple = str(target["target"]["triple"])
    for library in LIBRARIES:
        command = [toolchain.bin / "swift-symbolgraph-extract", "-module-name", library, "-target", triple]
        options = ["-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder]
        for path in target["paths"]["runtimeLibraryImportPaths"]:
            options += ["-I", path]
        read([*command, *options], toolchain.environment, folder)
    return {
        symbol.identifier["precise"]: symbol.availability
        for file in folder.glob("*.symbols.json")
        for symbol in msgspec.json.decode(file.read_bytes(), type=Graph).symbols
    }


def problems(availability: list[dict[str, Any]], minimum: dict[str, tuple[int, int]]) -> Iterator[str]:
    """What keeps a declaration with these conditions from being used on a platform, from its earliest version on."""
    for each in availability:
        domain = each.get("domain")
        if domain and domain.lower().replace(" ", "") not in minimum:
            continue
        place, first = domain or "all platforms", minimum.get((domain or "").lower().replace(" ", ""), (0, 0))
        at = {
            key: (value.get("major", 0), value.get("minor", 0))
            for key, value in each.items()
            if isinstance(value, dict)
        }
        if at.get("introduced", first) > first:
            yield f"needs {place} {'.'.join(map(str, at['introduced']))}"
        if each.get("isUnconditionallyUnavailable") or at.get("obsoleted", (10**9, 0)) <= first:
            yield f"is unavailable on {place}"
        if each.get("isUnconditionallyDeprecated") or at.get("deprecated", (10**9, 0)) <= first:
            yield f"is deprecated on {place}"
