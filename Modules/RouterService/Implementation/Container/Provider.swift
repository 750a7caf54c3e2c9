import RouterServiceInterface

/// Supplies the instances of one service by its lifetime.
final class Provider<Value>: AnyProvider, Supplier {
    private let factory: ServiceFactory<Value>
    /// The factory with its parameters' suppliers; nil until the first instance is created in a generation.
    private var create: (@MainActor () throws -> Value)?
    private var kept: Instance?
    private weak var object: AnyObject?

    /// An instance that is kept; an optional of the value itself would have its type looked up each time.
    private final class Instance {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    fileprivate init(_ service: ServiceRegistration, _ factory: ServiceFactory<Value>, in container: Container) {
        self.factory = factory
        super.init(service, in: container)
    }

    override func value<Requested>(as type: Requested.Type) throws -> Requested {
        switch try value() {
        case let value as Requested: return value
        default: return try super.value(as: type)
        }
    }

    override func supplier<Requested>(of type: Requested.Type) -> (any Supplier<Requested>)? {
        self as? Provider<Requested>
    }

    /// The existing instance, or a new one.
    ///
    /// - Throws: `FailedDependency`, its path beginning with this service.
    @inline(__always)
    func value() throws -> Value {
        if let kept {
            shared.events.add(.resolved(source.type))
            return kept.value
        }
        if isWeak, let object { return try recalled(object) }
        return try newValue()
    }

    @inline(never)
    private func recalled(_ object: AnyObject) throws -> Value {
        guard case .immediate(_, let recall) = factory else { return try newValue() }
        shared.events.add(.resolved(source.type))
        return try recall(object)
    }

    override func prepare() async throws {
        guard kept == nil, case .asynchronous(let create) = factory else { return }
        let start = shared.events.start()
        let instance: Instance
        do {
            instance = Instance(try await create(container))
        } catch {
            throw failure(of: source.type, error)
        }
        try Task.checkCancellation()
        kept = instance
        restoreState()
        shared.events.add(.created(source.type, in: shared.events.duration(since: start)))
    }

    @inline(never)
    private func newValue() throws -> Value {
        let number = forgotten
        do {
            try beginCreating()
            defer { endCreating() }
            let value = shared.events.isObserved ? try observed() : try created()
            if isKept {
                if forgotten == number { kept = Instance(value) }
            } else if isWeak {
                try hold(value)
            }
            restoreState()
            return value
        } catch {
            throw FailedDependency(error)
        }
    }

    @inline(__always)
    private func created() throws -> Value {
        do {
            if let create { return try create() }
            return try firstCreated()
        } catch {
            // In a cycle, providers would hold each other.
            create = nil
            throw failure(of: source.type, error)
        }
    }

    @inline(never)
    private func firstCreated() throws -> Value {
        guard case .immediate(let bind, _) = factory else {
            throw FailedDependency(RouterError.notPrepared(source.type, path: []))
        }
        let create = bind(container)
        self.create = create
        return try create()
    }

    @inline(never)
    private func observed() throws -> Value {
        let start = shared.events.start()
        let value = try created()
        shared.events.add(.created(source.type, in: shared.events.duration(since: start)))
        return value
    }

    @inline(never)
    private func hold(_ value: Value) throws {
        guard let instance = Self.object(in: value) else {
            throw RouterError.weakValueType(source.type, registered: source.place)
        }
        object = instance
    }

    override var instance: Any? { kept.map { $0.value } ?? object }

    override func forget() -> AnyObject? {
        forgotten += 1
        waitingState = nil
        return kept.take()
    }

    override func move(to container: Container) {
        super.move(to: container)
        create = nil
    }

    /// The object that a value is; nil for a value type.
    private static func object(in value: Any) -> AnyObject? {
        func object<Instance>(_ instance: Instance) -> AnyObject? {
            Instance.self is AnyClass ? instance as AnyObject : nil
        }
        // An error is wrapped in a box, which would be released at once.
        if let error = value as? any Error { return object(error) }
        return Swift.type(of: value) is AnyClass ? value as AnyObject : nil
    }
}

/// A provider of a service of any type.
///
/// A class, and asked for its value by a method: to cast it to the provider of a type, the runtime would look that type
/// up each time.
@MainActor
class AnyProvider {
    final let source: RegistrationSource
    final let isKept: Bool
    final let isWeak: Bool
    fileprivate final let shared: Container.SharedState
    /// The container of the current generation, which keeps its providers.
    fileprivate final unowned var container: Container
    private final let scope: Scope?
    private final var isCreating = false
    /// How often an instance was given up; one that is created meanwhile is not kept.
    fileprivate final var forgotten = 0
    /// The state of an earlier instance, until the next one takes it.
    fileprivate final var waitingState: KeptState?

    fileprivate init(_ service: ServiceRegistration, in container: Container) {
        (source, self.container, shared) = (service.source, container, container.shared)
        let lifetime = service.lifetime ?? .weak
        (scope, isWeak, isKept) = (
            lifetime.scope, lifetime == .weak, ![.weak, .transient].contains(lifetime)
        )
    }

    /// The existing instance, or a new one.
    ///
    /// - Throws: `FailedDependency`, its path beginning with this service.
    func value<Requested>(as type: Requested.Type) throws -> Requested {
        throw FailedDependency(
            RouterError.missingService(TypeName(type), path: [TypeName(type)], nearest: nil))
    }

    /// The provider as a supplier of its type.
    func supplier<Requested>(of type: Requested.Type) -> (any Supplier<Requested>)? { nil }

    /// Creates the instance, where its factory is asynchronous and has not run.
    func prepare() async throws {}

    /// The existing instance, or nil.
    var instance: Any? { nil }

    /// Ends the use of the instance that is kept.
    ///
    /// - Returns: The instance, to be released when nothing is being written.
    func forget() -> AnyObject? { nil }

    /// Serves the next generation, in which the parameters may have other suppliers.
    func move(to container: Container) { self.container = container }

    /// The state of the instance, or the one that waits for it.
    final func state(isToBeStored: Bool = false) -> KeptState? {
        guard let instance else { return waitingState }
        return KeptState(of: instance, isToBeStored: isToBeStored, reporting: shared.events)
    }

    /// Hands a state to the instance, as soon as there is one.
    final func restore(_ state: KeptState?) {
        waitingState = state
        restoreState()
    }

    @inline(__always)
    fileprivate final func restoreState() {
        if waitingState != nil { restoreWaitingState() }
    }

    private final func restoreWaitingState() {
        guard let instance, let state = waitingState.take() else { return }
        state.restore(in: instance, routes: shared.link.router?.catalog, reporting: shared.events)
    }

    @inline(__always)
    fileprivate final func beginCreating() throws {
        guard scope == nil, !isCreating, shared.depth < Container.maximumDepth else { return try reject() }
        isCreating = true
        shared.depth += 1
    }

    @inline(never)
    private final func reject() throws {
        if let scope, !shared.scopes.contains(scope) {
            throw RouterError.outsideScope(scope, path: [source.type])
        }
        guard !isCreating else { throw RouterError.cycle(path: [source.type]) }
        guard shared.depth < Container.maximumDepth else { throw RouterError.tooDeep(path: [source.type]) }
        isCreating = true
        shared.depth += 1
    }

    @inline(__always)
    fileprivate final func endCreating() {
        isCreating = false
        shared.depth -= 1
    }
}

/// Makes the provider of a service.
final class ProviderMaker: ServiceFactoryVisitor {
    private let service: ServiceRegistration
    private let container: Container
    private(set) var provider: AnyProvider?

    init(_ service: ServiceRegistration, in container: Container) {
        (self.service, self.container) = (service, container)
    }

    func visit<Service>(_ factory: ServiceFactory<Service>) {
        provider = Provider(service, factory, in: container)
    }
}

/// An error of a dependency, marked as such, because a factory may throw errors of the same type.
struct FailedDependency: Error {
    let error: any Error

    /// Marks an error, unless it is marked.
    init(_ error: any Error) { self.error = (error as? FailedDependency)?.error ?? error }
}
