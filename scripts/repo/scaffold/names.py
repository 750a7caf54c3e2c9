"""The forms of a module's name, and whether a module can have it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from swiftmodules.errors import UsageError
from swiftmodules.process import captured

from repo.scaffold.lists import ROUTER, Checkout

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SUFFIXES = ("Interface", "Implementation", "Testing", "Tests")
# Text is enough to find what a new name clashes with: `swift format` puts what is at the top of a file at the margin.
_TYPE = re.compile(r"^(?:[@\w()]+ )*(?:struct|enum|class|actor|protocol|typealias) (\w+)", re.MULTILINE)
# Generic parameters stand before the colon, so `RouteContext<Destination: Route>` is not a route.
_ROUTE = re.compile(r"^[^\n/\"]*\b(?:struct|enum|class|extension) [\w.]+\s*:[^{]*\bRoute\b", re.MULTILINE)


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


def declares_route(texts: Iterable[str]) -> bool:
    """Whether a type in one of some texts is declared to be a route."""
    return any(_ROUTE.search(text) for text in texts)


def check_spelling(name: str) -> None:
    """Refuses an invalid name of a Swift type, or a misleading one for a module."""
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name, re.ASCII):
        raise UsageError(
            f"'{name}' is not the name of a Swift type as this repository writes them: a capital letter, then letters "
            "and digits, such as 'Badges' or 'ShoppingCart'."
        )
    if name == "Main":
        raise UsageError("The compiler takes a file 'Main.swift' for the start of a program. Choose another name.")
    if name == "Service":
        raise UsageError("Modules have a protocol and a file of the name Service. Choose another name.")
    for suffix in (*_SUFFIXES, "Module", "Feature"):
        if name.endswith(suffix):
            raise UsageError(f"'{name}' ends as names of targets and types do. Leave '{suffix}' out.")


def check_known(name: str, checkout: Checkout) -> None:
    """Refuses a name that means something in Swift or Foundation, which every file can see, and that of a module of the
    toolchain, whose types could not be named any more."""
    command: list[str | Path] = [checkout.toolchain.swiftc, "-typecheck", "-"]
    probes = {
        # In a type, where `Self` means something too.
        "a type": f"import Foundation\nstruct _Probe {{ typealias Known = {name} }}",
        "a module": f"import {name}",
    }
    for kind, code in probes.items():
        if captured(command, checkout.toolchain.environment, given=code.encode()).returncode == 0:
            raise UsageError(f"Swift or Foundation has {kind} {name} already. Choose another name.")


def check_free(name: str, checkout: Checkout) -> None:
    """Refuses the name of an existing target or folder, also where only capitals differ."""
    taken = {target.name.casefold(): f"a target {target.name}" for target in checkout.package.targets}
    folders = [each for parent in ("Modules", "Tests") for each in (checkout.folder / parent).iterdir()]
    taken = {each.name.casefold(): f"a folder {each.relative_to(checkout.folder)}" for each in folders} | taken
    for each in (name, *(name + suffix for suffix in _SUFFIXES)):
        if found := taken.get(each.casefold()):
            raise UsageError(f"There is {found} already. Choose another name.")


def check_types(name: str, files: Mapping[str, str], checkout: Checkout) -> None:
    """Refuses a name under which the module would declare a type, a URL or a route's identifier that exists already."""
    new = [name, *(each for text in files.values() for each in _TYPE.findall(text))]
    # The module's types share the namespace of the program.
    sources = (source for target in checkout.package.code for source in target.sources)
    texts = {path: checkout.text(str(path)) for path in sources}
    declared = {type: path for path, text in texts.items() for type in _TYPE.findall(text)}
    for each in new:
        if each in declared:
            raise UsageError(
                f"{declared[each]} declares a type {each} already, which the module's own would hide. Choose another "
                "name."
            )
    for path, text in texts.items():
        for used in (f'.url("{url(name)}"', f'.url("{url(name)}?', f'"{identifier(name)}.overview"'):
            if used in text:
                raise UsageError(f"{path} has {used} already. Choose a name that leads to another URL.")


def check_uses(names: Sequence[str], name: str, checkout: Checkout) -> list[str]:
    """The modules to use, each once and alphabetical; refuses a module that cannot be used."""
    for each in names:
        if each == name:
            raise UsageError(f"{name} cannot use itself. Leave it out of --uses.")
        if each == ROUTER:
            raise UsageError(f"Every module may import the interface of {ROUTER}. Leave it out of --uses.")
        checkout.require(each)
    return sorted(set(names), key=str.casefold)
