import RouterServiceInterface
public import RouterServiceProgram

extension RouterService {
    /// Checks the whole graph from the registered dependencies, without creating a service, a handler or a screen.
    public func validate() -> [GraphProblem] { Validation(registry).problems }
}

/// Every problem of a graph, found from the registrations alone in a time that grows with them.
@MainActor
struct Validation {
    private(set) var problems: [GraphProblem]
    private let registry: Registry
    private let graph: DependencyGraph
    /// All services, each after those that it holds, and the cycles among them.
    private let walk: (order: [Int], cycles: [[TypeName]])

    init(_ registry: Registry) {
        self.registry = registry
        graph = DependencyGraph(registry)
        walk = graph.order(from: graph.services.indices)
        problems = registry.mistakes + registry.addresses.problems
        addMissingServicesAndCycles()
        addUnreachableRoutes()
        addUnknownParameters()
        addLifetimes()
        addUnusedServices()
        addUnusedInterceptors()
    }

    private typealias Consumer = (
        path: [TypeName], source: RegistrationSource?, dependencies: [ServiceDependency]
    )

    /// The consumers of services from outside the graph: the router, handlers, interceptors and listeners.
    private var consumers: [Consumer] {
        let presenter = ServiceDependency(parameter: (any Presenter).self)
        let sources = registry.interceptors.map(\.source) + registry.listeners.map(\.source)
        return [([TypeName(RouterService.self)], nil, [presenter])]
            + registry.handlers.flatMap { route in
                route.sources.map { ([route.name, $0.type], $0, $0.dependencies) }
            } + sources.map { ([$0.module, $0.type], $0, $0.dependencies) }
    }

    /// Dependencies that are not registered, each on the first path that leads there, and cycles.
    private mutating func addMissingServicesAndCycles() {
        // What is overridden in vain is one problem, and not another one for each that needs it.
        let overriddenInVain = problems.filter { $0.kind == .nothingToOverride }.flatMap(\.subjects)
        var paths: [TypeName: [TypeName]] = [:]
        var visited: Set<Int> = []

        /// A consumer, or a service that is held by the one before it.
        final class Step {
            let consumer: Consumer
            let service: Int?
            let before: Step?

            init(_ consumer: Consumer, service: Int? = nil, after before: Step? = nil) {
                self.consumer = consumer
                self.service = service
                self.before = before
            }
            var path: [TypeName] { sequence(first: self, next: \.before).reversed().flatMap(\.consumer.path) }
        }
        func step(to service: Int, after before: Step? = nil) -> Step {
            let source = graph.services[service].source
            return Step(([source.type], source, source.dependencies), service: service, after: before)
        }
        /// The dependencies of a step, each with the line of the registration that has it.
        func needs(of step: Step) -> [(dependency: ServiceDependency, place: String?)] {
            guard let service = step.service else {
                return step.consumer.dependencies.map { ($0, step.consumer.source?.place) }
            }
            return graph.services[service].sources.flatMap { source in
                source.dependencies.map { ($0, source.place) }
            }
        }
        // A walk with a stack of its own: what the consumers hold, then the services that none of them holds.
        var pending = graph.services.indices.reversed().map { step(to: $0) }
        pending += consumers.reversed().map { Step($0) }
        while let current = pending.popLast() {
            guard current.service.map({ visited.insert($0).inserted }) ?? true else { continue }
            for (dependency, place) in needs(of: current) where !dependency.isOptional {
                let type = dependency.service
                guard graph.position(of: type) == nil else { continue }
                let path = current.path + [type]
                guard !overriddenInVain.contains(type) else {
                    paths[type] = paths[type] ?? path
                    continue
                }
                problems.append(
                    GraphProblem(
                        .missingService, of: [type] + path.dropLast().suffix(1),
                        at: place.map { [$0] } ?? [], along: path))
            }
            let held = current.consumer.dependencies.compactMap { graph.held(by: $0) }
            pending += held.filter { !visited.contains($0) }.reversed().map { step(to: $0, after: current) }
        }
        problems = problems.map { problem in
            guard let subject = problem.subjects.first, let path = paths[subject],
                problem.kind == .nothingToOverride
            else { return problem }
            return GraphProblem(problem.kind, of: problem.subjects, at: problem.places, along: path)
        }
        problems += walk.cycles.map { cycle in
            // Of several contributions, any may lead back.
            let sources = cycle.first.flatMap { registry.service(of: $0)?.sources } ?? []
            return GraphProblem(
                .cycle, of: Array(cycle.dropLast()), at: sources.map(\.place), along: cycle)
        }
    }

    /// Fallbacks and adapters that lead to a route without a handler, or back.
    ///
    /// A route may fall back to another value of its own type; whether that leads back is known only when it is opened.
    private mutating func addUnreachableRoutes() {
        var visited: Set<TypeName> = []
        for start in registry.handlers where visited.insert(start.name).inserted {
            var path: [(handler: RouteRegistration, next: Int)] = [(start, 0)]
            while let (handler, next) = path.last {
                let route = handler.name
                let successors = [handler.adapted, handler.fallback].compactMap { $0 }
                guard next < successors.count else {
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let successor = TypeName(successors[next])
                let isFallbackToItself = successor == route && handler.adapted == nil
                guard !isFallbackToItself else { continue }
                let isOnPath = path.contains { $0.handler.name == successor }
                if let handler = registry.registration(of: successors[next]), !isOnPath {
                    if visited.insert(successor).inserted { path.append((handler, 0)) }
                } else {
                    let names = path.map { $0.handler.name } + [successor]
                    problems.append(
                        GraphProblem(
                            .unreachableRoute, of: [route, successor], at: [handler.source.place],
                            along: names))
                }
            }
        }
    }

    /// Parameters of URL patterns that their routes do not read.
    private mutating func addUnknownParameters() {
        for route in registry.handlers {
            for pattern in route.urls {
                problems += registry.addresses.unreadParameters(of: pattern, by: route.type).map {
                    GraphProblem(.unknownParameter(pattern, $0), of: [route.name], at: [route.source.place])
                }
            }
        }
    }

    /// Services whose lifetime does not suit their dependencies or their type.
    private mutating func addLifetimes() {
        // For each service that lives no longer than its holder, the services of scopes that it holds, and by way of which.
        var scoped: [Int: [Int: Int]] = [:]
        for index in walk.order {
            var found: [Int: Int] = [:]
            for dependency in graph.held[index] {
                switch graph.services[dependency].lifetime {
                case .scope: found[dependency] = dependency
                case .transient, .weak:
                    for service in scoped[dependency, default: [:]].keys { found[service] = dependency }
                case .singleton, nil: break
                }
            }
            if !found.isEmpty { scoped[index] = found }
        }
        for (index, holder) in graph.services.enumerated() {
            if holder.lifetime == .weak, holder.type.isValueType {
                problems.append(
                    GraphProblem(.weakValueType, of: [holder.type], at: [holder.source.place]))
            }
            // A weak or transient service lives no longer than its holder, which is checked itself.
            guard let lifetime = holder.lifetime, ![.weak, .transient].contains(lifetime) else { continue }
            for service in scoped[index, default: [:]].keys.sorted() {
                guard case .scope(let scope) = graph.services[service].lifetime,
                    lifetime != .scope(scope)
                else { continue }
                var path = [index]
                while let last = path.last, last != service, let next = scoped[last]?[service] {
                    path.append(next)
                }
                problems.append(
                    GraphProblem(
                        .outlivesDependency(lifetime, scope),
                        of: [holder.type, graph.services[service].type], at: [holder.source.place],
                        along: path.map { graph.services[$0].type }))
            }
        }
    }

    /// Services that nothing depends on; the router's own and the presenter are for the router.
    private mutating func addUnusedServices() {
        let dependencies = consumers.flatMap(\.dependencies) + graph.services.flatMap(\.source.dependencies)
        let used = Set(dependencies.map(\.service)).union([
            TypeName((any Router).self), TypeName((any RouteCatalog).self),
        ])
        for service in graph.services where !used.contains(service.type) {
            problems.append(
                GraphProblem(.unusedService, of: [service.type], at: service.sources.map(\.place)))
        }
    }

    /// Interceptors that decide about no registered route.
    private mutating func addUnusedInterceptors() {
        for interceptor in registry.interceptors {
            let isUsed =
                switch interceptor.routes {
                case .all: true
                case .types(let types): types.contains { registry.registration(of: $0) != nil }
                case .where(let condition): registry.handlers.contains { condition($0.type) }
                }
            if !isUsed {
                let source = interceptor.source
                problems.append(GraphProblem(.unusedInterceptor, of: [source.type], at: [source.place]))
            }
        }
    }
}
