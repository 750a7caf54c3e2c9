import RouterServiceInterface

/// Answers the needs for one service; there is a kind for each lifetime, and one for the instance that is kept.
@MainActor
class ServiceSource {
    /// Runs the factory, where it is asynchronous and has not run.
    func prepare(from services: Services) async throws {}
}

/// A source of a known type.
@MainActor
class TypedServiceSource<Value>: ServiceSource {
    final let type: TypeName

    init(_ type: TypeName) {
        self.type = type
    }

    /// The instance that serves, or a new one; each kind of source has its own way.
    func value(from services: Services) throws -> Value {
        throw RouterError.missingService(type, path: [type])
    }
}

/// The one instance that was created for an `singleton` service or in a scope, until it is forgotten.
final class KeptSource<Value>: TypedServiceSource<Value> {
    private let value: Value

    init(_ type: TypeName, _ value: Value) {
        self.value = value
        super.init(type)
    }

    override func value(from services: Services) throws -> Value {
        services.log.add(.resolved(type))
        return value
    }
}

/// Makes instances; as it is, a new one for each need.
class FactorySource<Value>: TypedServiceSource<Value> {
    private let create: @MainActor (Services, TypeName) throws -> Value
    private var isCreating = false

    init(_ type: TypeName, create: @escaping @MainActor (Services, TypeName) throws -> Value) {
        self.create = create
        super.init(type)
    }

    override func value(from services: Services) throws -> Value {
        try newValue(from: services)
    }

    /// Calls the factory.
    ///
    /// - Throws: `RouterError.cycle` when the factory is running already, because what it needs needs it.
    final func newValue(from services: Services) throws -> Value {
        guard !isCreating else { throw RouterError.cycle(path: [type]) }
        isCreating = true
        defer { isCreating = false }
        guard services.log.isWatched else { return try create(services, type) }
        let start = services.log.start()
        let value = try create(services, type)
        services.log.add(.created(type, in: services.log.duration(since: start)))
        return value
    }

    /// Makes the source that suits a service's lifetime.
    static func make(
        for service: RegisteredService, create: @escaping @MainActor (Services, TypeName) throws -> Value
    ) -> ServiceSource {
        let type = service.registration.type
        return switch service.lifetime {
        case .weak: WhileUsedSource(service.registration, create: create)
        case .singleton: AppSource(type, create: create)
        case .transient: FactorySource(type, create: create)
        case .scope(let scope): ScopeSource(type, scope: scope, create: create)
        }
    }
}

/// Makes the one instance of an `singleton` service.
final class AppSource<Value>: FactorySource<Value> {
    override func value(from services: Services) throws -> Value {
        let value = try newValue(from: services)
        services.keep(KeptSource(type, value), inPlaceOf: self)
        return value
    }
}

/// Makes the one instance of a service in a scope.
final class ScopeSource<Value>: FactorySource<Value> {
    private let scope: Scope

    init(_ type: TypeName, scope: Scope, create: @escaping @MainActor (Services, TypeName) throws -> Value) {
        self.scope = scope
        super.init(type, create: create)
    }

    override func value(from services: Services) throws -> Value {
        guard services.isEntered(scope) else { throw RouterError.outsideScope(scope, path: [type]) }
        let value = try newValue(from: services)
        services.keep(KeptSource(type, value), inPlaceOf: self)
        return value
    }
}

/// Makes the one instance of a service whose factory is asynchronous, before the first screen.
final class AwaitedSource<Value>: TypedServiceSource<Value> {
    private let createLater: @MainActor (Services, TypeName) async throws -> Value

    init(_ type: TypeName, create: @escaping @MainActor (Services, TypeName) async throws -> Value) {
        createLater = create
        super.init(type)
    }

    override func value(from services: Services) throws -> Value {
        throw RouterError.notPrepared(type, path: [type])
    }

    override func prepare(from services: Services) async throws {
        let start = services.log.start()
        let value = try await createLater(services, type)
        services.log.add(.created(type, in: services.log.duration(since: start)))
        services.keep(KeptSource(type, value), inPlaceOf: self)
    }
}

/// One instance for as long as anybody holds it.
final class WhileUsedSource<Value>: FactorySource<Value> {
    private let place: SourcePlace
    private let held = HeldInstance<Value>()

    init(_ registration: Registration, create: @escaping @MainActor (Services, TypeName) throws -> Value) {
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
            throw RouterError.weakValueType(type, registered: place)
        }
        held.refer(to: value, object: value as AnyObject)
        return value
    }
}
