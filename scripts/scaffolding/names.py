"""Decides whether a module can have a name, before anything is written."""

from __future__ import annotations

import difflib
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from buildspeed.failures import UsageError
from buildspeed.toolchain import Toolchain
from scaffolding import naming, sources
from scaffolding.failures import RefusedError
from scaffolding.manifest import ROUTER, Manifest

_LONGEST = 40
_SUFFIXES = ("Interface", "Implementation", "Testing", "Tests", "Module", "Feature")
_KEYWORD = re.compile(
    r"Any|Self|Type|Protocol|as|associatedtype|break|case|catch|class|continue|default|defer|deinit|do|else|enum|"
    r"extension|fallthrough|false|fileprivate|for|func|guard|if|import|in|init|inout|internal|is|let|nil|operator|"
    r"precedencegroup|private|protocol|public|repeat|rethrows|return|self|static|struct|subscript|super|switch|throw|"
    r"throws|true|try|typealias|var|where|while"
)
# Not in every toolchain, so the compiler on one platform does not know all of them.
_ELSEWHERE = {"AppKit", "Cocoa", "Combine", "CoreData", "Darwin", "Glibc", "Musl", "SwiftData", "SwiftUI", "UIKit"}
_PROBED = ("Dispatch", "Foundation", "Observation", "Testing")


def check_spelling(name: str) -> None:
    """Refuses what is no name for a Swift type, or hardly one for a module."""
    if "/" in name or "\\" in name or name in (".", ".."):
        raise UsageError(
            f"'{name}' is a path. Give the module's name only, such as 'Badges'; its folders follow from it."
        )
    if _KEYWORD.fullmatch(name):
        raise UsageError(f"'{name}' is a keyword of Swift. Choose a noun that says what the module is about.")
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name, re.ASCII):
        raise UsageError(
            f"'{name}' is not the name of a Swift type as this repository writes them: a capital letter, then letters "
            "and digits, such as 'Badges' or 'ShoppingCart'."
        )
    if len(name) > _LONGEST:
        raise UsageError(f"'{name}' is longer than {_LONGEST} characters. Choose a shorter name.")
    for suffix in _SUFFIXES:
        if name.endswith(suffix):
            shorter = name.removesuffix(suffix)
            hint = f"; '{shorter}' gets a '{shorter}{suffix}'" if shorter else ""
            raise UsageError(f"'{name}' ends as names of targets and types do. Leave '{suffix}' out{hint}.")


def check_free(name: str, manifest: Manifest, checkout: Path) -> None:
    """Refuses the name of a module, target or folder that exists, also one that differs in capitals only."""
    for module in manifest.modules:
        if module.name.casefold() == name.casefold():
            raise UsageError(f"there is a module {module.name} already. Choose another name, or extend that module.")
    targets = ["App", "AppTests", *(target for module in manifest.modules for target in module.targets)]
    taken = {target.casefold(): target for target in targets}
    for target in (name, *(name + each for each in ("Interface", "Implementation", "Testing", "Tests"))):
        if target.casefold() in taken:
            raise UsageError(f"there is a target {taken[target.casefold()]} already. Choose another name.")
    for parent, folder in (("Modules", name), ("Tests", f"{name}Tests")):
        siblings = (checkout / parent).iterdir() if (checkout / parent).is_dir() else ()
        for sibling in siblings:
            if sibling.name.casefold() == folder.casefold():
                raise UsageError(
                    f"{parent}/{sibling.name} exists already, though {name} is in no list. Move it away or choose "
                    "another name."
                )


def check_types(name: str, files: Mapping[str, str], existing: Mapping[str, str], toolchain: Toolchain) -> None:
    """Refuses a name under which a file of the module would declare a type that exists already."""
    known = sources.declared_types(existing.items())
    for declared in [name, *sources.declared_types(files.items())]:
        if declared in known:
            raise UsageError(
                f"{known[declared]} declares a type {declared} already, which the module's own would hide. Choose "
                "another name."
            )
    if name in _ELSEWHERE:
        raise UsageError(
            f"'{name}' is a module of the system, which a type of this name would hide. Choose another name."
        )
    code, said = _probe(name, toolchain)
    if f"error: '{name}' is a module" in said:
        raise UsageError(
            f"'{name}' is a module of the toolchain, which a type of this name would hide. Choose another name."
        )
    if code == 0 or f"'{name}' is ambiguous" in said:
        raise UsageError(
            f"'{name}' is a type of Swift or of its libraries, which the module's own would hide. Choose another name."
        )
    if f"error: cannot find type '{name}' in scope" not in said:
        raise RefusedError(f"the compiler does not tell whether '{name}' is free:\n{said.strip()}")


def check_links(name: str, existing: Mapping[str, str]) -> None:
    """Refuses a name whose URL or whose routes' identifier exists already."""
    wanted = naming.url(name)
    for pattern, path in sources.urls(dict(existing)):
        if pattern.partition("?")[0] == wanted:
            raise UsageError(f"{path} registers the URL {wanted} already. Choose a name that leads to another URL.")
    wanted = f'"{naming.identifier(name)}.overview"'
    for path, text in existing.items():
        if wanted in text:
            raise UsageError(f"{path} has the identifier {wanted} already. Choose another name.")


def uses(names: Sequence[str], name: str, manifest: Manifest) -> tuple[str, ...]:
    """The modules to use, each once and alphabetical; refuses those that cannot be used."""
    usable = [each for each in manifest.names if each != ROUTER]
    for each in names:
        if each == name:
            raise UsageError(f"{name} cannot use itself. Leave it out of --uses.")
        if each == ROUTER:
            raise UsageError(f"every module may import the interface of {ROUTER}. Leave it out of --uses.")
        if each not in usable:
            raise UsageError(f"no module is called '{each}'. {nearest(each, usable)}")
    return tuple(sorted(set(names), key=str.casefold))


def nearest(name: str, known: Sequence[str]) -> str:
    """A hint for a name that is not among the known ones."""
    folded = {each.casefold(): each for each in known}
    close = difflib.get_close_matches(name.casefold(), list(folded), n=1)
    question = f"Did you mean '{folded[close[0]]}'? " if close else ""
    return f"{question}The modules are: {', '.join(known)}."


def _probe(name: str, toolchain: Toolchain) -> tuple[int, str]:
    """The compiler's exit code and words for a program that uses the name as a type of the standard libraries."""
    imports = "".join(f"#if canImport({module})\nimport {module}\n#endif\n" for module in _PROBED)
    code = f"{imports}#if canImport({name})\n#error(\"'{name}' is a module\")\n#endif\ntypealias Probe = {name}\n"
    command = [toolchain.swiftc, "-typecheck", "-"]
    result = subprocess.run(command, env=toolchain.environment, input=code, capture_output=True, text=True)
    return result.returncode, result.stderr
