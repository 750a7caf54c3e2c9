"""Reads packages: asks SwiftPM, without fetching their dependencies and without writing into their folders."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from swiftmodules.errors import ToolError, UsageError
from swiftmodules.swiftpm.config import USUAL_NAMES, TargetRule
from swiftmodules.swiftpm.facts import Facts
from swiftmodules.swiftpm.package import MANIFEST, Package
from swiftmodules.swiftpm.target import Resource, Target, TargetKind
from swiftmodules.swiftpm.toolchain import Toolchain, output, temporary_folder

_IN_SWIFT: tuple[TargetKind, ...] = ("library", "executable", "test")
_OTHERS: tuple[TargetKind, ...] = ("macro", "plugin", "snippet")
_BY_MODULE_TYPE: Mapping[str, TargetKind] = {
    "PluginTarget": "plugin",
    "BinaryTarget": "binary",
    "SystemLibraryTarget": "system",
}
_TOOLS_VERSION = re.compile(rb"^//\s*swift-tools-version\s*:\s*([\d.]+)", re.IGNORECASE)


def package_folder(folder: Path) -> Path:
    """The folder with its symbolic links resolved. Raises `UsageError` where it holds no package."""
    if not (folder / MANIFEST).is_file():
        raise UsageError(f"{folder} is not a Swift package: it has no {MANIFEST}. Name another folder.")
    return folder.resolve()


def read_package(
    folder: Path,
    toolchain: Toolchain,
    names: tuple[TargetRule, ...] = USUAL_NAMES,
    *,
    root: Path = Path("/"),
    traits: tuple[str, ...] = (),
) -> Package:
    """Reads the package in a folder, which is the copy of one at the same path below `root`. With some traits, it
    depends on what these ask for; else on all that any may ask for."""
    folder = package_folder(folder)
    chosen = ["--traits", ",".join(traits)] if traits else []
    # SwiftPM compiles the manifest once for both questions, unless a variable differs.
    with temporary_folder(toolchain.environment) as scratch:
        dump = _ask(["dump-package"], folder, toolchain, scratch)
        description = _ask([*chosen, "describe", "--type", "json"], folder, toolchain, scratch)
    dumped = {target["name"]: target for target in dump["targets"]}
    # Snippets are in no manifest.
    described = [each for each in description["targets"] if each["name"] in dumped or each["type"] == "snippet"]
    described.sort(key=lambda each: each["name"])
    place = Path(description["path"])
    # SwiftPM makes nothing of a target without sources, and does not describe it.
    empty = dumped.keys() - {each["name"] for each in described}
    targets = [
        _target(dumped.get(each["name"], {}), each, place, dumped.keys(), empty, bool(traits)) for each in described
    ]
    version = dump["toolsVersion"]["_version"]
    return Package(
        name=dump["name"],
        # With a pre-release, as in `6.0-dev`, it is not a language mode.
        tools_version=re.split(r"[^\d.]", version)[0],
        targets=tuple(target for target in targets if target.kind in _IN_SWIFT),
        others=tuple(target for target in targets if target.kind not in _IN_SWIFT),
        manifest=manifest_of(folder, version),
        folder=Path("/") / folder.relative_to(root),
        facts=Facts.of(dump, description, root),
        names=names,
    )


def dump_manifest(folder: Path, toolchain: Toolchain) -> dict[str, Any]:
    """The manifest of the package in a folder, as `swift package dump-package` prints it."""
    with temporary_folder(toolchain.environment) as scratch:
        return _ask(["dump-package"], folder, toolchain, scratch)


def _ask(question: Sequence[str], folder: Path, toolchain: Toolchain, scratch: str) -> dict[str, Any]:
    """The answer of SwiftPM, which writes into a folder for that."""
    options = ["--package-path", str(folder), "--scratch-path", scratch, "--manifest-cache", "local"]
    environment = {**toolchain.environment, "TMPDIR": scratch}
    try:
        printed = output([toolchain.swift, "package", *options, *question], environment, folder)
    except ToolError as error:
        raise _without_command(error, folder) from error
    answer: dict[str, Any] = json.loads(printed)
    return answer


def _without_command(error: ToolError, folder: Path) -> ToolError:
    """The error of SwiftPM that begins with the line of the manifest that is wrong, where there is one, and without the
    commands that SwiftPM called."""
    message = str(error)
    place = re.search(r"^[^\n:]*/(Package[^/\n:]*\.swift:\d+:\d+: error: [^\n]*)", message, re.M)
    if place:
        return ToolError(f"The manifest in {folder} does not compile:\n{place[1]}{message[place.end() :]}")
    _, _, errors = message.partition(":\n")
    return ToolError(f"SwiftPM cannot read the package in {folder}:\n{errors}")


def manifest_of(folder: Path, tools_version: str) -> Path:
    """The manifest that SwiftPM has read of a package, which asks for tools of that version: `Package.swift`, or the
    newest of `Package@swift-6.2.swift` and the like."""
    others = sorted(folder.glob("Package@swift-*.swift"), key=lambda path: _numbers(path.stem), reverse=True)
    files = {path: _TOOLS_VERSION.match(path.read_bytes().lstrip()) for path in (folder / MANIFEST, *others)}
    wanted = _numbers(tools_version)
    found = (path.name for path, match in files.items() if match and _numbers(match[1].decode()) == wanted)
    return Path(next(found, MANIFEST))


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, as many as there can be: `6.0` is `6.0.0`."""
    numbers = [int(number) for number in re.findall(r"\d+", version)][:3]
    return (*numbers, 0, 0, 0)[:3]


def _target(
    dumped: Mapping[str, Any],
    described: Mapping[str, Any],
    root: Path,
    known: Collection[str],
    empty: Collection[str],
    has_traits: bool,
) -> Target:
    """A target of the package in `root`. What it depends on behind a trait that is off is not described."""
    folder = Path(described["path"])
    # The name and more of each, with a condition at the end.
    declared = [(kind, values) for each in dumped.get("dependencies", ()) for kind, values in each.items()]
    named = [] if has_traits else [values[0] for _, values in declared]
    targets = [*described.get("target_dependencies", ()), *(name for name in named if name in known)]
    products = [*described.get("product_dependencies", ()), *(name for name in named if name not in known)]
    plugins = [usage["plugin"][0] for usage in dumped.get("pluginUsages") or () if usage["plugin"][1] is None]
    packages = {values[0]: values[1] for kind, values in declared if kind == "product"}
    platforms = {values[0]: (values[-1] or {}).get("platformNames") for _, values in declared}
    return Target(
        name=described["name"],
        kind=_kind(described),
        folder=folder.relative_to(root) if folder.is_absolute() and folder.is_relative_to(root) else folder,
        sources=tuple(folder / source for source in described.get("sources", ())),
        dependencies=tuple(each for each in dict.fromkeys([*targets, *plugins]) if each not in empty),
        products=tuple((name, packages.get(name)) for name in dict.fromkeys(products)),
        platforms={name: tuple(each) for name, each in platforms.items() if each},
        settings=tuple(dumped.get("settings", ())),
        resources=tuple(Resource(Path(each["path"]), each["rule"]) for each in dumped.get("resources") or ()),
        import_name=described.get("c99name", ""),
    )


def _kind(described: Mapping[str, Any]) -> TargetKind:
    """The kind of a target; one that is not known counts as not in Swift."""
    if described.get("plugin_capability", {}).get("type") == "command":
        return "command"
    if described["module_type"] == "SwiftTarget":
        return next((each for each in (*_IN_SWIFT, *_OTHERS) if each == described["type"]), "clang")
    return _BY_MODULE_TYPE.get(described["module_type"], "clang")
