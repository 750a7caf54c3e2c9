"""Generates packages of the same code that differ only in how it is grouped into targets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from buildspeed.conventions import application_of, modules_of
from buildspeed.failures import MeasurementError
from buildspeed.imports import import_replacements, qualification_replacements
from buildspeed.manifest import ManifestTarget, manifest
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
    manifest: str
    files: Mapping[Path, GeneratedFile]
    target_count: int
    has_tests: bool = False
    dependencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    program: str | None = None

    def write(self, folder: Path) -> None:
        """Writes the package into an empty folder."""
        folder.mkdir(parents=True)
        (folder / "Package.swift").write_text(self.manifest)
        for file in self.files.values():
            destination = folder / file.path
            destination.parent.mkdir(parents=True, exist_ok=True)
            destination.write_bytes(file.content())

    def originals(self) -> dict[Path, Path]:
        """The original path of each generated one."""
        return {file.path: original for original, file in self.files.items()}


def make_layout(name: str, package: Package, sources: Mapping[Path, SourceFile]) -> Layout:
    """Generates one of `LAYOUTS`."""
    groups = _groups(name, package)
    members: dict[str, list[Target]] = {}
    for target in package.all_targets:
        members.setdefault(groups[target.name], []).append(target)
    targets = [_merged(group, merged, groups) for group, merged in members.items()]
    _refuse_cycles(name, targets)
    files: dict[Path, GeneratedFile] = {}
    for group, merged in members.items():
        paths = _generated_paths(group, merged)
        for target in merged:
            default = "internal" if target.has_upcoming_feature("InternalImportsByDefault") else "public"
            for source in target.sources:
                file = sources[source]
                changes = import_replacements(file, group, groups, default)
                changes += qualification_replacements(file, groups)
                files[source] = GeneratedFile(paths[source], file, tuple(changes))
    application = application_of(package)
    return Layout(
        name=name,
        manifest=manifest(package, targets),
        files=files,
        target_count=len(targets),
        has_tests=bool(package.tests),
        dependencies={target.name: target.dependencies for target in targets},
        program=groups[application.name] if application else None,
    )


def _groups(layout: str, package: Package) -> dict[str, str]:
    """The name of the layout's target that holds the code of each target of the package. Tests stay as they are."""
    groups = {target.name: target.name for target in package.targets}
    tests = {target.name: target.name for target in package.tests}
    if layout == "fused":
        for module in modules_of(package).values():
            # Not the module's bare name, which is that of a type in it more often than not.
            groups[module.interface.name] = groups[module.implementation.name] = f"{module.name}Fused"
    elif layout == "monolith":
        application = application_of(package)
        if application is None:
            raise MeasurementError("the layout 'monolith' needs a package with exactly one executable target.")
        groups = dict.fromkeys(groups, application.name)
    return groups | tests


def _merged(name: str, members: list[Target], groups: Mapping[str, str]) -> ManifestTarget:
    first = members[0]
    for member in members:
        if _compiling(member) != _compiling(first):
            raise MeasurementError(
                f"the targets {first.name} and {member.name} have different settings and cannot be merged into {name}."
            )
    dependencies = {groups[dependency] for member in members for dependency in member.dependencies}
    return ManifestTarget(
        name=name,
        is_executable=any(member.is_executable for member in members),
        is_test=first.is_test,
        dependencies=tuple(sorted(dependencies - {name})),
        settings=(*_compiling(first), *_linking(members)),
    )


def _compiling(target: Target) -> tuple[dict[str, Any], ...]:
    return tuple(setting for setting in target.settings if setting["tool"] != "linker")


def _linking(members: list[Target]) -> list[dict[str, Any]]:
    """How a merged target is linked: as each of its members. Unlike the code, this may differ between them."""
    settings: list[dict[str, Any]] = []
    for member in members:
        settings += [each for each in member.settings if each["tool"] == "linker" and each not in settings]
    return settings


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
