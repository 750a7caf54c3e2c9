import Foundation
import RouterServiceInterface
import Testing

struct RouteCatalogTests {
    @Test func alias_neverShadowsAnIdentifier() throws {
        let catalog = RouteCatalog([
            .init(Shop.Checkout.self, aliases: ["shop.catalogue"]), .init(Shop.Catalogue.self),
        ])
        #expect(try AnyRoute(#"shop.catalogue|{"page":1}"#, in: catalog) == AnyRoute(Shop.Catalogue()))
        #expect(
            catalog.problems.map(\.description) == [
                "The alias 'shop.catalogue' of Shop.Checkout already stands for Shop.Catalogue. Remove it from one of the "
                    + "two."
            ])
    }

    @Test func aliasOfTwoRoutes_standsForTheFirst() throws {
        let catalog = RouteCatalog([
            .init(Shop.Catalogue.self, aliases: ["old"]), .init(Shop.Checkout.self, aliases: ["old"]),
        ])
        #expect(try AnyRoute(#"old|{"page":1}"#, in: catalog) == AnyRoute(Shop.Catalogue()))
        #expect(catalog.problems.count == 1)
    }

    @Test func ownIdentifierAsAlias_isNoProblem() {
        let catalog = RouteCatalog([.init(Shop.Catalogue.self, aliases: ["shop.catalogue", "old", "old"])])
        #expect(catalog.problems.isEmpty)
    }

    @Test(arguments: ["", "a|b"])
    func aliasThatCannotStandInALink_isAProblem(alias: String) {
        let catalog = RouteCatalog([.init(Shop.Catalogue.self, aliases: [alias])])
        #expect(
            catalog.problems.map(\.description) == [
                "The alias '\(alias)' of Shop.Catalogue cannot stand in a link. Use at least one character and no '|'."
            ])
    }

    @Test func secondEntryOfAnIdentifier_doesNotCount() throws {
        struct Impostor: Route { static let identifier = "shop.catalogue" }
        let catalog = RouteCatalog([
            .init(Shop.Catalogue.self), .init(Impostor.self, aliases: ["old"], urls: ["app://old"]),
        ])
        #expect(try AnyRoute(#"shop.catalogue|{"page":1}"#, in: catalog) == AnyRoute(Shop.Catalogue()))
        #expect(throws: DecodingError.self) { try AnyRoute("old", in: catalog) }
        #expect(throws: RouterError.self) { try catalog.route(for: #require(URL(string: "app://old"))) }
    }

    @Test(arguments: [
        ("app://shop/:page", "app://shop/:number"), ("app://shop/:page*", "app://shop/:pages*"),
        ("app://shop/a", "APP://Shop/a/"), ("app://shop?page", "app://shop?other&more*"),
        ("app://shop/%61", "app://shop/a"),
    ])
    func patternsThatMatchTheSameURLs_areAProblem(first: URLPattern, second: URLPattern) {
        let catalog = RouteCatalog([
            .init(Shop.Catalogue.self, urls: [first]), .init(Shop.Checkout.self, urls: [second]),
        ])
        #expect(
            catalog.problems.map(\.description) == [
                "The URL pattern '\(second)' of Shop.Checkout matches the same URLs as an earlier one of Shop.Catalogue. "
                    + "Change or remove one of the two."
            ])
    }

    @Test(arguments: [
        ("app://shop/a", "app://shop/A"), ("app://shop/:page", "app://shop/:page*"),
        ("app://shop", "app://shop/:page"), ("http://shop", "https://shop"), ("app://shop", "app://shop:80"),
    ])
    func patternsThatMatchOtherURLs_areNoProblem(first: URLPattern, second: URLPattern) {
        #expect(RouteCatalog([.init(Shop.Catalogue.self, urls: [first, second])]).problems.isEmpty)
    }

    @Test(arguments: [
        ("", "it does not begin with a scheme"), ("shop/:page", "it does not begin with a scheme"),
        ("app:/shop", "it does not begin with a scheme"), ("app:///shop", "it does not begin with a scheme"),
        ("://shop", "it does not begin with a scheme"), ("a b://shop", "a scheme is"),
        ("1a://shop", "a scheme is"),
        ("app://:page", "cannot be a parameter"), ("app://*.shop", "a host holds no '*'"),
        ("app://me@shop", "a host holds no '@'"), ("app://bücher", "written in ASCII"),
        ("app://shop#top", "a fragment"), ("app://shop/a//b", "is empty, '.' or '..'"),
        ("app://shop/../b", "is empty, '.' or '..'"), ("app://shop/%2E", "is empty, '.' or '..'"),
        ("app://shop/:", "a parameter has no name"), ("app://shop/:*", "a parameter has no name"),
        ("app://shop?", "a parameter has no name"), ("app://shop?a&&b", "a parameter has no name"),
        ("app://shop/:a b", "the parameter name 'a b'"), ("app://shop/:a:b", "the parameter name 'a:b'"),
        ("app://shop?a=b", "the parameter name 'a=b'"), ("app://shop?a**", "the parameter name 'a*'"),
        ("app://shop/:page*/more", "nothing can follow ':page*'"),
        ("app://shop/*", "'*' stands after a parameter"),
        ("app://shop/page*", "as in ':page*'"), ("app://shop/%FF", "'%FF' is not percent-encoded UTF-8"),
        ("app://shop/%4", "'%4' is not percent-encoded UTF-8"), ("app://shop/:a/:a", "it names 'a' twice"),
        ("app://shop/:a?a", "it names 'a' twice"), ("app://shop?a&a*", "it names 'a' twice"),
        ("app://shop" + String(repeating: "/a", count: 65), "more than 64 segments"),
    ])
    func malformedPattern_isAProblemAndMatchesNothing(pattern: String, reason: String) {
        let catalog = RouteCatalog([.init(Shop.Catalogue.self, urls: [URLPattern(pattern)])])
        #expect(catalog.problems.count == 1)
        #expect(catalog.problems.first?.description.contains(reason) == true, "\(catalog.problems)")
        #expect(catalog.problems.first?.description.contains("'\(pattern)' of Shop.Catalogue") == true)
        #expect(throws: RouterError.self) { try catalog.url(for: Shop.Catalogue()) }
    }
}
