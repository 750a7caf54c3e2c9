"""Writes the `Package.swift` of a generated layout."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from buildspeed.failures import MeasurementError
from buildspeed.package_graph import Package

# `swift package dump-package` writes them in lower case.
_PLATFORMS = {
    "macos": "macOS",
    "ios": "iOS",
    "tvos": "tvOS",
    "watchos": "watchOS",
    "visionos": "visionOS",
    "maccatalyst": "macCatalyst",
    "driverkit": "driverKit",
}
# Code can be linked on more of them than a manifest can name versions of.
_LINKING_PLATFORMS = {**_PLATFORMS, "linux": "linux", "windows": "windows", "android": "android"}


@dataclass(frozen=True)
class ManifestTarget:
    """A target whose sources are in `Sources/<name>`."""

    name: str
    is_executable: bool
    is_test: bool
    dependencies: tuple[str, ...]
    settings: tuple[dict[str, Any], ...]
    # Libraries of other local packages that it needs: the library and its package.
    libraries: tuple[tuple[str, str], ...] = ()


def manifest(
    package: Package, targets: list[ManifestTarget], products: Sequence[str] = (), packages: Sequence[str] = ()
) -> str:
    """A manifest with the package's platforms and language modes.

    `products` are the targets that other packages may use, each as a library of its name, and `packages` the
    folders of the local packages that this one uses.
    """
    language_parameter = "swiftLanguageModes" if _major(package.tools_version) >= 6 else "swiftLanguageVersions"
    parts = [f"    name: {_quoted(package.name)}"]
    if package.platforms:
        parts.append(f"    platforms: [{', '.join(_platform(*each) for each in package.platforms)}]")
    if products:
        libraries = [f".library(name: {_quoted(name)}, targets: [{_quoted(name)}])" for name in products]
        parts.append(f"    products: [{', '.join(libraries)}]")
    if packages:
        parts.append(f"    dependencies: [{', '.join(f'.package(path: {_quoted(each)})' for each in packages)}]")
    parts.append("    targets: [\n" + "".join(_target(target) for target in targets) + "    ]")
    if package.language_versions:
        versions = ", ".join(f".version({_quoted(version)})" for version in package.language_versions)
        parts.append(f"    {language_parameter}: [{versions}]")
    return (
        f"// swift-tools-version: {package.tools_version}\nimport PackageDescription\n\n"
        "let package = Package(\n" + ",\n".join(parts) + "\n)\n"
    )


def _target(target: ManifestTarget) -> str:
    kind = "testTarget" if target.is_test else "executableTarget" if target.is_executable else "target"
    needs = [f".target(name: {_quoted(name)})" for name in target.dependencies]
    needs += [f".product(name: {_quoted(name)}, package: {_quoted(package)})" for name, package in target.libraries]
    dependencies = ", ".join(needs)
    compiling = ", ".join(_setting(each, target.name) for each in target.settings if each["tool"] != "linker")
    linking = ", ".join(_linker_setting(each, target.name) for each in target.settings if each["tool"] == "linker")
    settings = f"swiftSettings: [{compiling}]" + (f", linkerSettings: [{linking}]" if linking else "")
    return (
        f"        .{kind}(\n"
        f"            name: {_quoted(target.name)},\n"
        f"            dependencies: [{dependencies}],\n"
        f"            path: {_quoted(f'Sources/{target.name}')},\n"
        f"            {settings}),\n"
    )


def _setting(setting: dict[str, Any], target: str) -> str:
    (kind, values), *_ = setting["kind"].items()
    value = values.get("_0") if isinstance(values, dict) else None
    if setting["tool"] == "swift" and "condition" not in setting:
        match kind:
            case "enableUpcomingFeature" | "enableExperimentalFeature" | "define":
                return f".{kind}({_quoted(value)})"
            case "swiftLanguageMode":
                return f".swiftLanguageMode(.version({_quoted(value)}))"
            case "unsafeFlags":
                return f".unsafeFlags([{', '.join(_quoted(flag) for flag in value)}])"
    raise _not_carried(setting, target)


def _linker_setting(setting: dict[str, Any], target: str) -> str:
    condition: dict[str, Any] = setting.get("condition", {})
    platforms = [_LINKING_PLATFORMS.get(name) for name in condition.get("platformNames", [])]
    flags = setting["kind"].get("unsafeFlags", {}).get("_0")
    if flags is None or None in platforms or not condition.keys() <= {"platformNames"}:
        raise _not_carried(setting, target)
    when = f", .when(platforms: [{', '.join(f'.{name}' for name in platforms)}])" if platforms else ""
    return f".unsafeFlags([{', '.join(map(_quoted, flags))}]{when})"


def _not_carried(setting: dict[str, Any], target: str) -> MeasurementError:
    return MeasurementError(
        f"target {target} has the setting {json.dumps(setting)}, which the generated layouts cannot carry."
    )


def _platform(name: str, version: str) -> str:
    if name not in _PLATFORMS:
        raise MeasurementError(f"the platform {name} of the manifest is not known to the generated layouts.")
    return f".{_PLATFORMS[name]}({_quoted(version)})"


def _major(version: str) -> int:
    return int(version.partition(".")[0])


def _quoted(text: str | None) -> str:
    # A JSON string is a Swift string where nothing is escaped as \uXXXX.
    return json.dumps(text, ensure_ascii=False)
