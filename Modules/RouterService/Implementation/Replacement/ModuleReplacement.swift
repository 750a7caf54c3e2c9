public import RouterServiceInterface
import RouterServiceProgram

extension RouterService {
    public func replace(_ modules: [any Module]) async throws {
        try await log.reportingFailure(of: "the replacement") {
            try await changes.perform {
                try await ModuleReplacement(of: self, by: modules.map { Registrar($0).registrations })
                    .perform()
            }
        }
    }
}

/// The replacement of modules; the present generation of the router goes on until the next one is prepared.
@MainActor
struct ModuleReplacement {
    private let router: RouterService
    private let present: Container
    private let next: Registry
    private let names: [TypeKey]
    private let routes: Set<TypeKey>
    /// The services of the modules, and all services that hold one of them.
    private let changed: Set<TypeKey>

    init(of router: RouterService, by new: [Registrations]) throws {
        self.router = router
        present = router.container
        let modules = present.registry.modules
        var replaced: [Int: Registrations] = [:]
        for registrations in new {
            let name = registrations.module
            let matches = present.registry.graph.modulesByName[name.fullName] ?? []
            guard let index = matches.first, matches.count == 1 else {
                throw ReplacementError.unknownModule(name)
            }
            replaced[index] = registrations
        }
        names = new.map(\.module)
        next = present.registry.replacing(replaced)
        let both = replaced.keys.map { modules[$0] } + new
        let provided = Set(both.flatMap { $0.services + $0.contributions }.map(\.type))
        routes = Set(both.flatMap(\.routes).map(\.name))
        let isSameGraph = next.graph === present.registry.graph
        let holders = present.registry.graph.holders(of: provided)
        changed = isSameGraph ? holders : holders.union(next.graph.holders(of: provided))
        if !isSameGraph { try rejectNewProblems() }
        guard router.stack.presenter == nil || !changed.contains(TypeKey((any Presenter).self)) else {
            throw ReplacementError.presenterInUse(modules: names)
        }
    }

    func perform() async throws {
        let prepared = Container(next, succeeding: present, except: changed)
        do {
            prepared.takeOverStates()
            try await router.changes.prepare(prepared)
            // The states may have changed; from here on, nothing is awaited.
            prepared.takeOverStates()
            let affected = router.stack.entries.filter(isAffected)
            router.use(prepared)
            try router.stack.rebuild(affected, in: prepared)
            let former = present.adopt(prepared)
            router.use(present)
            withExtendedLifetime(former) {}
            router.log.add(.replaced(names, screens: affected.count))
        } catch {
            if router.container === prepared { router.use(present) }
            prepared.abandon()
            throw error
        }
    }

    /// Whether the screen of an entry, or a screen that it embeds, has to be rebuilt.
    private func isAffected(_ entry: StackEntry) -> Bool {
        entry.withChildren.contains {
            routes.contains($0.routeType) || holdsChangedService($0, in: present.registry)
                || holdsChangedService($0, in: next)
        }
    }

    private func holdsChangedService(_ entry: StackEntry, in registry: Registry) -> Bool {
        guard let route = registry.registration(of: type(of: entry.route)) else { return false }
        return route.source.dependencies.contains { !$0.isDeferred && changed.contains($0.service) }
    }

    private func rejectNewProblems() throws {
        var problems = Validation(next).problems.filter { !$0.isWarning }
        guard !problems.isEmpty else { return }
        let known = Validation(present.registry).problems
        problems.removeAll { problem in known.contains { Self.isSame($0, problem) } }
        if !problems.isEmpty { throw ReplacementError.rejected(names, problems: problems) }
    }

    /// Whether two problems have the same kind and subjects.
    static func isSame(_ first: GraphProblem, _ second: GraphProblem) -> Bool {
        let names = [first, second].map { $0.subjects.map(\.fullName) }
        let isCycle = first.kind == .cycle
        return first.kind == second.kind
            && (isCycle ? names[0].sorted() == names[1].sorted() : names[0] == names[1])
    }
}

extension RouterService {
    fileprivate func use(_ generation: Container) {
        container = generation
        addresses.update(registry.addresses)
    }
}
