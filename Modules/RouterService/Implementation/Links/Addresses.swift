import Foundation
import RouterServiceInterface
import RouterServiceProgram
import Synchronization

/// The routes that identifiers, aliases and URLs lead to, from the registrations; a class, which each reading retains once.
final class Addresses: Sendable {
    /// Malformed and conflicting identifiers, aliases and URL patterns.
    let problems: [GraphProblem]
    fileprivate let types: [Identifier: any Route.Type]
    fileprivate let matcher: URLMatcher

    /// Reads the names of routes.
    ///
    /// An identifier comes before an alias, an earlier alias and an earlier URL pattern before a later one.
    @MainActor
    init(_ routes: [RouteRegistration]) {
        var (owners, problems): ([Identifier: RouteRegistration], [GraphProblem]) = ([:], [])
        func canStand(_ name: String, for route: RouteRegistration) -> Bool {
            let place = route.source.place
            if name.isEmpty || name.contains("|") {
                problems.append(GraphProblem(.invalidIdentifier(name), of: [route.name], at: [place]))
                return false
            }
            guard let first = owners[Identifier(name)], first.type != route.type else { return true }
            problems.append(
                GraphProblem(
                    .duplicateIdentifier(name), of: [first.name, route.name],
                    at: [first.source.place, place]))
            return false
        }
        let named = routes.filter { route in
            guard canStand(route.identifier, for: route) else { return false }
            owners[Identifier(route.identifier)] = route
            return true
        }
        for route in named {
            for alias in route.aliases where canStand(alias, for: route) { owners[Identifier(alias)] = route }
        }
        var matcher = URLMatcher()
        for route in named {
            for pattern in route.urls {
                do throws(GraphProblem) {
                    try matcher.add(pattern, for: route.type)
                } catch {
                    problems.append(error)
                }
            }
        }
        self.problems = problems
        types = owners.mapValues(\.type)
        self.matcher = matcher
    }
}

/// The links of a router, which change when a module is replaced while decoders use them on other threads.
final class CurrentAddresses: RouteCatalog {
    private let addresses: Mutex<Addresses>
    private var current: Addresses { addresses.withLock { $0 } }

    @MainActor
    init() { addresses = Mutex(Addresses([])) }

    func update(_ new: Addresses) { addresses.withLock { $0 = new } }

    func routeType(for identifier: Identifier) throws -> any Route.Type {
        let types = current.types
        if let type = types[identifier] { return type }
        let nearest =
            nearestName(to: identifier.text[...], among: types.keys.map { $0.text[...] }).map {
                " The nearest is '\($0)'."
            } ?? ""
        let message =
            identifier.text.isEmpty
            ? "A link starts with a route's identifier."
            : "No route has the identifier \(RouterError.quoted(identifier.text)).\(nearest)"
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: message))
    }

    func route(for url: URL) throws -> AnyRoute {
        let text = url.absoluteString
        let addresses = current
        guard let pieces = URLPieces(text), let rule = addresses.matcher.rule(for: pieces) else {
            throw RouterError.unknownURL(url, nearest: addresses.matcher.nearestPattern(to: text))
        }
        return try rule.route(from: pieces)
    }

    func url(for route: some Route) throws -> URL {
        let name = TypeName(type(of: route))
        let addresses = current
        guard let rules = addresses.matcher.rulesByType[name.id] else {
            throw RouterError.noURL(route: name, reason: "No URL pattern is declared for it.")
        }
        let values = try URLEncoder.values(of: route)
        var reasons: [String] = []
        for rule in rules {
            do throws(URLMistake) {
                return try url(for: values, by: rule, of: addresses.matcher)
            } catch {
                reasons.append("'\(rule.pattern)': \(error.reason).")
            }
        }
        throw RouterError.noURL(route: name, reason: reasons.joined(separator: " "))
    }

    private func url(
        for values: [(name: String, text: String)], by rule: URLRule, of matcher: URLMatcher
    ) throws(URLMistake) -> URL {
        let text = try rule.text(for: values)
        guard let url = URL(string: text) else { throw URLMistake(reason: "'\(text)' is not a URL") }
        // A more specific pattern may match the URL instead.
        let found = URLPieces(url.absoluteString).flatMap(matcher.rule(for:))
        guard let found, found.pattern != rule.pattern else { return url }
        throw URLMistake(reason: "'\(url)' would open '\(found.pattern)'")
    }
}
