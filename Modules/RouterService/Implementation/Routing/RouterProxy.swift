import Foundation
import RouterServiceInterface

/// The router as an interceptor or a service holds it: on behalf of an opener, and without keeping it alive.
@MainActor
final class RouterProxy: Router {
    private let reference: RouterReference
    private let opener: Opener

    init(_ reference: RouterReference, opener: Opener) {
        self.reference = reference
        self.opener = opener
    }

    func open(_ routes: [any Route], as style: PresentationStyle) async throws {
        try await living().open(routes, as: style, by: opener)
    }

    func open(_ url: URL, as style: PresentationStyle) async throws {
        try await living().open(url, as: style, by: opener)
    }

    func open(_ link: AnyRoute, as style: PresentationStyle) async throws {
        try await living().open(link, as: style, from: .link, by: opener)
    }

    func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output {
        try await living().result(of: route, as: style, by: opener)
    }

    func dismiss(to target: DismissalTarget) async throws {
        try await living().dismiss(to: target)
    }

    func broadcast<E: Event>(_ event: E) async -> [RouterError] {
        await reference.router?.broadcast(event) ?? []
    }

    func enter(_ scope: Scope) throws {
        try living().enter(scope)
    }

    func leave(_ scope: Scope) throws {
        try living().leave(scope)
    }

    private func living() throws -> RouterService {
        guard let router = reference.router else { throw RouterError.routerReleased }
        return router
    }
}

/// The one weak reference to a router, which everything shares that does not keep it alive.
@MainActor
final class RouterReference {
    weak var router: RouterService?
}
