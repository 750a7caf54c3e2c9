"""Generates packages of the same code that differ only in how it is grouped into targets."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from buildspeed.clashes import refuse_clashes, refuse_differing_settings, refuse_questions
from buildspeed.conventions import application_of, modules_of
from buildspeed.failures import MeasurementError
from buildspeed.imports import import_replacements, qualification_replacements
from buildspeed.local_packages import PackageCopy, files_below
from buildspeed.manifest import ManifestTarget, manifest, package_dependency
from buildspeed.package_graph import Package, Target
from buildspeed.rewriting import Replacement, rewrite
from buildspeed.swift_source import SourceFile

LAYOUTS = {
    "interface": "the targets as they are in the package",
    "fused": "the interface and the implementation of each module in one target, on which its users depend",
    "monolith": "all code in one target",
}
# What others call them.
LAYOUT_ALIASES = {"direct": "fused"}
# Its target, where the package has no executable.
_MONOLITH = "Monolith"


@dataclass(frozen=True)
class GeneratedFile:
    """A file of a layout: the original with its imports rewritten."""

    path: Path
    original: SourceFile
    replacements: tuple[Replacement, ...]

    def content(self, edits: Iterable[Replacement] = ()) -> bytes:
        """The file's bytes, with edits whose positions refer to the original file."""
        return rewrite(self.original.text, [*self.replacements, *edits])


@dataclass(frozen=True)
class Layout:
    """A generated package. `files` are its files by the path of the original, `dependencies` the targets that each
    target names, and `program` is the only executable, where there is one."""

    name: str
    # None where the package is a copy with a manifest of its own.
    manifest: str | None
    files: Mapping[Path, GeneratedFile]
    target_count: int
    has_tests: bool = False
    dependencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    program: str | None = None
    # Where the package is in the folder that is written, and what is copied into that folder.
    place: Path = Path()
    copies: Mapping[Path, Path] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Writes the package, and what it needs beside it, into an empty folder."""
        (folder / self.place).mkdir(parents=True)
        for path, source in self.copies.items():
            destination = folder / path
            destination.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, destination, follow_symlinks=False)
        if self.manifest is None:
            return
        (folder / self.place / "Package.swift").write_text(self.manifest)
        for file in self.files.values():
            destination = folder / self.place / file.path
            destination.parent.mkdir(parents=True, exist_ok=True)
            destination.write_bytes(file.content())

    def originals(self) -> dict[Path, Path]:
        """The original path of each Swift file, relative to the package as generated."""
        copied = [Path(os.path.relpath(path, self.place)) for path in self.copies if path.suffix == ".swift"]
        return {path: path for path in copied} | {file.path: original for original, file in self.files.items()}


def copied_layout(name: str, package: Package, sources: Mapping[Path, SourceFile], copy: PackageCopy) -> Layout:
    """The package as it is, with its own manifest."""
    files = {path: GeneratedFile(path, file, ()) for path, file in sources.items()}
    targets = len(package.all_targets)
    application = application_of(package)
    return Layout(
        name=name,
        manifest=None,
        files=files,
        target_count=targets,
        has_tests=bool(package.tests),
        program=application.name if application else None,
        place=copy.place,
        copies=copy.files(),
    )


def make_layout(
    name: str, package: Package, sources: Mapping[Path, SourceFile], copy: PackageCopy | None = None
) -> Layout:
    """Generates one of `LAYOUTS`. Resources and other packages are taken from the copy."""
    _refuse_obstacles(name, package, has_copy=copy is not None)
    groups = _groups(name, package)
    members: dict[str, list[Target]] = {}
    for target in package.all_targets:
        members.setdefault(groups[target.name], []).append(target)
    targets = [_merged(group, merged, groups) for group, merged in members.items()]
    _refuse_cycles(name, targets)
    for group, merged in members.items():
        refuse_clashes(name, group, merged, sources)
    files: dict[Path, GeneratedFile] = {}
    for group, merged in members.items():
        paths = _generated_paths(group, merged)
        for target in merged:
            default = "internal" if target.has_upcoming_feature("InternalImportsByDefault") else "public"
            for source in target.sources:
                file = sources[source]
                refuse_questions(name, file, groups)
                changes = import_replacements(file, group, groups, default)
                changes += qualification_replacements(file, groups)
                files[source] = GeneratedFile(paths[source], file, tuple(changes))
    application = application_of(package)
    executables = {target.name for target in targets if target.is_executable}
    libraries = [
        replace(library, targets=tuple(dict.fromkeys(groups[target] for target in library.targets)))
        for library in package.libraries
        # `swift build` makes nothing of the others.
        if library.kind != "automatic" and all(groups[target] not in executables for target in library.targets)
    ]
    return Layout(
        name=name,
        manifest=manifest(package, targets, libraries=libraries, dependencies=_dependencies(package, copy)),
        files=files,
        target_count=len(targets),
        has_tests=bool(package.tests),
        dependencies={target.name: target.dependencies for target in targets},
        program=groups[application.name] if application else None,
        place=copy.place if copy else Path(),
        copies=_copies(package, groups, copy) if copy else {},
    )


def _refuse_obstacles(layout: str, package: Package, has_copy: bool) -> None:
    obstacles = list(package.obstacles)
    if not has_copy:
        obstacles += [f"{target.name} has resources" for target in package.all_targets if target.resources]
        obstacles += ["it depends on other packages"] if package.dependencies else []
    if obstacles:
        hint = "" if has_copy else " 'scripts/measure package' measures such a package as it is."
        raise MeasurementError(f"the layout '{layout}' is not possible: {'; '.join(obstacles)}.{hint}")


def _dependencies(package: Package, copy: PackageCopy | None) -> list[str]:
    return [package_dependency(each, copy.folder) for each in package.dependencies] if copy else []


def _copies(package: Package, groups: Mapping[str, str], copy: PackageCopy) -> dict[Path, Path]:
    """Other packages, the versions that were resolved, and the resources, each beside its target's sources."""
    copies = copy.files(only_others=True)
    resolved = copy.folder / "Package.resolved"
    if resolved.exists():
        copies[copy.place / resolved.name] = resolved
    for target in package.all_targets:
        for resource in target.resources:
            source = copy.folder / target.folder / resource.path
            destination = copy.place / "Sources" / groups[target.name] / target.name / resource.path
            for file in files_below(source) if source.is_dir() else [source]:
                if file.relative_to(copy.folder) not in target.sources:
                    copies[destination / file.relative_to(source)] = file
    return copies


def _groups(layout: str, package: Package) -> dict[str, str]:
    """The name of the layout's target that holds the code of each target of the package. Tests stay as they are."""
    groups = {target.name: target.name for target in package.targets}
    tests = {target.name: target.name for target in package.tests}
    if layout == "fused":
        modules = modules_of(package)
        if not modules:
            raise MeasurementError(
                f"the layout 'fused' is not possible: the package has no pairs of targets that are called "
                f"{package.naming.interface} and {package.naming.implementation}."
            )
        for module in modules.values():
            # Not the module's bare name, which is that of a type in it more often than not.
            groups[module.interface.name] = groups[module.implementation.name] = f"{module.name}Fused"
    elif layout == "monolith":
        executables = [target.name for target in package.targets if target.is_executable]
        if len(executables) > 1:
            raise MeasurementError(
                "the layout 'monolith' is not possible: one target cannot hold several programs, which "
                f"{', '.join(executables)} are."
            )
        groups = dict.fromkeys(groups, executables[0] if executables else _MONOLITH)
    return groups | tests


def _merged(name: str, members: list[Target], groups: Mapping[str, str]) -> ManifestTarget:
    first = members[0]
    for member in members:
        refuse_differing_settings(name, first, member)
    dependencies = {groups[dependency] for member in members for dependency in member.dependencies}
    settings = [setting for member in members for setting in member.settings if setting["tool"] == "linker"]
    return ManifestTarget(
        name=name,
        is_executable=any(member.is_executable for member in members),
        is_test=first.is_test,
        dependencies=tuple(sorted(dependencies - {name})),
        settings=(
            *(setting for setting in first.settings if setting["tool"] != "linker"),
            *(setting for number, setting in enumerate(settings) if setting not in settings[:number]),
        ),
        libraries=tuple(dict.fromkeys(product for member in members for product in member.products)),
        resources=tuple(
            replace(resource, path=member.name / resource.path) for member in members for resource in member.resources
        ),
    )


def _generated_paths(group: str, members: list[Target]) -> dict[Path, Path]:
    """Where each file of a merged target goes. The compiler wants file names that differ within a target, so
    those that do not are told apart by the name of their original target, except `main.swift`."""
    sources = [(member, source) for member in members for source in member.sources]
    counts: dict[str, int] = {}
    for _, source in sources:
        counts[source.name.lower()] = counts.get(source.name.lower(), 0) + 1
    paths = {}
    for member, source in sources:
        inner = source.relative_to(member.folder)
        if counts[source.name.lower()] > 1 and not (member.is_executable and source.name == "main.swift"):
            inner = inner.with_name(f"{member.name}_{source.name}")
        paths[source] = Path("Sources") / group / member.name / inner
    return paths


def _refuse_cycles(layout: str, targets: list[ManifestTarget]) -> None:
    dependencies = {target.name: target.dependencies for target in targets}
    finished: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            cycle = " → ".join((*path[path.index(name) :], name))
            raise MeasurementError(f"the layout '{layout}' is not possible: its targets need one another: {cycle}.")
        if name not in finished:
            for dependency in dependencies[name]:
                visit(dependency, (*path, name))
            finished.add(name)

    for target in targets:
        visit(target.name, ())
