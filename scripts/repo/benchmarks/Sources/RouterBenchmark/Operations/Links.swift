import Foundation
import RouterServiceImplementation
import RouterServiceInterface

extension Operation {
    /// A small response of a backend, with its link as a route and as the string that it travels as.
    static let links = [
        Operation("decode-any-route", decoding: Response<AnyRoute>.self),
        Operation("decode-json-alone", decoding: Response<String>.self),
    ]

    private init<Document: Decodable>(_ name: String, decoding document: Document.Type) {
        self.init(name) {
            let presenter = TopmostPresenter()
            let router = RouterService(modules: [ShopServices(), ShopFeatures(presenter: presenter)])
            let decoder = JSONDecoder()
            decoder.routeCatalog = try router.resolve((any RouteCatalog).self)
            return { repetitions in
                try timed(repetitions) { keep(try decoder.decode(document, from: response)) }
            }
        }
    }
}

private struct Response<Link: Decodable>: Decodable {
    let title: String
    let unread: Int
    let link: Link
}

private let response = Data(
    #"{"title": "Three things wait for you", "unread": 3, "link": "shop.basket|{\"customer\":\"ann\"}"}"#.utf8
)
