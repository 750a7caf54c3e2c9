import Foundation
import RouterServiceInterface

/// Navigates through a router on behalf of an opener.
@MainActor
protocol RouterNavigator: Navigator {
    /// The router and the opener.
    func caller() throws -> (router: RouterService, opener: Opener)
}

// Public for the router itself, which is a navigator too.
extension RouterNavigator {
    /// Opens routes one above the other.
    public func open(_ routes: [any Route], as style: PresentationStyle) async throws {
        let (router, opener) = try caller()
        // Only one screen can be the first.
        try await router.open(
            routes.enumerated().map {
                router.opening(of: $1, as: $0 > 0 && style == .root ? .push : style, from: .code, by: opener)
            })
    }

    /// Opens the route that a URL stands for.
    public func open(_ url: URL, as style: PresentationStyle) async throws {
        try await open(try caller().router.catalog.route(for: url), as: style)
    }

    /// Opens the route that a link stands for.
    public func open(_ link: AnyRoute, as style: PresentationStyle) async throws {
        let (router, opener) = try caller()
        router.report(deprecationOf: link)
        try await router.open([router.opening(of: link.route, as: style, from: link.origin, by: opener)])
    }

    /// Opens a route and waits for its output.
    public func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output {
        try await opened(route, as: style).value
    }

    /// Apart from the wait, which keeps no router alive.
    private func opened<R: Route>(
        _ route: R, as style: PresentationStyle
    ) async throws -> AwaitedOutput<R.Output> {
        let (router, opener) = try caller()
        return try await router.opened(route, as: style, from: .code, by: opener)
    }
}

/// The router as a dependency or a request has it: on behalf of an opener, and without keeping it alive.
@MainActor
final class RouterProxy: Router, RouterNavigator {
    private let reference: RouterReference
    private let opener: Opener

    init(_ reference: RouterReference, opener: Opener) { (self.reference, self.opener) = (reference, opener) }

    func caller() throws -> (router: RouterService, opener: Opener) { (try living(), opener) }

    /// The same router, for what was called because of some routes.
    func called(after path: Path) -> RouterProxy {
        RouterProxy(reference, opener: .service(after: path))
    }

    func dismiss(to target: DismissalTarget) async throws { try await living().dismiss(to: target) }

    func broadcast<E: Event>(_ event: E) async -> [RouterError] {
        await reference.router?.broadcast(event, after: opener.path) ?? []
    }

    func enter(_ scope: Scope) throws { try living().enter(scope) }

    func leave(_ scope: Scope) throws { try living().leave(scope) }

    private func living() throws -> RouterService {
        guard let router = reference.router else { throw RouterError.routerReleased }
        return router
    }
}

/// Supplies an interceptor, an action or a listener with its dependencies; the router among them knows the routes that
/// led to the call, so that its openings count with those.
///
/// A service may serve many calls at once, so that the router that it holds knows none.
@MainActor
final class CallResolver: DependencyResolver {
    private let container: Container
    private let path: Path

    init(_ container: Container, after path: Path) { (self.container, self.path) = (container, path) }

    func resolve<Value>(_ type: Value.Type) throws -> Value {
        if !container.isRegistered(TypeName(type)), let value = try wrapped(type) { return value }
        return Self.value(try container.resolve(type), after: path)
    }

    func source<Value>(of type: Value.Type) -> @MainActor () throws -> Value { { try self.resolve(type) } }

    func deferred<Value>(_ type: Value.Type) -> Deferred<Value> {
        let (deferred, path) = (container.deferred(type), path)
        return Deferred { Self.value(try deferred.value, after: path) }
    }

    func isRegistered(_ type: TypeName) -> Bool { container.isRegistered(type) }

    private static func value<Value>(_ value: Value, after path: Path) -> Value {
        guard let router = (value as? RouterProxy)?.called(after: path), let own = router as? Value else {
            return value
        }
        return own
    }
}

/// The one weak reference to a router, which everything shares that does not keep it alive.
@MainActor
final class RouterReference {
    weak var router: RouterService?
}
