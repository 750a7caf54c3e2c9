"""The uses of a declaration, as far as the text shows: names are compared, and no types are known."""

from __future__ import annotations

import re
from collections.abc import Iterable

from swiftmodules.edits.site import Place
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import SourceFile


def mentions(file: SourceFile, names: Iterable[str]) -> bool:
    """Whether a file has one of the names, as a word, in its code."""
    choices = b"|".join(re.escape(name.encode()) for name in sorted(names))
    return bool(choices) and re.search(rb"\b(?:%b)\b" % choices, file.mask) is not None


def importing_files(module: Module, package: Package, sources: Iterable[SourceFile]) -> list[SourceFile]:
    """The files of the package that import a module's interface and are not part of it; tests are left out."""
    compiled = {path for target in package.code for path in target.sources} - set(module.interface.sources)
    name = module.interface.imported_as
    return [file for file in sources if file.path in compiled and name in {each.module for each in file.imports}]


def is_used(block: Place, users: Iterable[SourceFile]) -> bool:
    """Whether a file mentions a type declared in the block, or a member where it declares no types."""
    names = {each.name for each in block.members if each.is_type}
    names = names or {declaration.name for declaration, _ in block.declaration.walk()}
    return any(mentions(file, names) for file in users)
