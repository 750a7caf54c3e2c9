import RouterServiceInterface
import RouterServiceProgram

/// Supplies the instances of one service by its lifetime.
final class Provider<Value>: AnyProvider {
    private let factory: ServiceFactory<Value>
    /// The factory with the sources of its parameters; nil before its first call in a generation, and while it runs.
    private var create: (@MainActor () throws -> Value)?
    /// Whether the factory was called in this generation, so that it runs while `create` is nil.
    private var isBound = false
    private var kept: Instance?
    /// The instance of a weak service, for as long as something holds it.
    private weak var object: AnyObject?

    /// A box, because the type of an optional value would be looked up each time.
    private final class Instance {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    init(
        _ service: ServiceRegistration, _ factory: ServiceFactory<Value>, in container: Container
    ) {
        self.factory = factory
        super.init(service, in: container)
    }

    // A `switch` casts without the type of an optional value, which would be looked up each time.
    override func value<Requested>(as type: Requested.Type) throws -> Requested {
        if isWeak, let object {
            switch object {
            case let value as Requested: return value
            default: break
            }
        }
        switch try value() {
        case let value as Requested: return value
        default: return try super.value(as: type)
        }
    }

    override func source<Requested>(of type: Requested.Type) -> (@MainActor () throws -> Requested)? {
        guard let provider = self as? Provider<Requested> else { return nil }
        if isTransient { return { try provider.created(asTransient: true) } }
        if isWeak { return { try provider.value(as: type) } }
        return { try provider.value() }
    }

    @inline(__always)
    private func value() throws -> Value {
        if let kept { return kept.value }
        return try newValue()
    }

    override func prepare() async throws {
        guard kept == nil, case .asynchronous(let create) = factory else { return }
        let start = shared.events.start()
        let instance: Instance
        do {
            guard let container else { throw RouterError.routerReleased }
            instance = Instance(try await create(container))
        } catch {
            throw Container.failure(of: service.type, error)
        }
        try Task.checkCancellation()
        kept = instance
        restoreState()
        shared.events.add(.created(service.type, in: shared.events.duration(since: start)))
    }

    @inline(never)
    private func newValue() throws -> Value { try created(asTransient: isTransient) }

    @inline(__always)
    private func created(asTransient isTransient: Bool) throws -> Value {
        // The factory is moved out and back, because a copy takes longer.
        let create: @MainActor () throws -> Value
        if isTransient || scope == nil, shared.depth < Container.maximumDepth, let former = self.create {
            self.create = nil
            create = former
        } else {
            create = try firstFactory()
        }
        // A check for overflow would keep the changes of the depth from being inlined.
        shared.depth &+= 1
        do {
            defer {
                self.create = create
                shared.depth &-= 1
            }
            if isTransient, !shared.events.isObserved { return try create() }
            return try heldValue(create)
        } catch {
            throw failed(error)
        }
    }

    @inline(never)
    private func failed(_ error: any Error) -> RouterError {
        // The factory is not kept: in a cycle, providers would hold each other.
        create = nil
        isBound = false
        return Container.failure(of: service.type, error)
    }

    @inline(never)
    private func heldValue(_ create: @MainActor () throws -> Value) throws -> Value {
        let (number, start) = (forgotten, shared.events.start())
        let value = try create()
        shared.events.add(.created(service.type, in: shared.events.duration(since: start)))
        if isWeak {
            try hold(value)
        } else if !isTransient, forgotten == number {
            kept = Instance(value)
        }
        restoreState()
        return value
    }

    /// Binds the factory, or throws the reason why it cannot be called.
    @inline(never)
    private func firstFactory() throws -> @MainActor () throws -> Value {
        if let scope, !shared.scopes.contains(scope) {
            throw RouterError.outsideScope(scope, path: [service.type])
        }
        guard create != nil || !isBound else {
            throw RouterError.cycle(path: [service.type])
        }
        guard shared.depth < Container.maximumDepth else {
            throw RouterError.tooDeep(path: [service.type])
        }
        guard case .immediate(let bind) = factory else {
            throw RouterError.notPrepared(service.type, path: [service.type])
        }
        guard let container else { throw RouterError.routerReleased }
        let create = create ?? bind(container)
        self.create = nil
        isBound = true
        return create
    }

    @inline(never)
    private func hold(_ value: Value) throws {
        guard let instance = Self.object(in: value) else {
            throw RouterError.misregistered(
                GraphProblem(.weakValueType, of: [service.type], at: service.places), path: [])
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
        isBound = false
    }

    private static func object(in value: Any) -> AnyObject? {
        guard Swift.type(of: value) is AnyClass else { return nil }
        let object = value as AnyObject
        if Swift.type(of: object) == Swift.type(of: value) { return object }
        // An error is wrapped in a box, which would be released at once.
        func opened<Instance>(_ instance: Instance) -> AnyObject { instance as AnyObject }
        return (value as? any Error).map { opened($0) }
    }
}

@MainActor
class AnyProvider {
    final let service: ServiceRegistration
    final let isTransient: Bool
    final let isWeak: Bool
    fileprivate final let shared: Container.SharedState
    /// The container of the current generation, which keeps its providers.
    fileprivate final weak var container: Container?
    fileprivate final let scope: Scope?
    /// The number of calls of `forget`; an instance that is being created during a call is not kept.
    fileprivate final var forgotten = 0
    /// The state of an earlier instance, until the next instance takes it.
    fileprivate final var waitingState: RouterSnapshot.State?

    fileprivate init(_ service: ServiceRegistration, in container: Container) {
        self.service = service
        shared = container.shared
        self.container = container
        let lifetime = service.lifetime ?? .weak
        scope = if case .scope(let scope) = lifetime { scope } else { nil }
        isWeak = lifetime == .weak
        isTransient = lifetime == .transient
    }

    func value<Requested>(as type: Requested.Type) throws -> Requested {
        throw RouterError.missingService(TypeKey(type), path: [TypeKey(type)])
    }

    /// The instances as the source of a factory's parameter; nil where the service has another type.
    func source<Requested>(of type: Requested.Type) -> (@MainActor () throws -> Requested)? { nil }

    /// Creates the instance, where the factory is asynchronous.
    func prepare() async throws {}

    var instance: Any? { nil }

    /// Gives up the kept instance, which the caller releases when nothing is being written.
    func forget() -> AnyObject? { nil }

    /// Serves the next generation, in which the parameters may have other sources.
    func move(to container: Container) { self.container = container }

    /// The state of the instance, or the state that waits for an instance.
    final func state(including scope: StateScope) -> RouterSnapshot.State? {
        guard let instance else { return RestorableState.included(waitingState, in: scope) }
        return RestorableState.state(of: instance, including: scope, reporting: shared.events)
    }

    final func restore(_ state: RouterSnapshot.State?) {
        waitingState = state
        restoreState()
    }

    final func reset() {
        waitingState = nil
        func reset(_ keeper: some Restorable) { keeper.restore(nil) }
        if let keeper = instance as? any Restorable { reset(keeper) }
    }

    @inline(__always)
    fileprivate final func restoreState() {
        if waitingState != nil { restoreWaitingState() }
    }

    private final func restoreWaitingState() {
        guard let instance, let state = waitingState.take() else { return }
        let routes = shared.reference.router?.catalog
        RestorableState.restore(state, in: instance, routes: routes, reporting: shared.events)
    }
}
