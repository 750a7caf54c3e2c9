import Foundation
import RouterServiceInterface
import RouterServiceProgram
import Testing

@testable import RouterServiceImplementation

@MainActor
struct RouteCatalogTests {
    @Test func secondEntryOfAnIdentifier_doesNotCount() throws {
        struct Impostor: Route { static let identifier = "shop.catalogue" }
        let entries: [NamedRoute] = [
            .init(Shop.Catalogue.self), .init(Impostor.self, urls: ["app://old"]),
        ]
        let catalog = CurrentAddresses(entries)
        #expect(try AnyRoute(#"shop.catalogue|{"page":1}"#, in: catalog) == AnyRoute(Shop.Catalogue()))
        #expect(throws: RouterError.self) { try catalog.route(for: #require(URL(string: "app://old"))) }
    }

    @Test(arguments: [
        ("app://shop/:page", "app://shop/:number"),
        ("app://shop/a", "APP://Shop/a/"), ("app://shop?page", "app://shop?other&more"),
        ("app://shop/%61", "app://shop/a"),
    ])
    func patternsThatMatchTheSameURLs_areAProblem(first: String, second: String) {
        let entries: [NamedRoute] = [
            .init(Shop.Catalogue.self, urls: [first]), .init(Shop.Checkout.self, urls: [second]),
        ]
        #expect(
            Addresses(entries).problems.map(\.description) == [
                "The URL pattern '\(second)' of Shop.Checkout matches the same URLs as an earlier one of Shop.Catalogue. "
                    + "Change or remove one of the two."
            ])
    }

    @Test(arguments: [
        ("app://shop/a", "app://shop/A"),
        ("app://shop", "app://shop/:page"), ("http://shop", "https://shop"), ("app://shop", "app://shop:80"),
    ])
    func patternsThatMatchOtherURLs_areNoProblem(first: String, second: String) {
        #expect(Addresses([.init(Shop.Catalogue.self, urls: [first, second])]).problems.isEmpty)
    }

    @Test(arguments: [
        ("", "it does not begin with a scheme"), ("shop/:page", "it does not begin with a scheme"),
        ("app:/shop", "it does not begin with a scheme"), ("app:///shop", "it does not begin with a scheme"),
        ("://shop", "it does not begin with a scheme"), ("a b://shop", "a scheme is"),
        ("1a://shop", "a scheme is"),
        ("app://:page", "a host is"), ("app://*.shop", "a host is"), ("app://me@shop", "a host is"),
        ("app://bücher", "a host is"),
        ("app://shop#top", "a fragment"), ("app://shop/a//b", "is empty, '.' or '..'"),
        ("app://shop/../b", "is empty, '.' or '..'"), ("app://shop/%2E", "is empty, '.' or '..'"),
        ("app://shop/:", "a parameter has no name"), ("app://shop/:a*", "the parameter name 'a*'"),
        ("app://shop?", "a parameter has no name"), ("app://shop?a&&b", "a parameter has no name"),
        ("app://shop/:a b", "the parameter name 'a b'"), ("app://shop/:a:b", "the parameter name 'a:b'"),
        ("app://shop?a=b", "the parameter name 'a=b'"), ("app://shop?a*", "the parameter name 'a*'"),
        ("app://shop/%FF", "'%FF' is not percent-encoded UTF-8"),
        ("app://shop/%4", "'%4' is not percent-encoded UTF-8"), ("app://shop/:a/:a", "it names 'a' twice"),
        ("app://shop/:a?a", "it names 'a' twice"), ("app://shop?a&a", "it names 'a' twice"),
        ("app://shop" + String(repeating: "/a", count: 65), "more than 64 segments"),
    ])
    func malformedPattern_isAProblemAndMatchesNothing(pattern: String, reason: String) {
        let entries: [NamedRoute] = [
            .init(Shop.Catalogue.self, urls: [pattern])
        ]
        #expect(Addresses(entries).problems.count == 1)
        #expect(
            Addresses(entries).problems.first?.description.contains(reason) == true,
            "\(Addresses(entries).problems)")
        #expect(
            Addresses(entries).problems.first?.description.contains("'\(pattern)' of Shop.Catalogue") == true)
        // The pattern that the message proposes is a right one.
        let message = Addresses(entries).problems.first.map { "\($0)" } ?? ""
        let proposal = message.firstMatch(of: /Write it like '(.+)'\.$/).map { "\($0.1)" }
        #expect(throws: Never.self) { try URLTemplate(#require(proposal), of: Shop.Help.self) }
        #expect(throws: RouterError.self) { try CurrentAddresses(entries).url(for: Shop.Catalogue()) }
    }
}
