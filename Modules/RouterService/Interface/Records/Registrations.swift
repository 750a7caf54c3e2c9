// The records of a `Registrar`: routers read them, and tests of module entries inspect them.

/// The source of a registration, and the dependencies of its factory.
public struct RegistrationSource: Sendable {
    /// The type of the service, the feature, the action, the interceptor or the event.
    public let type: TypeName
    /// The module entry that registered it.
    public let module: TypeName
    /// The line of the registration.
    public let place: SourcePlace
    /// The services that the factory depends on, in the order of its parameters.
    public let dependencies: [ServiceDependency]
}

/// A registered service, or one that overrides it.
///
/// It is not generic, so that registering a thousand services does not make the runtime build a thousand types.
@MainActor
public final class ServiceRegistration {
    /// The source of the registration.
    public let source: RegistrationSource
    /// The lifetime of an instance; nil for one that overrides another, whose lifetime it gets in a router.
    public let lifetime: Lifetime?
    /// Whether the instance has to be awaited.
    public let isAsynchronous: Bool
    private let open: @MainActor (any ServiceFactoryVisitor) throws -> Void

    init<Service>(source: RegistrationSource, lifetime: Lifetime?, factory: ServiceFactory<Service>) {
        (self.source, self.lifetime) = (source, lifetime)
        isAsynchronous = if case .asynchronous = factory { true } else { false }
        open = { try $0.visit(factory) }
    }

    /// Copies a registration with another lifetime: one that overrides another gets that of the overridden one.
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

/// The factory of a service.
public enum ServiceFactory<Service> {
    /// At once, when the service is needed: `bind` finds the sources of the parameters, once, and its result creates an
    /// instance each time. `recall` casts an object, which costs a third of a cast in a generic function.
    case immediate(
        bind: @MainActor (any DependencyResolver) -> @MainActor () throws -> Service,
        recall: @MainActor (AnyObject) throws -> Service)
    /// Before the first screen, awaited.
    case asynchronous(@MainActor (any DependencyResolver) async throws -> Service)
}

/// Receives the factory of a service of any type.
@MainActor
public protocol ServiceFactoryVisitor: AnyObject {
    /// Visits the factory.
    func visit<Service>(_ factory: ServiceFactory<Service>) throws
}

/// Creates a feature.
public typealias FeatureFactory<Destination: Route> =
    @MainActor (any DependencyResolver) throws -> any Feature<Destination>

/// The handler of a route.
public enum RouteHandler<Destination: Route> {
    /// A feature builds a screen.
    case feature(FeatureFactory<Destination>)
    /// An action fulfils the route without a screen.
    case action(@MainActor (any DependencyResolver) throws -> any Action<Destination>)
    /// Another module's route fulfils it.
    case adapter(any RouteAdapter<Destination>)
}

/// Fulfils a required route with a provided one, and converts the output of that for the required one.
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

/// A registered handler, with the declarations of its module about the route.
@MainActor
public final class RouteRegistration<Destination: Route>: AnyRouteRegistration {
    /// The details that do not depend on the route's type.
    public private(set) var details: RegisteredRoute
    /// The handler of the route.
    public let handler: RouteHandler<Destination>
    /// The other versions of the screen, the first choice first, as in ``RegisteredRoute/versions``.
    public private(set) var versions: [FeatureFactory<Destination>] = []
    /// The route that is opened where the handler is not available.
    public private(set) var fallback: (@MainActor (Destination) throws -> any Route)?

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
            case .alias(let identifier, let advice):
                details.aliases.append(identifier)
                details.deprecations[identifier] = advice
            case .deprecated(let advice): details.deprecations[Destination.identifier] = advice
            case .fallbackRoute(let type, let route): (details.fallback, fallback) = (type, route)
            case .versionFeature(let type, let parameters, let create):
                versions.append(create)
                details.versions.append(
                    RegistrationSource(
                        type: TypeName(type), module: source.module, place: source.place,
                        dependencies: parameters.map(ServiceDependency.init)))
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
    /// The details that do not depend on the route's type.
    var details: RegisteredRoute { get }
}

/// The declarations of a module about a route of any type.
public struct RegisteredRoute: Sendable {
    /// The kind of a route's handler.
    public enum Kind: String, Hashable, Sendable {
        /// A feature builds a screen.
        case screen
        /// An action fulfils the route without a screen.
        case action
        /// Another module's route fulfils it.
        case adapter
    }

    /// The source of the handler.
    public let source: RegistrationSource
    /// The sources of the other versions of the screen.
    public internal(set) var versions: [RegistrationSource] = []
    /// The type of the route.
    public let type: any Route.Type
    /// The kind of the route's handler.
    public internal(set) var kind: Kind
    /// The patterns of URLs that open the route.
    public internal(set) var urls: [URLPattern] = []
    /// The identifiers of older versions.
    public internal(set) var aliases: [String] = []
    /// The advice for each deprecated name: an alias, or the identifier for the route itself.
    public internal(set) var deprecations: [String: String] = [:]
    /// The route that is opened where the handler is not available.
    public internal(set) var fallback: (any Route.Type)?
    /// The route that fulfils this one; nil unless the handler is an adapter.
    public internal(set) var adapted: (any Route.Type)?

    /// The name under which the route travels in links.
    public var identifier: String { type.identifier }
    /// The name of the route's type.
    public var name: TypeName { TypeName(type) }
}

/// A registered interceptor.
public struct InterceptorRegistration {
    /// The source of the registration.
    public let source: RegistrationSource
    /// Creates the interceptor for one decision.
    public let create: @MainActor (any DependencyResolver) throws -> any Interceptor
}

/// A registered listener for events.
public struct ListenerRegistration {
    /// Hands an event to the listener.
    public typealias Call = @MainActor () async throws -> Void

    /// The source of the registration; its type is the event's.
    public let source: RegistrationSource
    /// Resolves the listener's services, and returns its call with an event of that type.
    public let call: @MainActor (any Event, any DependencyResolver) throws -> Call
}

@inlinable
func parameterTypes<each Parameter>(_ parameter: repeat (each Parameter).Type) -> [any Any.Type] {
    var types: [any Any.Type] = []
    repeat types.append(each parameter)
    return types
}
