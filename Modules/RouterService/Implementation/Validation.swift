public import RouterServiceInterface

extension RouterService {
    /// Checks the whole graph from the registered needs, without creating a service, a feature or a screen.
    ///
    /// - Returns: All problems: what is registered twice, what something needs and nobody registered, services
    ///   that need one another in a cycle, and identifiers that clash or cannot stand in a link.
    public func validate() -> [RouterError] {
        var walk = GraphWalk(services: registry.services.all.map(\.registration))
        walk.visit(TypeName((any Presenter).self), along: [TypeName(RouterService.self)])
        for handler in registry.handlers {
            walk.visit(handler.registration, along: [TypeName(handler.routeType)])
        }
        for service in registry.services.all {
            walk.visit(service.registration.type, along: [])
        }
        return registry.mistakes + walk.problems
    }
}

/// A walk along needs, depth first: each registration is visited once, on the first path that leads there.
private struct GraphWalk {
    private(set) var problems: [RouterError] = []
    private let services: [TypeName: Registration]
    private var visited: Set<TypeName> = []

    init(services: [Registration]) {
        self.services = Dictionary(services.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func visit(_ type: TypeName, along path: [TypeName]) {
        if path.contains(type) {
            problems.append(.cycle(path: path + [type]))
        } else if let registration = services[type] {
            if visited.insert(type).inserted { visit(registration, along: path) }
        } else {
            problems.append(.missingService(type, path: path + [type]))
        }
    }

    mutating func visit(_ registration: Registration, along path: [TypeName]) {
        for need in registration.needs {
            visit(need, along: path + [registration.type])
        }
    }
}
