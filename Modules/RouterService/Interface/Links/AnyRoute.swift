public import Foundation

/// A route whose type is known only when the program runs: a link that a backend sent, or that was stored.
///
/// It travels as an object, `{"route": "profile.overview", "parameters": {"user": "bob"}}`, or as a string,
/// `profile.overview|{"user":"bob"}`; a route without values needs only its identifier.
///
/// Decoding needs the type for each identifier, so the decoder carries a ``RouteCatalog``
/// (`decoder.routeCatalog = catalog`). The values of an object are read with that decoder's strategies, the values of a
/// string with Foundation's own. Two links are equal when their routes are.
public struct AnyRoute: Sendable {
    public let route: any Route
    /// The way on which it came in, as interceptors see it when it is opened.
    public let origin: RouteOrigin
    /// The name in the link that was read; nil where a route was wrapped.
    private var writtenName: String?

    public init(_ route: any Route, from origin: RouteOrigin = .link) {
        self.route = route
        self.origin = origin
    }

    /// The identifier of the route, or the alias by which a link named it.
    public var name: String { writtenName ?? type(of: route).identifier }

    /// The link as a string, `identifier|{json}`, its keys in alphabetical order.
    ///
    /// - Throws: The error of the route's own `encode(to:)`.
    public var link: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return
                "\(type(of: route).identifier)|\(String(decoding: try encoder.encode(route), as: UTF8.self))"
        }
    }
}

extension AnyRoute: Hashable, CustomStringConvertible {
    public static func == (left: AnyRoute, right: AnyRoute) -> Bool {
        AnyHashable(left.route) == AnyHashable(right.route)
    }

    public func hash(into hasher: inout Hasher) { route.hash(into: &hasher) }

    /// The link as a string, or the type's name where the route cannot be written.
    public var description: String { (try? link) ?? "\(TypeKey(type(of: route)))" }
}

extension AnyRoute: Codable {
    private enum LinkKey: CodingKey { case route, parameters }

    /// Reads a link from a string or an object, with the catalog that the decoder carries.
    public init(from decoder: any Decoder) throws {
        guard let links = LinkReader.carried(by: decoder.userInfo),
            !decoder.codingPath.contains(where: { $0 is LinkKey })
        else {
            throw DecodingError.malformedLink(
                "A link needs a decoder with a 'routeCatalog', and cannot be within another link.",
                at: decoder.codingPath)
        }
        let text: String
        do {
            text = try decoder.singleValueContainer().decode(String.self)
        } catch DecodingError.typeMismatch {
            try self.init(object: decoder, by: links)
            return
        }
        self = try within(decoder.codingPath) { try AnyRoute(text, by: links) }
    }

    /// Writes the link as an object, so that the encoder's strategies hold for the route.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: LinkKey.self)
        try container.encode(type(of: route).identifier, forKey: .route)
        try container.encode(route, forKey: .parameters)
    }

    /// Reads `identifier|{json}`.
    private init(_ text: String, by links: LinkReader) throws {
        let line = text.utf8.firstIndex(of: UInt8(ascii: "|")) ?? text.endIndex
        let name = String(text[..<line])
        let type = try links.catalog.routeType(for: name)
        let parameters = line < text.endIndex ? text.utf8[line...].dropFirst() : "{}"[...].utf8
        // A route without properties reads nothing, so that it would not notice.
        guard parameters.first(where: { !" \t\n\r".utf8.contains($0) }) == UInt8(ascii: "{") else {
            throw DecodingError.malformedLink(
                "The parameters \(RouterError.quoted(Substring(parameters))) of '\(type.identifier)' are not a JSON object.",
                at: [])
        }
        self.init(try links.strings.decode(type, from: Data(parameters).normalizedJSON))
        writtenName = name
    }

    /// Reads `{"route": identifier, "parameters": {…}}`.
    private init(object decoder: any Decoder, by links: LinkReader) throws {
        guard let container = try? decoder.container(keyedBy: LinkKey.self) else {
            let form = "A link is a string 'identifier|{json}' or an object with 'route' and 'parameters'."
            throw DecodingError.malformedLink(form, at: decoder.codingPath)
        }
        let identifier = try container.decode(String.self, forKey: .route)
        let type = try within(decoder.codingPath + [LinkKey.route]) {
            try links.catalog.routeType(for: identifier)
        }
        guard container.contains(.parameters) else {
            self = try within(decoder.codingPath) { try AnyRoute(identifier, by: links) }
            return
        }
        _ = try container.nestedContainer(keyedBy: LinkKey.self, forKey: .parameters)
        self.init(try container.decode(type, forKey: .parameters))
        writtenName = identifier
    }
}

/// What a decoder carries to read links: a class, because the cast of any other value takes longer.
private final class LinkReader: Sendable {
    static let key = CodingUserInfoKey(rawValue: "RouterService.routeCatalog")

    let catalog: any RouteCatalog
    /// Reads the values of links that are strings.
    let strings = JSONDecoder()

    init(_ catalog: any RouteCatalog) { self.catalog = catalog }

    static func carried(by userInfo: [CodingUserInfoKey: Any]) -> LinkReader? {
        key.flatMap { userInfo[$0] as? LinkReader }
    }
}

extension JSONDecoder {
    /// The routes that links in the decoded document may lead to; ``AnyRoute`` cannot be decoded without.
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

/// Reads a part of a link, and prefixes the path of an error with the path of the link in its document.
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
