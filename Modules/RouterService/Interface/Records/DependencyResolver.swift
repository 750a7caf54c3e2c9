/// Supplies factories with the services that their parameters name.
@MainActor
public protocol DependencyResolver: AnyObject {
    /// Returns the existing instance of a service, or a new instance; for other types, ``wrapped(_:)``.
    func resolve<Value>(_ type: Value.Type) throws -> Value

    /// Returns the source of a factory's parameter, which each run of the factory calls; it does not keep the resolver alive.
    func source<Value>(of type: Value.Type) -> @MainActor () throws -> Value

    func deferred<Value>(_ type: Value.Type) -> Deferred<Value>

    func isRegistered(_ type: TypeKey) -> Bool
}

extension DependencyResolver {
    /// Resolves an optional, a ``Deferred``, or an array to which nothing is contributed; nil for other types.
    public func wrapped<Value>(_ type: Value.Type) throws -> Value? {
        try (type as? any DependencyWrapper.Type).flatMap { try $0.resolved(by: self) as? Value }
    }
}

/// A service that a factory's parameter depends on.
public struct ServiceDependency: Hashable, Sendable {
    public let service: TypeKey
    /// Whether the parameter is nil, or an empty array, where the service is not registered.
    public let isOptional: Bool
    /// Whether the service is resolved on use, and not held.
    public let isDeferred: Bool

    public init(parameter: any Any.Type) {
        // The cast would search all conformances of the program, so only types with parameters are cast.
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

/// A type of parameter that is made of a service: an optional, a deferred dependency, or an array.
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
