/// What one module registers, each kind in the order of registration.
public struct Registrations {
    public let module: TypeKey
    public var services: [ServiceRegistration] = []
    public internal(set) var routes: [RouteRegistration] = []
    public internal(set) var interceptors: [InterceptorRegistration] = []
    public internal(set) var listeners: [Registration<Listener>] = []
    /// The contributed values, each with the type of its array and the factory of the value.
    public internal(set) var contributions: [ServiceRegistration] = []
}

/// The source of a registration, and the dependencies of its factory.
public struct RegistrationSource: Sendable {
    /// The type of the service, the feature, the action, the interceptor or the event.
    public let type: TypeKey
    public let module: TypeKey
    let fileID: String
    let line: Int
    let parameters: [any Any.Type]

    /// The services that the factory depends on; computed, because the types of parameters take long to read.
    public var dependencies: [ServiceDependency] { parameters.map(ServiceDependency.init) }

    /// The line of the registration, for example `LoginImplementation/LoginModule.swift:9`.
    public var place: String { "\(fileID):\(line)" }
}

/// A registered service, or the override of a service; a class, because several lists hold it.
@MainActor
public final class ServiceRegistration {
    private let source: RegistrationSource
    private let others: [RegistrationSource]
    /// The lifetime of an instance; nil for an override, which keeps the lifetime of the service.
    public let lifetime: Lifetime?
    public let isAsynchronous: Bool
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

    public var type: TypeKey { source.type }
    /// The source of the registration; for an array, the sources of all contributions.
    public var sources: [RegistrationSource] { [source] + others }
    public var places: [String] { sources.map(\.place) }
    public var dependencies: [ServiceDependency] { sources.flatMap(\.dependencies) }

    public func with(_ lifetime: Lifetime?) -> ServiceRegistration {
        ServiceRegistration(
            source: source, others: others, lifetime: lifetime, isAsynchronous: isAsynchronous,
            factory: factory)
    }

    /// A service that is the array of some contributions to one type; nil without contributions.
    public static func array(of contributions: [ServiceRegistration]) -> ServiceRegistration? {
        guard let first = contributions.first else { return nil }
        func array<Factory: AnyServiceFactory>(like first: Factory) -> any AnyServiceFactory {
            let factories = contributions.compactMap { $0.factory() as? ServiceFactory<Factory.Service> }
            return ServiceFactory<[Factory.Service]>.immediate { resolver in
                let values = factories.compactMap { factory in
                    if case .immediate(let bind) = factory { bind(resolver) } else { nil }
                }
                return { try values.map { try $0() } }
            }
        }
        let others = contributions.dropFirst().map(\.source)
        return ServiceRegistration(source: first.source, others: others, lifetime: first.lifetime) {
            array(like: first.factory())
        }
    }
}

public enum ServiceFactory<Service>: AnyServiceFactory {
    /// Finds the sources of the parameters; each call of the result creates an instance.
    case immediate(@MainActor (any DependencyResolver) -> @MainActor () throws -> Service)
    case asynchronous(@MainActor (any DependencyResolver) async throws -> Service)

    public var typed: Self { self }
}

/// The factory of a service of any type.
public protocol AnyServiceFactory {
    associatedtype Service
    var typed: ServiceFactory<Service> { get }
}

/// A registration of an interceptor, a feature, an action or a listener, which is created for each call.
public struct Registration<Value> {
    public let source: RegistrationSource
    public let create: @MainActor (any DependencyResolver) throws -> Value
}

public typealias Listener = @MainActor (any Event) async throws -> Void

public struct InterceptorRegistration {
    public let interceptor: Registration<any Interceptor>
    public let routes: InterceptedRoutes
    public let phase: InterceptionPhase

    public var source: RegistrationSource { interceptor.source }
}

public enum RouteHandler<Destination: Route> {
    /// A feature builds a screen; its fallback is opened where the feature is not available.
    case feature(
        Registration<any Feature<Destination>>, fallback: (@MainActor (Destination) throws -> any Route)?)
    case action(Registration<any Action<Destination>>)
    /// Another module's route is opened, whose output is converted.
    case adapter(
        to: any Route.Type, route: @MainActor (Destination) throws -> any Route,
        output: @MainActor (any Sendable) throws -> Destination.Output)
}

/// The registered handler of a type of route, with its options.
@MainActor
public final class RouteRegistration {
    public enum Kind: String, Hashable, Sendable {
        case screen, action, adapter
    }

    public let source: RegistrationSource
    public let type: any Route.Type
    public let kind: Kind
    public private(set) var urls: [String] = []
    /// The route to which an adapter leads, or a fallback.
    public private(set) var rerouted: (any Route.Type)?
    /// The handler, a ``RouteHandler`` of the route's type.
    public let handler: Any

    init<Destination: Route, Handler>(
        source: RegistrationSource, options: [RouteOption<Destination, Handler>],
        handler: (
            _ fallback: (@MainActor (Destination) throws -> any Route)?
        ) -> RouteHandler<Destination>
    ) {
        self.source = source
        type = Destination.self
        var openFallback: (@MainActor (Destination) throws -> any Route)?
        for option in options {
            switch option.content {
            case .url(let pattern): urls.append(pattern)
            case .fallback(let type, let route):
                rerouted = type
                openFallback = route
            }
        }
        let handler = handler(openFallback)
        self.handler = handler
        switch handler {
        case .feature: kind = .screen
        case .action: kind = .action
        case .adapter(let provided, _, _):
            kind = .adapter
            rerouted = provided
        }
    }

    public var identifier: String { type.identifier }
    public var name: TypeKey { TypeKey(type) }
}
