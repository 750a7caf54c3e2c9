/// The source of a registration, and the dependencies of its factory.
public struct RegistrationSource: Sendable {
    /// The type of the service, the feature, the action, the interceptor or the event.
    public let type: TypeName
    /// The module entry that registered it.
    public let module: TypeName
    let fileID: String
    let line: Int
    fileprivate var parameters: [any Any.Type]

    init(
        _ type: any Any.Type, in module: TypeName, _ parameters: [any Any.Type], _ fileID: String, _ line: Int
    ) {
        self.type = TypeName(type)
        self.module = module
        self.fileID = fileID
        self.line = line
        self.parameters = parameters
    }

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
    /// The source of the registration; for an array of contributions, that of the first with the dependencies of all.
    public let source: RegistrationSource
    private let contributions: [RegistrationSource]
    /// The lifetime of an instance; nil for one that overrides another, whose lifetime it gets in a router.
    public let lifetime: Lifetime?
    /// Whether the instance has to be awaited.
    public let isAsynchronous: Bool
    private let open: @MainActor (any ServiceFactoryVisitor) throws -> Void

    init(
        source: RegistrationSource, contributions: [RegistrationSource] = [], lifetime: Lifetime?,
        isAsynchronous: Bool = false,
        open: @escaping @MainActor (any ServiceFactoryVisitor) throws -> Void
    ) {
        self.source = source
        self.contributions = contributions
        self.lifetime = lifetime
        (self.isAsynchronous, self.open) = (isAsynchronous, open)
    }

    /// The sources of all contributions to an array; for any other service, its own.
    public var sources: [RegistrationSource] { contributions.isEmpty ? [source] : contributions }
    /// The type under which the service is registered.
    public var type: TypeName { source.type }

    /// Hands the factory to a visitor, with its type.
    public func accept(_ visitor: any ServiceFactoryVisitor) throws { try open(visitor) }

    /// The same registration with another lifetime.
    public func with(_ lifetime: Lifetime?) -> ServiceRegistration {
        ServiceRegistration(source: source, lifetime: lifetime, isAsynchronous: isAsynchronous, open: open)
    }
}

/// The factory of a service.
public enum ServiceFactory<Service> {
    /// At once, when the service is needed: `bind` finds the sources of the parameters, once, and its result creates an
    /// instance each time. `recall` casts an object, which costs a third of a cast in a generic function.
    case immediate(
        bind: @MainActor (any DependencyResolver) -> @MainActor () throws -> Service,
        recall: @MainActor (consuming AnyObject) throws -> Service)
    /// Before the first screen, awaited.
    case asynchronous(@MainActor (any DependencyResolver) async throws -> Service)
}

/// Receives the factory of a service of any type.
@MainActor
public protocol ServiceFactoryVisitor: AnyObject {
    /// Visits the factory.
    func visit<Service>(_ factory: ServiceFactory<Service>) throws
}

/// A value that a module contributes to the array of its type.
@MainActor
public struct Contribution {
    /// The source of the registration; its type is that of the array.
    public let source: RegistrationSource
    private let factory: Any
    private let open: @MainActor ([Contribution], any ServiceFactoryVisitor) throws -> Void

    /// The factory of a value.
    private struct Factory<Value> {
        let bind: @MainActor (any DependencyResolver) -> @MainActor () throws -> Value
    }

    init<Value>(
        source: RegistrationSource,
        bind: @escaping @MainActor (any DependencyResolver) -> @MainActor () throws -> Value
    ) {
        (self.source, factory) = (source, Factory(bind: bind))
        open = { contributions, visitor in
            let factories = contributions.compactMap { $0.factory as? Factory<Value> }
            try visitor.visit(
                ServiceFactory<[Value]>.immediate(
                    bind: { resolver in
                        let values = factories.map { $0.bind(resolver) }
                        return { try values.map { try $0() } }
                    },
                    recall: { _ in throw CancellationError() }))
        }
    }

    /// The array of contributions to one type, with the values in this order, as a service; nil without any.
    public static func array(of contributions: [Contribution]) -> ServiceRegistration? {
        guard let first = contributions.first else { return nil }
        var source = first.source
        source.parameters = contributions.flatMap(\.source.parameters)
        return ServiceRegistration(
            source: source, contributions: contributions.map(\.source), lifetime: .transient
        ) { try first.open(contributions, $0) }
    }
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
    /// A feature builds a screen, unless another version is available; the fallback is opened where neither is.
    case feature(
        Registration<any Feature<Destination>>, versions: [Registration<any Feature<Destination>>],
        fallback: (@MainActor (Destination) throws -> any Route)?)
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
    /// The sources of the handler and of other versions of the screen, in the order in which they are asked.
    public let sources: [RegistrationSource]
    /// The patterns of URLs that open the route.
    public private(set) var urls: [URLPattern] = []
    /// The identifiers of older versions.
    public private(set) var aliases: [String] = []
    /// The advice for each deprecated alias.
    public private(set) var deprecations: [Identifier: String] = [:]
    /// The route that is opened where the handler is not available.
    public private(set) var fallback: (any Route.Type)?
    /// The route that fulfils this one; nil unless the handler is an adapter.
    public let adapted: (any Route.Type)?
    /// The handler, a ``RouteHandler`` of the route's type.
    public let handler: Any

    /// Creates a registration, whose handler gets the other versions and the fallback among the options.
    init<Destination: Route, Handler>(
        source: RegistrationSource, options: [RouteOption<Destination, Handler>],
        handler: (
            _ versions: [Registration<Handler>], _ fallback: (@MainActor (Destination) throws -> any Route)?
        ) -> RouteHandler<Destination>
    ) {
        (self.source, type) = (source, Destination.self)
        var versions: [Registration<Handler>] = []
        var openFallback: (@MainActor (Destination) throws -> any Route)?
        for option in options {
            switch option.content {
            case .url(let pattern): urls.append(pattern)
            case .alias(let identifier, let advice):
                aliases.append(identifier)
                deprecations[Identifier(identifier)] = advice
            case .fallback(let type, let route): (fallback, openFallback) = (type, route)
            case .version(let type, let parameters, let create):
                let source = RegistrationSource(
                    type, in: source.module, parameters, source.fileID, source.line)
                versions.append(Registration(source: source, create: create))
            }
        }
        let handler = handler(versions, openFallback)
        self.handler = handler
        switch handler {
        case .feature: (kind, adapted) = (.screen, nil)
        case .action: (kind, adapted) = (.action, nil)
        case .adapter(let provided, _, _): (kind, adapted) = (.adapter, provided)
        }
        sources = versions.map(\.source) + [source]
    }

    /// The name under which the route travels in links.
    public var identifier: String { type.identifier }
    /// The name of the route's type.
    public var name: TypeName { TypeName(type) }
}
