/// The entry of an implementation, and its only public type.
public protocol Module {
    @MainActor
    func register(in registrar: Registrar)
}

/// Records the registrations of one module; nothing is created.
///
/// Everything is registered with its initialiser or a closure, whose parameters are the dependencies. An optional
/// dependency is nil where no service is registered, and `[any Check]` has the contributions of all modules.
@MainActor
public final class Registrar {
    let module: TypeKey
    public var registrations: Registrations

    public init(for module: any Any.Type) {
        self.module = TypeKey(module)
        registrations = Registrations(module: self.module)
    }

    public convenience init(_ module: any Module) {
        self.init(for: type(of: module))
        module.register(in: self)
    }

    /// Registers a service under the type by which others depend on it, usually a protocol.
    @inlinable
    public func register<Service, each Parameter>(
        _ service: Service.Type, lifetime: Lifetime = .weak, fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Parameter) throws -> Service
    ) {
        let parameters = parameterTypes(repeat (each Parameter).self)
        add(service, lifetime, parameters, fileID, line, by: immediate(factory))
    }

    /// Registers a singleton that the router creates and awaits before the first screen.
    public func prepare<Service: Sendable, each Parameter>(
        _ service: Service.Type, fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Parameter) async throws -> Service
    ) {
        let parameters = parameterTypes(repeat (each Parameter).self)
        add(service, .singleton, parameters, fileID, line, isAsynchronous: true) {
            ServiceFactory<Service>.asynchronous {
                try await factory(repeat try $0.resolve((each Parameter).self))
            }
        }
    }

    /// Overrides an earlier registration of a service, whose lifetime stays.
    @inlinable
    public func override<Service, each Parameter>(
        _ service: Service.Type, fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Parameter) throws -> Service
    ) {
        add(service, nil, parameterTypes(repeat (each Parameter).self), fileID, line, by: immediate(factory))
    }

    /// Contributes a value to the array of its type, in the order of the modules; each dependency on the array has its own.
    public func contribute<Value, each Parameter>(
        _ type: Value.Type, fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Parameter) throws -> Value
    ) {
        let source = source(of: [Value].self, parameterTypes(repeat (each Parameter).self), fileID, line)
        registrations.contributions.append(
            ServiceRegistration(source: source, lifetime: .transient, factory: immediate(factory)))
    }

    public func route<Handler: Feature, each Parameter>(
        _ route: Handler.Destination.Type, _ options: FeatureOption<Handler.Destination>...,
        fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Parameter) throws -> Handler
    ) {
        let source = source(of: Handler.self, parameterTypes(repeat (each Parameter).self), fileID, line)
        let feature = Registration<any Feature<Handler.Destination>>(
            source: source, create: injecting(factory))
        registrations.routes.append(
            RouteRegistration(source: source, options: options) {
                .feature(feature, fallback: $0)
            })
    }

    public func action<Handler: Action, each Parameter>(
        _ route: Handler.Destination.Type, _ options: ActionOption<Handler.Destination>...,
        fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Parameter) throws -> Handler
    ) {
        let source = source(of: Handler.self, parameterTypes(repeat (each Parameter).self), fileID, line)
        let action = Registration<any Action<Handler.Destination>>(source: source, create: injecting(factory))
        registrations.routes.append(
            RouteRegistration(source: source, options: options) { _ in .action(action) })
    }

    /// Fulfils a route that a module requires by a route that another module provides, whose output is converted.
    public func adapt<Required: Route, Provided: Route>(
        _ required: Required.Type, to provided: Provided.Type, _ options: ActionOption<Required>...,
        fileID: String = #fileID, line: Int = #line,
        route: @escaping @MainActor (Required) throws -> Provided,
        output: @escaping @MainActor (Provided.Output) throws -> Required.Output
    ) {
        let handler = RouteHandler<Required>.adapter(to: provided, route: route) {
            guard let provided = $0 as? Provided.Output else { throw UserDeclined() }
            return try output(provided)
        }
        let source = source(of: required, [], fileID, line)
        registrations.routes.append(RouteRegistration(source: source, options: options) { _ in handler })
    }

    /// Registers an interceptor for types of routes, which is created for each decision.
    public func intercept<Deciding: Interceptor, each Parameter>(
        _ route: any Route.Type, _ others: any Route.Type..., phase: InterceptionPhase = .access,
        fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Parameter) throws -> Deciding
    ) {
        intercept(
            .types([route] + others), phase: phase, fileID: fileID, line: line,
            by: factory)
    }

    /// Registers an interceptor for all routes, or for the types that satisfy a condition.
    public func intercept<Deciding: Interceptor, each Parameter>(
        _ routes: InterceptedRoutes, phase: InterceptionPhase = .access,
        fileID: String = #fileID, line: Int = #line,
        by factory: @escaping @MainActor (repeat each Parameter) throws -> Deciding
    ) {
        let source = source(of: Deciding.self, parameterTypes(repeat (each Parameter).self), fileID, line)
        let interceptor = Registration<any Interceptor>(source: source, create: injecting(factory))
        registrations.interceptors.append(
            InterceptorRegistration(interceptor: interceptor, routes: routes, phase: phase))
    }

    public func listen<E: Event, each Parameter>(
        to event: E.Type, fileID: String = #fileID, line: Int = #line,
        by listener: @escaping @MainActor (E, repeat each Parameter) async throws -> Void
    ) {
        let source = source(of: event, parameterTypes(repeat (each Parameter).self), fileID, line)
        registrations.listeners.append(
            Registration(source: source) { resolver in
                let services = (repeat try resolver.resolve((each Parameter).self))
                return { if let event = $0 as? E { try await listener(event, repeat each services) } }
            })
    }
}

public enum Lifetime: Hashable, Sendable {
    /// One instance for as long as something holds it: the default, for classes and actors only.
    case weak
    /// One instance until the router is released.
    case singleton
    /// An instance for each dependency.
    case transient
    /// One instance from its first use in a scope until the scope is left.
    case scope(Scope)
}

/// A named period of time, such as a user's session, which ``Router/enter(_:)`` begins and ``Router/leave(_:)`` ends.
public struct Scope: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ name: String) { description = name }
}
