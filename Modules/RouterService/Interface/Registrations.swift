public import Foundation

// What a `Registrar` records: routers read it, and tests of module entries inspect it.

/// Where a registration comes from, and what its factory depends on.
public struct RegistrationSource: Sendable {
    /// The type of the service, the feature, the action, the interceptor or the event.
    public let type: TypeName
    /// The module entry that registered it.
    public let module: TypeName
    /// The line of the registration.
    public let place: SourcePlace
    var parameters: [any Any.Type]

    /// The services that the factory depends on, in the order of its parameters.
    public var dependencies: [ServiceDependency] { parameters.map(ServiceDependency.init) }
}

/// A registered service, or the replacement of one.
///
/// It is not generic, so that registering a thousand services does not make the runtime build a thousand types.
@MainActor
public final class ServiceRegistration {
    /// Where it was registered.
    public let source: RegistrationSource
    /// How long one instance serves; nil for a replacement, which keeps the lifetime that was registered.
    public let lifetime: Lifetime?
    /// Whether the instance has to be awaited.
    public let isAsynchronous: Bool
    private let open: @MainActor (any ServiceFactoryVisitor) throws -> Void

    init<Service>(source: RegistrationSource, lifetime: Lifetime?, factory: ServiceFactory<Service>) {
        (self.source, self.lifetime) = (source, lifetime)
        isAsynchronous = if case .asynchronous = factory { true } else { false }
        open = { try $0.visit(factory) }
    }

    /// Gives a registration another lifetime, for a replacement that of what it replaces.
    public init(_ other: ServiceRegistration, lifetime: Lifetime?) {
        (source, self.lifetime, isAsynchronous, open) = (
            other.source, lifetime, other.isAsynchronous, other.open
        )
    }

    /// The type under which the service is registered.
    public var type: TypeName { source.type }

    /// Hands the factory to a visitor, with its type.
    public func accept(_ visitor: any ServiceFactoryVisitor) throws { try open(visitor) }
}

/// How instances of a service are created.
public enum ServiceFactory<Service> {
    /// At once, when the service is needed.
    case immediate(@MainActor (any DependencyResolver) throws -> Service)
    /// Before the first screen, awaited.
    case asynchronous(@MainActor (any DependencyResolver) async throws -> Service)
}

/// Receives the factory of a service of any type.
@MainActor
public protocol ServiceFactoryVisitor: AnyObject {
    /// Does something with the factory.
    func visit<Service>(_ factory: ServiceFactory<Service>) throws
}

/// How a route is fulfilled.
public enum RouteHandler<Destination: Route> {
    /// A feature builds a screen.
    case feature(@MainActor (any DependencyResolver) throws -> any Feature<Destination>)
    /// An action does it without a screen.
    case action(@MainActor (any DependencyResolver) throws -> any Action<Destination>)
    /// Another module's route does.
    case adapter(any RouteAdapter<Destination>)
}

/// Fulfils a required route with a provided one, and turns its output into that of the required one.
@MainActor
public protocol RouteAdapter<Required> {
    /// The route that the caller knows.
    associatedtype Required: Route
    /// The route that fulfils it.
    associatedtype Provided: Route
    /// Maps the routes.
    var route: @MainActor (Required) throws -> Provided { get }
    /// Maps the outputs.
    var output: @MainActor (Provided.Output) throws -> Required.Output { get }
}

struct TypedRouteAdapter<Required: Route, Provided: Route>: RouteAdapter {
    let route: @MainActor (Required) throws -> Provided
    let output: @MainActor (Provided.Output) throws -> Required.Output
}

/// A registered handler, with what its module declared about the route.
@MainActor
public final class RouteRegistration<Destination: Route>: AnyRouteRegistration {
    /// What does not depend on the route's type.
    public private(set) var details: RegisteredRoute
    /// How the route is fulfilled.
    public let handler: RouteHandler<Destination>
    /// The route that is opened where the handler is not available.
    public private(set) var fallback: (@MainActor (Destination) throws -> any Route)?
    /// The conditions under which the handler is available.
    public private(set) var conditions: [@MainActor (any DependencyResolver) throws -> Bool] = []
    /// Encodes the output as JSON, where the route may be performed by URL.
    public private(set) var encodeOutput: (@Sendable (Destination.Output) throws -> Data)?

    init(source: RegistrationSource, options: [RouteOption<Destination>], handler: RouteHandler<Destination>)
    {
        self.handler = handler
        details = RegisteredRoute(source: source, type: Destination.self, kind: .screen)
        switch handler {
        case .feature: break
        case .action: details.kind = .action
        case .adapter(let adapter): (details.kind, details.adapted) = (.adapter, Self.provided(by: adapter))
        }
        for option in options {
            switch option {
            case .url(let pattern): details.urls.append(pattern)
            case .alias(let identifier): details.aliases.append(identifier)
            case .overriding: details.isOverriding = true
            case .deprecated(let advice): details.deprecation = advice
            case .fallbackRoute(let type, let route): (details.fallback, fallback) = (type, route)
            case .encodedOutput(let encode): encodeOutput = encode
            case .condition(let parameters, let condition):
                details.source.parameters += parameters
                conditions.append(condition)
            }
        }
    }

    private static func provided<Adapter: RouteAdapter>(by adapter: Adapter) -> any Route.Type {
        Adapter.Provided.self
    }
}

/// A registered handler of a route of any type.
@MainActor
public protocol AnyRouteRegistration: AnyObject {
    /// What does not depend on the route's type.
    var details: RegisteredRoute { get }
}

/// What a module declared about a route of any type.
public struct RegisteredRoute: Sendable {
    /// How a route is fulfilled.
    public enum Kind: String, Hashable, Sendable {
        /// A feature builds a screen.
        case screen
        /// An action does it without a screen.
        case action
        /// Another module's route does.
        case adapter
    }

    /// Where the handler was registered, and what it and its conditions depend on.
    public internal(set) var source: RegistrationSource
    /// The type of the route.
    public let type: any Route.Type
    /// How the route is fulfilled.
    public internal(set) var kind: Kind
    /// The patterns of URLs that open the route.
    public internal(set) var urls: [URLPattern] = []
    /// The identifiers of older versions.
    public internal(set) var aliases: [String] = []
    /// Whether the handler wins over others of the same route or identifier.
    public internal(set) var isOverriding = false
    /// What to use instead; nil unless the route is deprecated.
    public internal(set) var deprecation: String?
    /// The route that is opened where the handler is not available.
    public internal(set) var fallback: (any Route.Type)?
    /// The route that fulfils this one; nil unless the handler is an adapter.
    public internal(set) var adapted: (any Route.Type)?

    /// The name under which the route travels in links.
    public var identifier: String { type.identifier }
    /// The name of the route's type.
    public var name: TypeName { TypeName(type) }
}

/// A service, and how long one instance of it serves.
public struct RegisteredService: Sendable {
    /// Where the factory that counts was registered.
    public let source: RegistrationSource
    /// How long one instance serves.
    public let lifetime: Lifetime

    /// Describes a service.
    public init(_ source: RegistrationSource, lifetime: Lifetime) {
        (self.source, self.lifetime) = (source, lifetime)
    }
}

/// A registered interceptor.
public struct InterceptorRegistration {
    /// Where it was registered.
    public let source: RegistrationSource
    /// Creates it for one decision.
    public let create: @MainActor (any DependencyResolver) throws -> any Interceptor
}

/// What a module does when an event is broadcast.
public struct ListenerRegistration {
    /// Where it was registered; its type is the event's.
    public let source: RegistrationSource
    /// Receives an event of that type.
    public let receive: @MainActor (any Event, any DependencyResolver) async throws -> Void
}

func parameterTypes<each Parameter>(_ parameter: repeat (each Parameter).Type) -> [any Any.Type] {
    var types: [any Any.Type] = []
    repeat types.append(each parameter)
    return types
}
