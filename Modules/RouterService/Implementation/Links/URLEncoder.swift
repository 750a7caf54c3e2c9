import Foundation
import RouterServiceInterface

extension URLTemplate {
    /// Writes the URL for a route's values, by the names of its coding keys.
    func text(for values: [(name: String, text: String)]) throws(URLMistake) -> String {
        var unnamed = values
        func take(_ name: String) -> String? {
            unnamed.firstIndex { $0.name == name }.map { unnamed.remove(at: $0).text }
        }
        var path = ""
        for segment in self.path {
            switch segment {
            case .literal(let text):
                path += "/" + EncodedText.encode(text)
            case .parameter(let name):
                guard let value = take(name) else { throw URLMistake(reason: "'\(name)' has no value") }
                guard EncodedText.canStandInPath(value) else {
                    throw URLMistake(reason: "'\(name)' is '\(value)', which cannot be used in a path")
                }
                path += "/" + EncodedText.encode(value)
            }
        }
        let items = query.compactMap { name in
            take(name).map { "\(EncodedText.encode(name))=\(EncodedText.encode($0))" }
        }
        if let name = unnamed.first?.name { throw URLMistake(reason: "it has no place for '\(name)'") }
        return origin + path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }
}

/// Collects the values that a route, or one of its values, writes in its `encode(to:)`, as text.
///
/// The methods of `Encoder` that make containers cannot throw, so a value that a URL cannot carry is refused at its end.
final class URLEncoder: Encoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let isRoute: Bool
    private var values: [(name: String, text: String)] = []
    private var text: String?
    private var refusal: String?

    private init(at codingPath: [any CodingKey], isRoute: Bool = false) {
        self.codingPath = codingPath
        self.isRoute = isRoute
    }

    /// The values of a route, by the names of its coding keys, in order; absent values are left out.
    static func values(of route: some Route) throws -> [(name: String, text: String)] {
        let encoder = URLEncoder(at: [], isRoute: true)
        try encoder.collect(route)
        return encoder.values
    }

    /// The text of a value; nil for an absent optional.
    private static func text<T: Encodable>(of value: T, at codingPath: [any CodingKey]) throws -> String? {
        if let coding = URLValueCoding.of(T.self) {
            guard let text = coding.write(value) else {
                throw refused(T.self, "The value is not \(coding.description).", at: codingPath)
            }
            return text
        }
        let encoder = URLEncoder(at: codingPath)
        try encoder.collect(value)
        return encoder.text
    }

    private func collect<T: Encodable>(_ value: T) throws {
        try value.encode(to: self)
        if let refusal { throw Self.refused(T.self, refusal, at: codingPath) }
    }

    /// An error that names the type and not the value, whose description may trap.
    private static func refused(
        _ type: Any.Type, _ message: String, at codingPath: [any CodingKey]
    ) -> EncodingError {
        .invalidValue(type, .init(codingPath: codingPath, debugDescription: message))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if !isRoute { refusal = URLLimit.object }
        return KeyedEncodingContainer(Named(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        refusal = URLLimit.list
        return self
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        if isRoute { refusal = URLLimit.names }
        return self
    }

    /// An encoder for content that is written piece by piece; its values are discarded.
    private func refusing(_ message: String) -> URLEncoder {
        refusal = message
        return URLEncoder(at: codingPath)
    }

    private struct Named<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: URLEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        mutating func encodeNil(forKey key: Key) throws {}

        mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
            guard encoder.isRoute, let text = try URLEncoder.text(of: value, at: [key]) else { return }
            encoder.values.removeAll { $0.name == key.stringValue }
            encoder.values.append((key.stringValue, text))
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type, forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            pieces(of: key).container(keyedBy: keyType)
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            pieces(of: key).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder {
            encoder.refusing(URLLimit.names)
        }

        mutating func superEncoder(forKey key: Key) -> any Encoder { pieces(of: key) }

        private func pieces(of key: Key) -> URLEncoder {
            encoder.refusing("'\(key.stringValue)' is written piece by piece, which a URL cannot carry.")
        }
    }
}

// An array is refused, so its elements are discarded.
extension URLEncoder: SingleValueEncodingContainer, UnkeyedEncodingContainer {
    var count: Int { 0 }

    func encodeNil() throws { text = nil }

    func encode<T: Encodable>(_ value: T) throws {
        if refusal == nil { text = try Self.text(of: value, at: codingPath) }
    }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        refusing(URLLimit.list).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

    func superEncoder() -> any Encoder { refusing(URLLimit.list) }
}
