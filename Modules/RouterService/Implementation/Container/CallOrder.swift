import RouterServiceInterface

@MainActor
final class Interceptors {
    private let registry: Registry
    /// Ordered by phase and, within one, by the dependencies of their modules.
    private lazy var all = {
        let interceptors = registry.graph.interceptingModules.flatMap { registry.modules[$0].interceptors }
        return InterceptionPhase.allCases.flatMap { phase in interceptors.filter { $0.phase == phase } }
    }()
    /// Those that decide about a type of route, as soon as one of the type was opened.
    private var deciding: [ObjectIdentifier: [InterceptorRegistration]] = [:]

    init(_ registry: Registry) { self.registry = registry }

    func deciding(on route: any Route.Type) -> [InterceptorRegistration] {
        if let found = deciding[ObjectIdentifier(route)] { return found }
        let found = all.filter { $0.routes.contains(route) }
        deciding[ObjectIdentifier(route)] = found
        return found
    }
}

/// The listeners of all modules, by the types of events.
@MainActor
final class Listeners {
    private let modules: [Registrations]
    private var found: [TypeKey: [[Registration<Listener>]]] = [:]

    init(_ registry: Registry) { modules = registry.modules }

    /// The listeners of each module for events of a type, in the order of the modules.
    func of(_ event: TypeKey) -> [[Registration<Listener>]] {
        if let found = found[event] { return found }
        let found = modules.map { $0.listeners.filter { $0.source.type == event } }
        self.found[event] = found
        return found
    }
}

extension [Registration<Listener>] {
    /// The listeners that were not called yet, by the numbers of calls of each place: one place may register several.
    func without(_ called: [String: Int]) -> ArraySlice<Registration<Listener>> {
        var passed: [String: Int] = [:]
        return filter {
            passed[$0.source.place, default: 0] += 1
            return passed[$0.source.place, default: 0] > called[$0.source.place, default: 0]
        }[...]
    }
}
