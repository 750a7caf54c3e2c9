import RouterServiceInterface
import RouterServiceProgram

/// Creates services from their registrations, and keeps the live instances.
@MainActor
final class Container: DependencyResolver {
    /// The most services that may be created one within another.
    ///
    /// A thread of 512 KB holds as many in a debug build, with room for the work of the initialisers.
    static let maximumDepth = 200

    var registry: Registry {
        didSet {
            interceptors = Interceptors(registry)
            listeners = Listeners(registry)
        }
    }
    let shared: SharedState
    /// The number of the generation; what was resolved in an earlier one is resolved again.
    var generation: Int
    let providers = ProviderTable()
    private(set) var interceptors: Interceptors
    private(set) var listeners: Listeners
    /// The container that supplies unchanged services while this one is prepared to succeed it; otherwise nil.
    var succession: Succession?

    @MainActor
    final class SharedState {
        let events: RouterEvents
        let reference: RouterReference
        var scopes: Set<Scope> = []
        /// The number of services that are being created one within another.
        var depth = 0
        /// The number of containers that were made.
        var generations = 0
        /// The container that is prepared to succeed the current one.
        var prepared: Container?

        init(_ events: RouterEvents, _ reference: RouterReference) {
            self.events = events
            self.reference = reference
        }
    }

    init(_ registry: Registry, sharing shared: SharedState) {
        self.registry = registry
        interceptors = Interceptors(registry)
        listeners = Listeners(registry)
        self.shared = shared
        generation = shared.generations
        shared.generations += 1
    }

    @inline(__always)
    func resolve<Value>(_ type: Value.Type) throws -> Value {
        if let provider = providers[ObjectIdentifier(type)] { return try provider.value(as: type) }
        return try firstValue(type)
    }

    @inline(never)
    func firstValue<Value>(_ type: Value.Type) throws -> Value {
        guard let provider = try provider(of: TypeKey(type)) else { return try unregistered(type) }
        return try provider.value(as: type)
    }

    private func unregistered<Value>(_ type: Value.Type) throws -> Value {
        let name = TypeKey(type)
        if let conflict = registry.conflict(of: name) { throw conflict }
        if let value = try wrapped(type) { return value }
        throw RouterError.missingService(name, path: [name])
    }

    /// Whether a service is registered under a type, or overridden there by mistake.
    func isRegistered(_ type: TypeKey) -> Bool {
        registry.service(of: type) != nil || registry.conflict(of: type) != nil
    }

    /// The provider of a service, made when it is first needed; nil where the service is not registered here.
    func provider(of type: TypeKey) throws -> AnyProvider? {
        if let provider = providers[type.id] { return provider }
        guard let service = registry.service(of: type) else { return nil }
        if let provider = try succession?.provider(of: type) { return provider }
        if let conflict = registry.conflict(of: type) { throw conflict }
        func provider(by factory: some AnyServiceFactory) -> AnyProvider {
            Provider(service, factory.typed, in: self)
        }
        let provider = provider(by: service.factory())
        providers.set(provider, for: type)
        return provider
    }

    /// The provider of a factory's parameter, unless that stands for another type, or cannot be resolved.
    func source<Value>(of type: Value.Type) -> @MainActor () throws -> Value {
        if let source = (try? provider(of: TypeKey(type)))?.source(of: type) { return source }
        return { [weak self] in
            guard let self else { throw RouterError.routerReleased }
            return try resolve(type)
        }
    }
}

extension Container {
    /// A dependency that is resolved in the generation that is current when it is used, or, for a service of a prepared
    /// generation, in that one.
    func deferred<Value>(_ type: Value.Type) -> Deferred<Value> {
        Deferred { [shared, generation] in
            if let next = shared.prepared, next.generation == generation { return try next.resolve(type) }
            guard let router = shared.reference.router else { throw RouterError.routerReleased }
            return try router.container.resolve(type)
        }
    }

    /// Creates what is registered, one level further down, with the services of a resolver.
    ///
    /// - Throws: The error of the factory; a `RouterError`'s path begins with the route, if it is for one.
    func create<Value>(
        _ registration: Registration<Value>, for route: (any Route.Type)? = nil,
        with resolver: any DependencyResolver
    ) throws -> Value {
        let type = registration.source.type
        guard shared.depth < Self.maximumDepth else { throw RouterError.tooDeep(path: [type]) }
        shared.depth += 1
        defer { shared.depth -= 1 }
        do {
            return try registration.create(resolver)
        } catch {
            let error = failure(of: type, error)
            throw route.map { failure(of: TypeKey($0), error) } ?? error
        }
    }
}

extension Container {
    func enter(_ scope: Scope) throws {
        guard shared.scopes.insert(scope).inserted else { throw RouterError.scopeAlreadyEntered(scope) }
    }

    /// Ends a scope; its instances are released when nothing is being written.
    func leave(_ scope: Scope) throws {
        guard shared.scopes.remove(scope) != nil else { throw RouterError.outsideScope(scope, path: []) }
        // A generation that is being prepared may have created services of the scope too.
        _ = [self, shared.prepared].compactMap { $0?.removeServices(of: scope) }
    }

    private func removeServices(of scope: Scope) -> [AnyObject] {
        registry.services.filter { $0.lifetime == .scope(scope) }.compactMap {
            providers[$0.type.id]?.forget()
        }
    }

    /// Creates the asynchronous services, each after the services that it holds; in a container that succeeds another one,
    /// only the changed services and the services that they hold.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, even if a factory ignores that; its service is not kept
    ///   then.
    func prepare() async throws {
        let services = registry.services
        let awaited = (succession?.changed(in: registry) ?? Array(services.indices)).filter {
            services[$0].isAsynchronous
        }
        let (order, cycles) = registry.graph.order(from: awaited)
        if let cycle = cycles.first { throw RouterError.cycle(path: cycle) }
        let types = order.filter { services[$0].isAsynchronous }.map { services[$0].type }
        try await untilCancelled {
            for type in types { try await self.provider(of: type)?.prepare() }
        }
        try Task.checkCancellation()
    }
}

extension Container {
    /// The states of services that have a scope, by the full names of their types; nil if there are none.
    func states(of scope: StateScope) -> [String: String]? {
        let states = registry.services.compactMap { service in
            providers[service.type.id]?.state(including: scope)?.json(of: scope)
                .map { (service.type.fullName, $0) }
        }
        return states.isEmpty ? nil : Dictionary(states) { $1 }
    }

    /// The registered services whose full names are keys, with the values.
    func services<Value>(named values: [String: Value]) -> [(type: TypeKey, value: Value)] {
        if values.isEmpty { return [] }
        return registry.services.compactMap { service in
            values[service.type.fullName].map { (service.type, $0) }
        }
    }

    func state(of service: TypeKey) -> KeptState? { providers[service.id]?.state() }

    /// Hands a state to the instance of a service, to a missing one as soon as it exists; nil takes back what it has.
    func restore(_ state: KeptState?, in service: TypeKey) {
        guard let provider = try? provider(of: service) else { return }
        if let state { provider.restore(state) } else { provider.reset() }
    }
}

/// The error for the caller of a factory that threw, with the type that the factory makes in its path.
///
/// A function, because an extension of the error would recompile every file that mentions errors when this target changes.
func failure(of type: TypeKey, _ thrown: any Error) -> RouterError {
    switch thrown as? RouterError {
    case .missingService(let missing, let path): .missingService(missing, path: [type] + path)
    case .misregistered(let problem, let path): .misregistered(problem, path: [type] + path)
    case .cycle(let path): .cycle(path: [type] + path)
    case .tooDeep(let path): .tooDeep(path: [type] + path)
    case .notPrepared(let late, let path): .notPrepared(late, path: [type] + path)
    case .outsideScope(let scope, let path): .outsideScope(scope, path: [type] + path)
    case .creationFailed(let failed, let path, let underlying):
        .creationFailed(failed, path: [type] + path, underlying: underlying)
    case .routerReleased: .routerReleased
    default: .creationFailed(type, path: [type], underlying: thrown)
    }
}
