import RouterServiceInterface
import RouterServiceProgram

/// The registrations of all modules, taken together, and the mistakes among them.
@MainActor
struct Registry {
    var modules: [Registrations]
    /// The services, arrays of contributions first; an overridden service has its last factory.
    var services: [ServiceRegistration] = []
    var handlers: [RouteRegistration] = []
    private(set) var mistakes: [GraphProblem] = []
    private(set) var addresses = Addresses([])
    private(set) var graph = DependencyGraph(of: [], services: [], positions: [:])
    private var serviceIndex: [ObjectIdentifier: Int] = [:]
    private var conflicts: [ObjectIdentifier: GraphProblem] = [:]
    private var handlerIndex: [ObjectIdentifier: Int] = [:]

    init(_ modules: [Registrations]) {
        self.modules = modules
        let count = modules.reduce(0) { $0 + $1.services.count }
        services.reserveCapacity(count)
        serviceIndex.reserveCapacity(count)
        // Arrays come first, so that any module may override an array.
        let contributions = modules.flatMap(\.contributions)
        let arrays = Dictionary(grouping: contributions, by: \.type)
        for type in contributions.map(\.type) where serviceIndex[type.id] == nil {
            if let array = arrays[type].flatMap(ServiceRegistration.array) { add(array) }
        }
        for module in modules {
            for service in module.services { add(service) }
            for route in module.routes { add(route) }
        }
        addresses = Addresses(handlers)
        graph = DependencyGraph(of: modules, services: services, positions: serviceIndex)
    }

    func position(of service: TypeKey) -> Int? { serviceIndex[service.id] }

    /// The position of the service that a dependency holds; nil for a deferred dependency.
    func held(by dependency: ServiceDependency) -> Int? {
        dependency.isDeferred ? nil : position(of: dependency.service)
    }

    func service(of type: TypeKey) -> ServiceRegistration? { position(of: type).map { services[$0] } }

    /// The mistake that keeps a service or a handler from being used.
    func conflict(of type: TypeKey) -> RouterError? {
        guard !conflicts.isEmpty, let problem = conflicts[type.id] else { return nil }
        return .misregistered(problem, path: [type])
    }

    func handlerPosition(of route: any Route.Type) -> Int? { handlerIndex[ObjectIdentifier(route)] }

    func registration(of route: any Route.Type) -> RouteRegistration? {
        handlerPosition(of: route).map { handlers[$0] }
    }

    func handler<R: Route>(of route: R.Type) throws -> RouteHandler<R> {
        let name = TypeKey(route)
        guard let position = handlerIndex[name.id],
            let handler = handlers[position].handler as? RouteHandler<R>
        else {
            throw RouterError.missingHandler(route: name)
        }
        if let problem = conflicts[name.id] { throw RouterError.misregistered(problem, path: [name]) }
        return handler
    }

    /// Adds a service, or overrides its factory; of two services of one type, the first stays.
    private mutating func add(_ service: ServiceRegistration) {
        let type = service.type
        guard service.lifetime != nil else {
            guard let index = serviceIndex[type.id] else {
                return conflict(GraphProblem(.nothingToOverride, of: [type], at: service.places))
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
        let places = services[first].places.prefix(1) + service.places
        conflict(GraphProblem(.duplicate, of: [type], at: Array(places)))
    }

    /// Adds a handler; of two handlers of one route, the first stays.
    private mutating func add(_ handler: RouteRegistration) {
        let route = handler.name
        if let first = handlerIndex[route.id] {
            let places = [handlers[first].source.place, handler.source.place]
            return conflict(GraphProblem(.duplicate, of: [route], at: places))
        }
        handlerIndex[route.id] = handlers.count
        handlers.append(handler)
    }

    /// Adds a mistake that keeps its subject from being used.
    private mutating func conflict(_ mistake: GraphProblem) {
        for subject in mistake.subjects { conflicts[subject.id] = mistake }
        mistakes.append(mistake)
    }
}
