/// Takes the values that a route writes in its `encode(to:)`, as text by the names of its coding keys.
final class URLRouteEncoder: Encoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private var values = URLValues()
    private var refusal: String?

    /// The values of a route.
    ///
    /// - Throws: `EncodingError` with the coding path of a value that cannot stand in a URL.
    static func values(of route: some Route) throws -> URLValues {
        let encoder = URLRouteEncoder()
        try route.encode(to: encoder)
        if let refusal = encoder.refusal {
            throw EncodingError.invalidValue(route, .init(codingPath: [], debugDescription: refusal))
        }
        return encoder.values
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Values(route: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { refuse() }
    func singleValueContainer() -> any SingleValueEncodingContainer { refuse() }

    private func refuse() -> URLRefusingEncoder {
        refusal = "A URL carries a route's values by their names (coding keys) only."
        return URLRefusingEncoder(codingPath: codingPath)
    }

    private struct Values<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let route: URLRouteEncoder
        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil(forKey key: Key) throws {}

        mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
            let content = try URLValueEncoder.content(of: value, at: [key])
            if let content { route.values.set(content, for: key.stringValue) }
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type, forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            refuse(key).container(keyedBy: keyType)
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { refuse(key) }
        mutating func superEncoder() -> any Encoder { route.refuse() }
        mutating func superEncoder(forKey key: Key) -> any Encoder { refuse(key) }

        private func refuse(_ key: Key) -> URLRefusingEncoder {
            route.refusal = "'\(key.stringValue)' is written piece by piece, which a URL cannot carry."
            return URLRefusingEncoder(codingPath: [key])
        }
    }
}
