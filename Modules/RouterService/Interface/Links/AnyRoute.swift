public import Foundation

/// A route whose type is known only when the program runs: a link that a backend sent, or that was stored.
///
/// A link is a text, `identifier|{json}`, for example `profile.overview|{"user":"bob"}`; a route without values needs only
/// its identifier. Decoding needs the type for each identifier, so the decoder carries a ``RouteCatalog``
/// (`decoder.routeCatalog = catalog`). Two links are equal when their routes are.
public struct AnyRoute: Sendable {
    public let route: any Route
    public let origin: RouteOrigin

    public init(_ route: any Route, from origin: RouteOrigin = .link) {
        self.route = route
        self.origin = origin
    }

    public var identifier: String { type(of: route).identifier }

    /// The link as a text, its keys in alphabetical order.
    ///
    /// - Throws: The error of the route's own `encode(to:)`.
    public var link: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return "\(identifier)|\(String(decoding: try encoder.encode(route), as: UTF8.self))"
        }
    }
}

extension AnyRoute: Hashable, CustomStringConvertible {
    public static func == (left: AnyRoute, right: AnyRoute) -> Bool {
        AnyHashable(left.route) == AnyHashable(right.route)
    }

    public func hash(into hasher: inout Hasher) { route.hash(into: &hasher) }

    /// The link as a text, or the type's name where the route cannot be written.
    public var description: String { (try? link) ?? "\(TypeKey(type(of: route)))" }
}

extension AnyRoute: Codable {
    /// Reads a link with the catalog that the decoder carries.
    public init(from decoder: any Decoder) throws {
        guard let links = LinkReader.carried(by: decoder.userInfo) else {
            throw DecodingError.malformedLink(
                "A link needs a decoder with a 'routeCatalog', and cannot be within another link.",
                at: decoder.codingPath)
        }
        let text = try decoder.singleValueContainer().decode(String.self)
        self = try within(decoder.codingPath) { try AnyRoute(text, by: links) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(try link)
    }

    private init(_ text: String, by links: LinkReader) throws {
        let line = text.utf8.firstIndex(of: UInt8(ascii: "|")) ?? text.endIndex
        let type = try links.catalog.routeType(for: String(text[..<line]))
        let parameters = line < text.endIndex ? text.utf8[line...].dropFirst() : "{}"[...].utf8
        // A route without properties reads nothing, and would accept any value.
        guard parameters.first(where: { !" \t\n\r".utf8.contains($0) }) == UInt8(ascii: "{") else {
            throw DecodingError.malformedLink(
                "The parameters \(RouterError.quoted(Substring(parameters))) of '\(type.identifier)' are not a JSON object.",
                at: [])
        }
        self.init(try links.values.decode(type, from: Data(parameters).normalizedJSON))
    }
}

/// The types of routes by their identifiers, for decoders of links, and the URLs of routes; a service that the router registers.
public protocol RouteCatalog: Sendable {
    /// - Throws: `DecodingError` where no route has the identifier.
    func routeType(for identifier: String) throws -> any Route.Type

    /// Reads the route of a URL, by the most specific pattern that matches.
    ///
    /// - Throws: ``RouterError/unknownURL(_:nearest:)`` where no pattern matches; `DecodingError` with the parameter's
    ///   name as its coding path where the route cannot take a value.
    func route(for url: URL) throws -> AnyRoute

    /// Writes a route as a URL, by the first of its patterns that can carry all its values and leads back to the route.
    ///
    /// - Throws: ``RouterError/noURL(route:reason:)`` where no pattern can, `EncodingError` with the value's coding path
    ///   where a value cannot stand in any URL, and the error of the route's own `encode(to:)`.
    func url(for route: some Route) throws -> URL
}

/// Reads links for a decoder that carries it; a class, because a cast of another value takes longer.
private final class LinkReader: Sendable {
    static let key = CodingUserInfoKey(rawValue: "RouterService.routeCatalog")

    let catalog: any RouteCatalog
    /// Reads the values of routes; it carries no catalog, so that a link cannot be within another link.
    let values = JSONDecoder()

    init(_ catalog: any RouteCatalog) { self.catalog = catalog }

    static func carried(by userInfo: [CodingUserInfoKey: Any]) -> LinkReader? {
        key.flatMap { userInfo[$0] as? LinkReader }
    }
}

extension JSONDecoder {
    /// The routes that links in the decoded document may lead to.
    public var routeCatalog: (any RouteCatalog)? {
        get { LinkReader.carried(by: userInfo)?.catalog }
        set { if let key = LinkReader.key { userInfo[key] = newValue.map { LinkReader($0) } } }
    }
}

extension DecodingError.Context {
    fileprivate func within(_ path: [any CodingKey]) -> Self {
        Self(
            codingPath: path + codingPath, debugDescription: debugDescription,
            underlyingError: underlyingError)
    }
}

extension DecodingError {
    fileprivate static func malformedLink(_ message: String, at path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(Context(codingPath: path, debugDescription: message))
    }
}

/// Reads a link, and puts the path of the link in its document before the path of an error.
private func within<Value>(
    _ codingPath: @autoclosure () -> [any CodingKey], _ read: () throws -> Value
) throws -> Value {
    do {
        return try read()
    } catch DecodingError.keyNotFound(let key, let context) {
        throw DecodingError.keyNotFound(key, context.within(codingPath()))
    } catch DecodingError.typeMismatch(let type, let context) {
        throw DecodingError.typeMismatch(type, context.within(codingPath()))
    } catch DecodingError.valueNotFound(let type, let context) {
        throw DecodingError.valueNotFound(type, context.within(codingPath()))
    } catch DecodingError.dataCorrupted(let context) {
        throw DecodingError.dataCorrupted(context.within(codingPath()))
    }
}
