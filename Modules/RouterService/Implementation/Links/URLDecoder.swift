import Foundation
import RouterServiceInterface

/// The values that a pattern took from a URL for one of its parameters.
struct URLParameter: Sendable {
    let name: String
    let isList: Bool
    /// One value for each segment or query item.
    var values: [EncodedText]
}

extension URLRule {
    /// Reads the route of a URL that the pattern matches.
    ///
    /// - Throws: `DecodingError` with the parameter's name as its coding path.
    func route(from pieces: URLPieces, userInfo: @escaping DecodingInfo) throws -> AnyRoute {
        let parameters = parameters(of: pieces)
        return AnyRoute(
            try type.init(from: URLDecoder(parameters: parameters, pattern: pattern, info: userInfo)))
    }

    /// The values of the parameters, in the order of the pattern; those that the URL lacks are without a value.
    private func parameters(of pieces: URLPieces) -> [URLParameter] {
        var parameters: [URLParameter] = []
        parameters.reserveCapacity(template.path.count + template.query.count)
        for (index, segment) in template.path.enumerated() {
            switch segment {
            case .literal: break
            case .parameter(let name):
                parameters.append(URLParameter(name: name, isList: false, values: [pieces.segments[index]]))
            case .rest(let name):
                let rest = Array(pieces.segments[index...])
                parameters.append(URLParameter(name: name, isList: true, values: rest))
            }
        }
        let firstOfQuery = parameters.count
        parameters += template.query.map { URLParameter(name: $0.name, isList: $0.isList, values: []) }
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

/// The `userInfo` of a decoder, made when a route reads it: few do.
typealias DecodingInfo = @Sendable () -> [CodingUserInfoKey: Any]

/// Hands the parameters of a URL to a route's `init(from:)`, by the names of its coding keys.
private struct URLDecoder: Decoder {
    let parameters: [URLParameter]
    let pattern: URLPattern
    let info: DecodingInfo

    var userInfo: [CodingUserInfoKey: Any] { info() }
    var codingPath: [any CodingKey] { [] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Values(route: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unnamed([Any].self) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw unnamed(Any.self) }

    private func unnamed(_ type: Any.Type) -> DecodingError {
        let message = "A URL carries a route's values by their names (coding keys) only."
        return DecodingError.typeMismatch(type, .init(codingPath: [], debugDescription: message))
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
                ?? URLParameter(name: name, isList: false, values: [])
        }

        private func value(for key: Key) -> URLValueDecoder {
            URLValueDecoder(
                parameter: parameter(for: key), pattern: route.pattern, codingPath: [key],
                info: route.info)
        }
    }
}

/// Reads one parameter of a URL: a single value, or the array of a parameter with `*`.
///
/// A generic `decode` serves for every type, the primitive ones too, which stand as text like all others.
private struct URLValueDecoder: Decoder, SingleValueDecodingContainer {
    let parameter: URLParameter
    let pattern: URLPattern
    let codingPath: [any CodingKey]
    let info: DecodingInfo

    var userInfo: [CodingUserInfoKey: Any] { info() }

    func decodeNil() -> Bool { parameter.values.isEmpty }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        guard let coding = URLValueCoding.of(type) else { return try T(from: self) }
        let text = try text(for: type)
        guard let value = coding.read(text) as? T else {
            throw corrupted("\(text.quoted) is not \(coding.description).")
        }
        return value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw mismatch([String: Any].self, "A value of a URL is text and cannot hold others by name.")
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        // An array without elements exists although no part of the URL stands for it.
        guard parameter.isList || parameter.values.isEmpty else {
            throw mismatch(
                [Any].self, "The value is single. Name it with a '*' in the URL pattern to read an array.")
        }
        return Elements(list: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    private func text(for type: Any.Type) throws -> String {
        guard !parameter.isList else {
            throw mismatch(
                type, "The value is an array. Name it without '*' in the URL pattern to read a single one.")
        }
        guard let value = parameter.values.first else {
            let message = "The URL has no '\(parameter.name)', read as '\(pattern)'."
            throw DecodingError.keyNotFound(
                codingPath.last ?? URLElementKey(index: 0),
                .init(codingPath: codingPath.dropLast(), debugDescription: message))
        }
        guard parameter.values.count == 1 else {
            throw corrupted("The query has \(parameter.values.count) items of this name, not one.")
        }
        guard let text = value.decoded else {
            throw corrupted("\(value.text.quoted) is not percent-encoded UTF-8.")
        }
        return String(text)
    }

    private func corrupted(_ message: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
    }

    private func mismatch(_ type: Any.Type, _ message: String) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: message))
    }

    private struct Elements: UnkeyedDecodingContainer {
        let list: URLValueDecoder
        var currentIndex = 0

        var codingPath: [any CodingKey] { list.codingPath }
        var count: Int? { list.parameter.values.count }
        var isAtEnd: Bool { currentIndex >= list.parameter.values.count }

        mutating func decodeNil() throws -> Bool { false }

        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
            let value = try element(for: type).decode(type)
            currentIndex += 1
            return value
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type
        ) throws -> KeyedDecodingContainer<NestedKey> {
            try element(for: [String: Any].self).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try element(for: [Any].self).unkeyedContainer()
        }

        mutating func superDecoder() throws -> any Decoder {
            let element = try element(for: (any Decoder).self)
            currentIndex += 1
            return element
        }

        private func element(for type: Any.Type) throws -> URLValueDecoder {
            let path = list.codingPath + [URLElementKey(index: currentIndex)]
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    type, .init(codingPath: path, debugDescription: "The array ends before this element."))
            }
            let element = URLParameter(
                name: list.parameter.name, isList: false, values: [list.parameter.values[currentIndex]])
            return URLValueDecoder(
                parameter: element, pattern: list.pattern, codingPath: path, info: list.info)
        }
    }
}

/// The place of an element in an array.
struct URLElementKey: CodingKey {
    let index: Int

    init(index: Int) { self.index = index }
    init?(intValue: Int) { index = intValue }
    init?(stringValue: String) { nil }

    var stringValue: String { "Index \(index)" }
    var intValue: Int? { index }
}
