public import Foundation
public import RouterServiceInterface

/// A router for the program that composes it, which starts, inspects, stores and restores it.
///
/// Features see a `RouteContext` or a `Router` only. What throws here throws what prevented it, usually a `RouterError`.
@MainActor
public protocol ProgramRouter: Router {
    /// Every route that is handled, for decoders of links and for URLs.
    var catalog: any RouteCatalog { get }
    /// The registered routes, by identifier.
    var routes: [RouteRegistration] { get }
    /// The services, in the order of registration, after the arrays of what modules contribute.
    var services: [ServiceRegistration] { get }
    /// The interceptors that decide about a type of route, in the order in which they are asked.
    func interceptors(of route: any Route.Type) -> [InterceptorRegistration]

    /// Finds all problems of the graph from the registrations, without creating anything.
    func validate() -> [GraphProblem]

    /// Takes the current stack, with the states that a scope includes. Before the first screen is shown, the stack is the one
    /// that is about to be shown.
    ///
    /// A snapshot that includes `StateScope.memory` is for a program that takes the place of this one at once. It holds
    /// sessions and passwords, so it goes through a pipe or a socket, and is never stored.
    func snapshot(including scope: StateScope) -> RouterSnapshot

    /// Streams the router's decisions and actions from now on, to each caller; it ends with the router.
    func events() -> AsyncStream<RouterEvent>

    /// Creates a service, or returns the existing instance; for the few that the program itself runs.
    func resolve<Value>(_ type: Value.Type) throws -> Value

    /// Shows the first screen through the registered `any Presenter`, after all asynchronous services are there.
    ///
    /// It takes the place of a screen that an interceptor shows before it. The call may be repeated after an error.
    func start(with route: some Route) async throws

    /// Opens the route of a link from outside, waits for its output, and writes that as JSON with its keys in order.
    ///
    /// - Throws: `RouterError.Rejection.outputNotEncodable`, before anything is opened.
    func output(of link: AnyRoute) async throws -> Data

    /// Shows the stack of a snapshot in place of everything that is shown, or as the first thing; all or nothing.
    ///
    /// Each route is resolved as any other; where it leads elsewhere, its screen's state is not restored. Services have
    /// their states before the first route is resolved, because interceptors and screens read them; after an error, they
    /// have the former ones.
    func restore(_ snapshot: RouterSnapshot) async throws

    /// Replaces the modules of the same full names, in the places that these have among the modules; all or nothing.
    ///
    /// A replacement begins a new **generation** of the router, whose asynchronous services are prepared while the present
    /// one goes on. The services of the modules, and all services that hold one of them, are new, with the state of a
    /// `Restorable`; other instances are taken over. Screens of the modules' routes, and screens that hold a new service,
    /// are rebuilt; a caller that waits for an output receives it from the new screen. An opening in flight is resolved
    /// again. An action, a listener or a decision that has its services already finishes with them.
    ///
    /// Replacements happen one after another; cancelling the task ends the wait and the replacement.
    ///
    /// - Throws: ``ReplacementError``; `RouterError.missingHandler` if a route on the stack would have no screen; the error of
    ///   a factory.
    func replace(_ modules: [any Module]) async throws
}
