public import Foundation
public import RouterServiceInterface

/// A router for the program that composes it; features see a `RouteContext` or a `Router` only.
@MainActor
public protocol ProgramRouter: Router {
    var catalog: any RouteCatalog { get }
    /// The registered routes, by identifier.
    var routes: [RouteRegistration] { get }
    /// The arrays of contributions, then the other services, in the order of registration.
    var services: [ServiceRegistration] { get }
    /// The interceptors that decide about a type of route, in order.
    func interceptors(of route: any Route.Type) -> [InterceptorRegistration]

    /// Finds all problems of the graph without creating anything.
    func validate() -> [GraphProblem]

    /// The current stack, or the stack that is about to be shown first, with the states that a scope includes.
    ///
    /// A snapshot that includes `StateScope.memory` holds sessions and passwords: it is for a program that takes the place of
    /// this one at once, goes through a pipe or a socket, and is never stored.
    func snapshot(including scope: StateScope) -> RouterSnapshot

    /// Streams the router's decisions and actions from now on, until the router is released.
    func events() -> AsyncStream<RouterEvent>

    /// Creates a service that the program itself uses, or returns the existing instance.
    func resolve<Value>(_ type: Value.Type) throws -> Value

    /// Prepares the asynchronous services, and shows the first screen through the registered `any Presenter`, in place of
    /// screens that interceptors show before it. The call may be repeated after an error.
    func start(with route: some Route) async throws

    /// Opens the route of a link from outside, and waits for its output, which is encoded as JSON with sorted keys.
    ///
    /// - Throws: `RouterError.Rejection.outputNotEncodable`, before anything is opened.
    func output(of link: AnyRoute) async throws -> Data

    /// Shows the stack of a snapshot, in place of a shown stack; all or nothing.
    ///
    /// Services have their states before the first route is resolved, because interceptors and screens read them, and their
    /// former states after an error. The state of a screen is not restored where its route leads elsewhere.
    func restore(_ snapshot: RouterSnapshot) async throws

    /// Replaces the modules of the same full names; all or nothing, one replacement after another.
    ///
    /// A replacement begins a new **generation** of the router. The services of the modules, and all services that hold one of
    /// them, are new, with the states of `Restorable` services; other instances stay. The screens of the modules' routes, and
    /// screens that hold a new service, are rebuilt; a caller that waits for an output receives it from the new screen. An
    /// opening in flight is resolved again. An action, a listener or a decision that has its services finishes with them.
    ///
    /// - Throws: ``ReplacementError``; `RouterError.missingHandler` if a route on the stack would have no screen; the error of
    ///   a factory.
    func replace(_ modules: [any Module]) async throws
}
