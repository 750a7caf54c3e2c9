"""The modules of the checkout, and the two lists that name them: in `Package.swift`, and in `App/Composition.swift`.

What a module uses is read of the package, as SwiftPM evaluates it. A list is edited line by line, which is enough for
files that are laid out as `swift format` does it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from swiftmodules.errors import ToolError, UsageError
from swiftmodules.graph.architecture import suggestion
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.toolchain import Toolchain

MANIFEST, COMPOSITION = "Package.swift", "App/Composition.swift"
# Every target may import its interface, so no module names it.
ROUTER = "RouterService"

# The list in a file, and an entry in it with the name of its module.
_LISTS = {
    MANIFEST: (r"^let modules = \[.*?^\]", r'^    Module\(\s*"(\w+)"'),
    COMPOSITION: (r"-> \[any Module\] \{.*?^    \]", r"^ {8}(?:\S.*?\W)??(\w+)Module\("),
}
_COMMENTS_ABOVE = re.compile(r"(?:^[ \t]*//[^\n]*\n)*\Z", re.M)


@dataclass(frozen=True)
class Checkout:
    folder: Path
    toolchain: Toolchain

    @cached_property
    def package(self) -> Package:
        return read_package(self.folder, self.toolchain)

    @cached_property
    def modules(self) -> list[str]:
        names = [target.name for target in self.package.code if target.folder.match("Modules/*/Interface")]
        return sorted((name.removesuffix("Interface") for name in names), key=str.casefold)

    def uses(self, module: str) -> list[str]:
        """The modules whose interfaces the implementation of a module may import, without the router's."""
        named = self.package.dependencies_of(f"{module}Implementation")
        return [each for each in self.modules if f"{each}Interface" in named and each not in (module, ROUTER)]

    def require(self, module: str) -> None:
        """Raises `UsageError` for a name that no module has."""
        if module not in self.modules:
            raise UsageError(f"No module is called '{module}'.{suggestion(module, self.modules)}")

    def text(self, path: str) -> str:
        return (self.folder / path).read_text(encoding="utf-8")


def adding(text: str, path: str, name: str, entry: str) -> str:
    """The text of a file with one more entry in its list, in alphabetical order."""
    whole, one = _LISTS[path]
    found = re.search(whole, text, re.M | re.S)
    entries = list(re.compile(one, re.M).finditer(text, *found.span())) if found else []
    if not found or not entries:
        raise ToolError(f"{path} has no list of modules that can be read. Lay it out as 'swift format' does.")
    later = next((each.start() for each in entries if each[1].casefold() > name.casefold()), None)
    # Comments above an entry stay with it; the last line of the list is its bracket.
    comments = _COMMENTS_ABOVE.search(text, 0, later) if later else None
    position = comments.start() if comments else text.rindex("\n", 0, found.end()) + 1
    return f"{text[:position]}    {entry},\n{text[position:]}"
