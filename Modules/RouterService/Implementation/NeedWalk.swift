import RouterServiceInterface

/// A walk along needs, depth first: each service is visited once, on the first path that leads there.
///
/// It finds what nobody registered, and cycles.
@MainActor
struct NeedWalk {
    private var problems: [RouterError] = []
    private let services: Services
    private var visited: Set<TypeName> = []

    private init(services: Services) {
        self.services = services
    }

    static func problems(of registry: Registry) -> [RouterError] {
        var walk = NeedWalk(services: registry.services)
        walk.visit(TypeName((any Presenter).self), along: [TypeName(RouterService.self)])
        for handler in registry.handlers {
            walk.visit(handler.registration, along: [TypeName(handler.routeType)])
        }
        for registration in registry.interceptors.map(\.registration) + registry.listeners.map(\.registration)
        {
            walk.visit(registration, along: [registration.module])
        }
        for service in registry.services.all {
            walk.visit(service.registration.type, along: [])
        }
        return walk.problems
    }

    private mutating func visit(_ type: TypeName, along path: [TypeName]) {
        if path.contains(type) {
            problems.append(.cycle(path: Array(path.drop { $0 != type }) + [type]))
        } else if let service = services.service(of: type) {
            if visited.insert(type).inserted { visit(service.registration, along: path) }
        } else {
            problems.append(.missingService(type, path: path + [type]))
        }
    }

    private mutating func visit(_ registration: Registration, along path: [TypeName]) {
        let path = path + [registration.type]
        for need in registration.needs {
            let isRegistered = services.isRegistered(need.service)
            if need.isOptional && !isRegistered { continue }
            // What is deferred may lead back here, and is visited from the list of all services.
            if need.isDeferred && isRegistered { continue }
            visit(need.service, along: path)
        }
    }
}
