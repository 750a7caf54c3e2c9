import RouterServiceInterface

/// Finds services whose lifetime does not suit what they hold or what they are.
@MainActor
enum LifetimeCheck {
    static func problems(of services: Services) -> [RouterError] {
        services.all.flatMap { service in
            valueTypes(service) + shorterNeeds(of: service, in: services)
        }
    }

    /// A value type that is to live while somebody holds it, as far as the registered type tells.
    private static func valueTypes(_ service: RegisteredService) -> [RouterError] {
        let type = service.registration.type
        guard service.lifetime == .weak, type.isValueType else { return [] }
        return [.weakValueType(type, registered: service.registration.place)]
    }

    /// Needs of a scope that may end before the service does, also through services that are new for each need.
    private static func shorterNeeds(of service: RegisteredService, in services: Services) -> [RouterError] {
        guard service.lifetime != .transient else { return [] }
        let type = service.registration.type
        var problems: [RouterError] = []
        var visited: Set<TypeName> = []

        func visit(_ holder: RegisteredService, along path: [TypeName]) {
            for need in holder.registration.needs where !need.isDeferred {
                guard let needed = services.service(of: need.service), visited.insert(need.service).inserted
                else { continue }
                let path = path + [need.service]
                switch needed.lifetime {
                case .scope(let scope) where service.lifetime != .scope(scope):
                    problems.append(.outlivesDependency(type, scope: scope, path: path))
                case .transient:
                    visit(needed, along: path)
                default:
                    break
                }
            }
        }
        visit(service, along: [type])
        return problems
    }
}
