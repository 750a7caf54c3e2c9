"""Every kind of edit by name, the default ones, and the edits that a user names: `KIND` or `FILE:KIND`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from swiftmodules.edits import implementation as code
from swiftmodules.edits import interface as api
from swiftmodules.edits.placement import NoPlaceError, Placement
from swiftmodules.edits.site import Site
from swiftmodules.edits.uses import importing_files
from swiftmodules.errors import UsageError
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import MANIFEST, Package, Target


@dataclass(frozen=True)
class Edit:
    """A kind of edit, by its name on the command line and in records."""

    name: str
    # What it changes, as a phrase for help and reports.
    changes: str
    # Finds the place for one edit, or raises `NoPlaceError`. None where nothing is edited.
    place: Callable[[Site], Placement] | None
    # Whether it is made in each module, or once for the whole package.
    is_per_module: bool = True
    # Whether only a build with the tests can show it.
    needs_tests: bool = False


_ALL = (
    Edit("clean", "nothing, and everything that was built is gone", None, is_per_module=False),
    Edit("noop", "nothing at all", None, is_per_module=False),
    Edit("touch", "only the modification time of an implementation file", code.touch),
    Edit("comment", "a comment in a function body of the implementation", code.comment),
    Edit("body", "a statement in a function body of the implementation", code.body),
    Edit("private-top", "a private function added at the top level of an implementation file", code.private_top),
    Edit("internal-top", "an internal function added at the top level of the same file", code.internal_top),
    Edit("public-top", "a public function added at the top level of the same file", code.public_top),
    Edit("private-member", "a private method added to a type of the implementation", code.private_member),
    Edit(
        "stored-property", "a stored property with a value added to a type of the implementation", code.stored_property
    ),
    Edit("new-file", "a new file with an internal type in the implementation", code.new_file),
    Edit("interface-top", "a public type added at the top level of an interface file", api.top),
    Edit(
        "interface-extension-member",
        "a public nested type or function added to an `extension` block of the interface that others use",
        api.extension_member,
    ),
    Edit(
        "interface-new-extension", "a new `extension` block with one public member in the interface", api.new_extension
    ),
    Edit(
        "interface-requirement",
        "a requirement with a default added to a public protocol of the interface",
        api.requirement,
    ),
    Edit("interface-route-field", "an optional field added to a route of the interface", api.route_field),
    Edit(
        "interface-stored-property",
        "a stored property with a value added to a public struct of the interface",
        api.stored_property,
    ),
    Edit("app-body", "a statement in a function body of the executable", code.app_body, is_per_module=False),
    Edit("test-body", "a statement in a function body of the module's tests", code.test_body, needs_tests=True),
    Edit("manifest-touch", "only the modification time of Package.swift", code.manifest_touch, is_per_module=False),
)
EDITS: Mapping[str, Edit] = {edit.name: edit for edit in _ALL}
# What is made without a choice, and where a text on a screen is to show it.
SCREEN_EDITS = ("body", "private-top", "stored-property")
DEFAULT_EDITS = ("noop", "body", "private-top", "public-top", "interface-extension-member", "app-body")
# Those that can be made in a file that the user names; the others choose one.
FILE_EDITS = (*(name for name, each in EDITS.items() if each.is_per_module and not each.needs_tests), "manifest-touch")

# An edit with the name of the module, or of the file, in which it is made.
Key = tuple[str, str | None]


@dataclass(frozen=True)
class WantedEdit:
    """An edit that the user named: a kind, in each module or in one file."""

    edit: str
    file: str | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.edit}" if self.file else self.edit


def wanted_edit(text: str) -> WantedEdit:
    """Parses `KIND`, `FILE:KIND`, or `FILE` for its usual edit. Raises `UsageError` for any other text."""
    if text in EDITS:
        return WantedEdit(text)
    file, colon, kind = text.rpartition(":")
    if not colon:
        if Path(text).suffix != ".swift":
            raise UsageError(f"There is no edit '{text}'. Choose from: {', '.join(EDITS)}; or name FILE:KIND.")
        return WantedEdit("manifest-touch" if Path(text).name == MANIFEST else "body", text)
    if kind not in FILE_EDITS:
        known = "chooses its file itself" if kind in EDITS else "does not exist"
        raise UsageError(f"{text}: the edit '{kind}' {known}. Choose from: {', '.join(FILE_EDITS)}.")
    return WantedEdit(kind, file)


def place(edit: str, site: Site) -> Placement:
    """Finds the place for an edit. Raises `NoPlaceError` where there is none."""
    finder = EDITS[edit].place
    if finder is None:
        raise NoPlaceError(f"the edit '{edit}' changes nothing.")
    return finder(replace(site, edit=edit))


def place_all(
    edits: Iterable[str], site: Site, modules: Mapping[str, Module]
) -> tuple[dict[Key, Placement], dict[Key, str]]:
    """Finds the places of several edits in several modules.

    Returns the placements, and for each edit that has no place in a module the reason why.
    """
    placements: dict[Key, Placement] = {}
    missing: dict[Key, str] = {}
    for edit in edits:
        if EDITS[edit].place is None:
            continue
        for module in modules.values() if EDITS[edit].is_per_module else [None]:
            key = (edit, module.name if module else None)
            try:
                placements[key] = place(edit, replace(site, module=module))
            except NoPlaceError as reason:
                missing[key] = str(reason)
    return placements, missing


def needs_tests(edits: Iterable[WantedEdit], package: Package, folder: Path) -> bool:
    """Whether the builds must include the tests for one of these edits to be seen."""
    tests = {path for target in package.tests for path in target.sources}
    return any(
        EDITS[each.edit].needs_tests or (each.file is not None and path_in_package(each.file, folder) in tests)
        for each in edits
    )


def path_in_package(file: str, package: Path) -> Path:
    """A file's path relative to the package. The user may name it from the package, or from the working folder."""
    for candidate in (package / file, Path(file).resolve()):
        if candidate.is_file() and candidate.is_relative_to(package):
            return candidate.relative_to(package)
    raise UsageError(f"{package} has no file {file}.")


def file_module(path: Path, package: Package) -> Module:
    """A file of a target, as if it were a module of its own. Raises `UsageError` where no target has it."""
    # All importers of the target may use the file.
    alone = msgspec.structs.replace(_target_with(path, package), sources=(path,))
    return Module(path.as_posix(), alone, (alone,))


def place_in_file(path: Path, edit: str, site: Site) -> Placement:
    """Finds the place for an edit in one file. Raises `UsageError` where that makes no sense there."""
    if (path == Path(MANIFEST)) != (edit == "manifest-touch"):
        raise UsageError(f"{path}: the edit 'manifest-touch', and no other, can be made in {MANIFEST} only.")
    if path == Path(MANIFEST):
        return place(edit, site)
    target = _target_with(path, site.package)
    if target.kind != "library" and (edit == "public-top" or edit.startswith("interface-")):
        raise UsageError(f"{path}: nothing imports {target.name}, so the edit '{edit}' makes no sense there.")
    site = replace(site, module=file_module(path, site.package))
    try:
        return place(edit, site)
    except NoPlaceError as error:
        if edit == "body" and path.name == "main.swift":
            return code.statement_at_the_top(replace(site, edit=edit), site.sources[path])
        raise UsageError(f"The edit '{edit}' has no place in {path}: {error}") from error


def most_imported(site: Site, modules: Mapping[str, Module], count: int) -> Sequence[str]:
    """The names of the modules that most files outside of them import; of the largest target where nothing is
    imported. A target that belongs to no module with an interface counts as one."""

    def importing(module: Module) -> int:
        own = {path for target in module.targets for path in target.sources}
        return sum(file.path not in own for file in importing_files(module, site.package, site.sources.values()))

    in_modules = {name for module in modules.values() for name in module.names}
    alone = {each.name: Module(each.name, each, (each,)) for each in site.package.code if each.name not in in_modules}
    known = dict(modules) | alone
    counts = {name: importing(module) for name, module in known.items()}
    chosen = sorted((name for name in known if counts[name]), key=lambda name: (-counts[name], name))[:count]
    return chosen or sorted(known, key=lambda name: (-len(known[name].implementation.sources), name))[:1]


def _target_with(path: Path, package: Package) -> Target:
    for target in package.targets:
        if path in target.sources:
            return target
    if path.suffix != ".swift":
        raise UsageError(f"{path} is not a Swift file; only Swift files can be edited.")
    raise UsageError(
        f"{path} is in none of the package's Swift targets, so 'swift build' does not compile it, or only as a "
        "part of a plugin, a macro or another package."
    )
