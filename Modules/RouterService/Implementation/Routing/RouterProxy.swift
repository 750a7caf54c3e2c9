import Foundation
import RouterServiceInterface

/// Navigates through a router on behalf of an opener.
@MainActor
protocol RouterNavigator: Navigator {
    /// The router and the opener.
    func opening() throws -> (router: RouterService, opener: Opener)
}

extension RouterNavigator {
    func open(_ routes: [any Route], as style: PresentationStyle) async throws {
        // Only one screen can be the first.
        let openings: [RouterService.Opening] = routes.enumerated().map {
            ($1, $0 > 0 && style == .root ? .push : style, nil)
        }
        let (router, opener) = try opening()
        try await router.open(openings, from: .code, by: opener)
    }

    func open(_ url: URL, as style: PresentationStyle) async throws {
        try await open(try opening().router.catalog.route(for: url), as: style, from: .external)
    }

    func open(_ link: AnyRoute, as style: PresentationStyle) async throws {
        try await open(link, as: style, from: .link)
    }

    private func open(_ link: AnyRoute, as style: PresentationStyle, from origin: RouteOrigin) async throws {
        let (router, opener) = try opening()
        router.report(deprecationOf: link)
        try await router.open([(link.route, style, nil)], from: origin, by: opener)
    }

    func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output {
        let (router, opener) = try opening()
        return try await router.result(of: route, as: style, from: .code, by: opener)
    }
}

/// The router as an interceptor or a service holds it: on behalf of an opener, and without keeping it alive.
@MainActor
final class RouterProxy: Router, RouterNavigator {
    private let reference: RouterReference
    private let opener: Opener

    init(_ reference: RouterReference, opener: Opener) { (self.reference, self.opener) = (reference, opener) }

    func opening() throws -> (router: RouterService, opener: Opener) { (try living(), opener) }

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
