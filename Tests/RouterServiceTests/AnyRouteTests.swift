import Foundation
import RouterServiceInterface
import Testing

struct AnyRouteTests {
    private let catalog = RouteCatalog([Shop.Catalogue.self, Shop.Checkout.self])

    @Test func link_becomesTheRoute() throws {
        let link = try AnyRoute(#"shop.checkout|{"items":["tea","cake"]}"#, in: catalog)
        #expect(link == AnyRoute(Shop.Checkout(items: ["tea", "cake"])))
        #expect(link != AnyRoute(Shop.Checkout(items: ["tea"])))
        #expect(link.hashValue == AnyRoute(Shop.Checkout(items: ["tea", "cake"])).hashValue)
    }

    @Test func link_withoutParameters_isAnEmptyObject() throws {
        struct Home: Route { static let identifier = "home" }
        #expect(try AnyRoute("home", in: RouteCatalog([Home.self])) == AnyRoute(Home()))
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
    ])
    func badLink_isADecodingErrorWithItsPath(json: String, message: String, path: String) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        #expect {
            try decoder.decode(Document.self, from: Data(json.utf8))
        } throws: { error in
            guard let context = (error as? DecodingError)?.context else { return false }
            let found = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
                .joined(separator: ".")
            return found == path && (message.isEmpty || context.debugDescription.contains(message))
        }
    }

    @Test func decoderWithoutRoutes_saysSo() throws {
        let json = Data(#"{"links":["shop.catalogue"]}"#.utf8)
        #expect { try JSONDecoder().decode(Document.self, from: json) } throws: { error in
            (error as? DecodingError)?.context?.debugDescription.contains("'routeCatalog'") == true
        }
    }

    private struct Document: Codable {
        let links: [AnyRoute]
    }
}

extension DecodingError {
    fileprivate var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}
