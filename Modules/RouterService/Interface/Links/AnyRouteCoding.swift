import Foundation

extension AnyRoute: Codable {
    /// Reads a link from a string or an object, with the catalog that the decoder carries.
    ///
    /// - Throws: `DecodingError` with the coding path of the mistake, also when the decoder carries no catalog.
    public init(from decoder: any Decoder) throws {
        guard let decoding = LinkDecoding.carried(by: decoder.userInfo) else {
            throw DecodingError.malformedLink(
                "The decoder knows no routes: set its 'routeCatalog' before decoding.", at: decoder.codingPath
            )
        }
        let text: String
        do {
            text = try decoder.singleValueContainer().decode(String.self)
        } catch DecodingError.typeMismatch {
            self.init(try Self.read(object: decoder, with: decoding))
            return
        }
        try self.init(text, with: decoding, at: decoder.codingPath)
    }

    /// Writes the link as an object, so that the encoder's strategies hold for the route; as a string where a URL is
    /// written.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? URLValueEncoder {
            try encoder.encode(link)
            return
        }
        var container = encoder.container(keyedBy: LinkKey.self)
        try container.encode(type(of: route).identifier, forKey: .route)
        try container.encode(route, forKey: .parameters)
    }
}

extension AnyRoute {
    private enum LinkKey: CodingKey {
        case route, parameters
    }

    /// Reads `identifier|{json}`.
    init(
        _ text: String, with decoding: LinkDecoding, at codingPath: @autoclosure () -> [any CodingKey]
    ) throws {
        let line = text.utf8.firstIndex(of: UInt8(ascii: "|")) ?? text.endIndex
        do {
            let type = try decoding.type(for: text[..<line], at: [])
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
        } catch let error as DecodingError {
            throw error.continuing(codingPath())
        }
    }

    /// Reads `{"route": identifier, "parameters": {…}}`.
    private static func read(
        object decoder: any Decoder, with decoding: LinkDecoding
    ) throws -> any Route {
        guard let container = try? decoder.container(keyedBy: LinkKey.self) else {
            throw DecodingError.typeMismatch(
                AnyRoute.self,
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "A link is a string 'identifier|{json}' or an object with 'route' and 'parameters'."))
        }
        let identifier = try container.decode(String.self, forKey: .route)
        let type = try decoding.type(for: identifier[...], at: decoder.codingPath + [LinkKey.route])
        guard container.contains(.parameters) else {
            return try AnyRoute(type.identifier, with: decoding, at: decoder.codingPath).route
        }
        _ = try container.nestedContainer(keyedBy: LinkKey.self, forKey: .parameters)
        return try decoding.nested(at: decoder.codingPath) { try container.decode(type, forKey: .parameters) }
    }
}

extension LinkDecoding {
    /// The type of route that an identifier or alias stands for.
    fileprivate func type(
        for identifier: Substring, at codingPath: @autoclosure () -> [any CodingKey]
    ) throws -> any Route.Type {
        if let type = catalog.index.type(for: identifier) { return type }
        guard !identifier.isEmpty else {
            throw DecodingError.malformedLink("A link starts with a route's identifier.", at: codingPath())
        }
        let hint = catalog.index.nearestIdentifier(to: identifier).map { " The nearest is '\($0)'." } ?? ""
        throw DecodingError.malformedLink(
            "No route has the identifier \(identifier.quoted).\(hint)", at: codingPath())
    }

    /// Reads what stands in a link, unless that is too deep within others.
    fileprivate func nested<Value>(
        at codingPath: @autoclosure () -> [any CodingKey], _ read: () throws -> Value
    ) throws -> Value {
        let depth = Self.depth
        guard depth < Self.maximumDepth else {
            throw DecodingError.malformedLink(
                "More than \(Self.maximumDepth) links stand within one another.", at: codingPath())
        }
        return try Self.$depth.withValue(depth + 1, operation: read)
    }
}

extension DecodingError {
    fileprivate static func malformedLink(_ message: String, at codingPath: [any CodingKey]) -> DecodingError
    {
        .dataCorrupted(Context(codingPath: codingPath, debugDescription: message))
    }

    /// The same error, its path continued from where the link stands in the document around it.
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
