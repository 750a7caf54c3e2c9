"""A package as SwiftPM describes it, with its targets of every kind, and the modules that their names make."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from swiftmodules.closure import reached
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.swiftpm.config import USUAL_NAMES, PartKind, TargetRule
from swiftmodules.swiftpm.modules import Module, Naming, find_modules, namings
from swiftmodules.swiftpm.target import Resource, Target, TargetKind
from swiftmodules.swiftpm.toolchain import Toolchain, read, temporary_folder

MANIFEST, RESOLVED = "Package.swift", "Package.resolved"

_SWIFT_KINDS: tuple[TargetKind, ...] = ("library", "executable", "test")
# Module types that are not in Swift, and the reason why a generated package cannot hold them.
_FOREIGN: Mapping[str, tuple[TargetKind, str]] = {
    "ClangTarget": ("clang", "in C, C++ or Objective-C"),
    "PluginTarget": ("plugin", "a plugin"),
    "BinaryTarget": ("binary", "binary"),
    "SystemLibraryTarget": ("system", "a system library"),
}
_TOOLS_VERSION = re.compile(rb"^//\s*swift-tools-version\s*:\s*([\d.]+)", re.IGNORECASE)
# What SwiftPM prints of a target that follows from its files, and from the fields of others.
_DERIVED = ("sources", "resources", "product_memberships", "target_dependencies", "product_dependencies")
# SwiftPM prints them in another order each time.
_UNORDERED = {"traits", "enabledTraits"}
# Folders that hold no sources.
BUILDS = ".build"
LEFT_OUT = {".git", BUILDS, ".swiftpm"}


class Library(msgspec.Struct, frozen=True):
    """A library product: its name, its kind (`automatic`, `static`, `dynamic`), and its targets."""

    name: str
    kind: str
    targets: tuple[str, ...]


class Facts(msgspec.Struct, frozen=True):
    """All that SwiftPM prints of a package, by the names of its fields, targets, products and dependencies, in an order
    of its own; what follows from other fields, or from the files that are there, is left out."""

    fields: dict[str, Any] = {}
    targets: dict[str, Any] = {}
    products: dict[str, Any] = {}
    dependencies: dict[str, Any] = {}


class Package(msgspec.Struct, frozen=True, dict=True):
    """A package. `targets` are those in Swift, tests too; `others` are plugins, macros, and what is not in Swift."""

    name: str
    tools_version: str
    # Pairs of a platform (`macos`) and the lowest version (`14.0`).
    platforms: tuple[tuple[str, str], ...] = ()
    language_modes: tuple[str, ...] = ()
    targets: tuple[Target, ...] = ()
    others: tuple[Target, ...] = ()
    libraries: tuple[Library, ...] = ()
    # Other packages, as `swift package dump-package` prints them.
    dependencies: tuple[dict[str, Any], ...] = ()
    default_localization: str | None = None
    # Why no package can be generated that holds the same: `CLib is in C`.
    obstacles: tuple[str, ...] = ()
    # The traits, each with those that it switches on; those of `default` are on where nothing else is chosen.
    traits: tuple[tuple[str, tuple[str, ...]], ...] = ()
    # The manifest that this toolchain reads: `Package.swift`, or `Package@swift-6.2.swift`.
    manifest: Path = Path(MANIFEST)
    # Where the package is, or was written from.
    folder: Path = Path()
    facts: Facts = Facts()
    # The modules that the sources of each target import although the manifest does not name them.
    undeclared: dict[str, tuple[str, ...]] = {}
    # The entries of a configuration that name its targets.
    names: tuple[TargetRule, ...] = USUAL_NAMES

    @cached_property
    def namings(self) -> dict[str, Naming]:
        """What the name of each target says that an entry matches."""
        return namings([target.name for target in self.targets], self.names)

    def kind(self, target: str) -> PartKind | None:
        """The kind of a target by its entry; None where no entry is for it."""
        naming = self.namings.get(target)
        return naming.kind if naming else None

    def module(self, target: str) -> str | None:
        """The module of a target by its name."""
        naming = self.namings.get(target)
        return naming.module if naming else None

    @cached_property
    def modules(self) -> dict[str, Module]:
        """The modules that have an interface and the implementation that is named after it, by their names."""
        return find_modules(self.targets, self.namings, self.names)

    @cached_property
    def edited_modules(self) -> dict[str, Module]:
        """The modules in which edits can be made: in a package that has none by the names of its targets, each library
        target is one, with its API and the code behind it. What plain `swift build` leaves out is none."""
        libraries = [target for target in self.targets if target.kind == "library"]
        found = self.modules or {each.name: Module.of(each) for each in libraries}
        return {name: each for name, each in found.items() if self.left_out.keys().isdisjoint(each.names)}

    @property
    def application(self) -> Target | None:
        """The only executable, or None where there are none or several."""
        executables = [target for target in self.targets if target.is_executable]
        return executables[0] if len(executables) == 1 else None

    @cached_property
    def by_name(self) -> dict[str, Target]:
        """The targets of any kind by their names."""
        return {target.name: target for target in (*self.targets, *self.others)}

    @property
    def code(self) -> tuple[Target, ...]:
        """The targets in Swift that plain `swift build` compiles."""
        return tuple(target for target in self.targets if not target.is_test and target.name not in self.left_out)

    @cached_property
    def left_out(self) -> dict[str, str]:
        """The targets that plain `swift build` leaves out, each with the reason: others depend on it on other platforms
        only, and none does on this one."""
        here = "macos" if sys.platform == "darwin" else sys.platform
        built = [target for target in (*self.targets, *self.others) if not target.is_test]
        elsewhere = {
            name: f"on this platform, plain 'swift build' leaves it out: {each.name} depends on it on "
            f"{', '.join(platforms)} only."
            for each in built
            for name, platforms in each.platforms.items()
            if here not in platforms and self.target(name)
        }

        def needed(name: str) -> Iterator[str]:
            target = self.target(name)
            for each in target.dependencies if target else ():
                if target and here in target.platforms.get(each, (here,)):
                    yield each

        kept = reached((each.name for each in built if each.name not in elsewhere), needed)
        return {name: reason for name, reason in elsewhere.items() if name not in kept}

    @property
    def tests(self) -> tuple[Target, ...]:
        return tuple(target for target in self.targets if target.is_test)

    def target(self, name: str) -> Target | None:
        """The target of a name, of any kind."""
        return self.by_name.get(name)

    def program(self, name: str) -> Package:
        """The package with the targets of one program only: an executable, and everything that it depends on."""
        names = reached([name], self.dependencies_of)
        targets, others = ([each for each in some if each.name in names] for some in (self.targets, self.others))
        return msgspec.structs.replace(self, targets=tuple(targets), others=tuple(others))

    def dependencies_of(self, name: str) -> tuple[str, ...]:
        """The targets that a target depends on, also undeclared ones; none for a name of no target."""
        target = self.target(name)
        return (*target.dependencies, *self.undeclared.get(name, ())) if target else ()

    def uses_plugin(self, name: str) -> bool:
        """Whether a plugin generates files of a target."""
        return bool(self.facts.targets.get(name, {}).get("pluginUsages"))

    @cached_property
    def users(self) -> dict[str, list[str]]:
        """The targets that depend on each target themselves."""
        found: dict[str, list[str]] = {}
        for user in (*self.targets, *self.others):
            for name in self.dependencies_of(user.name):
                found.setdefault(name, []).append(user.name)
        return found

    def above(self, names: Iterable[str]) -> list[Target]:
        """Targets with all that depend on them, the nearest first: what a cache by source rebuilds after an edit."""
        return [self.by_name[name] for name in reached(names, lambda name: self.users.get(name, ()))]

    def target_of(self, file: Path) -> Target | None:
        """The target whose folder holds a file: the innermost, where one is inside another."""
        holding = [each for each in (*self.targets, *self.others) if file.is_relative_to(each.folder)]
        return max(holding, key=lambda each: (file in each.sources, len(each.folder.parts)), default=None)


def package_folder(folder: Path) -> Path:
    """The folder with its symbolic links resolved. Raises `UsageError` where it holds no package."""
    if not (folder / MANIFEST).is_file():
        raise UsageError(f"{folder} is not a Swift package: it has no {MANIFEST}.")
    return folder.resolve()


def read_package(
    folder: Path,
    toolchain: Toolchain,
    names: tuple[TargetRule, ...] = USUAL_NAMES,
    *,
    scratch: Path | None = None,
    root: Path = Path("/"),
    traits: tuple[str, ...] = (),
) -> Package:
    """Reads a package without fetching its dependencies and without writing into its folder, which is the copy of one
    at the same path below `root`. With some traits, it depends on what these ask for; else on all that any may ask for.
    """
    folder = package_folder(folder)
    if scratch is None:
        with temporary_folder(toolchain.environment) as temporary:
            return read_package(folder, toolchain, names, scratch=Path(temporary), root=root, traits=traits)
    dump = dump_manifest(folder, toolchain, scratch)
    chosen = ["--traits", ",".join(traits)] if traits else []
    description = _ask([*chosen, "describe", "--type", "json"], folder, toolchain, scratch)
    manifest = manifest_of(folder, dump["toolsVersion"]["_version"])
    place, facts = Path("/") / folder.relative_to(root), facts_of(_without(root, dump), _without(root, description))
    found = package_from(dump, description, has_traits=bool(traits))
    return msgspec.structs.replace(found, manifest=manifest, names=names, folder=place, facts=facts)


def dump_manifest(folder: Path, toolchain: Toolchain, scratch: Path) -> dict[str, Any]:
    """The manifest of the package in a folder, as `swift package dump-package` prints it."""
    return _ask(["dump-package"], folder, toolchain, scratch)


def _ask(question: Sequence[str], folder: Path, toolchain: Toolchain, scratch: Path) -> dict[str, Any]:
    options = ["--package-path", str(folder), "--scratch-path", str(scratch), "--manifest-cache", "local"]
    try:
        output = read([toolchain.swift, "package", *options, *question], toolchain.environment, folder)
    except ToolError as error:
        raise _without_command(error, folder) from error
    answer: dict[str, Any] = json.loads(output)
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


def package_from(dump: Mapping[str, Any], description: Mapping[str, Any], has_traits: bool = False) -> Package:
    """The package that `swift package dump-package` and `… describe --type json` print. What a target depends on behind
    a trait that is off is not described."""
    dumped = {target["name"]: target for target in dump["targets"]}
    # Snippets are in no manifest.
    described = [each for each in description["targets"] if each["name"] in dumped or each["type"] == "snippet"]
    described.sort(key=lambda each: each["name"])
    root = Path(description["path"])
    targets = [_target(dumped.get(each["name"], {}), each, root, dumped.keys(), has_traits) for each in described]
    obstacles = [
        text for each in described if each["name"] in dumped for text in _obstacles(dumped[each["name"]], each)
    ]
    return Package(
        name=dump["name"],
        # With a pre-release, as in `6.0-dev`, it is not a language mode.
        tools_version=re.split(r"[^\d.]", dump["toolsVersion"]["_version"])[0],
        platforms=tuple((each["platformName"], each["version"]) for each in dump["platforms"]),
        language_modes=tuple(dump["swiftLanguageVersions"] or ()),
        targets=tuple(target for target in targets if target.kind in _SWIFT_KINDS),
        others=tuple(target for target in targets if target.kind not in _SWIFT_KINDS),
        libraries=tuple(
            Library(product["name"], product["type"]["library"][0], tuple(product["targets"]))
            for product in dump.get("products", ())
            if "library" in product["type"]
        ),
        dependencies=tuple(dump["dependencies"]),
        default_localization=dump.get("defaultLocalization"),
        obstacles=tuple(obstacles),
        traits=tuple(sorted((each["name"], tuple(each["enabledTraits"])) for each in dump.get("traits") or ())),
    )


def facts_of(dump: Mapping[str, Any], description: Mapping[str, Any]) -> Facts:
    """All that SwiftPM prints of a package. What is described of a target follows from its place and its files, where
    the manifest does not say it."""
    described = {each["name"]: {**each} for each in description["targets"]}
    for each in described.values():
        for name in _DERIVED:
            each.pop(name, None)
    dumped = {each["name"]: each for each in dump["targets"]}
    products = {each["name"]: each for each in (*description.get("products", ()), *dump.get("products", ()))}
    named = {values["identity"]: each for each in dump["dependencies"] for (values,) in [next(iter(each.values()))]}
    fields = {
        name: value
        for name, value in ({**description, **dump}).items()
        if name not in ("targets", "products", "dependencies", "path", "packageKind")
    }
    names = described.keys() | dumped.keys()
    targets = {name: {**described.get(name, {}), **dumped.get(name, {})} for name in names}
    return Facts(fields, targets, products, named)


def _without(root: Path, value: Any) -> Any:  # noqa: ANN401
    """What SwiftPM prints without the folder in which a package was written, and with traits in order."""
    match value:
        case str():
            return value if root == Path("/") else value.replace(f"{root}/", "/")
        case list():
            return [_without(root, each) for each in value]
        case dict():
            found = {name: _without(root, each) for name, each in value.items()}
            for name in _UNORDERED & found.keys():
                found[name] = sorted(found[name] or [], key=msgspec.json.encode)
            return found
    return value


def _kind(described: Mapping[str, Any]) -> tuple[TargetKind, str | None]:
    """The kind of a target, and what keeps a generated package from holding it."""
    if described.get("plugin_capability", {}).get("type") == "command":
        return "command", None
    if described["module_type"] in _FOREIGN:
        return _FOREIGN[described["module_type"]]
    kind = described["type"]
    if described["module_type"] != "SwiftTarget" or kind not in (*_SWIFT_KINDS, "macro", "plugin", "snippet"):
        return "clang", f"of type {described['module_type']} ({kind})"
    return kind, None if kind in _SWIFT_KINDS else f"a {kind}"


def _obstacles(dumped: Mapping[str, Any], described: Mapping[str, Any]) -> Iterator[str]:
    """The parts of a target that generated manifests cannot carry, but for its settings."""
    name, reason = dumped["name"], _kind(described)[1]
    if reason is not None:
        yield f"{name} is {reason}"
        return
    for usage in dumped.get("pluginUsages") or ():
        yield f"{name} uses the plugin {usage['plugin'][0]}"
    for dependency in dumped["dependencies"]:
        (values,) = dependency.values()
        if values[-1] is not None:
            yield f"{name} depends on {values[0]} under a condition"
        if "product" in dependency and values[2]:
            yield f"{name} gives modules of {values[0]} other names"


def _target(
    dumped: Mapping[str, Any], described: Mapping[str, Any], root: Path, known: Collection[str], has_traits: bool
) -> Target:
    folder = Path(described["path"])
    named = [values[0] for each in dumped.get("dependencies", ()) for values in each.values() if not has_traits]
    targets = [*described.get("target_dependencies", ()), *(name for name in named if name in known)]
    products = [*described.get("product_dependencies", ()), *(name for name in named if name not in known)]
    plugins = [usage["plugin"][0] for usage in dumped.get("pluginUsages") or () if usage["plugin"][1] is None]
    packages = {
        values[0]: values[1] for each in dumped.get("dependencies", ()) for values in [each.get("product")] if values
    }
    return Target(
        name=described["name"],
        kind=_kind(described)[0],
        folder=folder.relative_to(root) if folder.is_absolute() and folder.is_relative_to(root) else folder,
        sources=tuple(folder / source for source in sorted(described.get("sources", ()))),
        dependencies=tuple(dict.fromkeys([*targets, *plugins])),
        products=tuple((name, packages.get(name)) for name in dict.fromkeys(products)),
        platforms=_platforms(dumped),
        settings=tuple(dumped.get("settings", ())),
        resources=tuple(Resource(Path(each["path"]), each["rule"]) for each in dumped.get("resources") or ()),
        import_name=described.get("c99name", ""),
    )


def _platforms(dumped: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for dependency in dumped.get("dependencies", ()):
        (values,) = dependency.values()
        if names := (values[-1] or {}).get("platformNames"):
            found[values[0]] = tuple(names)
    return found
