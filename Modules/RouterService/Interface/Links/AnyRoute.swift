import Foundation

/// A route whose type is known only when the program runs: a link that a backend sends, or one that was stored.
///
/// It travels in one of two forms. As an object, it has the route's identifier and the route's own JSON object; as a
/// string, these two stand around a vertical line, `identifier|{json}`. What a route without values does not need may
/// be left out.
///
/// ```json
/// {"links": [{"route": "profile.overview", "parameters": {"user": "bob"}},
///            "profile.overview|{\"user\":\"bob\"}", "settings"]}
/// ```
///
/// Decoding needs to know which identifier stands for which type, so the decoder carries a ``RouteCatalog``
/// (`decoder.routeCatalog = catalog`). The route is read with that decoder's strategies in both forms. A route may have
/// links among its values, up to eight within one another. Two links are equal when their routes are.
public struct AnyRoute: Sendable {
    /// The route itself.
    public let route: any Route

    /// Wraps a route.
    public init(_ route: any Route) {
        self.route = route
    }

    /// Reads a link of the form `identifier|{json}`.
    ///
    /// - Throws: `DecodingError`: an empty link, no identifier, an identifier that no route of the catalog has
    ///   (the message names the nearest), or parameters that are not the route's.
    public init(_ link: String, in catalog: RouteCatalog) throws {
        try self.init(link, with: LinkDecoding(catalog: catalog, decoder: nil), at: [])
    }

    /// The link as a string, `identifier|{json}`, its keys in alphabetical order.
    ///
    /// - Throws: What the route's own `encode(to:)` throws.
    public var link: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let json = String(decoding: try encoder.encode(route), as: UTF8.self)
            return "\(type(of: route).identifier)|\(json)"
        }
    }
}

extension AnyRoute: Hashable {
    /// Compares the routes by value.
    public static func == (left: AnyRoute, right: AnyRoute) -> Bool {
        AnyHashable(left.route) == AnyHashable(right.route)
    }

    /// Hashes the route's value.
    public func hash(into hasher: inout Hasher) {
        route.hash(into: &hasher)
    }
}

extension AnyRoute: CustomStringConvertible {
    /// The route's own description: a route that a person may see in a list of links describes itself.
    public var description: String { String(describing: route) }
}
