"""What `scripts/check` finds in a package: each rule on something planted, and nothing in a clean one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from shop import CONFIGURATION, Plant, Shop, places
from shop_files import FILES, manifest

from boundaries.configuration import read_configuration

_BASKET = "Modules/Basket/Interface/Basket.swift"
_CHECKOUT = "Modules/Basket/Interface/Checkout.swift"
_MODULE = "Modules/Basket/Implementation/BasketModule.swift"
_PLANTED = "Modules/Basket/Implementation/Planted.swift"
_INTERFACE = "Modules/Basket/Interface/Planted.swift"
_FAKES = "Modules/Basket/Testing/FakeStore.swift"
_GUIDE = "Modules/Basket/README.md"


def test_clean_package_has_no_findings(shop: Shop) -> None:
    assert shop.findings() == []


IMPORTS = [
    ("import PriceImplementation\n", 1),
    ("public import PriceImplementation\n", 1),
    ("import struct PriceImplementation.PriceModule\n", 1),
    ("@preconcurrency\nprivate import PriceImplementation\n", 2),
    ("#if DEBUG\nimport PriceImplementation\n#endif\n", 2),
    ("#if os(Windows)\n#else\n  #if canImport(Darwin)\n  import PriceImplementation\n  #endif\n#endif\n", 4),
    ("let a = 1 /* /* */ import Z */; import PriceImplementation\n", 1),
    ("@_implementationOnly import\n    PriceImplementation\n", 2),
    ("@_spi(Some) import `PriceImplementation`\n", 1),
    ("#if compiler(>=99)\n)))\nimport Foundation; import PriceImplementation\n#endif\n", 3),
    ("#if compiler(>=99)\n)))\n@preconcurrency import PriceImplementation\n#endif\n", 3),
]


@pytest.mark.parametrize(("text", "line"), IMPORTS)
def test_forbidden_import_is_found_in_every_form(shop: Shop, text: str, line: int) -> None:
    shop.write(_PLANTED, text)
    assert places(shop.findings(edges={"BasketImplementation": ("PriceImplementation",)})) == [
        ("import", _PLANTED, line),
        ("edge", "Package.swift", 8),
    ]


def test_forbidden_import_that_is_undeclared_too_is_told_once(shop: Shop) -> None:
    shop.write(_PLANTED, "import PriceImplementation\n")
    assert places(shop.findings()) == [("import", _PLANTED, 1)]


def test_interface_that_is_reached_must_be_named(shop: Shop) -> None:
    assert shop.findings(edges={"PriceTests": ("BasketTesting", "BasketInterface")}) == []
    (found,) = shop.findings(edges={"PriceTests": ("BasketTesting",)})
    assert (found.rule, found.path.as_posix(), found.line) == ("named-interface", "Package.swift", 15)
    assert found.message.startswith("PriceTests reaches BasketInterface through BasketTesting without naming it;")


@pytest.mark.parametrize("text", ["// import PriceImplementation\n", 'let a = """\nimport PriceImplementation\n"""\n'])
def test_import_in_a_comment_or_a_literal_is_none(shop: Shop, text: str) -> None:
    shop.write(_PLANTED, text)
    assert shop.findings() == []


@pytest.mark.parametrize(
    ("importing", "path", "imported"),
    [
        ("BasketInterface", _INTERFACE, "PriceInterface"),
        ("BasketTesting", "Modules/Basket/Testing/Planted.swift", "PriceInterface"),
        ("BasketTests", "Tests/BasketTests/Planted.swift", "PriceImplementation"),
        ("App", "App/Planted.swift", "BasketTesting"),
        ("BasketImplementation", _PLANTED, "BasketTesting"),
    ],
)
def test_every_kind_of_target_has_its_own_limits(shop: Shop, importing: str, path: str, imported: str) -> None:
    shop.write(path, f"\nimport {imported}\n")
    found = places(shop.findings(edges={importing: (imported,)}))
    line = next(
        number for number, text in enumerate(manifest().splitlines(), start=1) if f'name: "{importing}"' in text
    )
    assert sorted(found) == [("edge", "Package.swift", line), ("import", path, 2)]


PLANTS = [
    # A source that nobody can read.
    Plant("syntax", _PLANTED, 2, "struct A {}\nfunc (\n"),
    # Imports.
    Plant("undeclared-import", "Tests/RouterServiceTests/Planted.swift", 1, "import BasketInterface\n"),
    Plant(
        "undeclared-import",
        "Tests/BasketTests/Planted.swift",
        2,
        "#if os(macOS)\nimport RouterServiceTesting\n#endif\n",
    ),
    Plant("testable-import", _PLANTED, 1, "@testable import PriceInterface\n"),
    Plant("testable-import", "Tests/BasketTests/Planted.swift", 2, "import Testing\n@testable import PriceTesting\n"),
    Plant("exported-import", _INTERFACE, 2, "\n@_exported import RouterServiceInterface\n"),
    Plant("exported-import", _INTERFACE, 1, "@_exported public import Foundation\n"),
    # The composition root.
    Plant("composition-imports", "App/main.swift", 3, "import PriceImplementation\n"),
    Plant("composition-imports", "App/Planted.swift", 2, "\npublic import BasketImplementation\n"),
    Plant("composition-imports", "App/Planted.swift", 2, "#if DEBUG\nimport struct PriceImplementation.A\n#endif\n"),
    Plant("composition-imports", "App/Other/Composition.swift", 1, "import PriceImplementation\n"),
    # Interfaces.
    Plant("interface-namespace", _INTERFACE, 2, "/// A thing.\npublic struct Thing {}\n"),
    Plant("interface-namespace", _INTERFACE, 2, "/// Buys.\npublic func buy() {}\n"),
    Plant("interface-namespace", _INTERFACE, 2, "/// A limit.\npublic let limit = 1\n"),
    Plant("interface-namespace", _INTERFACE, 3, "#if DEBUG\n/// A thing.\npublic struct Thing {}\n#endif\n"),
    Plant("interface-namespace", _INTERFACE, 3, "extension String {\n    /// Buys.\n    public func buy() {}\n}\n"),
    Plant("interface-namespace", _INTERFACE, 3, "public extension String {\n    /// Buys.\n    func buy() {}\n}\n"),
    Plant("interface-namespace", _INTERFACE, 2, "/// Another one.\npublic enum Till {}\n"),
    Plant(
        "interface-behaviour",
        _INTERFACE,
        5,
        "extension Basket {\n    /// Buys.\n    public final class Buyer {\n        /// Buys.\n"
        "        public func buy() {}\n    }\n}\n",
    ),
    Plant(
        "interface-behaviour",
        _INTERFACE,
        5,
        "extension Basket {\n    /// Buys.\n    public actor Buyer {\n        /// A sum.\n"
        "        public var sum: Int { 1 }\n    }\n}\n",
    ),
    Plant(
        "interface-behaviour",
        _INTERFACE,
        7,
        "extension Basket {\n    /// Buys.\n    public final class Buyer {}\n}\n\nextension Basket.Buyer {\n"
        "    func buy() {}\n}\n",
    ),
    # Implementations.
    Plant("implementation-public", _PLANTED, 2, "/// A thing.\npublic struct Thing {}\n"),
    Plant("implementation-public", _PLANTED, 2, "/// Another entry.\npublic struct SecondModule {}\n"),
    Plant("implementation-public", _PLANTED, 2, "/// Buys.\npublic func buy() {}\n"),
    Plant("implementation-public", _PLANTED, 2, "\nextension Int {\n    /// Buys.\n    public func buy() {}\n}\n"),
    Plant("foreign-conformance", _PLANTED, 2, "\nextension Int: Error {}\n"),
    Plant("foreign-conformance", _PLANTED, 2, "#if DEBUG\nextension [Int]: @unchecked @retroactive Error {}\n#endif\n"),
    Plant("foreign-conformance", _PLANTED, 2, "private protocol Sold {}\nextension Array<Int>: Sold {}\n"),
    Plant("foreign-conformance", _PLANTED, 2, "typealias Number = Int\nextension Number: Error {}\n"),
    Plant("foreign-conformance", _PLANTED, 2, "import BasketInterface\nextension Basket.Checkout: CaseIterable {}\n"),
    Plant("foreign-conformance", _PLANTED, 3, "import PriceInterface\nenum Sale {}\nextension Price.Sale: Error {}\n"),
    # Documentation.
    Plant("summary", _FAKES, 17, "\npublic struct Other {}\n"),
    Plant("summary", _FAKES, 18, "\n/// no end\npublic struct Other {}\n"),
    Plant("summary", _FAKES, 18, "\n/// One. Two.\npublic struct Other {}\n"),
    Plant("summary", _FAKES, 19, "\n/// Others.\npublic enum Other {\n    case one\n}\n"),
    Plant("summary", _FAKES, 19, "\n/// Others.\npublic protocol Other {\n    func act()\n}\n"),
    Plant("summary", _FAKES, 18, "\npublic extension FakeStore {\n    func act() {}\n}\n"),
    Plant("summary", _FAKES, 18, "\n// Says why.\npublic let other = 1\n"),
    # Routes.
    Plant(
        "route-handler",
        _INTERFACE,
        5,
        "import RouterServiceInterface\n\nextension Basket {\n    /// A list.\n    public struct List: Route {}\n}\n",
    ),
    Plant(
        "route-handler",
        _INTERFACE,
        8,
        "import RouterServiceInterface\n\nextension Basket {\n    /// A list.\n    public struct List: Hashable {}\n}\n"
        "\nextension Basket.List: RouterServiceInterface.Route {}\n",
    ),
    Plant(
        "route-handler",
        _INTERFACE,
        7,
        "import RouterServiceInterface\n\nextension Basket {\n    /// A step.\n    public protocol Step: Route {}\n"
        "    /// A list.\n    public struct List<Thing: Hashable>: Step where Thing: Sendable {}\n}\n",
    ),
]


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: f"{plant.rule}-{plant.line}")
def test_planted_violation_is_found_on_its_line_and_nothing_else(shop: Shop, plant: Plant) -> None:
    shop.append(plant.path, plant.text)
    found = [place for place in places(shop.findings()) if not _follows(place, plant)]
    assert found == [(plant.rule, plant.path, plant.line)]


def _follows(place: tuple[str, str, int], plant: Plant) -> bool:
    """What goes hand in hand with what is planted."""
    expected = {"testable-import": {"import", "undeclared-import"}}
    return place[0] in expected.get(plant.rule, set()) and place[1] == plant.path


CHANGES: list[tuple[str, str, int, Callable[[Shop], None]]] = [
    ("implementation-public", _MODULE, 1, lambda shop: shop.replace(_MODULE, "public struct", "struct")),
    (
        "interface-namespace",
        _BASKET,
        4,
        lambda shop: shop.replace(_BASKET, "{}", "{\n    /// A.\n    public struct A {}\n}"),
    ),
    ("route-handler", _CHECKOUT, 5, lambda shop: shop.replace(_MODULE, "registrar.route", "registrar.notice")),
    ("module-readme", _GUIDE, 1, lambda shop: shop.remove(_GUIDE)),
    ("module-readme", _GUIDE, 1, lambda shop: shop.write(_GUIDE, "\n")),
    (
        "module-tests",
        "Tests/PriceTests/PriceTests.swift",
        1,
        lambda shop: shop.replace("Tests/PriceTests/PriceTests.swift", "@Test ", ""),
    ),
    (
        "module-fakes",
        "Modules/Price/Testing/FakeList.swift",
        1,
        lambda shop: shop.write("Modules/Price/Testing/FakeList.swift", "struct Fake {}\n"),
    ),
    (
        "interface-empty",
        "Modules/Price/Interface/Price.swift",
        1,
        lambda shop: shop.write("Modules/Price/Interface/Price.swift", "/// Prices.\npublic enum Price {}\n"),
    ),
]


@pytest.mark.parametrize(("rule", "path", "line", "change"), CHANGES)
def test_what_is_taken_away_is_found(
    shop: Shop, rule: str, path: str, line: int, change: Callable[[Shop], None]
) -> None:
    change(shop)
    assert (rule, path, line) in places(shop.findings())


def test_target_without_a_kind_is_found(shop: Shop) -> None:
    shop.write("Helpers/Helper.swift", "struct Helper {}\n")
    assert places(shop.findings(targets={"Helpers": ("Helpers", ())})) == [("target-kind", "Package.swift", 1)]


def test_module_without_fakes_and_tests_is_found_in_the_manifest(shop: Shop) -> None:
    shop.write("Modules/Sale/Interface/Sale.swift", FILES[_BASKET].replace("Basket", "Sale"))
    shop.append("Modules/Sale/Interface/Sale.swift", "extension Sale {\n    /// One.\n    public struct One {}\n}\n")
    found = shop.findings(targets={"SaleInterface": ("Modules/Sale/Interface", ())})
    assert [each.rule for each in found] == ["module-readme", "module-fakes", "module-tests"]


def test_interfaces_are_imported_anywhere_in_a_composition_root(shop: Shop) -> None:
    shop.write("App/Planted.swift", "import BasketInterface\nimport RouterServiceInterface\n")
    assert shop.findings() == []


def test_composition_root_without_a_file_of_its_own_imports_anywhere_what_it_may(shop: Shop) -> None:
    shop.write("App/Planted.swift", "import PriceImplementation\n")
    known = read_configuration(CONFIGURATION)
    first, *others = known.targets
    free = replace(known, targets=(replace(first, composition_file=None), *others))
    assert shop.findings(configuration=free) == []
    forbidden = replace(known, targets=(replace(first, may_import=("interface",)), *others))
    assert {rule for rule, _, _ in places(shop.findings(configuration=forbidden))} == {"edge", "import"}


@pytest.mark.parametrize(
    "text",
    [
        "enum Sale {}\nextension Sale: Error {}\n",
        "extension CheckoutFeature: CustomStringConvertible {\n    var description: String { String() }\n}\n",
        "extension BasketImplementation.CheckoutFeature: Sendable {}\n",
        "extension CheckoutFeature {\n    enum Step {}\n}\nextension CheckoutFeature.Step: Error {}\n",
        "import BasketInterface\nextension Basket {\n    enum Till {}\n}\nextension Basket.Till: Error {}\n",
        "struct Pair<A> {\n    enum Part {}\n}\nextension Pair<Int>.Part: Error {}\n",
        "extension Array where Element: Error {\n    var first: Element { self[0] }\n}\n",
    ],
)
def test_conformance_of_an_own_type_is_let_be(shop: Shop, text: str) -> None:
    shop.write(_PLANTED, text)
    assert shop.findings() == []


@pytest.mark.parametrize(
    "text",
    [
        "extension Basket {\n    /// Holds.\n    public final class Holder {\n        let a: Int\n"
        "        init(a: Int) { self.a = a }\n    }\n}\n",
        "extension Basket.Checkout: CustomStringConvertible {\n    /// Words.\n"
        '    public var description: String { "" }\n}\n',
        '#if DEBUG\nfunc only() {}\n#error("No.")\n#elseif os(Linux) ||\n    os(Windows)\nfunc only() {}\n#endif\n',
        "extension Basket {\n    /// Sums.\n    @available(*, deprecated)\n    @discardableResult\n"
        "    public static func sum() -> Int { 1 }\n}\n",
        "struct Words {}\nextension Words: CustomStringConvertible {\n    /// Words.\n"
        '    public var description: String { "" }\n}\n',
        "extension Basket {\n    /**\n     Sums.\n\n     Slowly.\n     */\n"
        "    public static func sum() -> Int { 1 }\n}\n",
    ],
)
def test_what_an_interface_may_hold_is_let_be(shop: Shop, text: str) -> None:
    shop.write(_INTERFACE, text)
    assert shop.findings() == []
