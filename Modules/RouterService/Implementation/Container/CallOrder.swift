import RouterServiceInterface

/// The interceptors of all modules, in the order in which they decide.
@MainActor
final class Interceptors {
    private let all: [InterceptorRegistration]
    /// Those that decide about a type of route, as soon as one of the type was opened.
    private var deciding: [ObjectIdentifier: [InterceptorRegistration]] = [:]

    /// By phase, and within one, those of a module after those of the modules whose services they depend on, at any
    /// distance; otherwise in the order of the modules.
    init(_ registry: Registry) {
        let services = registry.services
        // A graph of the services and, behind them, the modules that have interceptors.
        let modules = registry.modules.filter { !$0.interceptors.isEmpty }
        let positions = Dictionary(
            modules.enumerated().map { ($1.module, services.count + $0) },
            uniquingKeysWith: { first, _ in first })
        func used(by source: RegistrationSource) -> [Int] {
            source.dependencies.compactMap { registry.position(of: $0.service) }
        }
        let nodes = 0..<services.count + modules.count
        let order = postorder(of: nodes, from: nodes.dropFirst(services.count)) { node in
            guard node < services.count else {
                return modules[node - services.count].interceptors.flatMap { used(by: $0.source) }
            }
            let sources = services[node].sources
            return sources.flatMap(used) + sources.compactMap { positions[$0.module] }
        }
        let interceptors = order.filter { $0 >= services.count }.flatMap {
            modules[$0 - services.count].interceptors
        }
        all = InterceptionPhase.allCases.flatMap { phase in interceptors.filter { $0.phase == phase } }
    }

    /// Those that decide about a type of route, in order.
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
    private var found: [TypeName: [[Registration<Listener>]]] = [:]

    init(_ registry: Registry) { modules = registry.modules }

    /// The listeners for events of a type: those of each module, in the order of the modules.
    func of(_ event: TypeName) -> [[Registration<Listener>]] {
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
