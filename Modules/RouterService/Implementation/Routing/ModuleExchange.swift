public import RouterServiceInterface
import RouterServiceProgram

extension RouterService {
    /// Replaces the modules of the same full names, in the places that these have among the modules; all or nothing.
    public func replace(_ modules: [any Module]) async throws {
        try await reportingFailure(of: nil) {
            try await changes.perform {
                try await exchange(modules.map { Registrar($0).registrations })
            }
        }
    }

    /// Begins the next generation, as soon as its services are prepared: the present one goes on until then.
    ///
    /// - Throws: The error that prevented it; the present generation goes on then.
    private func exchange(_ new: [Registrations]) async throws {
        var (modules, former): ([Registrations], [Registrations]) = (registry.modules, [])
        for registrations in new {
            let name = registrations.module
            let matches = modules.indices.filter { modules[$0].module.fullName == name.fullName }
            guard let index = matches.first, matches.count == 1 else {
                throw ExchangeError.unknownModule(name)
            }
            former.append(modules[index])
            modules[index] = registrations
        }
        let next = Registry(modules)
        try rejectNewProblems(of: next, replacing: new.map(\.module))
        let names = new.map(\.module)
        let provided = Set((former + new).flatMap { $0.services + $0.contributions }.map(\.type))
        let routes = Set((former + new).flatMap(\.routes).map(\.name))
        // Services that are not handed over: those of the modules, and those that hold one.
        let changed = DependencyGraph(registry).holders(of: provided)
            .union(DependencyGraph(next).holders(of: provided))
        guard stack.presenter == nil || !changed.contains(TypeName((any Presenter).self)) else {
            throw ExchangeError.presenterInUse(modules: names)
        }
        let (present, prepared) = (container, Container(next, succeeding: container, changed: changed))
        do {
            prepared.takeOverStates()
            try await prepared.prepare()
            // From here on nothing is awaited. The prepared services take over the states that there are now.
            prepared.takeOverStates()
            // A screen embeds its children again when it is itself rebuilt.
            let affected = stack.entries.filter { entry in
                entry.withChildren.contains {
                    routes.contains($0.routeType) || holdsAny(of: changed, $0, present.registry)
                        || holdsAny(of: changed, $0, next)
                }
            }
            use(prepared)
            try stack.rebuild(affected, in: prepared)
            prepared.takeOver()
            log.add(.exchanged(names, screens: affected.count))
        } catch {
            if container === prepared { use(present) }
            prepared.abandon()
            throw error
        }
    }

    /// Lets a generation serve everything, its links among it.
    private func use(_ generation: Container) {
        container = generation
        addresses.update(registry.addresses)
    }

    /// Whether the handler of an entry's route holds one of some services.
    private func holdsAny(of services: Set<TypeName>, _ entry: StackEntry, _ registry: Registry) -> Bool {
        guard let route = registry.registration(of: type(of: entry.route)) else { return false }
        return route.source.dependencies.contains { !$0.isDeferred && services.contains($0.service) }
    }

    private func rejectNewProblems(of registry: Registry, replacing modules: [TypeName]) throws {
        var problems = Validation(registry).problems.filter { !$0.isWarning }
        guard !problems.isEmpty else { return }
        let known = validate()
        problems.removeAll { problem in known.contains { isSame($0, problem) } }
        if !problems.isEmpty { throw ExchangeError.rejected(modules, problems: problems) }
    }
}

/// Whether two problems are about the same: wherever it is registered, and along whichever path it is met.
func isSame(_ first: GraphProblem, _ second: GraphProblem) -> Bool {
    let names = [first, second].map { $0.subjects.map(\.fullName) }
    let isCycle = first.kind == .cycle
    return first.kind == second.kind
        && (isCycle ? names[0].sorted() == names[1].sorted() : names[0] == names[1])
}
