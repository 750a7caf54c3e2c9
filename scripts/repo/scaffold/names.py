"""The forms of a module's name, and whether a module can have it."""

from __future__ import annotations

import difflib
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from swiftmodules.errors import UsageError
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.scaffold.changes import RefusedError
from repo.scaffold.module_lists import ROUTER, ListedModule, ModuleList

# The folders that are compiled into one program, so that their types share one namespace.
PROGRAM = ("App", "Modules")
EVERYTHING = (*PROGRAM, "Tests", "scripts")

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LONGEST = 40
_TARGETS = ("Interface", "Implementation", "Testing", "Tests")
_KEYWORD = re.compile(
    r"Any|Self|Type|Protocol|as|associatedtype|break|case|catch|class|continue|default|defer|deinit|do|else|enum|"
    r"extension|fallthrough|false|fileprivate|for|func|guard|if|import|in|init|inout|internal|is|let|nil|operator|"
    r"precedencegroup|private|protocol|public|repeat|rethrows|return|self|static|struct|subscript|super|switch|throw|"
    r"throws|true|try|typealias|var|where|while"
)
# Not in every toolchain, so the compiler on one platform does not know all of them.
_ELSEWHERE = {"AppKit", "Cocoa", "Combine", "CoreData", "Darwin", "Glibc", "Musl", "SwiftData", "SwiftUI", "UIKit"}
_PROBED = ("Dispatch", "Foundation", "Observation", "Testing")

# Text is enough to find what a new name clashes with: `swift format` puts what is at the top of a file at the margin.
_TYPE = re.compile(
    r"^(?:@\w+(?:\([^)\n]*\))? )*(?:(?:public|package|internal|private|fileprivate|open|final|indirect|nonisolated) )*"
    r"(?:struct|enum|class|actor|protocol|typealias) (\w+)",
    re.MULTILINE,
)
# Generic parameters stand before the colon, so `RouteContext<Destination: Route>` is not a route.
_ROUTE = re.compile(r"^[^\n/\"]*\b(?:struct|enum|class|extension) [\w.]+\s*:[^{]*\bRoute\b", re.MULTILINE)
_IMPORT = re.compile(
    r"^[^\n/\"]*\bimport (?:(?:struct|class|enum|protocol|func|var|let|typealias) )?(\w+)", re.MULTILINE
)
_URL = re.compile(r'\.url\("([^"\n?]+)')


def words(name: str) -> list[str]:
    """`ShoppingCart` as its two words; `HTTPClient` likewise."""
    return _WORD_START.split(name)


def identifier(name: str) -> str:
    """`shopping-cart`, as it stands in links and URLs."""
    return "-".join(words(name)).lower()


def url(name: str) -> str:
    """The URL of the module's first screen."""
    return f"app://{identifier(name)}"


def title(name: str) -> str:
    """`Shopping cart`, as the user reads it; `HTTP client`."""
    first, *rest = words(name)
    return " ".join([first, *(word if word.isupper() else word.lower() for word in rest)])


def swift_files(checkout: Path, folders: Iterable[str]) -> dict[str, str]:
    """The text of every Swift file in some folders, by its path in the checkout."""
    paths = [path for folder in folders for path in sorted((checkout / folder).rglob("*.swift"))]
    return {
        path.relative_to(checkout).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in paths
        if path.is_file() and ".build" not in path.relative_to(checkout).parts
    }


def declares_route(texts: Iterable[str]) -> bool:
    """Whether a type in one of some texts is declared to be a route."""
    return any(_ROUTE.search(text) for text in texts)


def imported(text: str) -> set[str]:
    """The modules that a Swift file imports."""
    return set(_IMPORT.findall(text))


def check_spelling(name: str) -> None:
    """Refuses an invalid name of a Swift type, or a misleading one for a module."""
    if "/" in name or "\\" in name or name in (".", ".."):
        raise UsageError(
            f"'{name}' is a path. Give the module's name only, such as 'Badges'; its folders follow from it."
        )
    if _KEYWORD.fullmatch(name):
        raise UsageError(f"'{name}' is a keyword of Swift. Choose a noun that names what the module is about.")
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name, re.ASCII):
        raise UsageError(
            f"'{name}' is not the name of a Swift type as this repository writes them: a capital letter, then letters "
            "and digits, such as 'Badges' or 'ShoppingCart'."
        )
    if len(name) > _LONGEST:
        raise UsageError(f"'{name}' is longer than {_LONGEST} characters. Choose a shorter name.")
    for suffix in (*_TARGETS, "Module", "Feature"):
        if name.endswith(suffix):
            shorter = name.removesuffix(suffix)
            hint = f"; '{shorter}' gets a '{shorter}{suffix}'" if shorter else ""
            raise UsageError(f"'{name}' ends as names of targets and types do. Leave '{suffix}' out{hint}.")


def check_free(name: str, manifest: ModuleList, checkout: Path) -> None:
    """Refuses the name of a module, target or folder that exists, also one that differs in capitals only."""
    targets = ["App", "AppTests", *(target for module in manifest.modules for target in module.targets)]
    for kind, existing, own, remedy in (
        ("module", manifest.names, [name], "Choose another name, or extend that module."),
        ("target", targets, [name, *(name + suffix for suffix in _TARGETS)], "Choose another name."),
    ):
        taken = {each.casefold(): each for each in existing}
        found = next((taken[each.casefold()] for each in own if each.casefold() in taken), None)
        if found:
            raise UsageError(f"there is a {kind} {found} already. {remedy}")
    for parent, folder in (("Modules", name), ("Tests", f"{name}Tests")):
        for sibling in (checkout / parent).iterdir() if (checkout / parent).is_dir() else ():
            if sibling.name.casefold() == folder.casefold():
                raise UsageError(
                    f"{parent}/{sibling.name} exists already, though {name} is in no list. Move it away or choose "
                    "another name."
                )


def check_types(name: str, files: Mapping[str, str], existing: Mapping[str, str], toolchain: Toolchain) -> None:
    """Refuses a name under which a file of the module would declare a type that exists already."""
    known = {declared: path for path, text in existing.items() for declared in _TYPE.findall(text)}
    for declared in [name, *(each for text in files.values() for each in _TYPE.findall(text))]:
        if declared in known:
            raise UsageError(
                f"{known[declared]} declares a type {declared} already, which the module's own would hide. Choose "
                "another name."
            )
    hidden = _hidden_by(name, toolchain)
    if hidden:
        raise UsageError(f"'{name}' is {hidden}, which a type of this name would hide. Choose another name.")


def check_links(name: str, existing: Mapping[str, str]) -> None:
    """Refuses a name whose URL or whose routes' identifier exists already."""
    wanted = f'"{identifier(name)}.overview"'
    for path, text in existing.items():
        if url(name) in _URL.findall(text):
            raise UsageError(f"{path} registers the URL {url(name)} already. Choose a name that leads to another URL.")
        if wanted in text:
            raise UsageError(f"{path} has the identifier {wanted} already. Choose another name.")


def check_uses(names: Sequence[str], name: str, manifest: ModuleList) -> tuple[str, ...]:
    """The modules to use, each once and alphabetical; refuses those that cannot be used."""
    usable = [each for each in manifest.names if each != ROUTER]
    for each in names:
        if each == name:
            raise UsageError(f"{name} cannot use itself. Leave it out of --uses.")
        if each == ROUTER:
            raise UsageError(f"every module may import the interface of {ROUTER}. Leave it out of --uses.")
        if each not in usable:
            raise _unknown(each, usable)
    return tuple(sorted(set(names), key=str.casefold))


def listed_module(name: str, manifest: ModuleList) -> ListedModule:
    """The module of a name. Raises `UsageError` for a name that no module has."""
    for module in manifest.modules:
        if module.name == name:
            return module
    raise _unknown(name, manifest.names)


def _unknown(name: str, known: Sequence[str]) -> UsageError:
    folded = {each.casefold(): each for each in known}
    close = difflib.get_close_matches(name.casefold(), list(folded), n=1)
    question = f"Did you mean '{folded[close[0]]}'? " if close else ""
    return UsageError(f"no module is called '{name}'. {question}The modules are: {', '.join(known)}.")


def _hidden_by(name: str, toolchain: Toolchain) -> str | None:
    """Returns what a type of this name would hide, by the compiler's answer to a program that uses the name."""
    if name in _ELSEWHERE:
        return "a module of the system"
    imports = "".join(f"#if canImport({module})\nimport {module}\n#endif\n" for module in _PROBED)
    code = f"{imports}#if canImport({name})\n#error(\"'{name}' is a module\")\n#endif\ntypealias Probe = {name}\n"
    command: list[str | Path] = [toolchain.swiftc, "-typecheck", "-"]
    result = subprocess.run(command, env=toolchain.environment, input=code, capture_output=True, text=True, check=False)
    if f"error: '{name}' is a module" in result.stderr:
        return "a module of the toolchain"
    if result.returncode == 0 or f"'{name}' is ambiguous" in result.stderr:
        return "a type of Swift or of its libraries"
    if f"error: cannot find type '{name}' in scope" not in result.stderr:
        raise RefusedError(f"the compiler cannot determine whether '{name}' is free:\n{result.stderr.strip()}")
    return None
