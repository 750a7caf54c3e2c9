"""The code that only some platforms compile, in which no test here can find a mistake: as little as possible."""

from __future__ import annotations

import re

from repo_checkout import REPOSITORY

# Every condition on the platform, with what it is for. The tests run on Linux with Glibc.
CONDITIONS = {
    ("App/Arguments.swift", "canImport(Darwin)"): "data is kept in Application Support, elsewhere by XDG's rules",
    ("App/CallSocket.swift", "canImport(Darwin)"): "the user at the other end of a socket: getpeereid, or SO_PEERCRED",
    ("Modules/HTTPClient/Implementation/ServerAddress.swift", "os(Linux)"): "closes connections, nothing elsewhere",
    ("Modules/Storage/Implementation/File.swift", "canImport(Darwin)"): "F_FULLFSYNC, before what all platforms do",
    ("Tests/AppTests/DataFolderTests.swift", "os(Linux)"): "XDG's rules",
    ("Tests/StorageTests/PowerLossTests.swift", "os(Linux)"): "recorded by a library that LD_PRELOAD names",
    ("scripts/tool/swiftmodules/builds/record-frontend.swift", "canImport(Darwin)"): "the import of C's library",
}
# Foundation has it elsewhere.
NETWORKING = re.compile(
    r"^ *#if canImport\(FoundationNetworking\)\n *(public )?import FoundationNetworking\n *#endif\n", re.M
)
CONDITION = re.compile(r"^ *#(?:if|elseif) (.*\b(?:canImport|os|targetEnvironment|arch)\(.*)", re.M)


def test_conditions_on_the_platform_are_those_that_are_listed() -> None:
    found = []
    for folder in ("App", "Modules", "Tests", "docs", "scripts"):
        for file in sorted((REPOSITORY / folder).rglob("*.swift")):
            path = file.relative_to(REPOSITORY)
            if not {"fixtures", ".build"} & set(path.parts):
                text = NETWORKING.sub("", file.read_text(encoding="utf-8"))
                found += [(str(path), condition) for condition in CONDITION.findall(text)]
    assert found == list(CONDITIONS)
