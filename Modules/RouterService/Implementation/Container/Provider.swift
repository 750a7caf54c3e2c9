import RouterServiceInterface

/// Supplies the instances of one service by its lifetime.
@MainActor
final class Provider<Value>: AnyProvider {
    let type: TypeName
    private let lifetime: Lifetime
    private let place: SourcePlace
    private let factory: ServiceFactory<Value>
    private var kept: Value?
    private weak var object: AnyObject?
    private var isCreating = false

    init(_ service: Registry.Service, _ factory: ServiceFactory<Value>) {
        type = service.type
        lifetime = service.lifetime
        place = service.source.place
        self.factory = factory
    }

    /// The instance that serves, or a new one.
    ///
    /// - Throws: `RouterError` with a path that begins with this service.
    func value(in container: Container) throws -> Value {
        if let value = livingValue {
            container.events.add(.resolved(type))
            return value
        }
        if case .scope(let scope) = lifetime, !container.isEntered(scope) {
            throw RouterError.outsideScope(scope, path: [type])
        }
        guard case .immediate(let create) = factory else {
            throw RouterError.notPrepared(type, path: [type])
        }
        let value = try newValue(by: create, in: container)
        try keep(value)
        return value
    }

    /// Runs the factory, where it is asynchronous and has not run.
    func prepare(in container: Container) async throws {
        guard kept == nil, case .asynchronous(let create) = factory else { return }
        let start = container.events.start()
        do {
            kept = try await create(container)
        } catch {
            throw container.failure(of: type, error)
        }
        container.events.add(.created(type, in: container.events.duration(since: start)))
    }

    private var livingValue: Value? {
        // A cast from an object finds the conformance anew each time; nothing unchecked is quicker and as safe.
        kept ?? object.flatMap { $0 as? Value }
    }

    private func newValue(
        by create: @MainActor (any DependencyResolver) throws -> Value, in container: Container
    ) throws -> Value {
        guard !isCreating else { throw RouterError.cycle(path: [type]) }
        isCreating = true
        defer { isCreating = false }
        let start = container.events.start()
        let value = try container.nested(type) { try create(container) }
        container.events.add(.created(type, in: container.events.duration(since: start)))
        return value
    }

    private func keep(_ value: Value) throws {
        switch lifetime {
        case .transient: break
        case .singleton, .scope: kept = value
        case .weak:
            guard let instance = Self.object(in: value) else {
                throw RouterError.weakValueType(type, registered: place)
            }
            object = instance
        }
    }

    /// The object that a value is; nil for a value type.
    private static func object(in value: Any) -> AnyObject? {
        func object<Instance>(_ instance: Instance) -> AnyObject? {
            Instance.self is AnyClass ? instance as AnyObject : nil
        }
        // An error stands in a box of its own, which would be released at once.
        if let error = value as? any Error { return object(error) }
        return Swift.type(of: value) is AnyClass ? value as AnyObject : nil
    }
}

/// A provider of a service of any type.
@MainActor
protocol AnyProvider: AnyObject {
    /// Creates the instance, where its factory is asynchronous and has not run.
    func prepare(in container: Container) async throws
}
