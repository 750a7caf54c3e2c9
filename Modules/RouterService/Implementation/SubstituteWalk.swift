import RouterServiceInterface

/// A walk along the routes that may take one another's place: fallbacks, and what adapters lead to.
///
/// It finds those that nobody handles, and those that lead back. A route may fall back to another value of its own
/// type; whether that leads back is known only when it is opened.
@MainActor
struct SubstituteWalk {
    private var problems: [RouterError] = []
    private let handlers: [TypeName: any AnyHandler]
    private var visited: Set<TypeName> = []

    private init(_ registry: Registry) {
        handlers = Dictionary(
            registry.handlers.map { (TypeName($0.routeType), $0) }, uniquingKeysWith: { first, _ in first })
    }

    static func problems(of registry: Registry) -> [RouterError] {
        var walk = SubstituteWalk(registry)
        for handler in registry.handlers { walk.visit(handler, along: []) }
        return walk.problems
    }

    private mutating func visit(_ handler: any AnyHandler, along path: [TypeName]) {
        let route = TypeName(handler.routeType)
        guard visited.insert(route).inserted else { return }
        let path = path + [route]
        for substitute in handler.substitutes.map(TypeName.init) where substitute != route {
            if let next = handlers[substitute], !path.contains(substitute) {
                visit(next, along: path)
            } else {
                problems.append(.unreachableFallback(path: path + [substitute]))
            }
        }
    }
}
