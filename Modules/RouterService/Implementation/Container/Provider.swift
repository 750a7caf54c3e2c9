import RouterServiceInterface

/// Supplies the instances of one service by its lifetime.
final class Provider<Value>: AnyProvider {
    private let source: RegistrationSource
    private let scope: Scope?
    private let isKept: Bool
    private let isWeak: Bool
    private let factory: ServiceFactory<Value>
    private var kept: Instance?
    private weak var object: AnyObject?
    private var isCreating = false

    /// An instance that is kept; an optional of the value itself would have its type looked up each time.
    private final class Instance {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    init(_ service: ServiceRegistration, _ factory: ServiceFactory<Value>) {
        source = service.source
        let lifetime = service.lifetime ?? .weak
        (scope, isWeak, isKept) = (
            lifetime.scope, lifetime == .weak, ![.weak, .transient].contains(lifetime)
        )
        self.factory = factory
    }

    /// The existing instance, or a new one.
    ///
    /// - Throws: `RouterError` with a path that begins with this service.
    func value(in container: Container) throws -> Value {
        if isKept, let kept {
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
        let type = source.type
        if let scope, !container.isEntered(scope) {
            throw RouterError.outsideScope(scope, path: [type])
        }
        guard case .immediate(let create) = factory else { throw RouterError.notPrepared(type, path: [type]) }
        guard !isCreating else { throw RouterError.cycle(path: [type]) }
        isCreating = true
        defer { isCreating = false }
        let start = container.events.start()
        let value = try container.nested(type) { try create(container) }
        container.events.add(.created(type, in: container.events.duration(since: start)))
        if isKept {
            kept = Instance(value)
        } else if isWeak {
            guard let instance = Self.object(in: value) else {
                throw RouterError.weakValueType(type, registered: source.place)
            }
            object = instance
        }
        container.restoreState(of: type)
        return value
    }

    override var instance: Any? { kept.map { $0.value } ?? object }

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

/// A provider of a service of any type; a class, because a cast from a class is the quickest that is checked.
@MainActor
class AnyProvider {
    /// Creates the instance, where its factory is asynchronous and has not run.
    func prepare(in container: Container) async throws {}

    /// The existing instance, or nil.
    var instance: Any? { nil }
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
