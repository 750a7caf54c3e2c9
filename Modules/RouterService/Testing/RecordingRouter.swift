public import Foundation
public import RouterServiceInterface

/// A router that opens nothing, records every call, and answers with prepared outputs.
///
/// It serves wherever a test needs a `Router`: as the dependency of a service, in a `RouteRequest` for an
/// interceptor, or, through ``RecordingContext``, for a feature's screen.
@MainActor
public final class RecordingRouter: Navigator {
    /// A way back that a screen asked for.
    public enum Dismissal: Equatable {
        /// The screen itself, with all above it.
        case screen
        /// Down to an equal route.
        case toRoute(AnyRoute)
        /// Down to a route of a type.
        case toType(TypeName)
    }

    /// The routes that were opened, those whose result was asked for among them.
    public private(set) var opened: [AnyRoute] = []
    /// The styles of the routes that were opened, in the same order.
    public private(set) var styles: [PresentationStyle] = []
    /// The URLs that were opened.
    public private(set) var openedURLs: [URL] = []
    /// The ways back that were asked for.
    public private(set) var dismissals: [Dismissal] = []
    /// The events that were broadcast.
    public private(set) var events: [any Event] = []
    /// The scopes that have begun and not ended.
    public private(set) var scopes: Set<Scope> = []
    /// An error that every opening throws.
    public var refusal: (any Error)?
    private var people: [ObjectIdentifier: @MainActor () async throws -> any Sendable] = [:]

    /// Creates a navigator without prepared outputs.
    public init() {}

    /// Prepares what a person does at a type of route, and finishes with; unprepared, the person goes back.
    public func finish<R: Route>(_ route: R.Type, by person: @escaping @MainActor () async throws -> R.Output)
    {
        people[ObjectIdentifier(route)] = person
    }

    /// Records the routes.
    ///
    /// - Throws: ``refusal``.
    public func open(
        _ routes: [any Route], as style: PresentationStyle, from origin: RouteOrigin
    ) async throws {
        opened += routes.map { AnyRoute($0) }
        styles += routes.map { _ in style }
        if let refusal { throw refusal }
    }

    /// Records the URL.
    ///
    /// - Throws: ``refusal``.
    public func open(_ url: URL, as style: PresentationStyle) async throws {
        openedURLs.append(url)
        if let refusal { throw refusal }
    }

    /// Records the route, lets the prepared person act, and returns the output.
    ///
    /// - Throws: ``refusal``, what the person throws, or `CancellationError` where nobody is prepared.
    public func result<R: Route>(of route: R, as style: PresentationStyle) async throws -> R.Output {
        try await open([route], as: style, from: .code)
        guard let output = try await people[ObjectIdentifier(R.self)]?() as? R.Output else {
            throw CancellationError()
        }
        return output
    }

    /// Records the event.
    public func broadcast<E: Event>(_ event: E) async -> [RouterError] {
        events.append(event)
        return []
    }

    /// Records that the scope has begun.
    ///
    /// - Throws: `RouterError.scopeAlreadyEntered` when it had before.
    public func enter(_ scope: Scope) throws {
        guard scopes.insert(scope).inserted else { throw RouterError.scopeAlreadyEntered(scope) }
    }

    /// Records that the scope has ended.
    ///
    /// - Throws: `RouterError.scopeNotEntered` when it had not begun.
    public func leave(_ scope: Scope) throws {
        guard scopes.remove(scope) != nil else { throw RouterError.scopeNotEntered(scope) }
    }

    /// Records the dismissal.
    public func dismiss() throws {
        dismissals.append(.screen)
    }

    /// Records the dismissal.
    public func dismiss(to route: AnyRoute) throws {
        dismissals.append(.toRoute(route))
    }

    /// Records the dismissal.
    public func dismiss(to type: any Route.Type) throws {
        dismissals.append(.toType(TypeName(type)))
    }
}
