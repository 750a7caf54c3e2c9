/// Reads one parameter of a URL: a single value, or the array of a parameter with `*`.
///
/// A generic `decode` serves for every type, the primitive ones too, which stand as text like all others.
struct URLValueDecoder: Decoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]
    private let parameter: URLParameter
    private let pattern: URLPattern

    init(
        _ parameter: URLParameter, of pattern: URLPattern, at codingPath: [any CodingKey],
        userInfo: [CodingUserInfoKey: Any]
    ) {
        self.parameter = parameter
        self.pattern = pattern
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
        // An array without elements is there although nothing of the URL stands for it.
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
            throw DecodingError.keyNotFound(
                codingPath.last ?? URLElementKey(intValue: 0),
                .init(
                    codingPath: codingPath.dropLast(),
                    debugDescription: "The URL has no '\(parameter.name)', read as '\(pattern)'."))
        }
        guard parameter.values.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath,
                    debugDescription: "The query has \(parameter.values.count) items of this name, not one."))
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
            let path = list.codingPath + [URLElementKey(intValue: currentIndex)]
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    type, .init(codingPath: path, debugDescription: "The array ends before this element."))
            }
            let element = URLParameter(
                name: list.parameter.name, isList: false, values: [list.parameter.values[currentIndex]])
            return URLValueDecoder(element, of: list.pattern, at: path, userInfo: list.userInfo)
        }
    }
}

extension URLValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { parameter.values.isEmpty }
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
