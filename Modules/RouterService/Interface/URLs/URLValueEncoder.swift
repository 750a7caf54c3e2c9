/// Writes one value of a route as text, or an array of them.
final class URLValueEncoder: Encoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private var content: URLValues.Value?
    private var refusal: String?

    private init(codingPath: [any CodingKey]) {
        self.codingPath = codingPath
    }

    /// The text of a value; nil where the value is an absent optional.
    ///
    /// - Throws: `EncodingError` where the value cannot stand in a URL.
    static func content<T: Encodable>(of value: T, at codingPath: [any CodingKey]) throws -> URLValues.Value?
    {
        let encoder = URLValueEncoder(codingPath: codingPath)
        if let readable = value as? any URLReadable {
            guard let text = readable.urlText else {
                throw EncodingError.invalidValue(
                    value,
                    .init(codingPath: codingPath, debugDescription: "'\(value)' cannot be written in a URL."))
            }
            return .single(text)
        }
        try value.encode(to: encoder)
        if let refusal = encoder.refusal {
            throw EncodingError.invalidValue(value, .init(codingPath: codingPath, debugDescription: refusal))
        }
        return encoder.content
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        refusal = "A value of a URL is text and cannot hold others by name."
        return URLRefusingEncoder(codingPath: codingPath).container(keyedBy: type)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        content = .list([])
        return Elements(list: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private struct Elements: UnkeyedEncodingContainer {
        let list: URLValueEncoder

        var codingPath: [any CodingKey] { list.codingPath }

        var count: Int {
            if case .list(let texts) = list.content { texts.count } else { 0 }
        }

        mutating func encodeNil() throws {
            list.refusal = "An array in a URL has a value at every place."
        }

        mutating func encode<T: Encodable>(_ value: T) throws {
            let path = codingPath + [URLElementKey(intValue: count)]
            switch try URLValueEncoder.content(of: value, at: path) {
            case .single(let text):
                guard case .list(let texts) = list.content else { return }
                list.content = .list(texts + [text])
            case .list: list.refusal = "An array in a URL holds single values, not arrays."
            case nil: try encodeNil()
            }
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type
        ) -> KeyedEncodingContainer<NestedKey> {
            refuse().container(keyedBy: keyType)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { refuse() }
        mutating func superEncoder() -> any Encoder { refuse() }

        private func refuse() -> URLRefusingEncoder {
            list.refusal = "An array in a URL holds single values."
            return URLRefusingEncoder(codingPath: codingPath)
        }
    }
}

extension URLValueEncoder: SingleValueEncodingContainer {
    func encodeNil() throws {
        content = nil
    }

    func encode<T: Encodable>(_ value: T) throws {
        content = try Self.content(of: value, at: codingPath)
    }
}
