public import Foundation

/// A route whose type is known only when the program runs: a link that a backend sends, or one that was stored.
///
/// It travels as an object, `{"route": "profile.overview", "parameters": {"user": "bob"}}`, or as a string,
/// `profile.overview|{"user":"bob"}`; a route without values needs only its identifier.
///
/// Decoding needs the type for each identifier, so the decoder carries a ``RouteCatalog``
/// (`decoder.routeCatalog = catalog`). The route is read with that decoder's strategies in both forms. A route may have
/// links among its values, up to eight within one another. Two links are equal when their routes are.
public struct AnyRoute: Sendable {
    /// The route itself.
    public let route: any Route
    private var alias: String?

    /// Wraps a route.
    public init(_ route: any Route) { self.route = route }

    /// The identifier of the route, or the alias by which a link named it.
    public var name: String { alias ?? type(of: route).identifier }

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
    /// Compares the routes by value.
    public static func == (left: AnyRoute, right: AnyRoute) -> Bool {
        AnyHashable(left.route) == AnyHashable(right.route)
    }

    /// Hashes the route's value.
    public func hash(into hasher: inout Hasher) { route.hash(into: &hasher) }

    /// The link as a string, or the type's name where the route cannot be written.
    public var description: String { (try? link) ?? "\(TypeName(type(of: route)))" }
}

extension AnyRoute: Codable {
    private enum LinkKey: CodingKey {
        case route, parameters
    }

    /// Reads a link from a string or an object, with the catalog that the decoder carries.
    public init(from decoder: any Decoder) throws {
        guard let decoding = LinkDecoding.carried(by: decoder.userInfo) else {
            throw DecodingError.malformedLink(
                "The decoder has no routes: set its 'routeCatalog' before decoding.", at: decoder.codingPath)
        }
        let text: String
        do {
            text = try decoder.singleValueContainer().decode(String.self)
        } catch DecodingError.typeMismatch {
            self = try Self.read(object: decoder, with: decoding)
            return
        }
        try self.init(text, with: decoding, at: decoder.codingPath)
    }

    /// Writes the link as an object, so that the encoder's strategies hold for the route.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: LinkKey.self)
        try container.encode(type(of: route).identifier, forKey: .route)
        try container.encode(route, forKey: .parameters)
    }

    /// Reads `identifier|{json}`.
    private init(
        _ text: String, with decoding: LinkDecoding, at codingPath: @autoclosure () -> [any CodingKey]
    ) throws {
        let line = text.utf8.firstIndex(of: UInt8(ascii: "|")) ?? text.endIndex
        do {
            let type = try decoding.catalog.routeType(for: text[..<line], at: [])
            let parameters = line < text.endIndex ? text[line...].dropFirst() : "{}"
            // A route without properties reads nothing, so that it would not notice.
            let isObject = parameters.utf8.first { !" \t\n\r".utf8.contains($0) } == UInt8(ascii: "{")
            guard isObject else {
                throw DecodingError.malformedLink(
                    "The parameters \(parameters.quoted) of '\(type.identifier)' are not a JSON object.",
                    at: [])
            }
            let json = Data(parameters.utf8)
            self.init(try decoding.nested(at: []) { try decoding.decoder.decode(type, from: json) })
            if text[..<line] != type.identifier { alias = String(text[..<line]) }
        } catch let error as DecodingError {
            throw error.continuing(codingPath())
        }
    }

    /// Reads `{"route": identifier, "parameters": {…}}`.
    private static func read(object decoder: any Decoder, with decoding: LinkDecoding) throws -> AnyRoute {
        guard let container = try? decoder.container(keyedBy: LinkKey.self) else {
            let form = "A link is a string 'identifier|{json}' or an object with 'route' and 'parameters'."
            throw DecodingError.typeMismatch(
                AnyRoute.self, .init(codingPath: decoder.codingPath, debugDescription: form))
        }
        let identifier = try container.decode(String.self, forKey: .route)
        let type = try decoding.catalog.routeType(
            for: identifier[...], at: decoder.codingPath + [LinkKey.route])
        guard container.contains(.parameters) else {
            return try AnyRoute(identifier, with: decoding, at: decoder.codingPath)
        }
        _ = try container.nestedContainer(keyedBy: LinkKey.self, forKey: .parameters)
        let route = try decoding.nested(at: decoder.codingPath) {
            try container.decode(type, forKey: .parameters)
        }
        var link = AnyRoute(route)
        if identifier != type.identifier { link.alias = identifier }
        return link
    }
}

/// The data that a decoder carries for the links in its document: the routes, and itself.
///
/// A link's own JSON is then read by the same decoder, with the strategies that its owner chose. The reference is
/// weak, because the decoder holds this object.
private final class LinkDecoding: Sendable {
    /// The most links that may be nested; each takes its share of the stack, and the sender chooses them.
    static let maximumDepth = 8
    /// The number of links around the one that is being read.
    @TaskLocal static var depth = 0

    static let key = CodingUserInfoKey(rawValue: "RouterService.routeCatalog")

    let catalog: RouteCatalog
    private weak let owner: JSONDecoder?

    init(catalog: RouteCatalog, decoder: JSONDecoder?) {
        self.catalog = catalog
        owner = decoder
    }

    static func carried(by userInfo: [CodingUserInfoKey: Any]) -> LinkDecoding? {
        key.flatMap { userInfo[$0] as? LinkDecoding }
    }

    // The same, because converting the dictionary to the other type would cost more than looking up.
    static func carried(by decoder: JSONDecoder) -> LinkDecoding? {
        key.flatMap { decoder.userInfo[$0] as? LinkDecoding }
    }

    var userInfo: [CodingUserInfoKey: Any] { Self.key.map { [$0: self] } ?? [:] }

    /// The decoder for a link's own JSON.
    ///
    /// Where `userInfo` was copied to another decoder, and the first one has gone or been given other routes, it is
    /// one with Foundation's strategies.
    var decoder: JSONDecoder {
        if let owner, Self.carried(by: owner) === self { return owner }
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        return decoder
    }

    /// Reads the content of a link, unless it is nested too deeply.
    func nested<Value>(
        at codingPath: @autoclosure () -> [any CodingKey], _ read: () throws -> Value
    ) throws -> Value {
        let depth = Self.depth
        guard depth < Self.maximumDepth else {
            throw DecodingError.malformedLink(
                "Links are nested more than \(Self.maximumDepth) deep.", at: codingPath())
        }
        return try Self.$depth.withValue(depth + 1, operation: read)
    }
}

extension JSONDecoder {
    /// The routes that links in the decoded document may lead to; ``AnyRoute`` cannot be decoded without.
    ///
    /// Set it on each decoder: a copy of `userInfo` takes the routes to another decoder, but the JSON in a string link
    /// is read with the strategies of the decoder on which they were set.
    public var routeCatalog: RouteCatalog? {
        get { LinkDecoding.carried(by: self)?.catalog }
        set {
            let decoding = newValue.map { LinkDecoding(catalog: $0, decoder: self) }
            userInfo.merge(decoding?.userInfo ?? [:]) { $1 }
            if decoding == nil, let key = LinkDecoding.key { userInfo[key] = nil }
        }
    }
}

extension RouteCatalog {
    /// A decoder's `userInfo` that carries this catalog, for decoders other than `JSONDecoder`.
    public var userInfo: [CodingUserInfoKey: Any] { LinkDecoding(catalog: self, decoder: nil).userInfo }
}

extension DecodingError {
    static func malformedLink(_ message: String, at codingPath: [any CodingKey]) -> DecodingError {
        .dataCorrupted(Context(codingPath: codingPath, debugDescription: message))
    }

    /// The same error, its path prefixed with that of the link in the document around it.
    fileprivate func continuing(_ codingPath: [any CodingKey]) -> DecodingError {
        func continued(_ context: Context) -> Context {
            Context(
                codingPath: codingPath + context.codingPath, debugDescription: context.debugDescription,
                underlyingError: context.underlyingError)
        }
        return switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, continued(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, continued(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, continued(context))
        case .dataCorrupted(let context): .dataCorrupted(continued(context))
        @unknown default: self
        }
    }
}

extension StringProtocol {
    /// The text in quotation marks for a message, cut if it is long.
    var quoted: String {
        let start = prefix(80)
        return start.endIndex < endIndex ? "'\(start)…'" : "'\(start)'"
    }
}
