import Foundation
import RouterServiceTesting

@testable import RouterServiceImplementation
@testable import RouterServiceInterface

/// A route with its names in links.
struct NamedRoute {
    fileprivate let register: @MainActor () -> RouteRegistration

    /// The names of a route, as if it was registered here.
    init<R: Route>(_ type: R.Type, urls: [String] = []) {
        register = {
            let source = RegistrationSource(
                type: TypeKey(type), module: TypeKey(TestModule.self), fileID: "T/T.swift", line: 1,
                parameters: [])
            let options = urls.map { ActionOption<R>.url($0) }
            return RouteRegistration(source: source, options: options) { _ in
                .action(Registration(source: source) { _ in throw CancellationError() })
            }
        }
    }
}

extension Addresses {
    /// The addresses of some routes.
    @MainActor
    convenience init(_ routes: [NamedRoute]) { self.init(routes.map { $0.register() }) }
}

extension CurrentAddresses {
    /// The catalog that a router of these routes would have.
    @MainActor
    convenience init(_ routes: [NamedRoute]) {
        self.init()
        update(Addresses(routes))
    }
}

extension AnyRoute {
    /// Reads a link of the form `identifier|{json}`, as if it stood in a document of nothing else.
    init(_ link: String, in catalog: any RouteCatalog) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = catalog
        self = try decoder.decode(AnyRoute.self, from: JSONEncoder().encode(link))
    }
}

extension RouterService {
    /// Creates the services whose factories are asynchronous, as the start does.
    func prepare() async throws {
        try await changes.perform { try await changes.prepare(container) }
    }
}
