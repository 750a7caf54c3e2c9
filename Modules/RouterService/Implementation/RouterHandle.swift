import Foundation
import RouterServiceInterface

/// The router as a service: it may be held by anything that the router holds, and does not keep it alive.
@MainActor
final class RouterHandle: Router {
    weak var router: RouterService?

    private func living() throws -> RouterService {
        guard let router else { throw RouterError.routerReleased }
        return router
    }

    func open(_ routes: [any Route], as style: PresentationStyle, from origin: RouteOrigin) async throws {
        try await living().open(routes, as: style, from: origin)
    }

    func open(_ url: URL, as style: PresentationStyle) async throws {
        try await living().open(url, as: style)
    }

    func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output {
        try await living().result(of: route, as: style)
    }

    func broadcast<E: Event>(_ event: E) async -> [RouterError] {
        await router?.broadcast(event) ?? []
    }

    func enter(_ scope: Scope) throws {
        try living().enter(scope)
    }

    func leave(_ scope: Scope) throws {
        try living().leave(scope)
    }
}
