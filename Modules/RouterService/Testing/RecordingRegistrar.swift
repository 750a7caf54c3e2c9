public import RouterServiceInterface

/// A registrar that records what a module entry registers, for tests of module entries without a router.
///
/// Its services can be resolved, each created once; an optional need is nil when nobody registered it.
@MainActor
public final class RecordingRegistrar: Registrar {
    /// A service that this registrar cannot resolve.
    public struct Missing: Error {
        /// The service.
        public let type: TypeName
    }

    /// The lifetimes of the registered services, in the order of registration.
    public private(set) var lifetimes: [Lifetime] = []
    /// The routes that are handled, in the order of registration.
    public private(set) var routes: [TypeName] = []
    /// The interceptors, in the order of registration.
    public private(set) var interceptors: [TypeName] = []
    /// The events that are listened to, in the order of registration.
    public private(set) var events: [TypeName] = []
    private var factories: [TypeName: @MainActor () throws -> Any] = [:]
    private var instances: [TypeName: Any] = [:]

    /// Creates a registrar without registrations.
    public init() {}

    /// Creates a service, or returns the instance that was created before.
    ///
    /// - Throws: ``Missing``, or what the factory throws.
    public func resolve<Service>(_ service: Service.Type) throws -> Service {
        if let optional = service as? any OptionalNeed.Type,
            let found = try optional.resolved(in: self) as? Service
        {
            return found
        }
        let name = TypeName(service)
        let instance = try instances[name] ?? factories[name]?()
        guard let found = instance as? Service else { throw Missing(type: name) }
        instances[name] = found
        return found
    }

    /// Records the service.
    public func register<Service, each Need>(
        _ service: Service.Type, lifetime: Lifetime, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Service
    ) {
        lifetimes.append(lifetime)
        factories[TypeName(service)] = { try factory(repeat self.resolve((each Need).self)) }
    }

    /// Records the service, which cannot be resolved here.
    public func prepare<Service: Sendable, each Need>(
        _ service: Service.Type, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) async throws -> Service
    ) {
        lifetimes.append(.singleton)
    }

    /// Takes the factory in place of the one before.
    public func replace<Service, each Need>(
        _ service: Service.Type, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Service
    ) {
        factories[TypeName(service)] = { try factory(repeat self.resolve((each Need).self)) }
        instances[TypeName(service)] = nil
    }

    /// Records the route.
    public func route<Handling: Feature, each Need>(
        _ route: Handling.Destination.Type, options: [RouteOption<Handling.Destination>],
        at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Handling
    ) {
        routes.append(TypeName(route))
    }

    /// Records the route.
    public func action<Handling: Action, each Need>(
        _ route: Handling.Destination.Type, options: [RouteOption<Handling.Destination>],
        at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Handling
    ) {
        routes.append(TypeName(route))
    }

    /// Records the required route.
    public func adapt<Required: Route, Provided: Route>(
        _ required: Required.Type, to provided: Provided.Type, options: [RouteOption<Required>],
        at place: SourcePlace, route: @escaping @MainActor (Required) throws -> Provided,
        output: @escaping @MainActor (Provided.Output) throws -> Required.Output
    ) {
        routes.append(TypeName(required))
    }

    /// Records the interceptor.
    public func intercept<Deciding: Interceptor, each Need>(
        at place: SourcePlace, by factory: @escaping @MainActor (repeat each Need) throws -> Deciding
    ) {
        interceptors.append(TypeName(Deciding.self))
    }

    /// Records the event.
    public func listen<E: Event, each Need>(
        to event: E.Type, at place: SourcePlace,
        by listener: @escaping @MainActor (E, repeat each Need) async throws -> Void
    ) {
        events.append(TypeName(event))
    }

    fileprivate func knows<Service>(_ service: Service.Type) -> Bool {
        factories[TypeName(service)] != nil
    }
}

@MainActor
private protocol OptionalNeed {
    static func resolved(in registrar: RecordingRegistrar) throws -> Self
}

extension Optional: OptionalNeed {
    fileprivate static func resolved(in registrar: RecordingRegistrar) throws -> Self {
        registrar.knows(Wrapped.self) ? try registrar.resolve(Wrapped.self) : nil
    }
}
