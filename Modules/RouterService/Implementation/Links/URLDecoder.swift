import Foundation
import RouterServiceInterface

/// A parameter of a pattern, with its values in a URL; more than one value is an error.
struct URLParameter: Sendable {
    let name: String
    var values: [EncodedText]
}

extension URLTemplate {
    /// Reads the route of a URL that the pattern matches.
    ///
    /// - Throws: `DecodingError`, also for a parameter that the route does not read, whose value would be lost.
    func route(from pieces: URLPieces) throws -> AnyRoute {
        let decoder = URLDecoder(parameters: parameters(of: pieces), pattern: pattern)
        let route = try type.init(from: decoder)
        if let unread = decoder.unread.first {
            let message =
                "The URL pattern '\(pattern)' names '\(unread)', which is no coding key of \(TypeKey(type)). Name it as "
                + "the route does."
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: message))
        }
        return AnyRoute(route, from: .external)
    }

    private func parameters(of pieces: URLPieces) -> [URLParameter] {
        var parameters: [URLParameter] = []
        parameters.reserveCapacity(path.count + query.count)
        for (index, segment) in path.enumerated() {
            guard let name = segment.name else { continue }
            parameters.append(URLParameter(name: name, values: [pieces.segments[index]]))
        }
        let firstOfQuery = parameters.count
        parameters += query.map { URLParameter(name: $0, values: []) }
        guard firstOfQuery < parameters.count, var rest = pieces.query?.utf8 else { return parameters }
        while !rest.isEmpty {
            let item = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[item.endIndex...].dropFirst()
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            let key = EncodedText(Substring(name)).decoded
            guard let index = parameters[firstOfQuery...].firstIndex(where: { key == $0.name[...] }) else {
                continue
            }
            parameters[index].values.append(EncodedText(Substring(item[name.endIndex...].dropFirst())))
        }
        return parameters
    }
}

/// Supplies a route's `init(from:)` with the parameters of a URL.
private final class URLDecoder: Decoder {
    let parameters: [URLParameter]
    let pattern: String
    /// The parameters that are no coding keys of the route.
    private(set) var unread: [String]

    init(parameters: [URLParameter], pattern: String) {
        self.parameters = parameters
        self.pattern = pattern
        unread = parameters.map(\.name)
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var codingPath: [any CodingKey] { [] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        unread.removeAll { Key(stringValue: $0) != nil }
        return KeyedDecodingContainer(Values(route: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unnamed([Any].self) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw unnamed(Any.self) }

    private func unnamed(_ type: Any.Type) -> DecodingError {
        DecodingError.typeMismatch(type, .init(codingPath: [], debugDescription: URLLimit.names))
    }

    private struct Values<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let route: URLDecoder

        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] {
            route.parameters.map(\.name).compactMap(Key.init(stringValue:)).filter(contains)
        }

        func contains(_ key: Key) -> Bool { !parameter(for: key).values.isEmpty }
        func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
            try value(for: key).decode(type)
        }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<NestedKey> {
            try value(for: key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try value(for: key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder { route }
        func superDecoder(forKey key: Key) throws -> any Decoder { value(for: key) }

        private func parameter(for key: Key) -> URLParameter {
            let name = key.stringValue
            return route.parameters.first { $0.name == name }
                ?? URLParameter(name: name, values: [])
        }

        private func value(for key: Key) -> URLValueDecoder {
            URLValueDecoder(parameter: parameter(for: key), route: route, key: key)
        }
    }
}

/// Reads the value of one parameter; the generic `decode` serves for the primitive types too.
private struct URLValueDecoder: Decoder, SingleValueDecodingContainer {
    let parameter: URLParameter
    let route: URLDecoder
    let key: any CodingKey

    var codingPath: [any CodingKey] { [key] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decodeNil() -> Bool { parameter.values.isEmpty }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        guard let coding = URLValueCoding.of(type) else { return try T(from: self) }
        let text = try text()
        guard let value = coding.read(text) as? T else {
            throw corrupted("\(RouterError.quoted(text)) is not \(coding.description).")
        }
        return value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw mismatch([String: Any].self, URLLimit.object)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw mismatch([Any].self, URLLimit.list)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    private func text() throws -> String {
        guard let value = parameter.values.first else {
            let message = "The URL has no '\(parameter.name)', read as '\(route.pattern)'."
            throw DecodingError.keyNotFound(
                key, .init(codingPath: [], debugDescription: message))
        }
        guard parameter.values.count == 1 else {
            throw corrupted("The query has \(parameter.values.count) items of this name, not one.")
        }
        guard let text = value.decoded else {
            throw corrupted("\(RouterError.quoted(value.text)) is not percent-encoded UTF-8.")
        }
        return String(text)
    }

    private func corrupted(_ message: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
    }

    private func mismatch(_ type: Any.Type, _ message: String) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: message))
    }
}
