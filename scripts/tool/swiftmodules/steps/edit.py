"""The edits: every kind by name, the default ones, and those that a user names: `KIND` or `FILE:KIND`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from swiftmodules.errors import UsageError
from swiftmodules.steps import kinds
from swiftmodules.steps.placement import NoPlaceError, Placement, Site, importing_files
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.target import Target


@dataclass(frozen=True)
class Edit:
    """A kind of edit, by its name on the command line and in records."""

    name: str
    # What it changes, as a phrase for help and reports.
    changes: str
    # Finds the place for one edit, or raises `NoPlaceError`.
    place: Callable[[Site], Placement]


_ALL = (
    Edit("body", "a statement in a function body of the implementation", kinds.body),
    Edit("private-top", "a private function added at the top level of an implementation file", kinds.private_top),
    Edit("internal-top", "an internal function added at the top level of the same file", kinds.internal_top),
    Edit("public-top", "a public function added at the top level of the same file", kinds.public_top),
    Edit("member", "a private method added to a type of the implementation", kinds.member_of_type),
    Edit("stored-property", "a constant with a value added to a type of the implementation", kinds.stored_property),
    Edit("signature", "a parameter with a default added to a function of the implementation", kinds.signature),
    Edit("new-file", "a new file with an internal type in the implementation", kinds.new_file),
    Edit(
        "interface",
        "a public type or function added to the interface where others use it",
        kinds.interface,
    ),
)
EDITS: Mapping[str, Edit] = {edit.name: edit for edit in _ALL}
DEFAULT_EDITS = ("body", "private-top", "public-top", "interface")
# A cheap and an expensive edit, for the first builds after a clean one.
FIRST_EDITS = ("body", "interface")

# An edit with the name of the module, or of the file, in which it is made.
Key = tuple[str, str | None]


def wanted_edit(text: str) -> Key:
    """The kind that `KIND`, `FILE:KIND`, or `FILE` for the edit of a body names, and the file. Raises `UsageError` for
    any other text."""
    if text in EDITS:
        return text, None
    file, colon, kind = text.rpartition(":")
    if not colon:
        if Path(text).suffix != ".swift":
            raise UsageError(f"There is no edit '{text}'. Choose from: {', '.join(EDITS)}; or name FILE:KIND.")
        return "body", text
    if kind not in EDITS:
        raise UsageError(f"{text}: the edit '{kind}' does not exist. Choose from: {', '.join(EDITS)}.")
    return kind, file


def place_all(
    edits: Iterable[str], site: Site, modules: Mapping[str, Module]
) -> tuple[dict[Key, Placement], dict[Key, str]]:
    """Finds the places of several edits in several modules. Returns the placements, and for each edit that has no place
    in a module the reason why."""
    placements: dict[Key, Placement] = {}
    missing: dict[Key, str] = {}
    for edit in edits:
        for name, module in modules.items():
            try:
                placements[edit, name] = EDITS[edit].place(replace(site, module=module, edit=edit))
            except NoPlaceError as reason:
                missing[edit, name] = str(reason)
    return placements, missing


def path_in_package(file: str, package: Path) -> Path:
    """A file's path relative to the package. The user may name it from the package, or from the working folder."""
    for candidate in (package / file, Path(file).resolve()):
        if candidate.is_file() and candidate.is_relative_to(package):
            return candidate.relative_to(package)
    raise UsageError(f"{package} has no file {file}.")


def place_in_file(path: Path, edit: str, site: Site) -> Placement:
    """Finds the place for an edit in one file. Raises `UsageError` where that makes no sense there."""
    target = _target_with(path, site.package)
    if target.kind != "library" and edit in ("public-top", "interface"):
        raise UsageError(f"{path}: nothing imports {target.name}, so the edit '{edit}' makes no sense there.")
    # All importers of the target may use the file.
    alone = msgspec.structs.replace(target, sources=(path,))
    site = replace(site, module=Module.of(alone, path.as_posix()), edit=edit)
    try:
        return EDITS[edit].place(site)
    except NoPlaceError as error:
        if edit == "body" and path.name == "main.swift":
            return kinds.statement_at_the_top(site, site.sources[path])
        raise UsageError(f"The edit '{edit}' has no place in {path}: {error}") from error


def most_imported(site: Site, modules: Mapping[str, Module], count: int) -> Sequence[str]:
    """The names of the modules that most files outside of them import; of the largest target where nothing is
    imported. A target that belongs to no module with an interface counts as one."""

    def importing(module: Module) -> int:
        own = {path for target in module.targets for path in target.sources}
        return sum(file.path not in own for file in importing_files(module, site.package, site.sources.values()))

    in_modules = {name for module in modules.values() for name in module.names}
    known = {each.name: Module.of(each) for each in site.package.code if each.name not in in_modules} | {**modules}
    counts = {name: importing(module) for name, module in known.items()}
    chosen = sorted((name for name in known if counts[name]), key=lambda name: (-counts[name], name))[:count]
    return chosen or sorted(known, key=lambda name: (-len(known[name].implementation.sources), name))[:1]


def _target_with(path: Path, package: Package) -> Target:
    for target in package.targets:
        if path in target.sources and target.name in package.left_out:
            raise UsageError(f"{path} is not compiled: {package.left_out[target.name]}")
        if path in target.sources:
            return target
    if path.suffix != ".swift":
        raise UsageError(f"{path} is not a Swift file; only Swift files can be edited.")
    raise UsageError(
        f"{path} is in none of the package's Swift targets, so 'swift build' does not compile it, or only as a "
        "part of a plugin, a macro or another package."
    )
