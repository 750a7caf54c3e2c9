"""Generates packages of the same code that differ only in how it is grouped into targets, and refuses packages of which
that is not possible, but for the reasons that a build finds, such as names that clash."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from swiftmodules.errors import ToolError
from swiftmodules.layouts.imports import import_replacements, qualification_replacements
from swiftmodules.layouts.layout import GeneratedFile, Layout
from swiftmodules.swiftpm.copy import PackageCopy, files_below
from swiftmodules.swiftpm.facts import Library
from swiftmodules.swiftpm.manifest_writer import manifest_text, package_dependency
from swiftmodules.swiftpm.package import RESOLVED, Package
from swiftmodules.swiftpm.reader import SourceFile, Sources
from swiftmodules.swiftpm.target import Target, TargetKind

INTERFACE, FUSED, MONOLITH = "interface", "fused", "monolith"
LAYOUTS: Mapping[str, str] = {
    INTERFACE: "the targets as they are in the package",
    FUSED: "the interface and the implementation of each module in one target, on which its users depend",
    MONOLITH: "all code in one target",
}
# The target of a monolith, where the package has no executable.
_MONOLITH = "Monolith"
_FOREIGN: Mapping[TargetKind, str] = {
    "clang": "in C, C++ or Objective-C",
    "plugin": "a plugin",
    "macro": "a macro",
    "binary": "binary",
    "system": "a system library",
}
_QUESTION = re.compile(r"\bcanImport\(\s*(\w+)")


def without_tests(package: Package) -> Package:
    """The package without its tests, which only the builds that need them include."""
    return msgspec.structs.replace(package, targets=package.code)


def flags_of(package: Package, compared: Collection[str]) -> tuple[str, ...]:
    """The flags that the manifest of a package gives the compiler and the linker, of the choices that other flags make:
    `-use-ld=gold` where `-use-ld=lld` is one of these."""
    choices = set(map(_choice, compared))
    found = (flag for target in package.targets for each in target.settings for flag in _unsafe_flags(each))
    return tuple(dict.fromkeys(flag for flag in found if _choice(flag) in choices))


def without_flags(package: Package, flags: Collection[str]) -> Package:
    """The package without some flags in its manifest."""

    def stripped(setting: dict[str, Any]) -> dict[str, Any] | None:
        given = _unsafe_flags(setting)
        kept = [flag for flag in given if flag not in flags]
        return {**setting, "kind": {"unsafeFlags": {"_0": kept}}} if given and kept else None if given else setting

    def changed(target: Target) -> Target:
        settings = tuple(each for setting in target.settings if (each := stripped(setting)))
        return msgspec.structs.replace(target, settings=settings)

    return msgspec.structs.replace(package, targets=tuple(map(changed, package.targets)))


def _unsafe_flags(setting: Mapping[str, Any]) -> list[str]:
    return list(setting["kind"].get("unsafeFlags", {}).get("_0", ()))


def _choice(flag: str) -> str:
    """The choice that a flag makes: `-use-ld`, `-g` for any debug information, and `-O` for any optimisation."""
    return flag[:2] if flag.startswith(("-g", "-O")) else flag.partition("=")[0]


def copied_layout(name: str, package: Package, sources: Sources, copy: PackageCopy) -> Layout:
    """The package as it is, with its own manifest."""
    return Layout(
        name=name,
        manifest=None,
        files={path: GeneratedFile(path, sources[path]) for target in package.targets for path in target.sources},
        package=package,
        place=copy.place,
        copies=copy.files(),
    )


def make_layout(name: str, package: Package, sources: Sources, copy: PackageCopy | None = None) -> Layout:
    """Generates one of `LAYOUTS`, with the tests where the package has them. Resources and other packages are
    taken from the copy. Raises `ToolError` where the layout is not possible."""
    refuse_obstacles(package, has_copy=copy is not None)
    groups = _groups(name, package)
    members: dict[str, list[Target]] = {}
    for target in package.targets:
        members.setdefault(groups[target.name], []).append(target)
    targets = [_merged(group, merged, groups) for group, merged in members.items()]
    files: dict[Path, GeneratedFile] = {}
    for group, merged in members.items():
        paths = _generated_paths(group, merged)
        for target in merged:
            for source in target.sources:
                file = sources[source]
                refuse_questions(file, groups)
                changes = import_replacements(file, group, groups) + qualification_replacements(file, groups)
                files[source] = GeneratedFile(paths[source], file, tuple(changes))
    others = package.facts.dependencies.values()
    dependencies = [package_dependency(each, package.folder, copy.folder) for each in others] if copy else []
    return Layout(
        name=name,
        manifest=manifest_text(
            package, targets, libraries=_libraries(package, targets, groups), dependencies=dependencies
        ),
        files=files,
        package=msgspec.structs.replace(package, targets=tuple(targets), undeclared=_undeclared(package, groups)),
        groups=groups,
        place=copy.place if copy else Path(),
        copies=_copies(package, groups, copy) if copy else {},
    )


def _undeclared(package: Package, groups: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The targets that the layout's targets import although the manifest does not say so."""
    found: dict[str, tuple[str, ...]] = {}
    for name, imported in package.undeclared.items():
        group = groups.get(name, name)
        others = (groups.get(each, each) for each in imported)
        found[group] = (*found.get(group, ()), *(each for each in others if each != group))
    return found


def _libraries(package: Package, targets: Iterable[Target], groups: Mapping[str, str]) -> list[Library]:
    executables = {target.name for target in targets if target.kind == "executable"}
    return [
        msgspec.structs.replace(library, targets=tuple(dict.fromkeys(groups[target] for target in library.targets)))
        for library in package.facts.libraries
        # `swift build` makes nothing of the others.
        if library.kind != "automatic" and all(groups[target] not in executables for target in library.targets)
    ]


def _copies(package: Package, groups: Mapping[str, str], copy: PackageCopy) -> dict[Path, Path]:
    """Other packages, the versions that were resolved, and the resources, each beside its target's sources."""
    copies = copy.files(only_others=True)
    resolved = copy.folder / RESOLVED
    if resolved.exists():
        copies[copy.place / resolved.name] = resolved
    for target in package.targets:
        for resource in target.resources:
            source = copy.folder / target.folder / resource.path
            destination = copy.place / "Sources" / groups[target.name] / target.name / resource.path
            for file in files_below(source, source) if source.is_dir() else [Path()]:
                if (source / file).relative_to(copy.folder) not in target.sources:
                    copies[destination / file] = source / file
    return copies


def _groups(layout: str, package: Package) -> dict[str, str]:
    """The name of the layout's target that holds the code of each target of the package. Tests stay as they are."""
    groups = {target.name: target.name for target in package.targets}
    if layout == FUSED:
        for module in package.modules.values():
            # Not the module's bare name, because a type in the module often has it.
            fused = (module.interface, *module.parts, module.implementation)
            groups |= dict.fromkeys((target.name for target in fused), f"{module.name}Fused")
    elif layout == MONOLITH:
        executables = [target.name for target in package.targets if target.is_executable]
        if len(executables) > 1:
            raise ToolError(f"one target cannot hold several programs: {', '.join(executables)}.")
        groups |= dict.fromkeys((target.name for target in package.code), executables[0] if executables else _MONOLITH)
    return groups


def _merged(name: str, members: Sequence[Target], groups: Mapping[str, str]) -> Target:
    first = members[0]
    for member in members:
        refuse_differing_settings(name, first, member)
    dependencies = {groups[dependency] for member in members for dependency in member.dependencies}
    linked = [setting for member in members for setting in member.settings if setting["tool"] == "linker"]
    return msgspec.structs.replace(
        first,
        name=name,
        import_name=next((member.import_name for member in members if member.name == name), ""),
        kind="executable" if any(member.is_executable for member in members) else first.kind,
        sources=tuple(source for member in members for source in member.sources),
        dependencies=tuple(sorted(dependencies - {name})),
        settings=(
            *(setting for setting in first.settings if setting["tool"] != "linker"),
            *(setting for number, setting in enumerate(linked) if setting not in linked[:number]),
        ),
        products=tuple(dict.fromkeys(product for member in members for product in member.products)),
        resources=tuple(
            msgspec.structs.replace(resource, path=member.name / resource.path)
            for member in members
            for resource in member.resources
        ),
    )


def _generated_paths(group: str, members: Sequence[Target]) -> dict[Path, Path]:
    """The path of each file of a merged target. The compiler requires file names that differ within a target, so
    those that do not get the name of their original target, except `main.swift`."""
    sources = [(member, source) for member in members for source in member.sources]
    names = [source.name.lower() for _, source in sources]
    paths = {}
    for member, source in sources:
        inner = source.relative_to(member.folder)
        if names.count(source.name.lower()) > 1 and not (member.is_executable and source.name == "main.swift"):
            inner = inner.with_name(f"{member.name}_{source.name}")
        paths[source] = Path("Sources") / group / member.name / inner
    return paths


def refuse_obstacles(package: Package, has_copy: bool) -> None:
    """Fails where the package has what a generated one cannot hold."""
    obstacles = [*_obstacles(package)]
    if not has_copy:
        obstacles += [f"{target.name} has resources" for target in package.targets if target.resources]
        obstacles += ["it depends on other packages"] if package.facts.dependencies else []
    if obstacles:
        raise ToolError(f"{'; '.join(obstacles)}.")


def _obstacles(package: Package) -> Iterator[str]:
    """The parts of a package that generated manifests cannot carry, but for the settings of targets."""
    for name, target in sorted(package.by_name.items()):
        printed = package.facts.target(name)
        if target.kind in _FOREIGN:
            yield f"{name} is {_FOREIGN[target.kind]}"
            continue
        for usage in printed.get("pluginUsages") or ():
            yield f"{name} uses the plugin {usage['plugin'][0]}"
        for dependency in printed.get("dependencies", ()):
            (values,) = dependency.values()
            if values[-1] is not None:
                yield f"{name} depends on {values[0]} under a condition"
            if "product" in dependency and values[2]:
                yield f"{name} gives modules of {values[0]} other names"


def refuse_differing_settings(group: str, first: Target, second: Target) -> None:
    """Fails where two targets that become one are compiled in different ways. How they are linked adds up."""
    own, others = (
        {json.dumps(setting, sort_keys=True) for setting in target.settings if setting["tool"] != "linker"}
        for target in (first, second)
    )
    only = [f"only {first.name} has {each}" for each in sorted(own - others)]
    only += [f"only {second.name} has {each}" for each in sorted(others - own)]
    if only:
        raise ToolError(
            f"the targets {first.name} and {second.name} have different settings and cannot be merged into {group}: "
            f"{'; '.join(only)}."
        )


def refuse_questions(file: SourceFile, groups: Mapping[str, str]) -> None:
    """Fails where a file asks whether a module is there that is not any longer when it is merged."""
    for name in (name for clause in file.clauses for name in _QUESTION.findall(clause.condition)):
        if groups.get(name, name) != name:
            raise ToolError(
                f"{file.path} tests 'canImport({name})', which fails where {name} is a part of {groups[name]}."
            )
