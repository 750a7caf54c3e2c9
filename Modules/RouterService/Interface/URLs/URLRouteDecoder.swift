/// What a URL holds for a route, and what is needed to read it.
struct URLParameters {
    let pattern: URLPattern
    let userInfo: [CodingUserInfoKey: Any]
    private let parameters: [URLParameter]

    init(_ parameters: [URLParameter], of pattern: URLPattern, in catalog: RouteCatalog) {
        self.parameters = parameters
        self.pattern = pattern
        userInfo = LinkDecoding(catalog: catalog, decoder: nil).userInfo
    }

    subscript(name: String) -> URLParameter? {
        parameters.first { $0.name == name }
    }

    var names: [String] { parameters.map(\.name) }
}

/// Hands the parameters of a URL to a route's `init(from:)`, by the names of its coding keys.
struct URLRouteDecoder: Decoder {
    private let parameters: URLParameters
    let codingPath: [any CodingKey] = []

    init(_ parameters: URLParameters) {
        self.parameters = parameters
    }

    var userInfo: [CodingUserInfoKey: Any] { parameters.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Values(parameters: parameters))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw unnamed([Any].self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw unnamed(Any.self)
    }

    private func unnamed(_ type: Any.Type) -> DecodingError {
        DecodingError.typeMismatch(
            type,
            .init(
                codingPath: [],
                debugDescription: "A URL carries a route's values by their names (coding keys) only."))
    }

    private struct Values<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let parameters: URLParameters

        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { parameters.names.compactMap(Key.init(stringValue:)).filter(contains) }

        func contains(_ key: Key) -> Bool {
            parameters[key.stringValue].map { !$0.values.isEmpty } ?? false
        }

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

        func superDecoder() throws -> any Decoder { URLRouteDecoder(parameters) }
        func superDecoder(forKey key: Key) throws -> any Decoder { value(for: key) }

        private func value(for key: Key) -> URLValueDecoder {
            let parameter =
                parameters[key.stringValue] ?? URLParameter(name: key.stringValue, isList: false, values: [])
            return URLValueDecoder(
                parameter, of: parameters.pattern, at: [key], userInfo: parameters.userInfo)
        }
    }
}
