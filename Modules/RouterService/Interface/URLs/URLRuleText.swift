extension URLRule {
    /// Why a pattern cannot carry a route.
    struct Refusal: Error {
        let reason: String
    }

    /// The URL for a route's values.
    func text(for values: URLValues) throws(Refusal) -> String {
        var path = ""
        var named: Set<String> = []
        for segment in template.path {
            switch segment {
            case .literal(let text):
                path += "/" + EncodedText.encode(text)
            case .parameter(let name):
                named.insert(name)
                path += "/" + (try pathSegment(values.single(name), of: name))
            case .rest(let name):
                named.insert(name)
                for value in try values.list(name) ?? [] { path += "/" + (try pathSegment(value, of: name)) }
            }
        }
        var items: [String] = []
        for query in template.query {
            named.insert(query.name)
            let found =
                query.isList ? try values.list(query.name) : try values.single(query.name).map { [$0] }
            let name = EncodedText.encode(query.name)
            items += found?.map { "\(name)=\(EncodedText.encode($0))" } ?? []
        }
        if let unnamed = values.names.first(where: { !named.contains($0) }) {
            throw Refusal(reason: "it has no place for '\(unnamed)'")
        }
        return template.origin + path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    private func pathSegment(_ value: String?, of name: String) throws(Refusal) -> String {
        guard let value else { throw Refusal(reason: "'\(name)' has no value") }
        guard EncodedText.canStandInPath(value) else {
            throw Refusal(reason: "'\(name)' is '\(value)', which cannot stand in a path")
        }
        return EncodedText.encode(value)
    }
}

/// The values of a route by the names of its coding keys, as text, in the order in which it wrote them.
struct URLValues {
    enum Value {
        case single(String)
        case list([String])
    }

    private(set) var names: [String] = []
    private var values: [String: Value] = [:]

    /// Sets a value; an array without elements is none, for nothing of a URL stands for it.
    mutating func set(_ value: Value, for name: String) {
        if case .list(let elements) = value, elements.isEmpty { return }
        if values.updateValue(value, forKey: name) == nil { names.append(name) }
    }

    func single(_ name: String) throws(URLRule.Refusal) -> String? {
        switch values[name] {
        case nil: nil
        case .single(let value): value
        case .list: throw URLRule.Refusal(reason: "'\(name)' is an array, so it wants to be '\(name)*'")
        }
    }

    func list(_ name: String) throws(URLRule.Refusal) -> [String]? {
        switch values[name] {
        case nil: nil
        case .list(let value): value
        case .single: throw URLRule.Refusal(reason: "'\(name)' is a single value, so it wants no '*'")
        }
    }
}
