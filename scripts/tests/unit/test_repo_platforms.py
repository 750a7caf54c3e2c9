"""The code that only some platforms compile, in which no test here can find a mistake: as little as possible."""

from __future__ import annotations

import re

from conftest import Parse
from repo_checkout import REPOSITORY
from swiftmodules.swiftpm.reader import SourceFile, read_files
from swiftmodules.swiftpm.toolchain import Toolchain

# Every condition on the platform, with what it is for. The tests run on Linux with Glibc.
CONDITIONS = {
    ("App/Arguments.swift", "canImport(Darwin)"): "data is kept in Application Support, elsewhere by XDG's rules",
    (
        "Modules/Display/Implementation/TerminalSignals.swift",
        "canImport(Darwin)",
    ): "names of C, and signals that end nothing",
    ("Modules/HTTPClient/Implementation/ServerAddress.swift", "os(Linux)"): "closes connections, nothing elsewhere",
    ("Modules/Storage/Implementation/File.swift", "canImport(Darwin)"): "F_FULLFSYNC, before what all platforms do",
    ("Tests/AppTests/DataFolderTests.swift", "os(Linux)"): "XDG's rules",
    ("Tests/AppTests/LastTextTests.swift", "os(Linux)"): "a library that is preloaded to make the disk slow",
    ("Tests/AppTests/SignalTests.swift", "os(Linux)"): "signals that other systems do not have",
    ("Tests/HTTPClientTests/HTTPFailureTests.swift", "os(Linux)"): "responses for which Foundation ends the program",
}
# Foundation has it elsewhere; and C's library, whose members `import Foundation` may not show on Darwin.
IMPORTS = re.compile(
    r"^ *#if canImport\(FoundationNetworking\)\n *(public )?import FoundationNetworking\n *#endif\n"
    r"|^( *)#if canImport\(Darwin\)\n\2    import Darwin\n\2#else\n\2    import Glibc\n\2#endif\n",
    re.M,
)
# A closure that is given to a dispatch source, up to the end of its first line.
SETTING = re.compile(rb"\.set(?:Event|Cancel|Registration)Handler\b")
HANDLER = re.compile(SETTING.pattern + rb"[^{\n]*\{([^\n]*)")
CONDITION = re.compile(r"^ *#(?:if|elseif) (.*\b(?:canImport|os|targetEnvironment|arch)\(.*)", re.M)


def test_conditions_on_the_platform_are_those_that_are_listed() -> None:
    found = []
    for folder in ("App", "Modules", "Tests", "docs", "scripts"):
        for file in sorted((REPOSITORY / folder).rglob("*.swift")):
            path = file.relative_to(REPOSITORY)
            if not {"fixtures", ".build"} & set(path.parts):
                text = IMPORTS.sub("", file.read_text(encoding="utf-8"))
                found += [(str(path), condition) for condition in CONDITION.findall(text)]
    assert found == list(CONDITIONS)


def isolated_handlers(file: SourceFile) -> list[str]:
    """The handlers of dispatch sources that have the isolation of the code around them: a source calls them on a queue,
    where Darwin ends the program, and Linux checks nothing."""
    free = [each for each, _ in file.walk() if each.has_body and "nonisolated" in each.modifiers]
    return [
        f"{file.path}:{file.line_at(match.start())}"
        for match in HANDLER.finditer(file.mask)
        if not match[1].lstrip().startswith(b"@Sendable")
        and not any(each.start <= match.start() < each.end for each in free)
    ]


def test_handlers_of_dispatch_sources_are_not_isolated(toolchain: Toolchain) -> None:
    folders = (REPOSITORY / name for name in ("App", "Modules", "Tests", "scripts/repo"))
    files = [file for folder in folders for file in folder.rglob("*.swift") if ".build" not in file.parts]
    setting = [file.relative_to(REPOSITORY) for file in files if SETTING.search(file.read_bytes())]
    assert setting
    found = read_files(REPOSITORY, setting, toolchain)
    assert [place for file in found.values() for place in isolated_handlers(file)] == []


def test_isolated_handler_is_found_wherever_it_stands(parse: Parse) -> None:
    handlers = (
        "source.setEventHandler { a() }; source.setEventHandler { @Sendable in a() }",
        "source.setCancelHandler(handler: { a() }); source.setRegistrationHandler(handler: handler)",
    )
    functions = f"func f() {{\n{handlers[0]}\n}}\nnonisolated func g() {{\n{handlers[1]}\n}}\n"
    file = parse(f"@MainActor struct S {{\n{functions}}}\nfunc h() {{\n{handlers[1]}\n// {handlers[0]}\n}}\n")
    assert isolated_handlers(file) == ["File.swift:3", "File.swift:10"]
