import RouterServiceInterface

/// Creates the instances of one service and keeps the one that lives; there is a kind for each lifetime.
@MainActor
class ServiceSource {
    /// Runs an asynchronous factory, if this is one.
    func prepare(from services: Services) async throws {}

    /// Forgets the instance that lives.
    func forget() {}
}

/// A source of a known type.
@MainActor
class TypedServiceSource<Value>: ServiceSource {
    let type: TypeName
    private let create: @MainActor (Services) throws -> Value
    private var isCreating = false

    init(_ type: TypeName, create: @escaping @MainActor (Services) throws -> Value) {
        self.type = type
        self.create = create
    }

    /// The instance that serves, or a new one.
    func value(from services: Services) throws -> Value {
        try newValue(from: services)
    }

    /// Calls the factory.
    ///
    /// - Throws: `RouterError.cycle` when the factory is running already, because what it needs needs it.
    final func newValue(from services: Services) throws -> Value {
        guard !isCreating else { throw RouterError.cycle(path: [type]) }
        isCreating = true
        defer { isCreating = false }
        guard services.log.isWatched else { return try create(services) }
        let start = services.log.start()
        let value = try create(services)
        services.log.add(.created(type, in: services.log.duration(since: start)))
        return value
    }

    /// Makes the source that suits a lifetime.
    static func make(
        _ registration: Registration, lifetime: Lifetime,
        create: @escaping @MainActor (Services) throws -> Value
    ) -> ServiceSource {
        switch lifetime {
        case .whileUsed: WhileUsedSource(registration, create: create)
        case .app: AppSource(registration.type, create: create)
        case .each: TypedServiceSource(registration.type, create: create)
        case .scope(let scope): ScopeSource(registration.type, scope: scope, create: create)
        }
    }
}

/// One instance, from its first use on.
final class AppSource<Value>: TypedServiceSource<Value> {
    private var kept: KeptInstance<Value>?

    override func value(from services: Services) throws -> Value {
        if let kept {
            services.log.add(.resolved(type))
            return kept.value
        }
        let value = try newValue(from: services)
        kept = KeptInstance(value)
        return value
    }
}

/// One instance for as long as anybody holds it.
final class WhileUsedSource<Value>: TypedServiceSource<Value> {
    private let place: SourcePlace
    private let held = HeldInstance<Value>()

    init(_ registration: Registration, create: @escaping @MainActor (Services) throws -> Value) {
        place = registration.place
        super.init(registration.type, create: create)
    }

    override func value(from services: Services) throws -> Value {
        if let object = held.object {
            services.log.add(.resolved(type))
            return held.value(takingOver: object)
        }
        let value = try newValue(from: services)
        guard Swift.type(of: value as Any) is AnyClass else {
            throw RouterError.valueTypeWhileUsed(type, registered: place)
        }
        held.refer(to: value, object: value as AnyObject)
        return value
    }
}

/// One instance, from its first use in a scope until the scope ends.
final class ScopeSource<Value>: TypedServiceSource<Value> {
    private let scope: Scope
    private var kept: KeptInstance<Value>?

    init(_ type: TypeName, scope: Scope, create: @escaping @MainActor (Services) throws -> Value) {
        self.scope = scope
        super.init(type, create: create)
    }

    override func value(from services: Services) throws -> Value {
        if let kept {
            services.log.add(.resolved(type))
            return kept.value
        }
        guard services.isEntered(scope) else { throw RouterError.outsideScope(scope, path: [type]) }
        let value = try newValue(from: services)
        // The factory may have ended the scope.
        if services.isEntered(scope) { kept = KeptInstance(value) }
        return value
    }

    override func forget() {
        kept = nil
    }
}

/// One instance, which an asynchronous factory creates before the first screen.
final class AwaitedSource<Value>: TypedServiceSource<Value> {
    private let createLater: @MainActor (Services) async throws -> Value
    private var kept: KeptInstance<Value>?

    init(_ type: TypeName, create: @escaping @MainActor (Services) async throws -> Value) {
        createLater = create
        super.init(type) { _ in throw RouterError.notPrepared(type, path: [type]) }
    }

    override func value(from services: Services) throws -> Value {
        guard let kept else { return try newValue(from: services) }
        services.log.add(.resolved(type))
        return kept.value
    }

    override func prepare(from services: Services) async throws {
        guard kept == nil else { return }
        let start = services.log.start()
        kept = KeptInstance(try await createLater(services))
        services.log.add(.created(type, in: services.log.duration(since: start)))
    }
}
