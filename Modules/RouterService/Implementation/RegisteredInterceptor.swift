import Foundation
import RouterServiceInterface

/// An interceptor that modules registered.
struct RegisteredInterceptor {
    let registration: Registration
    let create: @MainActor (Services) throws -> any Interceptor
}

/// The router as an interceptor sees it: what it opens belongs to the journey of the route that it decides about.
@MainActor
final class InterceptorRouter: Router {
    private let router: RouterService
    private let journey: Journey

    init(router: RouterService, journey: Journey) {
        self.router = router
        self.journey = journey
    }

    func open(_ routes: [any Route], as style: PresentationStyle, from origin: RouteOrigin) async throws {
        let openings = routes.map { Opening(route: $0, style: style) }
        try await router.open(openings, from: origin, by: .interceptor(journey))
    }

    func open(_ url: URL, as style: PresentationStyle) async throws {
        try await open([router.catalog.route(for: url).route], as: style, from: .url)
    }

    func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output {
        try await router.result(of: route, as: style, from: .code, by: .interceptor(journey))
    }

    func broadcast<E: Event>(_ event: E) async -> [RouterError] {
        await router.broadcast(event)
    }

    func enter(_ scope: Scope) throws {
        try router.enter(scope)
    }

    func leave(_ scope: Scope) throws {
        try router.leave(scope)
    }
}
