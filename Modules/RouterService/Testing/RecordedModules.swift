public import RouterServiceInterface

/// The registrations of module entries, whose services can be resolved without a router, each created once.
///
/// ```swift
/// let recorded = RecordedModules(FakeLoginModule())
/// try recorded.resolve((any Login.Sessions).self).current == nil
/// ```
@MainActor
public final class RecordedModules: DependencyResolver {
    /// A service that cannot be resolved here: it is not registered, or has to be prepared.
    public struct Missing: Error {
        public let type: TypeKey
    }

    private let registrations: [Registrations]
    private var instances: [TypeKey: Any] = [:]
    /// The services that are being created, one within another.
    private var creating: [TypeKey] = []

    public init(_ modules: any Module...) {
        registrations = modules.map { Registrar($0).registrations }
    }

    public var lifetimes: [Lifetime] { registrations.flatMap(\.services).compactMap(\.lifetime) }
    public var routes: [TypeKey] { registrations.flatMap(\.routes).map(\.name) }
    public var interceptors: [TypeKey] { registrations.flatMap(\.interceptors).map(\.source.type) }
    public var events: [TypeKey] { registrations.flatMap(\.listeners).map(\.source.type) }

    /// - Throws: ``Missing``, `RouterError.cycle` for services that need each other, or the error of the factory.
    public func resolve<Value>(_ type: Value.Type) throws -> Value {
        let name = TypeKey(type)
        if let kept = instances[name], let instance = kept as? Value { return instance }
        guard let service = service(of: name) else {
            if let value = try wrapped(type) { return value }
            throw Missing(type: name)
        }
        if let start = creating.firstIndex(of: name) {
            throw RouterError.cycle(path: creating[start...] + [name])
        }
        creating.append(name)
        defer { creating.removeLast() }
        func created(by factory: some AnyServiceFactory) throws -> Any? {
            if case .immediate(let bind) = factory.typed { try bind(self)() } else { nil }
        }
        guard let instance = try created(by: service.factory()) as? Value else { throw Missing(type: name) }
        _ = instances.updateValue(instance, forKey: name)
        return instance
    }

    public func source<Value>(of type: Value.Type) -> @MainActor () throws -> Value {
        { [unowned self] in try resolve(type) }
    }

    public func deferred<Value>(_ type: Value.Type) -> Deferred<Value> {
        Deferred { [weak self] in
            guard let self else { throw RouterError.routerReleased }
            return try resolve(type)
        }
    }

    public func isRegistered(_ type: TypeKey) -> Bool {
        service(of: type) != nil
    }

    private func service(of type: TypeKey) -> ServiceRegistration? {
        registrations.flatMap(\.services).last { $0.type == type }
            ?? ServiceRegistration.array(
                of: registrations.flatMap(\.contributions).filter { $0.type == type })
    }
}
