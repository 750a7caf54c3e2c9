public import Foundation

// What a `Registrar` records: routers read it, and tests of module entries inspect it.

/// Where a registration comes from, and what its factory depends on.
public struct RegistrationSource: Sendable {
    /// The type that was registered: the service's, the feature's, the action's, the interceptor's or the event's.
    public let type: TypeName
    /// The module entry that registered it.
    public let module: TypeName
    /// The line of the registration.
    public let place: SourcePlace
    let parameters: [any Any.Type]

    /// The services that the factory depends on, in the order of its parameters.
    public var dependencies: [ServiceDependency] { parameters.map(ServiceDependency.init) }
}

/// A registered service, or the replacement of one.
@MainActor
public final class ServiceRegistration {
    /// Where it was registered.
    public let source: RegistrationSource
    /// How long one instance serves; nil for a replacement, which keeps the lifetime that was registered.
    public let lifetime: Lifetime?
    /// Creates instances.
    public let factory: any AnyServiceFactory

    init(source: RegistrationSource, lifetime: Lifetime?, factory: any AnyServiceFactory) {
        (self.source, self.lifetime, self.factory) = (source, lifetime, factory)
    }
}

/// How instances of a service are created.
public enum ServiceFactory<Service>: AnyServiceFactory {
    /// At once, when the service is needed.
    case immediate(@MainActor (any DependencyResolver) throws -> Service)
    /// Before the first screen, awaited.
    case asynchronous(@MainActor (any DependencyResolver) async throws -> Service)

    /// The factory itself.
    public var typed: ServiceFactory { self }
    /// Whether the instance has to be awaited.
    public var isAsynchronous: Bool { if case .asynchronous = self { true } else { false } }
}

/// A factory of a service of any type.
public protocol AnyServiceFactory {
    /// The type of the service.
    associatedtype Service
    /// The factory with its type.
    var typed: ServiceFactory<Service> { get }
    /// Whether the instance has to be awaited.
    var isAsynchronous: Bool { get }
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

/// Fulfils a required route with a provided one.
@MainActor
public protocol RouteAdapter<Required> {
    /// The route that the caller knows.
    associatedtype Required: Route
    /// The route that fulfils it.
    associatedtype Provided: Route
    /// Turns the required route into the provided one.
    var route: @MainActor (Required) throws -> Provided { get }
    /// Turns what the provided route finishes with into what the caller expects.
    var output: @MainActor (Provided.Output) throws -> Required.Output { get }
}

struct TypedRouteAdapter<Required: Route, Provided: Route>: RouteAdapter {
    let route: @MainActor (Required) throws -> Provided
    let output: @MainActor (Provided.Output) throws -> Required.Output
}

/// A registered handler, with what its module declared about the route.
@MainActor
public final class RouteRegistration<Destination: Route>: AnyRouteRegistration {
    /// Where it was registered.
    public let source: RegistrationSource
    /// How the route is fulfilled.
    public let handler: RouteHandler<Destination>
    /// The patterns of URLs that open the route.
    public private(set) var urls: [URLPattern] = []
    /// The identifiers of older versions.
    public private(set) var aliases: [String] = []
    /// Whether the handler wins over others of the same route or identifier.
    public private(set) var isOverriding = false
    /// What to use instead; nil unless the route is deprecated.
    public private(set) var deprecation: String?
    /// The type of ``fallback``.
    public private(set) var fallbackType: (any Route.Type)?
    /// The route that is opened where the handler is not available.
    public private(set) var fallback: (@MainActor (Destination) throws -> any Route)?
    /// The conditions under which the handler is available.
    public private(set) var conditions: [@MainActor (any DependencyResolver) throws -> Bool] = []
    /// Encodes the output as JSON, where the route may be performed by URL.
    public private(set) var encodeOutput: (@Sendable (Destination.Output) throws -> Data)?

    init(source: RegistrationSource, options: [RouteOption<Destination>], handler: RouteHandler<Destination>)
    {
        self.handler = handler
        var parameters = source.parameters
        var conditions: [@MainActor (any DependencyResolver) throws -> Bool] = []
        for case .condition(let types, let condition) in options {
            parameters += types
            conditions.append(condition)
        }
        self.source = RegistrationSource(
            type: source.type, module: source.module, place: source.place, parameters: parameters)
        self.conditions = conditions
        for option in options {
            switch option {
            case .url(let pattern): urls.append(pattern)
            case .alias(let identifier): aliases.append(identifier)
            case .overriding: isOverriding = true
            case .deprecated(let advice): deprecation = advice
            case .fallbackRoute(let type, let route): (fallbackType, fallback) = (type, route)
            case .condition: break
            case .encodedOutput(let encode): encodeOutput = encode
            }
        }
    }

    /// The type of the route.
    public var routeType: any Route.Type { Destination.self }

    /// The type of the route that fulfils this one; nil unless the handler is an adapter.
    public var adaptedType: (any Route.Type)? {
        if case .adapter(let adapter) = handler { Self.provided(by: adapter) } else { nil }
    }

    /// How the route is fulfilled.
    public var kind: RegisteredRoute.Kind {
        switch handler {
        case .feature: .screen
        case .action: .action
        case .adapter: .adapter
        }
    }

    private static func provided<Adapter: RouteAdapter>(by adapter: Adapter) -> any Route.Type {
        Adapter.Provided.self
    }
}

/// A registered handler of a route of any type; see ``RouteRegistration``.
@MainActor
public protocol AnyRouteRegistration: AnyObject {
    /// Where it was registered.
    var source: RegistrationSource { get }
    /// The type of the route.
    var routeType: any Route.Type { get }
    /// How the route is fulfilled.
    var kind: RegisteredRoute.Kind { get }
    /// The patterns of URLs that open the route.
    var urls: [URLPattern] { get }
    /// The identifiers of older versions.
    var aliases: [String] { get }
    /// Whether the handler wins over others of the same route or identifier.
    var isOverriding: Bool { get }
    /// What to use instead; nil unless the route is deprecated.
    var deprecation: String? { get }
    /// The type of the route that is opened where the handler is not available.
    var fallbackType: (any Route.Type)? { get }
    /// The type of the route that fulfils this one; nil unless the handler is an adapter.
    var adaptedType: (any Route.Type)? { get }
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
