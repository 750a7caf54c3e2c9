"""Generates the layout `packages`: each module a local package of its own, beside the program that uses them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from swiftmodules.layouts.layout import GeneratedFile, Layout
from swiftmodules.swiftpm.manifest import manifest_text
from swiftmodules.swiftpm.modules import Module, application_of
from swiftmodules.swiftpm.package import MANIFEST, Package, Target
from swiftmodules.swiftpm.syntax import SourceFile

_FOLDER = Path("Packages")
# `swift build` compiles of other packages only what the root package needs, but every other layout as a whole.
_REST = "Rest"
_REST_FILE = "// Nothing: this target has the build compile what the program does not need.\n"


def package_layout(
    name: str, package: Package, sources: Mapping[Path, SourceFile], modules: Mapping[str, Module]
) -> Layout:
    """Generates the layout, with the same files as the layout `interface`; tests are left out."""
    # Without a module, a target is one of the root package.
    owners = {target: module.name for module in modules.values() for target in module.names}
    files: dict[Path, GeneratedFile] = {}
    targets: dict[str | None, list[Target]] = {None: []}
    for target in package.code:
        root = _FOLDER / owners[target.name] if target.name in owners else Path()
        for source in target.sources:
            inner = root / "Sources" / target.name / source.relative_to(target.folder)
            files[source] = GeneratedFile(inner, sources[source], target.name)
        targets.setdefault(owners.get(target.name), []).append(_target(target, owners))
    added: dict[Path, str] = {}
    rest = _rest(targets, owners)
    if rest.products:
        targets[None].append(rest)
        added[Path("Sources") / _REST / f"{_REST}.swift"] = _REST_FILE
    for module, members in targets.items():
        if module is not None:
            added[_FOLDER / module / MANIFEST] = manifest_text(
                msgspec.structs.replace(package, name=module),
                members,
                products=[each.name for each in members],
                packages=[f"../{needed}" for needed in _needed_packages(members)],
            )
    root_packages = [(_FOLDER / needed).as_posix() for needed in _needed_packages(targets[None])]
    application = application_of(package)
    return Layout(
        name=name,
        manifest=manifest_text(package, targets[None], packages=root_packages),
        files=files,
        target_count=sum(map(len, targets.values())),
        program=application.name if application else None,
        added=added,
    )


def _target(target: Target, owners: Mapping[str, str]) -> Target:
    own = owners.get(target.name)
    return msgspec.structs.replace(
        target,
        dependencies=tuple(sorted(each for each in target.dependencies if owners.get(each) == own)),
        products=tuple(sorted((each, owners[each]) for each in target.dependencies if owners.get(each) != own)),
    )


def _needed_packages(targets: Sequence[Target]) -> list[str]:
    return sorted({package for target in targets for _, package in target.products if package})


def _rest(targets: Mapping[str | None, Sequence[Target]], owners: Mapping[str, str]) -> Target:
    """A target of the root package that needs what no other target of the root package leads to."""
    known = {target.name: target for members in targets.values() for target in members}
    reached: set[str] = set()
    waiting = [target.name for target in targets[None]]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += [*known[name].dependencies, *(library for library, _ in known[name].products)]
    unreached = sorted((name, owners[name]) for name in known if name not in reached)
    settings = targets[None][0].settings if targets[None] else ()
    return Target(_REST, "library", Path(), settings=settings, products=tuple(unreached))
