public import RouterServiceInterface

/// A router that opens nothing, records every call, and returns prepared outputs: a dependency of a service, the router of a
/// `RouteRequest`, or of a ``RecordingContext``.
@MainActor
public final class RecordingRouter: Router {
    /// The opened routes, with and without a request for their output.
    public private(set) var opened: [AnyRoute] = []
    public private(set) var styles: [PresentationStyle] = []
    /// The types of the routes to which screens were dismissed.
    public private(set) var dismissals: [TypeKey] = []
    public private(set) var events: [any Event] = []
    public private(set) var scopes: Set<Scope> = []
    public var refusal: (any Error)?
    private var users: [ObjectIdentifier: @MainActor () async throws -> any Sendable] = [:]

    public init() {}

    /// Prepares the user's actions and output for a type of route; without them, the user goes back.
    public func finish<R: Route>(_ route: R.Type, by user: @escaping @MainActor () async throws -> R.Output) {
        _ = users.updateValue(user, forKey: ObjectIdentifier(route))
    }

    public func open(_ routes: [any Route], as style: PresentationStyle) async throws {
        opened += routes.map { AnyRoute($0) }
        styles += routes.map { _ in style }
        if let refusal { throw refusal }
    }

    public func open(_ link: AnyRoute, as style: PresentationStyle) async throws {
        try await open([link.route], as: style)
    }

    /// - Throws: ``refusal``, the user's error, or `UserDeclined` where no user is prepared.
    public func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output {
        try await open([route], as: style)
        guard let output = try await users[ObjectIdentifier(R.self)]?() as? R.Output else {
            throw UserDeclined()
        }
        return output
    }

    public func dismiss(to route: any Route.Type) async throws {
        dismissals.append(TypeKey(route))
    }

    public func broadcast<E: Event>(_ event: E) async -> [RouterError] {
        events.append(event)
        return []
    }

    /// - Throws: `RouterError.scopeAlreadyEntered`.
    public func enter(_ scope: Scope) throws {
        guard scopes.insert(scope).inserted else { throw RouterError.scopeAlreadyEntered(scope) }
    }

    /// - Throws: `RouterError.outsideScope`.
    public func leave(_ scope: Scope) throws {
        guard scopes.remove(scope) != nil else { throw RouterError.outsideScope(scope, path: []) }
    }
}
