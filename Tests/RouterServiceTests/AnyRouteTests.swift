import Foundation
import RouterServiceInterface
import Testing

@testable import RouterServiceImplementation

@MainActor
struct AnyRouteTests {
    private let catalog = CurrentAddresses([
        .init(Shop.Catalogue.self), .init(Shop.Checkout.self), .init(Home.self),
    ])

    @Test func link_becomesTheRoute() throws {
        let link = try AnyRoute(#"shop.checkout|{"items":["tea","cake"]}"#, in: catalog)
        #expect(link == AnyRoute(Shop.Checkout(items: ["tea", "cake"])))
        #expect(link != AnyRoute(Shop.Checkout(items: ["tea"])))
        #expect(link.hashValue == AnyRoute(Shop.Checkout(items: ["tea", "cake"])).hashValue)
        #expect(try AnyRoute("shop.home", in: catalog) == AnyRoute(Home()))
    }

    @Test func route_becomesTheLinkAndBack() throws {
        let route = AnyRoute(Shop.Checkout(items: ["a|b/c"]))
        #expect(try route.link == #"shop.checkout|{"items":["a|b/c"]}"#)
        #expect(try AnyRoute(route.link, in: catalog) == route)
    }

    @Test func document_decodesAndEncodesLinks() throws {
        let json = #"{"links":["shop.catalogue|{\"page\":2}"]}"#
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        let document = try decoder.decode(Document.self, from: Data(json.utf8))
        #expect(document.links == [AnyRoute(Shop.Catalogue(page: 2))])
        #expect(String(decoding: try JSONEncoder().encode(document), as: UTF8.self) == json)
    }

    /// The nearest name is not searched for letter by letter: the server chooses the length.
    @Test(arguments: ["x", "\u{301}", "👍🏽"])
    func longIdentifier_isRefusedAtOnce(letter: String) {
        let link = "shop.checkout" + String(repeating: letter, count: 1_000_000)
        let start = processorTime()
        #expect(throws: DecodingError.self) { try AnyRoute(link, in: catalog) }
        #expect(processorTime() - start < .seconds(1))
    }

    @Test(arguments: ["shop.catalogue|{\"page\":2}", "shop.catalogue| {\"page\":2} "])
    func spaceAroundTheParameters_doesNotMatter(link: String) throws {
        #expect(try AnyRoute(link, in: catalog) == AnyRoute(Shop.Catalogue(page: 2)))
    }

    @Test(arguments: [
        ("", "starts with a route's identifier", "dataCorrupted", ""),
        ("|{}", "starts with a route's identifier", "dataCorrupted", ""),
        ("shop.chekout|{}", "The nearest is 'shop.checkout'", "dataCorrupted", ""),
        ("quite different", "No route has the identifier 'quite different'.", "dataCorrupted", ""),
        ("shop.checkout|[]", "", "dataCorrupted", ""), ("shop.checkout|{", "", "dataCorrupted", ""),
        (#"shop.checkout|{"items":}"#, "", "dataCorrupted", ""), ("shop.checkout|{}", "", "keyNotFound", ""),
        (#"shop.checkout|{"items":7}"#, "", "typeMismatch", ".items"),
        (#"shop.checkout|{"items":[1]}"#, "", "typeMismatch", ".items.0"),
        (#"shop.checkout|{"items":[null]}"#, "", "valueNotFound", ".items.0"),
        ("shop.home|", "not a JSON object", "dataCorrupted", ""),
        ("shop.home|5", "not a JSON object", "dataCorrupted", ""),
        ("shop.home|[{}]", "The parameters '[{}]' of 'shop.home' are not", "dataCorrupted", ""),
        ("shop.home|{} junk", "", "dataCorrupted", ""),
    ])
    func badLink_isADecodingErrorWithItsPath(
        link: String, message: String, kind: String, path: String
    ) throws {
        let json = String(
            decoding: try JSONEncoder().encode(["links": ["shop.home", link]]), as: UTF8.self)
        #expect {
            try decode(json)
        } throws: { error in
            guard let context = (error as? DecodingError)?.context else { return false }
            return Mirror(reflecting: error).children.first?.label == kind
                && context.path == "links.1\(path)"
                && (message.isEmpty || context.debugDescription.contains(message))
        }
    }

    @Test(arguments: [#"{"links":[5]}"#, #"{"links":[["shop.home"]]}"#, #"{"links":[{}]}"#])
    func whatIsNoText_isADecodingErrorWithItsPath(json: String) {
        #expect { try decode(json) } throws: { ($0 as? DecodingError)?.context?.path == "links.0" }
    }

    @Test func decoderWithoutRoutes_saysSo() throws {
        let json = Data(#"{"links":["shop.catalogue"]}"#.utf8)
        #expect { try JSONDecoder().decode(Document.self, from: json) } throws: { error in
            (error as? DecodingError)?.context?.debugDescription.contains("'routeCatalog'") == true
        }
    }

    private func decode(_ json: String, with catalog: (any RouteCatalog)? = nil) throws -> Document {
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog ?? self.catalog
        return try decoder.decode(Document.self, from: Data(json.utf8))
    }

    private struct Document: Codable, Equatable {
        let links: [AnyRoute]
    }

    private struct Home: Route { static let identifier = "shop.home" }
}

extension DecodingError {
    /// The place of and the reason for a failure to decode.
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}

extension DecodingError.Context {
    /// The coding path as one text, for example `links.0.route`.
    var path: String {
        codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
