"""The edits that a person asks for in files of a package: `FILE` or `FILE:KIND`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from buildspeed.conventions import ModuleTargets
from buildspeed.edits import ALIASES, MUTATORS, NoPlaceError, Placement, Site, canonical_name, mutator, place
from buildspeed.edits.programs import statement_at_the_top
from buildspeed.failures import UsageError
from buildspeed.package_graph import Package, Target
from buildspeed.swift_source import SourceFile

MANIFEST = Path("Package.swift")
_MANIFEST_EDIT = "manifest-touch"
# Edits of what other targets can see.
_SEEN_BY_OTHERS = ("public-top", "signature")
# Those that can be made in a file that a person names; the others choose one.
FILE_EDITS = (*(name for name, each in MUTATORS.items() if each.is_per_module and not each.needs_tests), _MANIFEST_EDIT)


@dataclass(frozen=True)
class EditedFile:
    """A file, as the person named it, and the kind of edit, which is None for the usual one."""

    file: str
    edit: str | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.edit}" if self.edit else self.file


def edited_file(text: str) -> EditedFile:
    """Parses `FILE[:KIND]`. Raises `UsageError` for a kind that cannot be made in a file."""
    file, colon, kind = text.rpartition(":")
    if not colon:
        return EditedFile(text)
    name = canonical_name(kind)
    if name not in FILE_EDITS:
        known = "makes its choice of the file itself" if kind in (*MUTATORS, *ALIASES) else "is not known"
        raise UsageError(f"{text}: the edit '{kind}' {known}. Choose from: {', '.join(FILE_EDITS)}.")
    return EditedFile(file, name)


def path_in_package(wanted: EditedFile, package: Path) -> Path:
    """The file's path relative to the package. The person may name it from the package, or from where they are."""
    candidates = [package / wanted.file, Path(wanted.file).resolve()]
    for candidate in candidates:
        if candidate.is_file() and candidate.is_relative_to(package):
            return candidate.relative_to(package)
    raise UsageError(f"{package} has no file {wanted.file}.")


def file_module(path: Path, package: Package) -> ModuleTargets:
    """A file of a target, as if it were a module of its own. Raises `UsageError` where no target has it."""
    target = _target_with(path, package)
    # Whoever imports the target may use the file.
    alone = replace(target, sources=(path,))
    return ModuleTargets(path.as_posix(), alone, alone, ())


def place_in_file(path: Path, edit: str, package: Package, sources: Mapping[Path, SourceFile]) -> Placement:
    """Finds the place for an edit in one file. Raises `UsageError` where that makes no sense there."""
    if (path == MANIFEST) != (edit == _MANIFEST_EDIT):
        raise UsageError(f"{path}: the edit '{_MANIFEST_EDIT}' is for {MANIFEST}, and no other edit is.")
    if path == MANIFEST:
        return place(edit, Site(package, sources))
    target = _target_with(path, package)
    if (target.is_executable or target.is_test) and (edit in _SEEN_BY_OTHERS or edit.startswith("interface-")):
        raise UsageError(f"{path}: nobody imports {target.name}, so the edit '{edit}' makes no sense there.")
    module = file_module(path, package)
    try:
        return place(edit, Site(package, sources, module))
    except NoPlaceError as error:
        if edit == "body" and path.name == "main.swift":
            return statement_at_the_top(edit, module.name, sources[path])
        raise UsageError(f"the edit '{edit}' has no place in {path}: {error}") from error


def usual_edit(path: Path) -> str:
    """The kind of edit where the person names none."""
    return _MANIFEST_EDIT if path == MANIFEST else mutator("body").name


def _target_with(path: Path, package: Package) -> Target:
    for target in package.all_targets:
        if path in target.sources:
            return target
    if path.suffix != ".swift":
        raise UsageError(f"{path} is no Swift file; only these can be edited.")
    raise UsageError(
        f"{path} is in none of the package's targets in Swift, so 'swift build' does not compile it, or only as a "
        "part of a plugin, a macro or another package."
    )
