import RouterServiceInterface
public import RouterServiceProgram

extension RouterService {
    public func validate() -> [GraphProblem] { Validation(registry).problems }
}

/// Finds every problem of a graph in a time that is proportional to its registrations.
@MainActor
struct Validation {
    private(set) var problems: [GraphProblem]
    private let registry: Registry
    /// The services, followed by their other consumers: the router, handlers, interceptors and listeners.
    private let nodes: [Node]
    private let walk: (order: [Int], cycles: [[TypeKey]])

    /// A service or a consumer, with its dependencies, each with its registration.
    private typealias Node = (
        path: [TypeKey], needs: [(dependency: ServiceDependency, source: RegistrationSource?)]
    )

    init(_ registry: Registry) {
        self.registry = registry
        func node(_ path: [TypeKey], _ sources: [RegistrationSource]) -> Node {
            (path, sources.flatMap { source in source.dependencies.map { ($0, source) } })
        }
        let presenter = ServiceDependency(parameter: (any Presenter).self)
        let sources = registry.modules.flatMap { $0.interceptors.map(\.source) + $0.listeners.map(\.source) }
        let handlers = registry.handlers.map { node([$0.name, $0.source.type], [$0.source]) }
        nodes =
            registry.services.map { node([$0.type], $0.sources) }
            + [([TypeKey(RouterService.self)], [(presenter, nil)])] + handlers
            + sources.map { node([$0.module, $0.type], [$0]) }
        walk = registry.graph.order(from: registry.services.indices)
        problems = registry.mistakes + registry.addresses.problems
        addMissingServicesAndCycles()
        addUnreachableRoutes()
        addLifetimes()
        addUnusedServices()
        addUnusedInterceptors()
    }

    /// Dependencies that are not registered, each with a path from a consumer, and cycles.
    private mutating func addMissingServicesAndCycles() {
        let roots = nodes.indices.dropFirst(registry.services.count) + Array(registry.services.indices)
        // The first holder of each service; a service that nothing holds has itself.
        var holders: [Int: Int] = [:]
        _ = postorder(of: nodes.indices, from: roots) { node in
            holders[node] = holders[node] ?? node
            let held = nodes[node].needs.compactMap { registry.held(by: $0.dependency) }
            for service in held where holders[service] == nil { holders[service] = node }
            return held
        }
        for node in roots {
            // Several parameters may have the same type.
            var reported: [String?: Set<TypeKey>] = [:]
            for (dependency, source) in nodes[node].needs where !dependency.isOptional {
                let type = dependency.service
                // An override of nothing is a problem of its own.
                guard registry.position(of: type) == nil, registry.conflict(of: type) == nil,
                    reported[source?.place, default: []].insert(type).inserted
                else { continue }
                let holding = sequence(first: node) { holders[$0] == $0 ? nil : holders[$0] }
                let path = holding.reversed().flatMap { nodes[$0].path } + [type]
                problems.append(
                    GraphProblem(
                        .missingService, of: [type] + path.dropLast().suffix(1),
                        at: [source?.place].compactMap(\.self), along: path))
            }
        }
        problems += walk.cycles.map { cycle in
            let places = cycle.first.flatMap { registry.service(of: $0)?.places } ?? []
            return GraphProblem(.cycle, of: Array(cycle.dropLast()), at: places, along: cycle)
        }
    }

    /// Fallbacks and adapters that lead to a route without a handler, or back.
    ///
    /// A route may fall back to another value of its own type, which is checked when it is opened.
    private mutating func addUnreachableRoutes() {
        let handlers = registry.handlers
        let positions = Dictionary(
            handlers.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var found: [(path: [TypeKey], last: RouteRegistration)] = []
        _ = postorder(of: handlers.indices, from: handlers.indices) { index in
            let handler = handlers[index]
            guard let next = handler.rerouted.map({ TypeKey($0) }),
                next != handler.name || handler.kind == .adapter
            else { return [] }
            if positions[next] == nil { found.append(([handler.name, next], handler)) }
            return [positions[next]].compactMap(\.self)
        } onCycle: { cycle in
            found.append((cycle.map { handlers[$0].name }, handlers[cycle[cycle.count - 2]]))
        }
        problems += found.map { path, last in
            GraphProblem(.unreachableRoute, of: path.suffix(2), at: [last.source.place], along: path)
        }
    }

    /// Services whose lifetimes do not suit their dependencies or their types.
    private mutating func addLifetimes() {
        // For each service, the services of scopes that it holds, each with the dependency that leads there.
        var scoped: [Int: [Int: Int]] = [:]
        for index in walk.order {
            var found: [Int: Int] = [:]
            for dependency in registry.graph.held[index] {
                switch registry.services[dependency].lifetime {
                case .scope: found[dependency] = dependency
                case .transient, .weak:
                    for service in scoped[dependency, default: [:]].keys { found[service] = dependency }
                case .singleton, nil: break
                }
            }
            if !found.isEmpty { scoped[index] = found }
        }
        for (index, holder) in registry.services.enumerated() {
            if holder.lifetime == .weak, holder.type.isValueType {
                problems.append(GraphProblem(.weakValueType, of: [holder.type], at: holder.places))
            }
            // A weak or transient service lives no longer than its holder, which is checked.
            guard let lifetime = holder.lifetime, ![.weak, .transient].contains(lifetime) else { continue }
            for service in scoped[index, default: [:]].keys.sorted() {
                guard case .scope(let scope) = registry.services[service].lifetime,
                    lifetime != .scope(scope)
                else { continue }
                var path = [index]
                while let last = path.last, last != service, let next = scoped[last]?[service] {
                    path.append(next)
                }
                problems.append(
                    GraphProblem(
                        .outlivesDependency(lifetime, scope),
                        of: [holder.type, registry.services[service].type], at: holder.places,
                        along: path.map { registry.services[$0].type }))
            }
        }
    }

    /// Services that nothing depends on.
    private mutating func addUnusedServices() {
        let used = Set(nodes.flatMap(\.needs).map(\.dependency.service)).union([
            TypeKey((any Router).self), TypeKey((any RouteCatalog).self),
        ])
        for service in registry.services where !used.contains(service.type) {
            problems.append(
                GraphProblem(.unused, of: [service.type], at: service.places))
        }
    }

    /// Interceptors that decide about no registered route.
    private mutating func addUnusedInterceptors() {
        for interceptor in registry.modules.flatMap(\.interceptors) {
            let isUsed =
                if case .types(let types) = interceptor.routes {
                    types.contains { registry.registration(of: $0) != nil }
                } else {
                    registry.handlers.contains { interceptor.routes.contains($0.type) }
                }
            if !isUsed {
                let source = interceptor.source
                problems.append(GraphProblem(.unused, of: [source.type], at: [source.place]))
            }
        }
    }
}
