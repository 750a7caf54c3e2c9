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
        addLifetimes()
        addUnusedServices()
    }

    /// The consumers of services from outside the graph: the router, handlers, interceptors and listeners.
    private var consumers:
        [(path: [TypeName], source: RegistrationSource?, dependencies: [ServiceDependency])]
    {
        let presenter = ServiceDependency(parameter: (any Presenter).self)
        let sources = registry.interceptors.map(\.source) + registry.listeners.map(\.source)
        return [([TypeName(RouterService.self)], nil, [presenter])]
            + registry.handlers.map(\.details).flatMap { route in
                (route.versions + [route.source]).map { ([route.name, $0.type], $0, $0.dependencies) }
            } + sources.map { ([$0.module, $0.type], $0, $0.dependencies) }
    }

    /// Dependencies that are not registered, each on the first path that leads there, and cycles.
    private mutating func addMissingServicesAndCycles() {
        // What is overridden in vain is one problem, and not another one for each that needs it.
        let overriddenInVain = problems.filter { $0.kind == .nothingToOverride }.flatMap(\.subjects)
        var paths: [TypeName: [TypeName]] = [:]
        var visited = Array(repeating: false, count: graph.services.count)
        var suggestions: [TypeName: TypeName?] = [:]

        func missing(
            _ source: RegistrationSource?, _ dependencies: [ServiceDependency], along path: [TypeName]
        )
            -> [GraphProblem]
        {
            dependencies.compactMap { dependency in
                let type = dependency.service
                guard graph.position(of: type) == nil, !dependency.isOptional else { return nil }
                guard !overriddenInVain.contains(type) else {
                    paths[type] = paths[type] ?? path + [type]
                    return nil
                }
                let nearest = suggestions[type] ?? nearestType(to: type, among: registry.services.map(\.type))
                suggestions[type] = nearest
                return GraphProblem(
                    .missingService, of: [type] + path.suffix(1), at: source.map { [$0.place] } ?? [],
                    along: path + [type], nearest: nearest)
            }
        }
        // A walk with a stack of its own: the services that are left to visit, each with the path to it as a chain.
        final class Step {
            let type: TypeName
            let before: Step?
            init(_ type: TypeName, after before: Step?) { (self.type, self.before) = (type, before) }
            var path: [TypeName] { sequence(first: self, next: \.before).map(\.type).reversed() }
        }
        func visit(
            from start: [TypeName], _ source: RegistrationSource?, _ dependencies: [ServiceDependency]
        ) -> [GraphProblem] {
            var found = missing(source, dependencies, along: start)
            let first = start.reduce(nil as Step?) { Step($1, after: $0) }
            var pending = dependencies.reversed().compactMap { graph.held(by: $0).map { ($0, first) } }
            while let (service, before) = pending.popLast() {
                guard !visited[service] else { continue }
                visited[service] = true
                let step = Step(graph.services[service].type, after: before)
                let source = graph.services[service].source
                let dependencies = source.dependencies
                if dependencies.contains(where: { graph.position(of: $0.service) == nil }) {
                    found += missing(source, dependencies, along: step.path)
                }
                pending += dependencies.reversed().compactMap { graph.held(by: $0).map { ($0, step) } }
            }
            return found
        }
        for (path, source, dependencies) in consumers { problems += visit(from: path, source, dependencies) }
        for service in graph.services {
            problems += visit(from: [], nil, [ServiceDependency(service.type)])
        }
        problems = problems.map { problem in
            guard let subject = problem.subjects.first, let path = paths[subject],
                problem.kind == .nothingToOverride
            else { return problem }
            return GraphProblem(problem.kind, of: problem.subjects, at: problem.places, along: path)
        }
        problems += walk.cycles.map { GraphProblem(.cycle, of: Array($0.dropLast()), along: $0) }
    }

    /// Fallbacks and adapters that lead to a route without a handler, or back.
    ///
    /// A route may fall back to another value of its own type; whether that leads back is known only when it is opened.
    private mutating func addUnreachableRoutes() {
        var visited: Set<TypeName> = []
        for start in registry.handlers where visited.insert(start.details.name).inserted {
            var path: [(handler: any AnyRouteRegistration, next: Int)] = [(start, 0)]
            while let (handler, next) = path.last {
                let route = handler.details.name
                let successors = [handler.details.adapted, handler.details.fallback].compactMap { $0 }
                guard next < successors.count else {
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let successor = TypeName(successors[next])
                let isFallbackToItself = successor == route && handler.details.adapted == nil
                guard !isFallbackToItself else { continue }
                let isOnPath = path.contains { $0.handler.details.name == successor }
                if let handler = registry.anyHandler(of: successors[next]), !isOnPath {
                    if visited.insert(successor).inserted { path.append((handler, 0)) }
                } else {
                    let names = path.map { $0.handler.details.name } + [successor]
                    problems.append(
                        GraphProblem(
                            .unreachableRoute, of: [route, successor], at: [handler.details.source.place],
                            along: names))
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
            TypeName((any Router).self), TypeName(RouteCatalog.self),
        ])
        for service in graph.services where !used.contains(service.type) {
            problems.append(GraphProblem(.unusedService, of: [service.type], at: [service.source.place]))
        }
    }
}
