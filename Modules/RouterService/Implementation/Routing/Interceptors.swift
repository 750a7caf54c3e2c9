import RouterServiceInterface

/// The interceptors of all modules, in the order in which they decide.
@MainActor
final class Interceptors {
    private let all: [InterceptorRegistration]
    /// The positions of those for routes of a type.
    private var typed: [ObjectIdentifier: [Int]] = [:]
    /// The positions of those for all routes, or for those that satisfy a condition.
    private var general: [Int] = []
    /// Those that decide about a type of route, as soon as one of the type was opened.
    private var deciding: [ObjectIdentifier: [InterceptorRegistration]] = [:]

    init(_ registry: Registry) {
        all = Self.inOrder(registry)
        for (position, interceptor) in all.enumerated() {
            switch interceptor.routes {
            case .types(let types):
                for type in Set(types.map(ObjectIdentifier.init)) {
                    typed[type, default: []].append(position)
                }
            case .all, .where: general.append(position)
            }
        }
    }

    /// Those that decide about a type of route, in order.
    func deciding(on route: any Route.Type) -> [InterceptorRegistration] {
        if let found = deciding[ObjectIdentifier(route)] { return found }
        let conditional = general.filter {
            if case .where(let isMeant) = all[$0].routes { isMeant(route) } else { true }
        }
        let found = (conditional + typed[ObjectIdentifier(route), default: []]).sorted().map { all[$0] }
        deciding[ObjectIdentifier(route)] = found
        return found
    }

    /// All by phase, and within one, those of a module after those of the modules whose services they depend on, at any
    /// distance; otherwise in the order of the modules.
    private static func inOrder(_ registry: Registry) -> [InterceptorRegistration] {
        let services = registry.services
        let index = Dictionary(uniqueKeysWithValues: services.enumerated().map { ($1.type, $0) })
        // A graph of the services and, behind them, the modules that have interceptors.
        let modules = registry.recordings.filter { !$0.interceptors.isEmpty }
        let positions = Dictionary(
            modules.enumerated().map { ($1.module, services.count + $0) },
            uniquingKeysWith: { first, _ in first })
        func used(by source: RegistrationSource) -> [Int] {
            source.dependencies.compactMap { index[$0.service] }
        }
        let nodes = 0..<services.count + modules.count
        let order = postorder(of: nodes, from: nodes.dropFirst(services.count)) { node in
            guard node < services.count else {
                return modules[node - services.count].interceptors.flatMap { used(by: $0.source) }
            }
            let source = services[node].source
            return used(by: source) + [positions[source.module]].compactMap { $0 }
        }
        let interceptors = order.filter { $0 >= services.count }.flatMap {
            modules[$0 - services.count].interceptors
        }
        return InterceptionPhase.allCases.flatMap { phase in interceptors.filter { $0.phase == phase } }
    }
}
