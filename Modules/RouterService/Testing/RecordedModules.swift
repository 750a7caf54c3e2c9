public import RouterServiceInterface

/// The registrations of module entries, for tests of module entries without a router.
///
/// The services and the arrays of contributions can be resolved, each created once; an optional dependency is nil where it
/// is not registered.
///
/// ```swift
/// let recorded = RecordedModules(FakeLoginModule())
/// try recorded.resolve((any Login.Sessions).self).current == nil
/// ```
@MainActor
public final class RecordedModules: DependencyResolver {
    /// A service that cannot be resolved here: it is not registered, or has to be prepared.
    public struct Missing: Error {
        /// The service.
        public let type: TypeName
    }

    private let registrars: [Registrar]
    private var instances: [TypeName: Any] = [:]

    /// Lets module entries register what they provide.
    public init(_ modules: any Module...) {
        registrars = modules.map { Registrar($0) }
    }

    /// The lifetimes of the registered services, in the order of registration.
    public var lifetimes: [Lifetime] { registrars.flatMap(\.services).compactMap(\.lifetime) }
    /// The routes that are handled, in the order of registration.
    public var routes: [TypeName] { registrars.flatMap(\.routes).map(\.name) }
    /// The interceptors, in the order of registration.
    public var interceptors: [TypeName] { registrars.flatMap(\.interceptors).map(\.source.type) }
    /// The events that are listened to, in the order of registration.
    public var events: [TypeName] { registrars.flatMap(\.listeners).map(\.source.type) }

    /// Creates a service, or returns the existing instance.
    ///
    /// - Throws: ``Missing``, or the error of the factory.
    public func resolve<Value>(_ type: Value.Type) throws -> Value {
        let name = TypeName(type)
        if let kept = instances[name], let instance = kept as? Value { return instance }
        guard let service = service(of: name) else {
            if let value = try wrapped(type) { return value }
            throw Missing(type: name)
        }
        let creation = Creation(for: self)
        try service.accept(creation)
        guard let instance = creation.instance as? Value else { throw Missing(type: name) }
        _ = instances.updateValue(instance, forKey: name)
        return instance
    }

    /// Resolves a parameter by its type, each time.
    public func source<Value>(of type: Value.Type) -> @MainActor () throws -> Value {
        { [unowned self] in try resolve(type) }
    }

    /// Returns a dependency that is resolved here later.
    public func deferred<Value>(_ type: Value.Type) -> Deferred<Value> {
        Deferred { [weak self] in
            guard let self else { throw RouterError.routerReleased }
            return try resolve(type)
        }
    }

    /// Whether a service is registered under a type.
    public func isRegistered(_ type: TypeName) -> Bool {
        service(of: type) != nil
    }

    private func service(of type: TypeName) -> ServiceRegistration? {
        registrars.flatMap(\.services).last { $0.source.type == type }
            ?? Contribution.array(of: registrars.flatMap(\.contributions).filter { $0.source.type == type })
    }

    /// Calls a factory, unless it is asynchronous.
    private final class Creation: ServiceFactoryVisitor {
        private let resolver: RecordedModules
        private(set) var instance: Any?

        init(for resolver: RecordedModules) { self.resolver = resolver }

        func visit<Service>(_ factory: ServiceFactory<Service>) throws {
            if case .immediate(let bind, _) = factory { instance = try bind(resolver)() }
        }
    }
}
