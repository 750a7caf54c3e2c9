import RouterServiceInterface

/// Takes the services of a module of fakes in place of those that are registered, and nothing else of it.
///
/// A feature that runs alone handles its routes itself; only what would reach for a server is replaced. Services that
/// have to be prepared cannot be replaced, and stay.
struct OwnFakes: Module {
    private let fakes: any Module

    init(_ fakes: any Module) {
        self.fakes = fakes
    }

    func register(in registrar: Registrar) {
        fakes.register(in: ReplacingRegistrar(base: registrar))
    }
}

/// Replaces where a module registers a service, and drops what else it registers.
private struct ReplacingRegistrar<Base: Registrar>: Registrar {
    let base: Base

    func register<Service, each Need>(
        _ service: Service.Type, lifetime: Lifetime, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Service
    ) {
        base.replace(service, at: place, by: factory)
    }

    func prepare<Service: Sendable, each Need>(
        _ service: Service.Type, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) async throws -> Service
    ) {}

    func replace<Service, each Need>(
        _ service: Service.Type, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Service
    ) {
        base.replace(service, at: place, by: factory)
    }

    func route<Handling: Feature, each Need>(
        _ route: Handling.Destination.Type, options: [RouteOption<Handling.Destination>],
        at place: SourcePlace, by factory: @escaping @MainActor (repeat each Need) throws -> Handling
    ) {}

    func action<Handling: Action, each Need>(
        _ route: Handling.Destination.Type, options: [RouteOption<Handling.Destination>],
        at place: SourcePlace, by factory: @escaping @MainActor (repeat each Need) throws -> Handling
    ) {}

    func adapt<Required: Route, Provided: Route>(
        _ required: Required.Type, to provided: Provided.Type, options: [RouteOption<Required>],
        at place: SourcePlace, route: @escaping @MainActor (Required) throws -> Provided,
        output: @escaping @MainActor (Provided.Output) throws -> Required.Output
    ) {}

    func intercept<Deciding: Interceptor, each Need>(
        at place: SourcePlace, by factory: @escaping @MainActor (repeat each Need) throws -> Deciding
    ) {}

    func listen<E: Event, each Need>(
        to event: E.Type, at place: SourcePlace,
        by listener: @escaping @MainActor (E, repeat each Need) async throws -> Void
    ) {}
}
