/// Reads one parameter of a URL: a single value, or the array of a parameter with `*`.
///
/// A generic `decode` serves for every type, the primitive ones too, which stand as text like all others.
struct URLValueDecoder: Decoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]
    private let values: [EncodedText]
    private let isList: Bool

    init(
        _ values: [EncodedText], isList: Bool, at codingPath: [any CodingKey],
        userInfo: [CodingUserInfoKey: Any]
    ) {
        self.values = values
        self.isList = isList
        self.codingPath = codingPath
        self.userInfo = userInfo
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        guard let readable = type as? any URLReadable.Type else { return try T(from: self) }
        let text = try text(for: type)
        guard let value = readable.init(urlText: text) as? T else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath,
                    debugDescription: "\(text.quoted) is not \(readable.urlDescription)."))
        }
        return value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw mismatch([String: Any].self, "A value of a URL is text and cannot hold others by name.")
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard isList else {
            throw mismatch(
                [Any].self, "The value is single. Name it with a '*' in the URL pattern to read an array.")
        }
        return Elements(list: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    private func text(for type: Any.Type) throws -> String {
        guard !isList else {
            throw mismatch(
                type, "The value is an array. Name it without '*' in the URL pattern to read a single one.")
        }
        guard values.count == 1, let value = values.first else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath,
                    debugDescription:
                        "The query has \(values.count) items of this name where one is expected."))
        }
        guard let text = value.decoded else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath,
                    debugDescription: "\(value.text.quoted) is not percent-encoded UTF-8."))
        }
        return String(text)
    }

    private func mismatch(_ type: Any.Type, _ message: String) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: message))
    }

    private struct Elements: UnkeyedDecodingContainer {
        let list: URLValueDecoder
        private(set) var currentIndex = 0

        init(list: URLValueDecoder) {
            self.list = list
        }

        var codingPath: [any CodingKey] { list.codingPath }
        var count: Int? { list.values.count }
        var isAtEnd: Bool { currentIndex >= list.values.count }

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
            let path = list.codingPath + [URLElementKey(intValue: currentIndex)]
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    type, .init(codingPath: path, debugDescription: "The array ends before this element."))
            }
            return URLValueDecoder(
                [list.values[currentIndex]], isList: false, at: path, userInfo: list.userInfo)
        }
    }
}

extension URLValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { !isList && values.isEmpty }
}

/// The place of an element in an array.
struct URLElementKey: CodingKey {
    let index: Int

    init(intValue: Int) {
        index = intValue
    }

    init?(stringValue: String) { nil }

    var stringValue: String { "Index \(index)" }
    var intValue: Int? { index }
}
