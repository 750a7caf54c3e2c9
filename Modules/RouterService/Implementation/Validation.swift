public import RouterServiceInterface

extension RouterService {
    /// Checks the whole graph from the registered needs, without creating a service, a handler or a screen.
    ///
    /// - Parameter declared: The routes that interfaces declare; each that nobody handles is a problem.
    /// - Returns: All problems. Those whose `isWarning` is true keep nothing from working.
    public func validate(declared: [any Route.Type] = []) -> [RouterError] {
        let unhandled = declared.filter { !registry.isHandled($0) }.map {
            RouterError.missingHandler(route: TypeName($0))
        }
        return registry.mistakes + catalog.problems + unhandled + NeedWalk.problems(of: registry)
            + SubstituteWalk.problems(of: registry) + LifetimeCheck.problems(of: registry.services)
            + unusedServices
    }

    /// Services that nothing needs; the router's own and the presenter are for the router.
    private var unusedServices: [RouterError] {
        let registrations =
            registry.services.all.map(\.registration) + registry.handlers.map(\.registration)
            + registry.interceptors.map(\.registration) + registry.listeners.map(\.registration)
        let needed = Set(registrations.flatMap(\.needs).map(\.service))
        let routers = [
            TypeName((any Presenter).self), TypeName((any Router).self), TypeName(RouteCatalog.self),
        ]
        return registry.services.all.map(\.registration)
            .filter { !needed.contains($0.type) && !routers.contains($0.type) }
            .map { .unusedService($0.type, registered: $0.place) }
    }
}
