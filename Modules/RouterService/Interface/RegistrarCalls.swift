// What module entries write: the same calls as in `Registrar`, which remember the line that they stand in.
extension Registrar {
    /// Registers a service under a type, usually a protocol.
    public func register<Service, each Need>(
        _ service: Service.Type, lifetime: Lifetime = .weak, fileID: String = #fileID,
        line: Int = #line, by factory: @escaping @MainActor (repeat each Need) throws -> Service
    ) {
        register(service, lifetime: lifetime, at: SourcePlace(fileID: fileID, line: line), by: factory)
    }

    /// Registers an `singleton` service whose creation takes time; the router awaits it before the first screen.
    public func prepare<Service: Sendable, each Need>(
        _ service: Service.Type, fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Need) async throws -> Service
    ) {
        prepare(service, at: SourcePlace(fileID: fileID, line: line), by: factory)
    }

    /// Replaces an earlier registration of a service on purpose, and drops the instance that lives.
    public func replace<Service, each Need>(
        _ service: Service.Type, fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Need) throws -> Service
    ) {
        replace(service, at: SourcePlace(fileID: fileID, line: line), by: factory)
    }

    /// Registers the feature that builds the screen for a type of route.
    public func route<Handling: Feature, each Need>(
        _ route: Handling.Destination.Type, _ options: RouteOption<Handling.Destination>...,
        fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Need) throws -> Handling
    ) {
        self.route(route, options: options, at: SourcePlace(fileID: fileID, line: line), by: factory)
    }

    /// Registers the action that fulfils a type of route without a screen.
    public func action<Handling: Action, each Need>(
        _ route: Handling.Destination.Type, _ options: RouteOption<Handling.Destination>...,
        fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Need) throws -> Handling
    ) {
        action(route, options: options, at: SourcePlace(fileID: fileID, line: line), by: factory)
    }

    /// Fulfils a route that a caller declares with another module's route.
    public func adapt<Required: Route, Provided: Route>(
        _ required: Required.Type, to provided: Provided.Type, _ options: RouteOption<Required>...,
        fileID: String = #fileID, line: Int = #line,
        route: @escaping @MainActor (Required) throws -> Provided,
        output: @escaping @MainActor (Provided.Output) throws -> Required.Output
    ) {
        adapt(
            required, to: provided, options: options, at: SourcePlace(fileID: fileID, line: line),
            route: route,
            output: output)
    }

    /// Fulfils a route that a caller declares with another module's route of the same output.
    public func adapt<Required: Route, Provided: Route>(
        _ required: Required.Type, to provided: Provided.Type, _ options: RouteOption<Required>...,
        fileID: String = #fileID, line: Int = #line,
        route: @escaping @MainActor (Required) throws -> Provided
    ) where Required.Output == Provided.Output {
        adapt(
            required, to: provided, options: options, at: SourcePlace(fileID: fileID, line: line),
            route: route,
            output: { $0 })
    }

    /// Registers an interceptor behind those that are registered already.
    public func intercept<Deciding: Interceptor, each Need>(
        fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Need) throws -> Deciding
    ) {
        intercept(at: SourcePlace(fileID: fileID, line: line), by: factory)
    }

    /// Registers what the module does when an event of a type is broadcast.
    public func listen<E: Event, each Need>(
        to event: E.Type, fileID: String = #fileID, line: Int = #line,
        by listener: @escaping @MainActor (E, repeat each Need) async throws -> Void
    ) {
        listen(to: event, at: SourcePlace(fileID: fileID, line: line), by: listener)
    }
}
