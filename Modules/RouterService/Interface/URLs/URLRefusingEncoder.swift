/// Takes and forgets what cannot stand in a URL, until whoever asked for the container throws.
///
/// The methods of `Encoder` that hand out containers cannot throw themselves.
struct URLRefusingEncoder: Encoder {
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Values(codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private struct Values<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let codingPath: [any CodingKey]
        private var encoder: URLRefusingEncoder { URLRefusingEncoder(codingPath: codingPath) }

        init(codingPath: [any CodingKey]) {
            self.codingPath = codingPath
        }

        func encodeNil(forKey key: Key) throws {}
        func encode<T: Encodable>(_ value: T, forKey key: Key) throws {}

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type, forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            encoder.container(keyedBy: keyType)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder }
        func superEncoder() -> any Encoder { encoder }
        func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }
}

extension URLRefusingEncoder: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    var count: Int { 0 }

    func encodeNil() throws {}
    func encode<T: Encodable>(_ value: T) throws {}

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func superEncoder() -> any Encoder { self }
}
