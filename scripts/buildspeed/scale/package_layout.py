"""Generates the layout `packages`: each module a local package of its own, beside the program that uses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from buildspeed.conventions import application_of, modules_of
from buildspeed.layouts import LAYOUTS, GeneratedFile, Layout, make_layout
from buildspeed.manifest import ManifestTarget, manifest
from buildspeed.package_graph import Package, Target
from buildspeed.swift_source import SourceFile

PACKAGES = "packages"
SCALE_LAYOUTS: Mapping[str, str] = LAYOUTS | {
    PACKAGES: "the targets as they are, each module in a local package of its own"
}

_FOLDER = Path("Packages")
# `swift build` compiles of other packages only what the root package needs, but every other layout as a whole.
_REST = "Rest"
_REST_FILE = "// Nothing: this target has the build compile what the program does not need.\n"


@dataclass(frozen=True)
class PackageLayout(Layout):
    """A generated package with local packages in it. `added` are the files that have no original."""

    added: Mapping[Path, str] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        super().write(folder)
        for path, text in self.added.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)


def make_scale_layout(name: str, package: Package, sources: Mapping[Path, SourceFile]) -> Layout:
    """Generates one of `SCALE_LAYOUTS`."""
    return package_layout(package, sources) if name == PACKAGES else make_layout(name, package, sources)


def package_layout(package: Package, sources: Mapping[Path, SourceFile]) -> PackageLayout:
    """Generates the layout `packages`, with the same files as the layout `interface`."""
    # Without a module, a target is one of the root package.
    owners = {name: module.name for module in modules_of(package).values() for name in module.names}
    files: dict[Path, GeneratedFile] = {}
    for target in package.targets:
        root = _FOLDER / owners[target.name] if target.name in owners else Path()
        for source in target.sources:
            inner = root / "Sources" / target.name / source.relative_to(target.folder)
            files[source] = GeneratedFile(inner, sources[source], ())
    targets: dict[str | None, list[ManifestTarget]] = {None: []}
    for target in package.targets:
        targets.setdefault(owners.get(target.name), []).append(_target(target, owners))
    rest = _rest(targets, owners)
    targets[None] += [rest] if rest.libraries else []
    added = {
        _FOLDER / module / "Package.swift": manifest(
            replace(package, name=module),
            members,
            products=[each.name for each in members],
            packages=[f"../{name}" for name in _needed_packages(members)],
        )
        for module, members in targets.items()
        if module is not None
    }
    if rest.libraries:
        added[Path("Sources") / _REST / f"{_REST}.swift"] = _REST_FILE
    root_packages = [(_FOLDER / name).as_posix() for name in _needed_packages(targets[None])]
    application = application_of(package)
    return PackageLayout(
        name=PACKAGES,
        manifest=manifest(package, targets[None], packages=root_packages),
        files=files,
        target_count=sum(map(len, targets.values())),
        program=application.name if application else None,
        added=added,
    )


def _target(target: Target, owners: Mapping[str, str]) -> ManifestTarget:
    own = owners.get(target.name)
    return ManifestTarget(
        name=target.name,
        is_executable=target.is_executable,
        is_test=False,
        dependencies=tuple(sorted(each for each in target.dependencies if owners.get(each) == own)),
        settings=target.settings,
        libraries=tuple(sorted((each, owners[each]) for each in target.dependencies if owners.get(each) != own)),
    )


def _needed_packages(targets: list[ManifestTarget]) -> list[str]:
    return sorted({package for target in targets for _, package in target.libraries})


def _rest(targets: Mapping[str | None, list[ManifestTarget]], owners: Mapping[str, str]) -> ManifestTarget:
    """A target of the root package that needs what no other target of the root package leads to."""
    known = {target.name: target for members in targets.values() for target in members}
    reached: set[str] = set()
    waiting = [target.name for target in targets[None]]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += [*known[name].dependencies, *(library for library, _ in known[name].libraries)]
    unreached = sorted((name, owners[name]) for name in known if name not in reached)
    settings = targets[None][0].settings if targets[None] else ()
    return ManifestTarget(_REST, False, False, (), settings, libraries=tuple(unreached))
