import RouterServiceInterface

/// The graph of the services that hold one another, from the registrations alone; nothing is created.
///
/// All walks take a time that grows with the registrations, and none recurses, so that a long chain of services does not
/// exhaust the stack.
@MainActor
struct DependencyGraph {
    let services: [ServiceRegistration]
    /// The services that each one holds, by position; deferred dependencies are not held.
    let held: [[Int]]
    private let registry: Registry

    init(_ registry: Registry) {
        self.registry = registry
        services = registry.services
        held = services.map { $0.dependencies.compactMap(registry.held) }
    }

    /// Visits all services that are reachable from some, each after those that it holds.
    ///
    /// - Returns: The positions in that order, and each cycle that was met, beginning and ending with the same service.
    func order(from roots: some Sequence<Int>) -> (order: [Int], cycles: [[TypeName]]) {
        var cycles: [[TypeName]] = []
        let order = postorder(of: services.indices, from: roots) {
            held[$0]
        } onCycle: { cycle in
            cycles.append(cycle.map { services[$0].type })
        }
        return (order, cycles)
    }

    /// The services that are among some, or hold one of them, at any distance.
    func holders(of changed: Set<TypeName>) -> Set<TypeName> {
        var holders: [[Int]] = Array(repeating: [], count: services.count)
        for (holder, dependencies) in held.enumerated() {
            for dependency in dependencies { holders[dependency].append(holder) }
        }
        var affected = changed
        var pending = changed.compactMap(registry.position)
        while let service = pending.popLast() {
            for holder in holders[service] where affected.insert(services[holder].type).inserted {
                pending.append(holder)
            }
        }
        return affected
    }
}

private enum VisitState {
    case unvisited, onPath, done
}

/// The nodes of a graph that are reachable from some, each after its successors, found without recursion.
///
/// `onCycle` receives each cycle that is met, beginning and ending with the same node.
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
