import RouterServiceInterface
import RouterServiceProgram

/// Creates services from their registrations, and keeps the live instances: one for each generation of a router.
@MainActor
final class Container: DependencyResolver {
    /// The most services that may be created one within another.
    ///
    /// A thread of 512 KB holds as many in a debug build, with room for the work of the initialisers.
    static let maximumDepth = 200

    let registry: Registry
    let events: RouterEvents
    /// The number of the generation; what was resolved in an earlier one is resolved again.
    let generation: Int
    /// The owner, whose current container resolves deferred dependencies.
    weak var owner: (any ContainerOwner)?
    private let providers = ProviderTable()
    /// The scopes that have begun, the same for all generations.
    private let scopes: Scopes
    /// The states of services that have no instance yet.
    private var waitingStates: [ObjectIdentifier: KeptState] = [:] {
        didSet { hasWaitingStates = !waitingStates.isEmpty }
    }
    private var hasWaitingStates = false
    /// The number of services that are being created one within another.
    var depth = 0
    /// The container that supplies unchanged services while this one is prepared to succeed it.
    private var predecessor: Container?
    /// The container that is prepared to succeed this one.
    private weak var successor: Container?
    private var changed: Set<ObjectIdentifier> = []

    @MainActor
    private final class Scopes {
        var entered: Set<Scope> = []
    }

    init(_ registry: Registry, events: RouterEvents) {
        (self.registry, self.events, generation) = (registry, events, 0)
        scopes = Scopes()
    }

    /// A container for the next generation, which shares unchanged services with the present one.
    init(_ registry: Registry, succeeding predecessor: Container, changed: Set<TypeName>) {
        (self.registry, events, generation) = (registry, predecessor.events, predecessor.generation + 1)
        (owner, scopes) = (predecessor.owner, predecessor.scopes)
        self.predecessor = predecessor
        self.changed = Set(changed.map(\.id))
        predecessor.successor = self
    }

    /// Takes over the instances of the predecessor, those of changed services excepted.
    func takeOver() {
        guard let predecessor = predecessor.take() else { return }
        for provider in predecessor.providers.all where !changed.contains(provider.source.type.id) {
            providers.insert(provider)
        }
        waitingStates.merge(predecessor.waitingStates.filter { !changed.contains($0.key) }) { $1 }
        changed = []
    }

    /// Ends the preparation of a container that is not to succeed another one; its owner's supplies whatever still asks.
    func abandon() { _ = predecessor.take() }

    /// Creates a service, or returns the existing instance.
    ///
    /// - Throws: `RouterError`, its path beginning with the service.
    func service<Value>(_ type: Value.Type) throws -> Value {
        if let provider = providers[ObjectIdentifier(type)] { return try provider.value(as: type, in: self) }
        return try firstValue(type)
    }

    @inline(never)
    private func firstValue<Value>(_ type: Value.Type) throws -> Value {
        guard let provider = try provider(of: TypeName(type)) else { return try unregistered(type) }
        return try provider.value(as: type, in: self)
    }

    private func unregistered<Value>(_ type: Value.Type) throws -> Value {
        if let predecessor, isShared(TypeName(type)) { return try predecessor.service(type) }
        do {
            if let value = try wrapped(type) { return value }
        } catch let error as FailedDependency {
            throw error.error
        }
        let (type, types) = (TypeName(type), registry.services.map(\.type))
        if let conflict = registry.conflict(of: type) { throw conflict }
        throw RouterError.missingService(type, path: [type], nearest: nearestType(to: type, among: types))
    }

    func isRegistered(_ type: TypeName) -> Bool {
        registry.service(of: type) != nil
    }

    /// The provider of a service, made when it is first needed; nil where the service is not registered here.
    private func provider(of type: TypeName) throws -> AnyProvider? {
        if let provider = providers[type.id] { return provider }
        guard let service = registry.service(of: type), !isShared(type) else { return nil }
        if let conflict = registry.conflict(of: type) { throw conflict }
        let maker = ProviderMaker(service)
        try service.accept(maker)
        if let provider = maker.provider { providers.insert(provider) }
        return maker.provider
    }

    /// The providers of a factory's dependencies, which stay the same until one of them is replaced, and with it the
    /// factory's own; nil while another generation supplies some.
    func knownDependencies(of source: RegistrationSource) -> KnownDependencies? {
        guard predecessor == nil else { return nil }
        let providers = source.dependencies.map { dependency in
            dependency.isOptional || dependency.isDeferred ? nil : try? provider(of: dependency.service)
        }
        return KnownDependencies(providers, in: self)
    }

    /// Whether the predecessor supplies a service, because its registration has not changed.
    private func isShared(_ type: TypeName) -> Bool {
        predecessor != nil && registry.service(of: type) != nil && !changed.contains(type.id)
    }
}

// The calls of factories.
extension Container {
    /// Resolves a dependency; its errors are marked as such, because a factory may throw errors of the same type.
    func resolve<Value>(_ type: Value.Type) throws -> Value {
        do {
            return try service(type)
        } catch {
            throw FailedDependency(error: error)
        }
    }

    /// The dependency is resolved in the generation that is current when it is used; what is created for the next one
    /// uses that from the beginning.
    func deferred<Value>(_ type: Value.Type) -> Deferred<Value> {
        Deferred { [weak self, weak owner] in
            if let self, predecessor != nil { return try service(type) }
            guard let owner else { throw RouterError.routerReleased }
            return try owner.container.service(type)
        }
    }

    /// Runs a factory, one level further down.
    ///
    /// - Throws: `RouterError`, its path beginning with the type.
    @inline(__always)
    func nested<Value>(_ type: TypeName, _ create: () throws -> Value) throws -> Value {
        guard depth < Self.maximumDepth else { throw RouterError.tooDeep(path: [type]) }
        depth += 1
        defer { depth -= 1 }
        do {
            return try create()
        } catch {
            throw failure(of: type, error)
        }
    }

    /// Creates the handler of a route.
    func create<R: Route, Value>(
        for registration: RouteRegistration<R>, as type: TypeName? = nil,
        by create: @escaping @MainActor (any DependencyResolver) throws -> Value
    ) throws -> Value {
        do {
            return try nested(type ?? registration.details.source.type) { try create(self) }
        } catch let failure as RouterError {
            throw extending(failure, by: TypeName(R.self))
        }
    }

    /// Creates the feature of a route: the first version that is available, or that of the registration.
    ///
    /// - Throws: `RouterError.missingHandler` where no feature handles it.
    func feature<R: Route>(for route: R) throws -> any Feature<R> {
        let registration = try registry.handler(of: R.self)
        guard case .feature(let create) = registration.handler else {
            throw RouterError.missingHandler(route: TypeName(R.self))
        }
        for version in registration.versions {
            let feature = try self.create(for: registration, as: version.type, by: version.create)
            if feature.isEnabled(for: route) { return feature }
        }
        return try self.create(for: registration, by: create)
    }

    /// The call of a listener with an event, for which the services of this generation are resolved.
    func call(of listener: ListenerRegistration, with event: any Event) throws -> ListenerRegistration.Call {
        do {
            return try listener.call(event, self)
        } catch {
            throw failure(of: listener.source.type, error)
        }
    }

    /// The error that the caller of a factory receives for an error that the factory threw.
    func failure(of type: TypeName, _ thrown: any Error) -> any Error {
        guard let dependency = thrown as? FailedDependency else {
            return RouterError.creationFailed(type, path: [type], underlying: thrown)
        }
        return (dependency.error as? RouterError).map { extending($0, by: type) } ?? dependency.error
    }
}

// Scopes and asynchronous services.
extension Container {
    func isEntered(_ scope: Scope) -> Bool {
        scopes.entered.contains(scope)
    }

    func enter(_ scope: Scope) throws {
        guard scopes.entered.insert(scope).inserted else { throw RouterError.scopeAlreadyEntered(scope) }
    }

    /// Ends a scope; its instances are released when nothing is being written.
    func leave(_ scope: Scope) throws {
        guard scopes.entered.remove(scope) != nil else { throw RouterError.scopeNotEntered(scope) }
        // A generation that is being prepared may have created services of the scope too.
        _ = (removeServices(of: scope), successor?.removeServices(of: scope))
    }

    private func removeServices(of scope: Scope) -> [AnyObject] {
        registry.services.filter { $0.lifetime == .scope(scope) }.compactMap { service in
            waitingStates[service.type.id] = nil
            return providers[service.type.id]?.forget()
        }
    }

    /// Creates the services whose factories are asynchronous, each after those that it holds; in the next generation,
    /// the changed ones and what these hold.
    ///
    /// - Throws: `CancellationError` where the task was cancelled, whatever the factories made of that.
    func prepare() async throws {
        let graph = DependencyGraph(registry)
        let awaited = graph.services.indices.filter {
            graph.services[$0].isAsynchronous && !isShared(graph.services[$0].type)
        }
        let (order, cycles) = graph.order(from: awaited)
        if let cycle = cycles.first { throw RouterError.cycle(path: cycle) }
        for index in order where graph.services[index].isAsynchronous {
            let type = graph.services[index].type
            let container = predecessor.flatMap { isShared(type) ? $0 : nil } ?? self
            try await container.provider(of: type)?.prepare(in: container)
        }
    }
}

// State that outlives instances.
extension Container {
    /// The states of services that have a scope, by the full names of their types; nil if there are none.
    func states(of scope: StateScope) -> [String: String]? {
        let states = registry.services.compactMap { service in
            state(of: service.type, isToBeStored: scope == .file)?.json(of: scope).map {
                (service.type.fullName, $0)
            }
        }
        return states.isEmpty ? nil : Dictionary(states) { $1 }
    }

    /// Hands states of a snapshot to the instances of services, to missing ones as soon as they exist.
    func restore(_ states: [String: String], of scope: StateScope) {
        for service in registry.services {
            guard let json = states[service.type.fullName] else { continue }
            waitingStates[service.type.id] = KeptState(json, of: scope)
            restoreState(of: service.type)
        }
    }

    /// The services to which states were handed by ``restore(_:of:)``, and which had none before.
    ///
    /// - Parameters:
    ///   - states: The states that were handed over.
    ///   - former: The states before.
    /// - Returns: Their types.
    func stateless(among states: [String: String], before former: [String: String]) -> Set<TypeName> {
        Set(registry.services.map(\.type).filter { states[$0.fullName] != nil && former[$0.fullName] == nil })
    }

    /// Hands the states of the predecessor's changed services to those of this container, in the same way.
    ///
    /// - Parameter forgotten: The services that begin without a state.
    func takeOverStates(forgetting forgotten: Set<TypeName> = []) {
        guard let predecessor else { return }
        for service in registry.services
        where changed.contains(service.type.id) && !forgotten.contains(service.type) {
            waitingStates[service.type.id] = predecessor.state(of: service.type)
            restoreState(of: service.type)
        }
    }

    /// Hands the state that waits for a service to its instance, as soon as there is one.
    @inline(__always)
    func restoreState(of type: TypeName) {
        if hasWaitingStates { restoreWaitingState(of: type) }
    }

    private func restoreWaitingState(of type: TypeName) {
        guard let state = waitingStates[type.id], let instance = providers[type.id]?.instance else { return }
        waitingStates[type.id] = nil
        state.restore(in: instance, routes: owner?.catalog, reporting: events)
    }

    private func state(of type: TypeName, isToBeStored: Bool = false) -> KeptState? {
        guard let instance = providers[type.id]?.instance else { return waitingStates[type.id] }
        return KeptState(of: instance, isToBeStored: isToBeStored, reporting: events)
    }
}

/// The owner of a container that may change.
@MainActor
protocol ContainerOwner: AnyObject {
    var container: Container { get }
    var catalog: RouteCatalog { get }
}

/// An error whose path is extended by the type that depends on it.
///
/// A function, and no extension of the error, which would recompile every file of the App that mentions errors whenever
/// this target changes.
func extending(_ error: RouterError, by type: TypeName) -> RouterError {
    switch error {
    case .missingService(let missing, let path, let nearest):
        .missingService(missing, path: [type] + path, nearest: nearest)
    case .misregistered(let problem, let path): .misregistered(problem, path: [type] + path)
    case .cycle(let path): .cycle(path: [type] + path)
    case .tooDeep(let path): .tooDeep(path: [type] + path)
    case .notPrepared(let late, let path): .notPrepared(late, path: [type] + path)
    case .outsideScope(let scope, let path): .outsideScope(scope, path: [type] + path)
    case .creationFailed(let failed, let path, let underlying):
        .creationFailed(failed, path: [type] + path, underlying: underlying)
    default: error
    }
}
