public import Foundation

extension RouteCatalog {
    /// Reads the route that a URL opens.
    ///
    /// - Returns: The route of the most specific pattern that matches; ``URLPattern`` states the rule.
    /// - Throws: ``RouterError/unknownURL(_:nearest:)`` where no pattern matches; `DecodingError` with the parameter's
    ///   name as its coding path where a value is not one that the route takes.
    public func route(for url: URL) throws -> AnyRoute {
        guard let location = URLLocation(url.absoluteString) else {
            throw RouterError.unknownURL(url, nearest: nil)
        }
        guard let rule = index.rule(for: location) else {
            throw RouterError.unknownURL(url, nearest: index.rules.nearest(to: location))
        }
        let parameters = URLParameters(rule.parameters(of: location), of: rule.pattern, in: self)
        return AnyRoute(try rule.type.init(from: URLRouteDecoder(parameters)))
    }

    /// Writes a route as a URL.
    ///
    /// - Returns: The URL of the first pattern declared for the route's type that can carry all its values and leads
    ///   back to it.
    /// - Throws: ``RouterError/noURL(route:reason:)`` where no pattern can, `EncodingError` with the value's coding path
    ///   where a value cannot stand in any URL, and what the route's own `encode(to:)` throws.
    public func url(for route: some Route) throws -> URL {
        let type = type(of: route)
        let rules = index.rules(for: type)
        guard !rules.isEmpty else {
            throw RouterError.noURL(route: TypeName(type), reason: "No URL pattern is declared for it.")
        }
        let values = try URLRouteEncoder.values(of: route)
        var reasons: [String] = []
        for rule in rules {
            do throws(URLRule.Refusal) {
                let text = try rule.text(for: values)
                guard let url = URL(string: text) else {
                    throw URLRule.Refusal(reason: "'\(text)' is not a URL")
                }
                return try leadingBack(url, to: rule)
            } catch {
                reasons.append("'\(rule.pattern)': \(error.reason).")
            }
        }
        throw RouterError.noURL(route: TypeName(type), reason: reasons.joined(separator: " "))
    }

    /// A URL, unless a more specific pattern takes it for itself.
    private func leadingBack(_ url: URL, to rule: URLRule) throws(URLRule.Refusal) -> URL {
        let found = URLLocation(url.absoluteString).flatMap(index.rule(for:))
        guard let found, found.pattern != rule.pattern else { return url }
        throw URLRule.Refusal(reason: "'\(url)' would open '\(found.pattern)'")
    }
}
