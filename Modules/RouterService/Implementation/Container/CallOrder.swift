import RouterServiceInterface

@MainActor
final class Interceptors {
    private let registry: Registry
    /// Ordered by phase and, within one, by the dependencies of their modules.
    private lazy var all = {
        let interceptors = registry.graph.interceptingModules.flatMap { registry.modules[$0].interceptors }
        return InterceptionPhase.allCases.flatMap { phase in interceptors.filter { $0.phase == phase } }
    }()
    /// The interceptors that decide about each type of route that was opened.
    private var deciding: [ObjectIdentifier: [InterceptorRegistration]] = [:]

    init(_ registry: Registry) { self.registry = registry }

    func deciding(on route: any Route.Type) -> [InterceptorRegistration] {
        if let found = deciding[ObjectIdentifier(route)] { return found }
        let found = all.filter { $0.routes.contains(route) }
        deciding[ObjectIdentifier(route)] = found
        return found
    }
}

@MainActor
final class Listeners {
    private let modules: [Registrations]
    private var found: [TypeKey: [[Registration<Listener>]]] = [:]

    init(_ registry: Registry) { modules = registry.modules }

    /// The listeners of each module for a type of event.
    func of(_ event: TypeKey) -> [[Registration<Listener>]] {
        if let found = found[event] { return found }
        let found = modules.map { $0.listeners.filter { $0.source.type == event } }
        self.found[event] = found
        return found
    }
}

extension [Registration<Listener>] {
    /// The listeners that are left, by the number of calls for each place, which may register several listeners.
    func without(_ called: [String: Int]) -> ArraySlice<Registration<Listener>> {
        var passed: [String: Int] = [:]
        return filter {
            passed[$0.source.place, default: 0] += 1
            return passed[$0.source.place, default: 0] > called[$0.source.place, default: 0]
        }[...]
    }
}
