import RouterServiceInterface
import RouterServiceProgram

/// Creates services from their registrations, and keeps the live instances.
@MainActor
final class Container: DependencyResolver {
    /// The most services that may be created one within another: a thread of 512 KB holds as many in a debug build.
    static let maximumDepth = 200

    var registry: Registry {
        didSet {
            interceptors = Interceptors(registry)
            listeners = Listeners(registry)
        }
    }
    let shared: SharedState
    /// The number of the generation; an opening that was resolved in an earlier generation is resolved again.
    var generation: Int
    let providers = ProviderTable()
    private(set) var interceptors: Interceptors
    private(set) var listeners: Listeners
    /// The services that this container shares with its predecessor while it is being prepared.
    var succession: Succession?

    @MainActor
    final class SharedState {
        let events: RouterEvents
        let reference: RouterReference
        var scopes: Set<Scope> = []
        /// The number of services that are being created, one within another.
        var depth = 0
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

    /// Whether a service is registered under a type, or overridden by mistake.
    func isRegistered(_ type: TypeKey) -> Bool {
        registry.service(of: type) != nil || registry.conflict(of: type) != nil
    }

    /// The provider of a service, which is made on first use; nil where the service is not registered.
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

    func source<Value>(of type: Value.Type) -> @MainActor () throws -> Value {
        if let source = (try? provider(of: TypeKey(type)))?.source(of: type) { return source }
        return { [weak self] in
            guard let self else { throw RouterError.routerReleased }
            return try resolve(type)
        }
    }
}

extension Container {
    /// A dependency that the current generation resolves, or, while this generation is being prepared, this one.
    func deferred<Value>(_ type: Value.Type) -> Deferred<Value> {
        Deferred { [shared, generation] in
            if let next = shared.prepared, next.generation == generation { return try next.resolve(type) }
            guard let router = shared.reference.router else { throw RouterError.routerReleased }
            return try router.container.resolve(type)
        }
    }

    /// Creates an interceptor, a feature, an action or a listener.
    ///
    /// - Throws: `RouterError`, whose path begins with the route.
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
            let error = Self.failure(of: type, error)
            throw route.map { Self.failure(of: TypeKey($0), error) } ?? error
        }
    }
}

extension Container {
    func enter(_ scope: Scope) throws {
        guard shared.scopes.insert(scope).inserted else { throw RouterError.scopeAlreadyEntered(scope) }
    }

    func leave(_ scope: Scope) throws {
        guard shared.scopes.remove(scope) != nil else { throw RouterError.outsideScope(scope, path: []) }
        // Released after the write; a generation that is being prepared may have instances too.
        _ = [self, shared.prepared].compactMap { $0?.removeServices(of: scope) }
    }

    private func removeServices(of scope: Scope) -> [AnyObject] {
        registry.services.filter { $0.lifetime == .scope(scope) }.compactMap {
            providers[$0.type.id]?.forget()
        }
    }

    /// Creates the asynchronous services, each after the services that it holds; for a succession, the changed services only.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, even if a factory ignores that.
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
    /// The states of services, by the full names of their types; nil if there are none.
    func states(including scope: StateScope) -> [String: RouterSnapshot.State]? {
        let states = registry.services.compactMap { service in
            providers[service.type.id]?.state(including: scope).map { (service.type.fullName, $0) }
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

    func state(of service: TypeKey) -> RouterSnapshot.State? {
        providers[service.id]?.state(including: .memory)
    }

    /// Hands a state to the instance of a service, to a missing instance as soon as it exists; nil takes back its state.
    func restore(_ state: RouterSnapshot.State?, in service: TypeKey) {
        guard let provider = try? provider(of: service) else { return }
        if let state { provider.restore(state) } else { provider.reset() }
    }
}

extension Container {
    /// The error of a factory, for its caller, with the type that the factory makes in its path.
    static func failure(of type: TypeKey, _ thrown: any Error) -> RouterError {
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
}
