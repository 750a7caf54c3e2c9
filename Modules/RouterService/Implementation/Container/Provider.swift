import RouterServiceInterface
import RouterServiceProgram

/// Supplies the instances of one service by its lifetime.
final class Provider<Value>: AnyProvider {
    private let factory: ServiceFactory<Value>
    private var kept: Instance?
    private weak var object: AnyObject?

    /// An instance that is kept; an optional of the value itself would have its type looked up each time.
    private final class Instance {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    init(_ service: ServiceRegistration, _ factory: ServiceFactory<Value>) {
        self.factory = factory
        super.init(service)
    }

    override func value<Requested>(as type: Requested.Type, in container: Container) throws -> Requested {
        switch try value(in: container) {
        case let value as Requested: return value
        default: throw RouterError.missingService(TypeName(type), path: [TypeName(type)], nearest: nil)
        }
    }

    @inline(__always)
    private func value(in container: Container) throws -> Value {
        if let kept {
            container.events.add(.resolved(source.type))
            return kept.value
        }
        if isWeak, let object { return try served(object, in: container) }
        return try newValue(in: container)
    }

    /// The object as the type under which it is registered.
    ///
    /// A function of its own, and no `as?`: an optional of a generic type would have its type looked up each time.
    @inline(never)
    private func served(_ object: consuming AnyObject, in container: Container) throws -> Value {
        switch consume object {
        case let value as Value:
            container.events.add(.resolved(source.type))
            return value
        default: return try newValue(in: container)
        }
    }

    override func prepare(in container: Container) async throws {
        guard kept == nil, case .asynchronous(let create) = factory else { return }
        let start = container.events.start()
        let instance: Instance
        do {
            instance = Instance(try await create(container))
        } catch {
            throw container.failure(of: source.type, error)
        }
        try Task.checkCancellation()
        kept = instance
        container.restoreState(of: source.type)
        container.events.add(.created(source.type, in: container.events.duration(since: start)))
    }

    private func newValue(in container: Container) throws -> Value {
        let number = forgotten
        try beginCreating(in: container)
        defer { endCreating(in: container) }
        let value = container.events.isObserved ? try observed(in: container) : try created(in: container)
        if isKept {
            if forgotten == number { kept = Instance(value) }
        } else if isWeak {
            try hold(value)
        }
        container.restoreState(of: source.type)
        return value
    }

    @inline(__always)
    private func created(in container: Container) throws -> Value {
        guard case .immediate(let create) = factory else {
            throw RouterError.notPrepared(source.type, path: [source.type])
        }
        do {
            return try create(dependencies(in: container))
        } catch {
            throw failure(error, in: container)
        }
    }

    @inline(never)
    private func observed(in container: Container) throws -> Value {
        let start = container.events.start()
        let value = try created(in: container)
        container.events.add(.created(source.type, in: container.events.duration(since: start)))
        return value
    }

    @inline(never)
    private func hold(_ value: Value) throws {
        guard let instance = Self.object(in: value) else {
            throw RouterError.misregistered(
                GraphProblem(.weakValueType, of: [source.type], at: [source.place]), path: [source.type])
        }
        object = instance
    }

    override var instance: Any? { kept.map { $0.value } ?? object }

    override func forget() -> AnyObject? {
        forgotten += 1
        return kept.take()
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
    private final let scope: Scope?
    private final let isScoped: Bool
    private final var isCreating = false
    /// How often an instance was given up; one that is created meanwhile is not kept.
    fileprivate final var forgotten = 0
    /// The providers of the dependencies; nil until the first instance is created.
    private final var dependencies: KnownDependencies?

    fileprivate init(_ service: ServiceRegistration) {
        source = service.source
        let lifetime = service.lifetime ?? .weak
        (scope, isScoped) = (lifetime.scope, lifetime.scope != nil)
        (isWeak, isKept) = (lifetime == .weak, ![.weak, .transient].contains(lifetime))
    }

    /// The existing instance, or a new one.
    ///
    /// - Throws: `RouterError` with a path that begins with this service.
    func value<Requested>(as type: Requested.Type, in container: Container) throws -> Requested {
        throw RouterError.missingService(TypeName(type), path: [TypeName(type)], nearest: nil)
    }

    /// Creates the instance, where its factory is asynchronous and has not run.
    func prepare(in container: Container) async throws {}

    /// The existing instance, or nil.
    var instance: Any? { nil }

    /// Ends the use of the instance that is kept.
    ///
    /// - Returns: The instance, to be released when nothing is being written.
    func forget() -> AnyObject? { nil }

    fileprivate final func beginCreating(in container: Container) throws {
        if isScoped { try requireScope(in: container) }
        guard !isCreating else { throw RouterError.cycle(path: [source.type]) }
        guard container.depth < Container.maximumDepth else {
            throw RouterError.tooDeep(path: [source.type])
        }
        isCreating = true
        container.depth += 1
    }

    @inline(never)
    private final func requireScope(in container: Container) throws {
        if let scope, !container.isEntered(scope) {
            throw RouterError.outsideScope(scope, path: [source.type])
        }
    }

    fileprivate final func endCreating(in container: Container) {
        isCreating = false
        container.depth -= 1
    }

    /// The resolver of the factory's parameters.
    fileprivate final func dependencies(in container: Container) -> any DependencyResolver {
        if let dependencies, dependencies.generation == container.generation { return dependencies }
        return newDependencies(in: container)
    }

    @inline(never)
    private final func newDependencies(in container: Container) -> any DependencyResolver {
        guard let found = container.knownDependencies(of: source) else { return container }
        dependencies = found
        return found
    }

    /// The error for one that the factory threw.
    fileprivate final func failure(_ error: any Error, in container: Container) -> any Error {
        // In a cycle, providers would hold each other.
        dependencies = nil
        return container.failure(of: source.type, error)
    }
}

/// Makes the provider of a service.
final class ProviderMaker: ServiceFactoryVisitor {
    private let service: ServiceRegistration
    private(set) var provider: AnyProvider?

    init(_ service: ServiceRegistration) { self.service = service }

    func visit<Service>(_ factory: ServiceFactory<Service>) {
        provider = Provider(service, factory)
    }
}

/// The dependencies of one factory, whose providers are looked up once.
@MainActor
final class KnownDependencies: DependencyResolver {
    let generation: Int
    private unowned let container: Container
    /// The providers of the parameters; nil for those that stand for another type, or cannot be resolved.
    private let providers: [AnyProvider?]

    init(_ providers: [AnyProvider?], in container: Container) {
        (self.providers, self.container, generation) = (providers, container, container.generation)
    }

    func dependency<Value>(_ type: Value.Type, at position: Int) throws -> Value {
        let container = container
        guard let provider = providers[position] else { return try container.resolve(type) }
        do {
            return try provider.value(as: type, in: container)
        } catch {
            throw FailedDependency(error: error)
        }
    }

    func resolve<Value>(_ type: Value.Type) throws -> Value { try container.resolve(type) }
    func deferred<Value>(_ type: Value.Type) -> Deferred<Value> { container.deferred(type) }
    func isRegistered(_ type: TypeName) -> Bool { container.isRegistered(type) }
}

/// An error of a dependency, marked as such, because a factory may throw errors of the same type.
struct FailedDependency: Error {
    let error: any Error
}
