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

    @Test func linkToOneOfTwoRoutesOfOneIdentifier_becomesTheFirst() throws {
        struct NewHome: Route { static let identifier = "shop.home" }
        let catalog = CurrentAddresses([.init(NewHome.self), .init(Home.self)])
        #expect(try AnyRoute("shop.home", in: catalog) == AnyRoute(NewHome()))
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

    @Test(arguments: ["shop.catalogue|{\"page\":2}", "shop.catalogue| {\"page\":2} "])
    func spaceAroundTheParameters_doesNotMatter(link: String) throws {
        #expect(try AnyRoute(link, in: catalog) == AnyRoute(Shop.Catalogue(page: 2)))
    }

    @Test(arguments: [
        (#"{"links":[""]}"#, "starts with a route's identifier", "links.0"),
        (#"{"links":["|{}"]}"#, "starts with a route's identifier", "links.0"),
        (#"{"links":["shop.chekout|{}"]}"#, "The nearest is 'shop.checkout'", "links.0"),
        (#"{"links":["quite different"]}"#, "No route has the identifier 'quite different'.", "links.0"),
        (#"{"links":["shop.catalogue|{\"page\":1}","shop.checkout|{}"]}"#, "", "links.1"),
        (#"{"links":["shop.checkout|[]"]}"#, "", "links.0"),
        (#"{"links":["shop.checkout|{\"items\":[1]}"]}"#, "", "links.0.items.0"),
        (#"{"links":["shop.checkout|{"]}"#, "", "links.0"),
        (#"{"links":[5]}"#, "", "links.0"),
        (#"{"links":[["shop.home"]]}"#, "", "links.0"),
        (#"{"links":["shop.home|"]}"#, "not a JSON object", "links.0"),
        (#"{"links":["shop.home|5"]}"#, "not a JSON object", "links.0"),
        (#"{"links":["shop.home|[{}]"]}"#, "The parameters '[{}]' of 'shop.home' are not", "links.0"),
        (#"{"links":["shop.home|{} junk"]}"#, "", "links.0"),
        (#"{"links":[{}]}"#, "", "links.0"),
    ])
    func badLink_isADecodingErrorWithItsPath(json: String, message: String, path: String) throws {
        #expect {
            try decode(json)
        } throws: { error in
            guard let context = (error as? DecodingError)?.context else { return false }
            return context.path == path && (message.isEmpty || context.debugDescription.contains(message))
        }
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

    @Test(arguments: [
        (#"shop.checkout|{"items":7}"#, "typeMismatch"),
        (#"shop.checkout|{"items":[null]}"#, "valueNotFound"),
        (#"shop.checkout|{}"#, "keyNotFound"), (#"shop.checkout|{"items":}"#, "dataCorrupted"),
    ])
    func errorInALink_isThatOfTheDecoder_withThePathInTheDocument(link: String, kind: String) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        let document = try JSONEncoder().encode(["links": [link]])
        #expect {
            try decoder.decode(Document.self, from: document)
        } throws: { error in
            let (found, path): (String, [any CodingKey]) =
                switch error as? DecodingError {
                case .typeMismatch(_, let context): ("typeMismatch", context.codingPath)
                case .valueNotFound(_, let context): ("valueNotFound", context.codingPath)
                case .keyNotFound(_, let context): ("keyNotFound", context.codingPath)
                case .dataCorrupted(let context): ("dataCorrupted", context.codingPath)
                default: ("\(error)", [])
                }
            return found == kind
                && path.prefix(2).map { $0.intValue.map(String.init) ?? $0.stringValue } == ["links", "0"]
        }
    }
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
