import Foundation

/// A route whose type is known only when the program runs: a link that a backend sends, or one that was stored.
///
/// It travels as one string, `identifier|{json}`: the route's identifier, a vertical line, and the route's own
/// JSON object. The object and the line may be left out when the route needs no values.
///
/// ```json
/// {"links": ["profile.overview|{\"user\":\"bob\"}", "settings"]}
/// ```
///
/// Decoding needs to know which identifier stands for which type, so the decoder carries a ``RouteCatalog``
/// (`decoder.routeCatalog = catalog`). Two links are equal when their routes are.
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
        try self.init(link, in: catalog, codingPath: [])
    }

    private init(_ link: String, in catalog: RouteCatalog, codingPath: [any CodingKey]) throws {
        let link = Link(link)
        guard !link.identifier.isEmpty else {
            throw DecodingError.malformedLink("A link starts with a route's identifier.", at: codingPath)
        }
        guard let type = catalog.type(for: link.identifier) else {
            let hint = catalog.nearestIdentifier(to: link.identifier).map { " The nearest is '\($0)'." } ?? ""
            throw DecodingError.malformedLink(
                "No route has the identifier '\(link.identifier)'.\(hint)", at: codingPath)
        }
        do {
            let decoder = JSONDecoder()
            decoder.routeCatalog = catalog
            route = try decoder.decode(type, from: Data(link.parameters.utf8))
        } catch let error as DecodingError {
            throw error.prefixed(by: codingPath)
        }
    }

    /// The link as it travels, `identifier|{json}`, its keys in alphabetical order.
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

extension AnyRoute: Codable {
    /// Reads a link from a string, with the catalog that the decoder carries.
    ///
    /// - Throws: `DecodingError` with the coding path of the link, also when the decoder carries no catalog.
    public init(from decoder: any Decoder) throws {
        let link = try decoder.singleValueContainer().decode(String.self)
        guard let catalog = decoder.routeCatalog else {
            throw DecodingError.malformedLink(
                "The decoder knows no routes: set its 'routeCatalog' before decoding.", at: decoder.codingPath
            )
        }
        try self.init(link, in: catalog, codingPath: decoder.codingPath)
    }

    /// Writes the link as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(link)
    }
}

extension AnyRoute: CustomStringConvertible {
    /// The route's own description: a route that a person may see in a list of links describes itself.
    public var description: String { String(describing: route) }
}

/// The two halves of a link.
private struct Link {
    let identifier: Substring
    let parameters: Substring

    init(_ link: String) {
        let halves = link.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        identifier = halves.first ?? ""
        parameters = halves.count > 1 ? halves[1] : "{}"
    }
}

extension DecodingError {
    fileprivate static func malformedLink(_ message: String, at codingPath: [any CodingKey]) -> DecodingError
    {
        .dataCorrupted(Context(codingPath: codingPath, debugDescription: message))
    }

    /// The same error, its path continued from where the link stands in the document around it.
    fileprivate func prefixed(by codingPath: [any CodingKey]) -> DecodingError {
        func prefixed(_ context: Context) -> Context {
            Context(
                codingPath: codingPath + context.codingPath, debugDescription: context.debugDescription,
                underlyingError: context.underlyingError)
        }
        return switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, prefixed(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, prefixed(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, prefixed(context))
        case .dataCorrupted(let context): .dataCorrupted(prefixed(context))
        @unknown default: self
        }
    }
}
