import Foundation
import RouterServiceInterface
import RouterServiceProgram

/// The routes of a program by which a feature can be begun.
@MainActor
struct StageRoutes {
    private let router: any ProgramRouter

    init(_ router: any ProgramRouter) {
        self.router = router
    }

    /// The route that a link (`identifier|{json}`) or a URL stands for.
    ///
    /// - Throws: The reason why it stands for none, and the list of routes.
    func route(_ text: String) throws -> any Route {
        do {
            if text.contains(/^[A-Za-z][A-Za-z0-9+.\-]*:\/\//), let url = URL(string: text) {
                return try router.catalog.route(for: url).route
            }
            return try AnyRoute(text, in: router.catalog).route
        } catch {
            let routes = router.routes.filter { $0.identifier != StageRoute.identifier }.map {
                ([$0.identifier] + $0.urls).joined(separator: "  ")
            }
            throw UnusableBeginning(text: text, reason: Self.reason(error), routes: routes)
        }
    }

    /// The routes of a module that need no values, screens before actions.
    func openable(of module: String) -> [any Route] {
        let entries = router.routes.filter { "\($0.source.module)" == "\(module)Module" }
        return (entries.filter { $0.kind == .screen } + entries.filter { $0.kind != .screen }).compactMap {
            try? AnyRoute($0.identifier, in: router.catalog).route
        }
    }

    /// The first screen of a module that needs no values; nil where every one needs some.
    func first(of module: String) -> (any Route)? {
        let screens = Set(router.routes.filter { $0.kind == .screen }.map(\.identifier))
        return openable(of: module).first { screens.contains(type(of: $0).identifier) }
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return errorMessage(of: error) }
        return switch error {
        case .keyNotFound(let key, _): "'\(key.stringValue)' is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.debugDescription
        @unknown default: errorMessage(of: error)
        }
    }
}

/// A link or a URL that leads nowhere in this program.
struct UnusableBeginning: LocalizedError {
    let text: String
    let reason: String
    let routes: [String]

    var errorDescription: String? {
        (["'\(text)' cannot be opened: \(reason)", "The routes are:"] + routes.map { "  \($0)" })
            .joined(separator: "\n")
    }
}

extension AnyRoute {
    /// Reads a link of the form `identifier|{json}`.
    fileprivate init(_ link: String, in catalog: any RouteCatalog) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        self = try decoder.decode(AnyRoute.self, from: JSONEncoder().encode(link))
    }
}
