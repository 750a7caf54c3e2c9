"""The files of a small package that keeps every rule."""

from __future__ import annotations

from collections.abc import Mapping

_ROUTER = "RouterServiceInterface"

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
    return "\n".join([*lines, "    ],", "    swiftLanguageModes: [.v6]", ")", ""])
