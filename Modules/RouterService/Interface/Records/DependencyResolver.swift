/// Supplies factories with the services that their parameters name; a router does, and a test of a module entry may.
@MainActor
public protocol DependencyResolver: AnyObject {
    /// Returns the existing instance of a service, or a new one; for other types, ``wrapped(_:)``.
    func resolve<Value>(_ type: Value.Type) throws -> Value

    /// Returns the source of a factory's parameter, to be called each time that the factory runs; it does not keep this
    /// resolver alive.
    func source<Value>(of type: Value.Type) -> @MainActor () throws -> Value

    /// Returns a dependency that this resolver resolves later.
    func deferred<Value>(_ type: Value.Type) -> Deferred<Value>

    func isRegistered(_ type: TypeKey) -> Bool
}

extension DependencyResolver {
    /// Resolves an optional, which is nil where its service is not registered, a ``Deferred``, or an array that nobody
    /// contributes to; nil for other types.
    public func wrapped<Value>(_ type: Value.Type) throws -> Value? {
        try (type as? any DependencyWrapper.Type).flatMap { try $0.resolved(by: self) as? Value }
    }
}

/// A parameter of a factory, as the service that it depends on.
public struct ServiceDependency: Hashable, Sendable {
    public let service: TypeKey
    /// Whether the parameter is nil, or an empty array, where the service is not registered.
    public let isOptional: Bool
    /// Whether the service is resolved on use, and not held.
    public let isDeferred: Bool

    /// Reads a parameter's type, through optionals and ``Deferred``.
    public init(parameter: any Any.Type) {
        // The cast searches all conformances of a program, whose number grows with the modules.
        let mayWrap = _typeName(parameter, qualified: false).hasSuffix(">")
        let wrapper = mayWrap ? parameter as? any DependencyWrapper.Type : nil
        self = wrapper?.dependency ?? Self(TypeKey(parameter))
    }

    fileprivate init(_ service: TypeKey, isOptional: Bool = false, isDeferred: Bool = false) {
        self.service = service
        self.isOptional = isOptional
        self.isDeferred = isDeferred
    }
}

/// A type of parameter that need not be registered itself.
@MainActor
protocol DependencyWrapper {
    nonisolated static var dependency: ServiceDependency { get }
    static func resolved(by resolver: some DependencyResolver) throws -> Self
}

extension Optional: DependencyWrapper {
    static var dependency: ServiceDependency {
        let wrapped = ServiceDependency(parameter: Wrapped.self)
        return ServiceDependency(wrapped.service, isOptional: true, isDeferred: wrapped.isDeferred)
    }

    @MainActor
    static func resolved(by resolver: some DependencyResolver) throws -> Self {
        let service = ServiceDependency(parameter: Wrapped.self).service
        return resolver.isRegistered(service) ? try resolver.resolve(Wrapped.self) : nil
    }
}

extension Deferred: DependencyWrapper {
    nonisolated static var dependency: ServiceDependency {
        let value = ServiceDependency(parameter: Value.self)
        return ServiceDependency(value.service, isOptional: value.isOptional, isDeferred: true)
    }

    static func resolved(by resolver: some DependencyResolver) throws -> Self {
        resolver.deferred(Value.self)
    }
}

extension Array: DependencyWrapper {
    static var dependency: ServiceDependency { ServiceDependency(TypeKey(Self.self), isOptional: true) }

    static func resolved(by resolver: some DependencyResolver) throws -> Self { [] }
}
