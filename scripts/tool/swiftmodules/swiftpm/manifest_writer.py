"""Writes the `Package.swift` of a generated layout."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.facts import Library
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.target import Resource, Target

_PLATFORMS = (
    *("macOS", "iOS", "tvOS", "watchOS", "visionOS", "macCatalyst", "driverKit"),
    *("linux", "windows", "android", "wasi", "openbsd"),
)
# Settings whose one value is a text or a list of texts.
_WITH_TEXT = (
    *("define", "enableUpcomingFeature", "enableExperimentalFeature", "linkedLibrary", "linkedFramework"),
    "unsafeFlags",
)


def manifest_text(
    package: Package,
    targets: Sequence[Target],
    libraries: Sequence[Library] = (),
    dependencies: Sequence[str] = (),
) -> str:
    """A manifest with the package's platforms and language modes, whose targets have their sources in `Sources/<name>`.

    `libraries` are the products that others may use, and `dependencies` other packages as a manifest writes them.
    """
    fields, has_modes = package.facts.fields, int(package.tools_version.partition(".")[0]) >= 6
    lists = {
        "platforms": map(_lowest, fields.get("platforms", ())),
        "products": map(_library, libraries),
        "traits": [_trait(each["name"], each["enabledTraits"]) for each in fields.get("traits") or ()],
        "dependencies": dependencies,
        "targets": ["\n" + "".join(map(_target, targets)) + "    "],
        "swiftLanguageModes" if has_modes else "swiftLanguageVersions": [
            f".version({_quoted(version)})" for version in fields.get("swiftLanguageVersions") or ()
        ],
    }
    parts = [f"name: {_quoted(package.name)}"]
    if language := fields.get("defaultLocalization"):
        parts.append(f"defaultLocalization: {_quoted(language)}")
    parts += [f"{name}: [{values}]" for name, each in lists.items() if (values := ", ".join(each))]
    return (
        f"// swift-tools-version: {package.tools_version}\nimport PackageDescription\n\n"
        "let package = Package(\n    " + ",\n    ".join(parts) + "\n)\n"
    )


def package_dependency(dependency: dict[str, Any], package: Path, copy: Path) -> str:
    """Another package as a manifest writes it, from what `swift package dump-package` prints of a package, in whose
    copy the paths to other copies still hold."""
    ((kind, (values,)),) = dependency.items()
    if [trait["name"] for trait in values.get("traits") or [{"name": "default"}]] != ["default"]:
        raise ToolError(f"Traits of {values['identity']} are chosen, which the generated layouts cannot carry.")
    if kind == "fileSystem":
        name = values.get("nameForTargetDependencyResolutionOnly")
        path = os.path.relpath(values["path"], package)
        place = path if (copy / path).exists() else values["path"]
        return f".package({f'name: {_quoted(name)}, ' if name else ''}path: {_quoted(place)})"
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


def _target(target: Target) -> str:
    kind = {"test": "testTarget", "executable": "executableTarget"}.get(target.kind, "target")
    needs = [f".target(name: {_quoted(name)})" for name in target.dependencies]
    needs += [
        f".product(name: {_quoted(name)}, package: {_quoted(package)})"
        if package
        else f".byName(name: {_quoted(name)})"
        for name, package in target.products
    ]
    parts = [f"name: {_quoted(target.name)}", f"dependencies: [{', '.join(needs)}]", f'path: "Sources/{target.name}"']
    if target.resources:
        parts.append(f"resources: [{', '.join(map(_resource, target.resources))}]")
    for tool in dict.fromkeys(["swift", *(each["tool"] for each in target.settings)]):
        settings = [_setting(each, target.name) for each in target.settings if each["tool"] == tool]
        parts.append(f"{tool}Settings: [{', '.join(settings)}]")
    return f"        .{kind}(\n            " + ",\n            ".join(parts) + "),\n"


def _lowest(platform: dict[str, Any]) -> str:
    return f".{_platform(platform['platformName'])}({_quoted(platform['version'])})"


def _trait(name: str, enabled: Sequence[str]) -> str:
    if name == "default":
        return f".default(enabledTraits: {_quoted(enabled)})"
    return f".trait(name: {_quoted(name)}, enabledTraits: {_quoted(enabled)})"


def _library(library: Library) -> str:
    kind = "" if library.kind == "automatic" else f"type: .{library.kind}, "
    return f".library(name: {_quoted(library.name)}, {kind}targets: {_quoted(library.targets)})"


def _resource(resource: Resource) -> str:
    ((rule, values),) = resource.rule.items()
    localization = values.get("localization") if isinstance(values, dict) else None
    suffix = f", localization: .{localization}" if localization else ""
    return f".{rule}({_quoted(resource.path.as_posix())}{suffix})"


def _setting(setting: dict[str, Any], target: str) -> str:
    (kind, values), *_ = setting["kind"].items()
    value = values.get("_0") if isinstance(values, dict) else None
    words = dict.fromkeys(_WITH_TEXT, _quoted(value)) | {
        "interoperabilityMode": f".{value}",
        "treatAllWarnings": f"as: .{value}",
        "swiftLanguageMode": f".version({_quoted(value)})",
        "defaultIsolation": "nil" if value == "nonisolated" else f"{value}.self",
        "strictMemorySafety": "",
    }
    if setting["tool"] not in ("swift", "linker") or kind not in words:
        raise ToolError(
            f"Target {target} has the setting {json.dumps(setting)}, which the generated layouts cannot carry."
        )
    return f".{kind}({', '.join(filter(None, [words[kind], _condition(setting.get('condition') or {})]))})"


def _condition(condition: dict[str, Any]) -> str:
    parts = []
    if condition.get("platformNames"):
        parts.append(f"platforms: [{', '.join(f'.{_platform(name)}' for name in condition['platformNames'])}]")
    if condition.get("config"):
        parts.append(f"configuration: .{condition['config']}")
    if condition.get("traits"):
        parts.append(f"traits: {_quoted(condition['traits'])}")
    return f".when({', '.join(parts)})" if parts else ""


def _platform(name: str) -> str:
    """The name of a platform, which `swift package dump-package` writes in lower case."""
    found = next((each for each in _PLATFORMS if each.lower() == name), None)
    if found is None:
        raise ToolError(f"The platform {name} of the manifest is not known here; generated packages cannot carry it.")
    return found


def _quoted(value: str | Sequence[str] | None) -> str:
    # In JSON, a text or a list of texts is written as in Swift where nothing is escaped as \uXXXX.
    return json.dumps(value, ensure_ascii=False)
