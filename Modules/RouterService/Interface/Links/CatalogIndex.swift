/// The entries of a ``RouteCatalog``, arranged for looking up, and what is wrong with them.
///
/// A class, so that decoders carry a reference.
final class CatalogIndex: Sendable {
    let problems: [RouterError]
    let rules: [URLRule]
    private let types: [Substring: any Route.Type]
    private let urls: URLIndex
    private let rulesByType: [ObjectIdentifier: [Int]]

    init(_ entries: [RouteCatalog.Entry]) {
        var builder = CatalogBuilder()
        for entry in entries { builder.addIdentifier(of: entry) }
        for entry in builder.entries { builder.addAliases(of: entry) }
        for entry in builder.entries { builder.addURLs(of: entry) }
        types = builder.types
        problems = builder.problems
        rules = builder.rules
        urls = builder.urls
        rulesByType = Dictionary(grouping: rules.indices) { [rules] in ObjectIdentifier(rules[$0].type) }
    }

    func type(for identifier: Substring) -> (any Route.Type)? {
        types[identifier]
    }

    func nearestIdentifier(to identifier: Substring) -> Substring? {
        nearestName(to: identifier, among: types.keys)
    }

    func rule(for location: URLLocation) -> URLRule? {
        urls.rule(for: location).map { rules[$0] }
    }

    func rules(for type: any Route.Type) -> some Collection<URLRule> {
        rulesByType[ObjectIdentifier(type), default: []].lazy.map { [rules] in rules[$0] }
    }
}

/// Fills a ``CatalogIndex``: identifiers first, so that no alias shadows one.
private struct CatalogBuilder {
    private(set) var entries: [RouteCatalog.Entry] = []
    private(set) var types: [Substring: any Route.Type] = [:]
    private(set) var rules: [URLRule] = []
    private(set) var urls = URLIndex()
    private(set) var problems: [RouterError] = []

    mutating func addIdentifier(of entry: RouteCatalog.Entry) {
        let identifier = entry.type.identifier[...]
        guard types[identifier] == nil else { return }
        types[identifier] = entry.type
        entries.append(entry)
    }

    mutating func addAliases(of entry: RouteCatalog.Entry) {
        let route = TypeName(entry.type)
        for alias in entry.aliases {
            if alias.isEmpty || alias.utf8.contains(UInt8(ascii: "|")) {
                problems.append(.invalidAlias(alias, route: route))
            } else if let first = types[alias[...]] {
                guard first != entry.type else { continue }
                problems.append(.duplicateAlias(alias, first: TypeName(first), second: route))
            } else {
                types[alias[...]] = entry.type
            }
        }
    }

    mutating func addURLs(of entry: RouteCatalog.Entry) {
        for pattern in entry.urls {
            do throws(URLTemplate.Mistake) {
                let template = try URLTemplate(pattern)
                let rule = URLRule(pattern: pattern, template: template, type: entry.type)
                if let first = urls.insert(template, as: rules.count) {
                    problems.append(
                        .duplicatePattern(
                            pattern, first: TypeName(rules[first].type), second: TypeName(entry.type)))
                } else {
                    rules.append(rule)
                }
            } catch {
                problems.append(
                    .invalidPattern(pattern, reason: error.reason, route: TypeName(entry.type)))
            }
        }
    }
}
