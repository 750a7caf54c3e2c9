"""A small package that keeps every rule, in which tests plant what breaks one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from swiftmodules.check.command import RULES, find
from swiftmodules.check.findings import Finding
from swiftmodules.check.subject import Subject
from swiftmodules.swiftpm.config import Config, Routes, read_config
from swiftmodules.swiftpm.package import Package, Target, TargetKind
from swiftmodules.swiftpm.syntax import SourceFile, read_files
from swiftmodules.swiftpm.toolchain import Toolchain

CONFIG = Path(__file__).resolve().parent.parent.parent / "swiftmodules.toml"

_ROUTER = "RouterServiceInterface"
FEATURES = ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility")

# The targets with their folders and dependencies.
TARGETS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "App": ("App", ("BasketImplementation", "BasketInterface", "PriceImplementation", "PriceInterface", _ROUTER)),
    "BasketImplementation": ("Modules/Basket/Implementation", ("BasketInterface", "PriceInterface", _ROUTER)),
    "BasketInterface": ("Modules/Basket/Interface", (_ROUTER,)),
    "BasketTesting": ("Modules/Basket/Testing", ("BasketInterface", _ROUTER)),
    "BasketTests": (
        "Tests/BasketTests",
        ("BasketImplementation", "BasketInterface", "BasketTesting", "PriceInterface", "PriceTesting", _ROUTER),
    ),
    "PriceImplementation": ("Modules/Price/Implementation", ("PriceInterface", _ROUTER)),
    "PriceInterface": ("Modules/Price/Interface", (_ROUTER,)),
    "PriceTesting": ("Modules/Price/Testing", ("PriceInterface", _ROUTER)),
    "PriceTests": ("Tests/PriceTests", ("PriceImplementation", "PriceInterface", "PriceTesting", _ROUTER)),
    "RouterServiceImplementation": ("Modules/RouterService/Implementation", (_ROUTER,)),
    _ROUTER: ("Modules/RouterService/Interface", ()),
    "RouterServiceTesting": ("Modules/RouterService/Testing", (_ROUTER,)),
    "RouterServiceTests": ("Tests/RouterServiceTests", ("RouterServiceImplementation", _ROUTER)),
}

FILES: Mapping[str, str] = {
    "App/Composition.swift": """\
import BasketImplementation
import PriceImplementation

func modules() -> [Any] {
    [BasketModule(), PriceModule()]
}
""",
    "App/main.swift": """\
let arguments = ["--check"]
print(modules().count, arguments)
""",
    "Modules/Basket/Interface/Basket.swift": """\
/// What somebody is going to buy.
public enum Basket {}
""",
    "Modules/Basket/Interface/Checkout.swift": """\
public import RouterServiceInterface

extension Basket {
    /// Leads to the till; finishes with the number of the order.
    public struct Checkout: Route {
        /// `basket.checkout` in links.
        public static let identifier = "basket.checkout"

        /// Creates a route, e.g. from a button.
        public init() {}
    }

    /// Keeps what somebody has chosen.
    public protocol Store: AnyObject {
        /// The number of things.
        var count: Int { get }

        /// Adds a thing.
        func add(_ thing: String, times: Int)
    }
}
""",
    "Modules/Basket/Implementation/BasketModule.swift": """\
import BasketInterface
public import RouterServiceInterface

/// Registers the till.
public struct BasketModule {
    /// Creates the module entry.
    public init() {}

    /// Registers the feature for `Basket.Checkout`.
    public func register(in registrar: Registrar) {
        registrar.route(Basket.Checkout.self, by: CheckoutFeature.init)
    }
}
""",
    "Modules/Basket/Implementation/CheckoutFeature.swift": """\
import PriceInterface
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

struct CheckoutFeature {
    let list: any Price.List
}
""",
    "Modules/Basket/Testing/FakeStore.swift": """\
public import BasketInterface

/// Keeps things in memory.
public final class FakeStore: Basket.Store {
    /// The number of things.
    public private(set) var count = 0

    /// Creates an empty store.
    public init() {}

    /// Counts the thing as often as it is added.
    public func add(_ thing: String, times: Int) {
        count += times
    }
}
""",
    "Modules/Basket/README.md": """\
# Basket

[Interface](Interface) · [Tests](../../Tests/BasketTests)

`Basket.Checkout` leads to the till; `Basket.Store` has `add(_:times:)`. See [the list](#things).

## Things

`FakeStore` is in `Testing/FakeStore.swift`, and starts with `count` 0.
""",
    "Tests/BasketTests/CheckoutTests.swift": """\
import BasketTesting
import Testing

@testable import BasketImplementation

@Test func checkout_whenNothingIsChosen_costsNothing() {
    #expect(FakeStore().count == 0)
}
""",
    "Modules/Price/Interface/Price.swift": """\
/// What things cost.
public enum Price {}

extension Price {
    /// Knows prices.
    public protocol List: Sendable {
        /// A price in cents.
        func price(of thing: String) -> Int
    }
}
""",
    "Modules/Price/Implementation/PriceModule.swift": """\
import PriceInterface

/// Registers the list.
public struct PriceModule {
    /// Creates the module entry.
    public init() {}
}
""",
    "Modules/Price/Testing/FakeList.swift": """\
public import PriceInterface

/// Everything costs the same.
public struct FakeList: Price.List {
    /// Creates a list.
    public init() {}

    /// One cent.
    public func price(of thing: String) -> Int { 1 }
}
""",
    "Modules/Price/README.md": "# Price\n\nWhat things cost: `Price.List`.\n",
    "Tests/PriceTests/PriceTests.swift": """\
import PriceTesting
import Testing

@Test func price_ofAnything_isOneCent() {
    #expect(FakeList().price(of: "tea") == 1)
}
""",
    "Modules/RouterService/Interface/Route.swift": """\
/// A destination.
public protocol Route: Hashable {
    /// The name in links.
    static var identifier: String { get }
}

/// Takes what a module provides.
public final class Registrar {
    /// The names of the routes that are handled.
    public private(set) var routes: [String] = []

    /// Creates a registrar without routes.
    public init() {}

    /// Registers the feature for a route.
    public func route<Destination: Route, Handler>(_ route: Destination.Type, by factory: Handler) {
        routes.append(Destination.identifier)
    }
}
""",
    "Modules/RouterService/Implementation/RouterService.swift": """\
/// Shows routes.
public final class RouterService {
    /// Creates a router.
    public init() {}
}
""",
    "Modules/RouterService/Testing/RecordedModules.swift": """\
import RouterServiceInterface

/// What module entries register.
public struct RecordedModules {
    /// The names of the routes that are handled.
    public let routes: [String]

    /// Creates the records of no module.
    public init() { routes = Registrar().routes }
}
""",
    "Modules/RouterService/README.md": "# RouterService\n\nShows routes.\n",
    "Tests/RouterServiceTests/RoutingTests.swift": """\
import RouterServiceImplementation
import Testing

@Test func router_isMade() {
    _ = RouterService()
}
""",
    "README.md": """\
# Shop

Run `scripts/stock --all | sort` or `swift run App --check`; test with `swift test --filter BasketTests`.
The layout is in `Modules/`, and `*.swift` files in `Modules/*/Interface`; JSON is `application/json`.

```console
$ scripts/stock --all
--none is no option
```
""",
    "routes.json": '[{"identifier": "basket.checkout", "route": "Basket.Checkout", "urls": ["/checkout"]}]\n',
    "scripts/stock": '#!/bin/sh\n# --all  everything\necho "$1"\n',
}


def manifest() -> str:
    """The package's manifest, one line for each target, so that a finding has a line of its own."""
    lines = ["// swift-tools-version: 6.0", "import PackageDescription", "", "let package = Package("]
    lines += ['    name: "Shop",', "    targets: ["]
    for name, (folder, dependencies) in TARGETS.items():
        kind = "executableTarget" if name == "App" else "testTarget" if name.endswith("Tests") else "target"
        listed = ", ".join(f'"{each}"' for each in dependencies)
        lines.append(f'        .{kind}(name: "{name}", dependencies: [{listed}], path: "{folder}"),')
    features = ", ".join(f'.enableUpcomingFeature("{each}")' for each in FEATURES)
    settings = f"for target in package.targets {{ target.swiftSettings = [{features}] }}"
    return "\n".join([*lines, "    ],", "    swiftLanguageModes: [.v6]", ")", settings, ""])


def shop_config() -> Config:
    """The configuration of this repository, with a file in place of the program that lists the routes."""
    config = read_config(CONFIG)
    code = msgspec.structs.replace(config.code, also=("Package.swift", "Benchmarks/**/*.swift"))
    return msgspec.structs.replace(config, code=code, routes=Routes("Route", ("cat", "routes.json")))


@dataclass(frozen=True)
class Shop:
    """The package in a folder. Files that no test has touched are read once for all tests."""

    folder: Path
    toolchain: Toolchain
    clean: Mapping[Path, SourceFile]

    def write(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def append(self, path: str, text: str) -> None:
        """Adds to a file, or writes a new one."""
        file = self.folder / path
        self.write(path, (file.read_text(encoding="utf-8") if file.exists() else "") + text)

    def replace(self, path: str, old: str, new: str) -> None:
        text = (self.folder / path).read_text(encoding="utf-8")
        assert old in text
        self.write(path, text.replace(old, new, 1))

    def findings(
        self,
        edges: Mapping[str, tuple[str, ...]] | None = None,
        targets: Mapping[str, tuple[str, tuple[str, ...]]] | None = None,
        config: Config | None = None,
        package: Package | None = None,
    ) -> list[Finding]:
        """What the rules find, with more edges and targets than the package has, without asking SwiftPM."""
        package = package or package_of(self.folder, edges or {}, targets or {})
        subject = self.subject(package, config or shop_config())
        return sorted(find(subject, [rule.name for rule in RULES]))

    def subject(self, package: Package, config: Config) -> Subject:
        options = {path: package.parser_options(target) for target in package.targets for path in target.sources}
        kept = {
            path: file
            for path, file in self.clean.items()
            if path in options and (self.folder / path).read_bytes() == file.text
        }
        changed = {path: words for path, words in options.items() if path not in kept}
        read = read_files(self.folder, changed, self.toolchain) if changed else {}
        return Subject(self.folder, config, package, {**kept, **read}, self.toolchain)


def write_shop(folder: Path) -> None:
    """Writes the clean package into a folder."""
    for path, text in {**FILES, "Package.swift": manifest()}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (folder / "scripts/stock").chmod(0o755)


def read_shop(folder: Path, toolchain: Toolchain) -> dict[Path, SourceFile]:
    """The files of the clean package."""
    write_shop(folder)
    package = package_of(folder, {}, {})
    options = {path: package.parser_options(target) for target in package.targets for path in target.sources}
    return read_files(folder, options, toolchain)


def package_of(
    folder: Path,
    edges: Mapping[str, tuple[str, ...]],
    targets: Mapping[str, tuple[str, tuple[str, ...]]],
) -> Package:
    """What SwiftPM would say of the package."""
    return Package(
        name="Shop",
        tools_version="6.0",
        language_modes=("6",),
        targets=tuple(
            Target(
                name=name,
                kind=kind_of(name),
                folder=Path(path),
                sources=tuple(sorted(each.relative_to(folder) for each in (folder / path).rglob("*.swift"))),
                dependencies=(*dependencies, *edges.get(name, ())),
                settings=tuple({"tool": "swift", "kind": {"enableUpcomingFeature": {"_0": each}}} for each in FEATURES),
            )
            for name, (path, dependencies) in sorted({**TARGETS, **targets}.items())
        ),
    )


def kind_of(name: str) -> TargetKind:
    return "executable" if name == "App" else "test" if name.endswith("Tests") else "library"


@dataclass(frozen=True)
class Plant:
    """A file whose text is changed: what is added to its end, and the rule and line that are found then."""

    rule: str
    path: str
    line: int
    text: str


def places(findings: Sequence[Finding]) -> list[tuple[str, str, int]]:
    return [(each.rule, each.path.as_posix(), each.line) for each in findings]
