/// Takes what modules provide.
///
/// Everything is registered with its initialiser, or a closure of the same shape; the parameters are the needs.
/// The parameter pack tells the router the type of every need without running anything, so that the whole graph
/// can be validated before the first service exists.
///
/// A need is the type under which somebody registered a service. `(any Analytics)?` is nil where nobody did, and
/// ``Deferred`` is resolved on first use.
@MainActor
public protocol Registrar {
    /// Registers a service under a type, usually a protocol.
    ///
    /// - Parameters:
    ///   - service: The type under which others need it, for example `(any Login.Sessions).self`.
    ///   - lifetime: How long one instance serves.
    ///   - place: The source line of the registration, for messages.
    ///   - factory: The initialiser; its parameters are resolved when the service is first needed.
    func register<Service, each Need>(
        _ service: Service.Type, lifetime: Lifetime, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Service)

    /// Registers an `singleton` service whose creation takes time; the router awaits it before the first screen.
    ///
    /// - Parameters:
    ///   - service: The type under which others need it.
    ///   - place: The source line of the registration, for messages.
    ///   - factory: The initialiser; it runs once, however many wait for it.
    func prepare<Service: Sendable, each Need>(
        _ service: Service.Type, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) async throws -> Service)

    /// Replaces an earlier registration of a service on purpose, and drops the instance that lives.
    ///
    /// Whoever holds that instance keeps it; whoever needs the service from now on receives the new one. The
    /// lifetime stays as it was registered.
    ///
    /// - Parameters:
    ///   - service: The type under which the service is registered.
    ///   - place: The source line of the call, for messages.
    ///   - factory: The new initialiser.
    func replace<Service, each Need>(
        _ service: Service.Type, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Service)

    /// Registers the feature that builds the screen for a type of route.
    ///
    /// - Parameters:
    ///   - route: The route.
    ///   - options: What else there is to say of the route.
    ///   - place: The source line of the registration, for messages.
    ///   - factory: The feature's initialiser; its parameters are resolved each time the route is opened.
    func route<Handling: Feature, each Need>(
        _ route: Handling.Destination.Type, options: [RouteOption<Handling.Destination>],
        at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Handling)

    /// Registers the action that fulfils a type of route without a screen.
    ///
    /// - Parameters:
    ///   - route: The route.
    ///   - options: What else there is to say of the route.
    ///   - place: The source line of the registration, for messages.
    ///   - factory: The action's initialiser; its parameters are resolved each time the route is opened.
    func action<Handling: Action, each Need>(
        _ route: Handling.Destination.Type, options: [RouteOption<Handling.Destination>],
        at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Handling)

    /// Fulfils a route that a caller declares with another module's route.
    ///
    /// - Parameters:
    ///   - required: The route that the caller knows.
    ///   - provided: The route that fulfils it.
    ///   - options: What else there is to say of the required route.
    ///   - place: The source line of the registration, for messages.
    ///   - route: Turns the required route into the provided one.
    ///   - output: Turns what the provided route finishes with into what the caller expects.
    func adapt<Required: Route, Provided: Route>(
        _ required: Required.Type, to provided: Provided.Type, options: [RouteOption<Required>],
        at place: SourcePlace, route: @escaping @MainActor (Required) throws -> Provided,
        output: @escaping @MainActor (Provided.Output) throws -> Required.Output)

    /// Registers an interceptor behind those that are registered already.
    ///
    /// - Parameters:
    ///   - place: The source line of the registration, for messages.
    ///   - factory: The interceptor's initialiser; it is created anew for each decision.
    func intercept<Deciding: Interceptor, each Need>(
        at place: SourcePlace, by factory: @escaping @MainActor (repeat each Need) throws -> Deciding)

    /// Registers what the module does when an event of a type is broadcast.
    ///
    /// - Parameters:
    ///   - event: The type of the event.
    ///   - place: The source line of the registration, for messages.
    ///   - listener: Takes the event, and the services that it needs, which are resolved each time.
    func listen<E: Event, each Need>(
        to event: E.Type, at place: SourcePlace,
        by listener: @escaping @MainActor (E, repeat each Need) async throws -> Void)
}
