import RouterServiceInterface
import RouterServiceProgram

/// Supplies the instances of one service by its lifetime.
final class Provider<Value>: AnyProvider {
    private let factory: ServiceFactory<Value>
    /// The factory with the sources of its parameters; nil until it is first called in a generation, and while it runs.
    private var create: (@MainActor () throws -> Value)?
    /// Whether it was called in this generation, so that it runs if it is not here.
    private var isBound = false
    private var kept: Instance?
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

    override func source<Requested>(of type: Requested.Type) -> (@MainActor () throws -> Requested)? {
        guard let provider = self as? Provider<Requested> else { return nil }
        if isTransient { return { try provider.created(asTransient: true) } }
        return { try provider.value() }
    }

    @inline(__always)
    fileprivate func value() throws -> Value {
        if let kept { return kept.value }
        if isWeak, let object { return try weakValue(object) }
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
            throw failure(of: service.type, error)
        }
        try Task.checkCancellation()
        kept = instance
        restoreState()
        shared.events.add(.created(service.type, in: shared.events.duration(since: start)))
    }

    // Not inlined: the cast would look its types up in each call, also for services that are not weak.
    @inline(never)
    private func weakValue(_ object: AnyObject) throws -> Value {
        if case let value as Value = object { return value }
        return try newValue()
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
        shared.depth += 1
        do {
            defer {
                self.create = create
                shared.depth &-= 1  // A check for overflow would keep this from being inlined.
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
        return failure(of: service.type, error)
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

    /// Checks why there is no factory that can be called, and binds it.
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

/// A provider of a service of any type.
@MainActor
class AnyProvider {
    final let service: ServiceRegistration
    final let isTransient: Bool
    final let isWeak: Bool
    fileprivate final let shared: Container.SharedState
    /// The container of the current generation, which keeps its providers.
    fileprivate final weak var container: Container?
    fileprivate final let scope: Scope?
    /// The number of times that an instance was given up; an instance that is created meanwhile is not kept.
    fileprivate final var forgotten = 0
    /// The state of an earlier instance, until the next one takes it.
    fileprivate final var waitingState: KeptState?

    fileprivate init(_ service: ServiceRegistration, in container: Container) {
        self.service = service
        shared = container.shared
        self.container = container
        let lifetime = service.lifetime ?? .weak
        scope = if case .scope(let scope) = lifetime { scope } else { nil }
        isWeak = lifetime == .weak
        isTransient = lifetime == .transient
    }

    final func value<Requested>(as type: Requested.Type) throws -> Requested {
        guard let provider = self as? Provider<Requested> else {
            throw RouterError.missingService(TypeKey(type), path: [TypeKey(type)])
        }
        return try provider.value()
    }

    /// Its instances, as the source of a factory's parameter.
    func source<Requested>(of type: Requested.Type) -> (@MainActor () throws -> Requested)? { nil }

    /// Creates the instance, where its factory is asynchronous and has not run.
    func prepare() async throws {}

    var instance: Any? { nil }

    /// Ends the use of the instance that is kept.
    ///
    /// - Returns: The instance, to be released when nothing is being written.
    func forget() -> AnyObject? { nil }

    /// Serves the next generation, in which the parameters may have other suppliers.
    func move(to container: Container) { self.container = container }

    /// The state of the instance, or the state that waits for an instance.
    final func state(including scope: StateScope = .memory) -> KeptState? {
        guard let instance else { return waitingState }
        return KeptState(of: instance, including: scope, reporting: shared.events)
    }

    final func restore(_ state: KeptState?) {
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
        state.restore(in: instance, routes: shared.reference.router?.catalog, reporting: shared.events)
    }
}
