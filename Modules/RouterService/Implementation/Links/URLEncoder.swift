import Foundation
import RouterServiceInterface

extension URLRule {
    /// The reason why a pattern cannot carry a route.
    struct Refusal: Error {
        let reason: String
    }

    /// Writes the URL for a route's values, by the names of its coding keys.
    func text(for values: [(name: String, value: URLEncoder.Content)]) throws(Refusal) -> String {
        var unnamed = values
        func take(_ name: String, asList isList: Bool) throws(Refusal) -> [String]? {
            guard let index = unnamed.firstIndex(where: { $0.name == name }) else { return nil }
            switch (unnamed.remove(at: index).value, isList) {
            case (.single(let text), false): return [text]
            case (.list(let texts), true): return texts
            case (_, true): throw Refusal(reason: "'\(name)' is a single value, so write it without '*'")
            case (_, false): throw Refusal(reason: "'\(name)' is an array, so write it as '\(name)*'")
            }
        }
        var path = ""
        for segment in template.path {
            switch segment {
            case .literal(let text):
                path += "/" + EncodedText.encode(text)
            case .parameter(let name):
                guard let value = try take(name, asList: false)?.first else {
                    throw Refusal(reason: "'\(name)' has no value")
                }
                path += try pathSegment(value, of: name)
            case .rest(let name):
                for value in try take(name, asList: true) ?? [] { path += try pathSegment(value, of: name) }
            }
        }
        var items: [String] = []
        for query in template.query {
            let name = EncodedText.encode(query.name)
            items +=
                try take(query.name, asList: query.isList)?.map { "\(name)=\(EncodedText.encode($0))" } ?? []
        }
        if let name = unnamed.first?.name { throw Refusal(reason: "it has no place for '\(name)'") }
        return template.origin + path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    private func pathSegment(_ value: String, of name: String) throws(Refusal) -> String {
        guard EncodedText.canStandInPath(value) else {
            throw Refusal(reason: "'\(name)' is '\(value)', which cannot be used in a path")
        }
        return "/" + EncodedText.encode(value)
    }
}

/// Collects the values that a route writes in its `encode(to:)`, as text by the names of its coding keys.
///
/// One encoder stands for the route, and one for each of its values. The methods of `Encoder` that hand out containers
/// cannot throw, so a value that a URL cannot carry is accepted at first, and refused when it is complete.
final class URLEncoder: Encoder {
    /// The written content.
    enum Content {
        case single(String)
        case list([String])
    }

    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]
    private let isRoute: Bool
    private var values: [(name: String, value: Content)] = []
    private var content: Content?
    private var refusal: String?

    private init(at codingPath: [any CodingKey], isRoute: Bool = false) {
        self.codingPath = codingPath
        self.isRoute = isRoute
        userInfo = AnyRoute.stringForm.map { [$0: true] } ?? [:]
    }

    /// The values of a route, in the order in which it wrote them; absent ones and empty arrays are left out.
    ///
    /// - Throws: `EncodingError` with the coding path of a value that cannot stand in a URL.
    static func values(of route: some Route) throws -> [(name: String, value: Content)] {
        let encoder = URLEncoder(at: [], isRoute: true)
        try encoder.take(route)
        return encoder.values
    }

    /// The text of a value; nil where the value is an absent optional.
    private static func content<T: Encodable>(of value: T, at codingPath: [any CodingKey]) throws -> Content?
    {
        if let coding = URLValueCoding.of(T.self) {
            guard let text = coding.write(value) else {
                throw refused(T.self, "The value is not \(coding.description).", at: codingPath)
            }
            return .single(text)
        }
        let encoder = URLEncoder(at: codingPath)
        try encoder.take(value)
        return encoder.content
    }

    private func take<T: Encodable>(_ value: T) throws {
        try value.encode(to: self)
        if let refusal { throw Self.refused(T.self, refusal, at: codingPath) }
    }

    /// The error names the type and not the value, whose description may trap (a `Date` that is not a number).
    private static func refused(
        _ type: Any.Type, _ message: String, at codingPath: [any CodingKey]
    ) -> EncodingError {
        .invalidValue(type, .init(codingPath: codingPath, debugDescription: message))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if !isRoute { refusal = "A value of a URL is text and cannot hold others by name." }
        return KeyedEncodingContainer(Named(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        refuseUnnamed()
        content = .list([])
        return Elements(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        refuseUnnamed()
        return self
    }

    private func refuseUnnamed() {
        if isRoute { refusal = "A URL carries a route's values by their names (coding keys) only." }
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
            guard encoder.isRoute, let content = try URLEncoder.content(of: value, at: [key]) else { return }
            if case .list([]) = content { return }
            encoder.values.removeAll { $0.name == key.stringValue }
            encoder.values.append((key.stringValue, content))
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
            encoder.refusing("A URL carries a route's values by their names (coding keys) only.")
        }

        mutating func superEncoder(forKey key: Key) -> any Encoder { pieces(of: key) }

        private func pieces(of key: Key) -> URLEncoder {
            encoder.refusing("'\(key.stringValue)' is written piece by piece, which a URL cannot carry.")
        }
    }

    private struct Elements: UnkeyedEncodingContainer {
        let encoder: URLEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        var texts: [String] {
            if case .list(let texts) = encoder.content { texts } else { [] }
        }
        var count: Int { texts.count }

        mutating func encodeNil() throws {
            encoder.refusal = "An array in a URL has a value at every place."
        }

        mutating func encode<T: Encodable>(_ value: T) throws {
            switch try URLEncoder.content(of: value, at: codingPath + [URLElementKey(index: count)]) {
            case .single(let text): encoder.content = .list(texts + [text])
            case .list: encoder.refusal = "An array in a URL holds single values, not arrays."
            case nil: try encodeNil()
            }
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type
        ) -> KeyedEncodingContainer<NestedKey> {
            superEncoder().container(keyedBy: keyType)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            superEncoder().unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder {
            encoder.refusing("An array in a URL holds single values.")
        }
    }
}

extension URLEncoder: SingleValueEncodingContainer {
    func encodeNil() throws {
        content = nil
    }

    func encode<T: Encodable>(_ value: T) throws {
        content = try Self.content(of: value, at: codingPath)
    }
}
