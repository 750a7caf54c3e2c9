import RouterServiceInterface
import RouterServiceProgram

/// What one module registered; its registrar may record more, which has no effect.
@MainActor
struct Recording {
    let module: TypeName
    let services: [ServiceRegistration]
    let routes: [RouteRegistration]
    let interceptors: [InterceptorRegistration]
    let listeners: [Registration<Listener>]
    let contributions: [Contribution]

    init(_ registrar: Registrar) {
        module = registrar.module
        services = registrar.services
        routes = registrar.routes
        contributions = registrar.contributions
        (interceptors, listeners) = (registrar.interceptors, registrar.listeners)
    }
}

/// The registrations of all modules, taken together, and the mistakes among them.
///
/// It is rebuilt from the recordings of all modules when one of them is replaced.
@MainActor
struct Registry {
    /// The registrations of each module, in the order of the modules.
    let recordings: [Recording]
    /// The services, arrays of contributions first; an overridden one has its last factory.
    private(set) var services: [ServiceRegistration] = []
    private(set) var handlers: [RouteRegistration] = []
    let interceptors: [InterceptorRegistration]
    let listeners: [Registration<Listener>]
    private(set) var mistakes: [GraphProblem] = []
    /// The names of the routes in links.
    private(set) var addresses = Addresses([])
    private var serviceIndex: [ObjectIdentifier: Int] = [:]
    private var handlersByRoute: [ObjectIdentifier: RouteRegistration] = [:]
    private var conflicts: [ObjectIdentifier: GraphProblem] = [:]

    init(_ recordings: [Recording], succeeding former: Registry? = nil) {
        self.recordings = recordings
        interceptors = recordings.flatMap(\.interceptors)
        listeners = recordings.flatMap(\.listeners)
        let count = recordings.reduce(0) { $0 + $1.services.count }
        services.reserveCapacity(count)
        serviceIndex.reserveCapacity(count)
        // Before all others, so that any module may override an array.
        let contributions = recordings.flatMap(\.contributions)
        let arrays = Dictionary(grouping: contributions, by: \.source.type)
        for type in contributions.map(\.source.type) where serviceIndex[type.id] == nil {
            if let array = arrays[type].flatMap(Contribution.array) { add(array) }
        }
        for recording in recordings {
            for service in recording.services { add(service) }
            for route in recording.routes { add(route) }
        }
        addresses = Addresses(
            handlers.map {
                Addresses.Entry(
                    type: $0.type, aliases: $0.aliases, urls: $0.urls, place: $0.source.place)
            }, succeeding: former?.addresses)
    }

    func service(of type: TypeName) -> ServiceRegistration? {
        serviceIndex[type.id].map { services[$0] }
    }

    /// The mistake that keeps a service or a handler from being used.
    func conflict(of type: TypeName) -> RouterError? {
        guard !conflicts.isEmpty, let problem = conflicts[type.id] else { return nil }
        return .misregistered(problem, path: [type])
    }

    func registration(of route: any Route.Type) -> RouteRegistration? {
        handlersByRoute[ObjectIdentifier(route)]
    }

    /// The advice for a link whose name for its route is deprecated.
    func deprecation(of link: AnyRoute) -> String? {
        registration(of: type(of: link.route))?.deprecations[Identifier(link.name)]
    }

    /// The handler of a route of a known type, to which another one may have been rerouted.
    ///
    /// - Throws: `RouterError.missingHandler`, or the conflict of two handlers.
    func handler<R: Route>(
        of route: R.Type, reroutedFrom other: (any Route.Type)? = nil
    ) throws -> RouteHandler<R> {
        guard let handler = registration(of: route)?.handler as? RouteHandler<R> else {
            throw RouterError.missingHandler(
                route: TypeName(route), reroutedFrom: other.map { TypeName($0) },
                registered: other.flatMap { registration(of: $0)?.source.place })
        }
        if let conflict = conflict(of: TypeName(route)) { throw conflict }
        return handler
    }

    /// Adds a service or overrides its factory; of two for one type, the first stays.
    private mutating func add(_ service: ServiceRegistration) {
        let type = service.source.type
        guard service.lifetime != nil else {
            guard let index = serviceIndex[type.id] else {
                return conflict(GraphProblem(.nothingToOverride, of: [type], at: [service.source.place]))
            }
            services[index] = service.with(services[index].lifetime)
            conflicts[type.id] = nil
            return
        }
        guard let first = serviceIndex.updateValue(services.count, forKey: type.id) else {
            services.append(service)
            return
        }
        serviceIndex[type.id] = first
        let places = [services[first].source.place, service.source.place]
        conflict(GraphProblem(.duplicateService, of: [type], at: places))
    }

    /// Adds a handler; of two for one route, the first stays.
    private mutating func add(_ handler: RouteRegistration) {
        let route = handler.name
        if let first = handlersByRoute[route.id] {
            let places = [first.source.place, handler.source.place]
            return conflict(GraphProblem(.duplicateHandler, of: [route], at: places))
        }
        handlers.append(handler)
        handlersByRoute[route.id] = handler
    }

    /// Adds a mistake that keeps its subject from being used.
    private mutating func conflict(_ mistake: GraphProblem) {
        for subject in mistake.subjects { conflicts[subject.id] = mistake }
        mistakes.append(mistake)
    }
}

/// The interceptors of all modules, in the order in which they decide.
@MainActor
final class Interceptors {
    private let all: [InterceptorRegistration]
    /// The positions of those for routes of a type.
    private var typed: [ObjectIdentifier: [Int]] = [:]
    /// The positions of those for all routes, or for those that satisfy a condition.
    private var general: [Int] = []
    /// Those that decide about a type of route, as soon as one of the type was opened.
    private var deciding: [ObjectIdentifier: [InterceptorRegistration]] = [:]

    init(_ registry: Registry) {
        all = Self.inOrder(registry)
        for (position, interceptor) in all.enumerated() {
            switch interceptor.routes {
            case .types(let types):
                for type in Set(types.map(ObjectIdentifier.init)) {
                    typed[type, default: []].append(position)
                }
            case .all, .where: general.append(position)
            }
        }
    }

    /// Those that decide about a type of route, in order.
    func deciding(on route: any Route.Type) -> [InterceptorRegistration] {
        if let found = deciding[ObjectIdentifier(route)] { return found }
        let conditional = general.filter {
            if case .where(let isMeant) = all[$0].routes { isMeant(route) } else { true }
        }
        let found = (conditional + typed[ObjectIdentifier(route), default: []]).sorted().map { all[$0] }
        deciding[ObjectIdentifier(route)] = found
        return found
    }

    /// All by phase, and within one, those of a module after those of the modules whose services they depend on, at any
    /// distance; otherwise in the order of the modules.
    private static func inOrder(_ registry: Registry) -> [InterceptorRegistration] {
        let services = registry.services
        let index = Dictionary(uniqueKeysWithValues: services.enumerated().map { ($1.type, $0) })
        // A graph of the services and, behind them, the modules that have interceptors.
        let modules = registry.recordings.filter { !$0.interceptors.isEmpty }
        let positions = Dictionary(
            modules.enumerated().map { ($1.module, services.count + $0) },
            uniquingKeysWith: { first, _ in first })
        func used(by source: RegistrationSource) -> [Int] {
            source.dependencies.compactMap { index[$0.service] }
        }
        let nodes = 0..<services.count + modules.count
        let order = postorder(of: nodes, from: nodes.dropFirst(services.count)) { node in
            guard node < services.count else {
                return modules[node - services.count].interceptors.flatMap { used(by: $0.source) }
            }
            let source = services[node].source
            return used(by: source) + [positions[source.module]].compactMap { $0 }
        }
        let interceptors = order.filter { $0 >= services.count }.flatMap {
            modules[$0 - services.count].interceptors
        }
        return InterceptionPhase.allCases.flatMap { phase in interceptors.filter { $0.phase == phase } }
    }
}
