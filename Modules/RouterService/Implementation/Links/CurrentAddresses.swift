import Foundation
import RouterServiceInterface
import RouterServiceProgram
import Synchronization

/// The catalog of a router, which decoders on other threads may use while a module is replaced.
final class CurrentAddresses: RouteCatalog {
    private let addresses: Mutex<Addresses>
    private var current: Addresses { addresses.withLock { $0 } }

    @MainActor
    init() { addresses = Mutex(Addresses([])) }

    func update(_ new: Addresses) { addresses.withLock { $0 = new } }

    func routeType(for identifier: String) throws -> any Route.Type {
        let types = current.types
        if let type = types[identifier] { return type }
        let nearest =
            nearestName(to: identifier[...], among: types.keys.map { $0[...] }).map {
                " The nearest is '\($0)'."
            } ?? ""
        let message =
            identifier.isEmpty
            ? "A link starts with a route's identifier."
            : "No route has the identifier \(RouterError.quoted(identifier)).\(nearest)"
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: message))
    }

    func route(for url: URL) throws -> AnyRoute {
        let text = url.absoluteString
        let addresses = current
        guard let pieces = URLPieces(text), let template = addresses.template(for: pieces) else {
            throw RouterError.unknownURL(url, nearest: addresses.nearestPattern(to: text))
        }
        return try template.route(from: pieces)
    }

    func url(for route: some Route) throws -> URL {
        let name = TypeKey(type(of: route))
        let addresses = current
        guard let templates = addresses.templatesByType[name.id] else {
            throw RouterError.noURL(route: name, reason: "No URL pattern is declared for it.")
        }
        let values = try URLEncoder.values(of: route)
        var reasons: [String] = []
        for template in templates {
            do throws(URLMistake) {
                return try url(for: values, by: template, in: addresses)
            } catch {
                reasons.append("'\(template.pattern)': \(error.reason).")
            }
        }
        throw RouterError.noURL(route: name, reason: reasons.joined(separator: " "))
    }

    private func url(
        for values: [(name: String, text: String)], by template: URLTemplate, in addresses: Addresses
    ) throws(URLMistake) -> URL {
        let text = try template.text(for: values)
        guard let url = URL(string: text) else { throw URLMistake(reason: "'\(text)' is not a URL") }
        // A more specific pattern may match the URL instead.
        let found = URLPieces(url.absoluteString).flatMap(addresses.template(for:))
        guard let found, found.pattern != template.pattern else { return url }
        throw URLMistake(reason: "'\(url)' would open '\(found.pattern)'")
    }
}
