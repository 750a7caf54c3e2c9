import RouterServiceInterface

/// The graph of the services that hold one another; a class, because registries of one shape share it.
///
/// No walk recurses, so that a long chain of services does not exhaust the stack.
@MainActor
final class DependencyGraph {
    private let modules: [Registrations]
    private let services: [ServiceRegistration]
    private let positions: [ObjectIdentifier: Int]

    init(of modules: [Registrations], services: [ServiceRegistration], positions: [ObjectIdentifier: Int]) {
        self.modules = modules
        self.services = services
        self.positions = positions
    }

    private(set) lazy var modulesByName = Dictionary(grouping: modules.indices) {
        modules[$0].module.fullName
    }

    /// The positions of the services that each service holds; deferred dependencies are not held.
    private(set) lazy var held: [[Int]] = services.map { $0.dependencies.compactMap { position(of: $0) } }

    private lazy var holders: [[Int]] = {
        var holders: [[Int]] = Array(repeating: [], count: services.count)
        for (holder, dependencies) in held.enumerated() {
            for dependency in dependencies { holders[dependency].append(holder) }
        }
        return holders
    }()

    /// The modules that have interceptors, each after the modules whose services its interceptors depend on.
    private(set) lazy var interceptingModules: [Int] = {
        // The nodes are the services, followed by the modules.
        let roots = modules.indices.filter { !modules[$0].interceptors.isEmpty }
        let nodes = Dictionary(
            roots.map { (modules[$0].module, services.count + $0) }, uniquingKeysWith: { first, _ in first })
        func used(by source: RegistrationSource) -> [Int] {
            source.dependencies.compactMap { positions[$0.service.id] }
        }
        let order = postorder(
            of: 0..<services.count + modules.count, from: roots.map { services.count + $0 }
        ) { node in
            guard node < services.count else {
                return modules[node - services.count].interceptors.flatMap { used(by: $0.source) }
            }
            let sources = services[node].sources
            return sources.flatMap(used) + sources.compactMap { nodes[$0.module] }
        }
        return order.filter { $0 >= services.count }.map { $0 - services.count }
    }()

    /// The positions of all services that are reachable from some, each after the services that it holds, and the cycles.
    func order(from roots: some Sequence<Int>) -> (order: [Int], cycles: [[TypeKey]]) {
        var cycles: [[TypeKey]] = []
        let order = postorder(of: services.indices, from: roots) {
            held[$0]
        } onCycle: { cycle in
            cycles.append(cycle.map { services[$0].type })
        }
        return (order, cycles)
    }

    /// Some services, and all services that hold one of them.
    func holders(of changed: Set<TypeKey>) -> Set<TypeKey> {
        var affected = changed
        var pending = changed.compactMap { positions[$0.id] }
        while let service = pending.popLast() {
            for holder in holders[service] where affected.insert(services[holder].type).inserted {
                pending.append(holder)
            }
        }
        return affected
    }

    private func position(of dependency: ServiceDependency) -> Int? {
        dependency.isDeferred ? nil : positions[dependency.service.id]
    }
}

private enum VisitState {
    case unvisited, onPath, done
}

/// The nodes of a graph that are reachable from some, each after its successors.
///
/// `onCycle` receives each cycle, which begins and ends with the same node.
func postorder(
    of nodes: Range<Int>, from roots: some Sequence<Int>, successors: (Int) -> [Int],
    onCycle: ([Int]) -> Void = { _ in }
) -> [Int] {
    var states = Array(repeating: VisitState.unvisited, count: nodes.count)
    var order: [Int] = []
    for root in roots where states[root] == .unvisited {
        var path = [(node: root, pending: successors(root)[...])]
        states[root] = .onPath
        while let node = path.last?.node {
            guard let next = path[path.count - 1].pending.popFirst() else {
                states[node] = .done
                order.append(node)
                path.removeLast()
                continue
            }
            switch states[next] {
            case .unvisited:
                states[next] = .onPath
                path.append((next, successors(next)[...]))
            case .onPath: onCycle(path.map(\.node).drop { $0 != next } + [next])
            case .done: break
            }
        }
    }
    return order
}
