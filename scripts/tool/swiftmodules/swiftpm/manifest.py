"""Writes the `Package.swift` of a generated layout."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.package import Library, Package, Resource, TargetKind

# `swift package dump-package` writes them in lower case.
_PLATFORMS = {
    "macos": "macOS",
    "ios": "iOS",
    "tvos": "tvOS",
    "watchos": "watchOS",
    "visionos": "visionOS",
    "maccatalyst": "macCatalyst",
    "driverkit": "driverKit",
    "linux": "linux",
    "windows": "windows",
    "android": "android",
    "wasi": "wasi",
    "openbsd": "openbsd",
}
# Settings whose one value is a text, and those whose one value is a case of an enumeration.
_WITH_TEXT = ("define", "enableUpcomingFeature", "enableExperimentalFeature", "linkedLibrary", "linkedFramework")
_WITH_CASE = ("interoperabilityMode", "treatAllWarnings")


@dataclass(frozen=True)
class ManifestTarget:
    """A target whose sources are in `Sources/<name>`."""

    name: str
    kind: TargetKind
    dependencies: tuple[str, ...]
    settings: tuple[dict[str, Any], ...]
    # Libraries of other packages that it needs: the library and its package, where the manifest names that.
    libraries: tuple[tuple[str, str | None], ...] = ()
    resources: tuple[Resource, ...] = ()


def manifest_text(
    package: Package,
    targets: list[ManifestTarget],
    products: Sequence[str] = (),
    packages: Sequence[str] = (),
    libraries: Sequence[Library] = (),
    dependencies: Sequence[str] = (),
) -> str:
    """A manifest with the package's platforms and language modes.

    `products` are the targets that other packages may use, each as a library of its name, and `packages` the
    folders of the local packages that this one uses. `libraries` are products of other kinds, and `dependencies`
    other packages as the manifest's words for them.
    """
    language_parameter = "swiftLanguageModes" if _major(package.tools_version) >= 6 else "swiftLanguageVersions"
    parts = [f"    name: {_quoted(package.name)}"]
    if package.default_localization:
        parts.append(f"    defaultLocalization: {_quoted(package.default_localization)}")
    if package.platforms:
        parts.append(f"    platforms: [{', '.join(_platform(*each) for each in package.platforms)}]")
    offered = [f".library(name: {_quoted(name)}, targets: [{_quoted(name)}])" for name in products]
    offered += map(_library, libraries)
    if offered:
        parts.append(f"    products: [{', '.join(offered)}]")
    needed = [*(f".package(path: {_quoted(each)})" for each in packages), *dependencies]
    if needed:
        parts.append(f"    dependencies: [{', '.join(needed)}]")
    parts.append("    targets: [\n" + "".join(_target(target) for target in targets) + "    ]")
    if package.language_modes:
        versions = ", ".join(f".version({_quoted(version)})" for version in package.language_modes)
        parts.append(f"    {language_parameter}: [{versions}]")
    return (
        f"// swift-tools-version: {package.tools_version}\nimport PackageDescription\n\n"
        "let package = Package(\n" + ",\n".join(parts) + "\n)\n"
    )


def _target(target: ManifestTarget) -> str:
    kind = {"test": "testTarget", "executable": "executableTarget"}.get(target.kind, "target")
    needs = [f".target(name: {_quoted(name)})" for name in target.dependencies]
    needs += [_product(name, package) for name, package in target.libraries]
    dependencies = ", ".join(needs)
    settings = {
        f"{tool}Settings": ", ".join(_setting(each, target.name) for each in target.settings if each["tool"] == tool)
        for tool in dict.fromkeys(["swift", *(each["tool"] for each in target.settings)])
    }
    parts = [
        f"name: {_quoted(target.name)}",
        f"dependencies: [{dependencies}]",
        f"path: {_quoted(f'Sources/{target.name}')}",
        *([f"resources: [{', '.join(map(_resource, target.resources))}]"] if target.resources else []),
        *(f"{parameter}: [{values}]" for parameter, values in settings.items()),
    ]
    return f"        .{kind}(\n            " + ",\n            ".join(parts) + "),\n"


def package_dependency(dependency: dict[str, Any], folder: Path) -> str:
    """The manifest's words for another package, as `swift package dump-package` prints it for the package in a
    folder."""
    ((kind, (values,)),) = dependency.items()
    if [trait["name"] for trait in values.get("traits") or [{"name": "default"}]] != ["default"]:
        raise ToolError(f"Traits of {values['identity']} are chosen, which the generated layouts cannot carry.")
    if kind == "fileSystem":
        name = values.get("nameForTargetDependencyResolutionOnly")
        path = os.path.relpath(values["path"], folder)
        return f".package({f'name: {_quoted(name)}, ' if name else ''}path: {_quoted(path)})"
    ((requirement, (value,)),) = values["requirement"].items()
    if requirement == "range":
        version = f"{_quoted(value['lowerBound'])}..<{_quoted(value['upperBound'])}"
    else:
        version = f"{requirement}: {_quoted(value)}"
    if kind == "registry":
        return f".package(id: {_quoted(values['identity'])}, {version})"
    ((_, (location,)),) = values["location"].items()
    url = location["urlString"] if isinstance(location, dict) else f"file://{location}"
    return f".package(url: {_quoted(url)}, {version})"


def _product(name: str, package: str | None) -> str:
    if package is None:
        return f".byName(name: {_quoted(name)})"
    return f".product(name: {_quoted(name)}, package: {_quoted(package)})"


def _library(library: Library) -> str:
    kind = "" if library.kind == "automatic" else f"type: .{library.kind}, "
    targets = ", ".join(map(_quoted, library.targets))
    return f".library(name: {_quoted(library.name)}, {kind}targets: [{targets}])"


def _resource(resource: Resource) -> str:
    ((rule, values),) = resource.rule.items()
    localization = values.get("localization") if isinstance(values, dict) else None
    suffix = f", localization: .{localization}" if localization else ""
    return f".{rule}({_quoted(resource.path.as_posix())}{suffix})"


def _setting(setting: dict[str, Any], target: str) -> str:
    (kind, values), *_ = setting["kind"].items()
    value: Any = values.get("_0") if isinstance(values, dict) else None
    condition = _condition(setting["condition"]) if setting.get("condition") else ""
    if setting["tool"] in ("swift", "linker"):
        if kind in _WITH_TEXT:
            return f".{kind}({_quoted(value)}{condition})"
        if kind in _WITH_CASE:
            return f".{kind}({'as: ' if kind == 'treatAllWarnings' else ''}.{value}{condition})"
        match kind:
            case "swiftLanguageMode":
                return f".swiftLanguageMode(.version({_quoted(value)}){condition})"
            case "unsafeFlags":
                return f".unsafeFlags([{', '.join(_quoted(flag) for flag in value)}]{condition})"
            case "defaultIsolation":
                return f".defaultIsolation({'nil' if value == 'nonisolated' else f'{value}.self'}{condition})"
            case "strictMemorySafety":
                return f".strictMemorySafety({condition.removeprefix(', ')})"
    raise ToolError(f"Target {target} has the setting {json.dumps(setting)}, which the generated layouts cannot carry.")


def _condition(condition: dict[str, Any]) -> str:
    """The words for a condition, after a comma."""
    parts = []
    if condition.get("platformNames"):
        parts.append(f"platforms: [{', '.join(f'.{_platform_case(name)}' for name in condition['platformNames'])}]")
    if condition.get("config"):
        parts.append(f"configuration: .{condition['config']}")
    return f", .when({', '.join(parts)})" if parts else ""


def _platform(name: str, version: str) -> str:
    return f".{_platform_case(name)}({_quoted(version)})"


def _platform_case(name: str) -> str:
    if name not in _PLATFORMS:
        raise ToolError(f"The platform {name} of the manifest is not known here; generated packages cannot carry it.")
    return _PLATFORMS[name]


def _major(version: str) -> int:
    return int(version.partition(".")[0])


def _quoted(text: str | None) -> str:
    # A JSON string is a Swift string where nothing is escaped as \uXXXX.
    return json.dumps(text, ensure_ascii=False)
