/// What one module registers, each kind in the order of registration.
public struct Registrations {
    /// The type of the module entry.
    public let module: TypeName
    /// The services.
    public var services: [ServiceRegistration] = []
    /// The handlers of routes.
    public internal(set) var routes: [RouteRegistration] = []
    /// The interceptors.
    public internal(set) var interceptors: [InterceptorRegistration] = []
    /// The listeners, which receive events in this order.
    public internal(set) var listeners: [Registration<Listener>] = []
    /// The contributed values: each with the type of its array, and the factory of the value.
    public internal(set) var contributions: [ServiceRegistration] = []
}

/// The source of a registration, and the dependencies of its factory.
public struct RegistrationSource: Sendable {
    /// The type of the service, the feature, the action, the interceptor or the event.
    public let type: TypeName
    /// The module entry that registered it.
    public let module: TypeName
    let fileID: String
    let line: Int
    let parameters: [any Any.Type]

    /// The services that the factory depends on, in the order of its parameters.
    ///
    /// Found when they are asked for: whether a type is an optional takes long to find out.
    public var dependencies: [ServiceDependency] { parameters.map(ServiceDependency.init) }

    /// The line of the registration as compilers write it, for example `LoginImplementation/LoginModule.swift:9`.
    public var place: String { "\(fileID):\(line)" }
}

/// A registered service of any type, or one that overrides it; a class, because it is in several lists.
@MainActor
public final class ServiceRegistration {
    private let source: RegistrationSource
    private let others: [RegistrationSource]
    /// The lifetime of an instance; nil for one that overrides another, whose lifetime it gets in a router.
    public let lifetime: Lifetime?
    /// Whether the instance has to be awaited.
    public let isAsynchronous: Bool
    /// Makes the factory.
    public let factory: @MainActor () -> any AnyServiceFactory

    init(
        source: RegistrationSource, others: [RegistrationSource] = [], lifetime: Lifetime?,
        isAsynchronous: Bool = false,
        factory: @escaping @MainActor () -> any AnyServiceFactory
    ) {
        self.source = source
        self.others = others
        self.lifetime = lifetime
        self.isAsynchronous = isAsynchronous
        self.factory = factory
    }

    /// The type under which the service is registered.
    public var type: TypeName { source.type }
    /// The source of the registration; for an array of contributions, those of all.
    public var sources: [RegistrationSource] { [source] + others }
    /// The lines of the registration.
    public var places: [String] { sources.map(\.place) }
    /// The services that it depends on.
    public var dependencies: [ServiceDependency] { sources.flatMap(\.dependencies) }

    /// The same registration with another lifetime.
    public func with(_ lifetime: Lifetime?) -> ServiceRegistration {
        ServiceRegistration(
            source: source, others: others, lifetime: lifetime, isAsynchronous: isAsynchronous,
            factory: factory)
    }

    /// The array of contributions to one type, with the values in this order, as a service; nil without any.
    public static func array(of contributions: [ServiceRegistration]) -> ServiceRegistration? {
        guard let first = contributions.first else { return nil }
        func array<Factory: AnyServiceFactory>(like first: Factory) -> any AnyServiceFactory {
            let factories = contributions.compactMap { $0.factory() as? ServiceFactory<Factory.Service> }
            return ServiceFactory<[Factory.Service]>.immediate(
                bind: { resolver in
                    let values = factories.compactMap { factory in
                        if case .immediate(let bind, _) = factory { bind(resolver) } else { nil }
                    }
                    return { try values.map { try $0() } }
                },
                recall: { _ in throw CancellationError() })
        }
        let others = contributions.dropFirst().map(\.source)
        return ServiceRegistration(source: first.source, others: others, lifetime: first.lifetime) {
            array(like: first.factory())
        }
    }
}

/// The factory of a service.
public enum ServiceFactory<Service>: AnyServiceFactory {
    /// At once, when the service is needed: `bind` finds the sources of the parameters, once, and its result creates an
    /// instance each time. `recall` casts an object, which costs a third of a cast in a generic function.
    case immediate(
        bind: @MainActor (any DependencyResolver) -> @MainActor () throws -> Service,
        recall: @MainActor (consuming AnyObject) throws -> Service)
    /// Before the first screen, awaited.
    case asynchronous(@MainActor (any DependencyResolver) async throws -> Service)

    /// The factory itself.
    public var typed: Self { self }
}

/// The factory of a service of any type; a function that takes `some AnyServiceFactory` finds the type.
public protocol AnyServiceFactory {
    /// The type of the service.
    associatedtype Service
    /// The factory, with its type.
    var typed: ServiceFactory<Service> { get }
}

/// A registration of what is created for one call: an interceptor, a feature, an action or a listener.
public struct Registration<Value> {
    /// The source of the registration; the type of a listener's is the event's.
    public let source: RegistrationSource
    /// Creates it with the services that it depends on.
    public let create: @MainActor (any DependencyResolver) throws -> Value
}

/// Receives an event of the type for which it was registered.
public typealias Listener = @MainActor (any Event) async throws -> Void

/// A registered interceptor.
public struct InterceptorRegistration {
    /// The registration of the interceptor itself.
    public let interceptor: Registration<any Interceptor>
    /// The routes about which it decides.
    public let routes: InterceptedRoutes
    /// The phase in which it decides.
    public let phase: InterceptionPhase

    /// The source of the registration.
    public var source: RegistrationSource { interceptor.source }
}

/// The handler of a route.
public enum RouteHandler<Destination: Route> {
    /// A feature builds a screen; the fallback is opened where the feature is not available.
    case feature(
        Registration<any Feature<Destination>>, fallback: (@MainActor (Destination) throws -> any Route)?)
    /// An action fulfils the route without a screen.
    case action(Registration<any Action<Destination>>)
    /// Another module's route fulfils it, whose output is converted.
    case adapter(
        to: any Route.Type, route: @MainActor (Destination) throws -> any Route,
        output: @MainActor (any Sendable) throws -> Destination.Output)
}

/// A registered handler of a route of any type, with the declarations of its module about the route.
@MainActor
public final class RouteRegistration {
    /// The kind of a route's handler: a feature with a screen, an action, or an adapter to another module's route.
    public enum Kind: String, Hashable, Sendable {
        case screen, action, adapter
    }

    /// The source of the handler.
    public let source: RegistrationSource
    /// The type of the route.
    public let type: any Route.Type
    /// The kind of the route's handler.
    public let kind: Kind
    /// The patterns of URLs that open the route.
    public private(set) var urls: [URLPattern] = []
    /// The identifiers of older versions.
    public private(set) var aliases: [String] = []
    /// The advice for each deprecated alias.
    public private(set) var deprecations: [Identifier: String] = [:]
    /// The route that fulfils this one of an adapter, or that is opened where a feature is not available.
    public private(set) var rerouted: (any Route.Type)?
    /// The handler, a ``RouteHandler`` of the route's type.
    public let handler: Any

    /// Creates a registration, whose handler gets the fallback among the options.
    init<Destination: Route, Handler>(
        source: RegistrationSource, options: [RouteOption<Destination, Handler>],
        handler: (
            _ fallback: (@MainActor (Destination) throws -> any Route)?
        ) -> RouteHandler<Destination>
    ) {
        (self.source, type) = (source, Destination.self)
        var openFallback: (@MainActor (Destination) throws -> any Route)?
        for option in options {
            switch option.content {
            case .url(let pattern): urls.append(pattern)
            case .alias(let identifier, let advice):
                aliases.append(identifier)
                deprecations[Identifier(identifier)] = advice
            case .fallback(let type, let route): (rerouted, openFallback) = (type, route)
            }
        }
        let handler = handler(openFallback)
        self.handler = handler
        switch handler {
        case .feature: kind = .screen
        case .action: kind = .action
        case .adapter(let provided, _, _): (kind, rerouted) = (.adapter, provided)
        }
    }

    /// The name under which the route travels in links.
    public var identifier: String { type.identifier }
    /// The name of the route's type.
    public var name: TypeName { TypeName(type) }
}
