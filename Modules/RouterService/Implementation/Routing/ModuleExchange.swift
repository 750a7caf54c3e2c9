public import RouterServiceInterface

extension RouterService {
    /// Replaces the modules of the same full names, in the places that these have among the modules; all or nothing.
    ///
    /// Registrations, asynchronous services and screens are prepared aside. While asynchronous services are created, the
    /// router continues as it was; the rest happens at once.
    public func replace(_ modules: [any Module]) async throws {
        let names = modules.map { TypeName(type(of: $0)) }
        let task = Task { [exchange] in
            _ = await exchange?.result
            try await reportingFailure(of: nil) {
                try await self.exchange(modules.map { Registrar($0) }, names)
            }
        }
        exchange = task
        defer { if exchange == task { exchange = nil } }
        try await task.value
    }

    private func exchange(_ new: [Registrar], _ names: [TypeName]) async throws {
        var recordings = registry.recordings
        var former: [Registrar] = []
        for (recording, name) in zip(new, names) {
            let matches = recordings.indices.filter { recordings[$0].module.fullName == name.fullName }
            guard let index = matches.first, matches.count == 1 else { throw RouterError.unknownModule(name) }
            former.append(recordings[index])
            recordings[index] = recording
        }
        let newRegistry = Registry(recordings, succeeding: registry)
        try rejectNewProblems(of: newRegistry, replacing: names)

        let services = Set((former + new).flatMap(\.services).map(\.source.type))
        let changed = DependencyGraph(registry).holders(of: services)
            .union(DependencyGraph(newRegistry).holders(of: services))
        guard stack.presenter == nil || !changed.contains(TypeName((any Presenter).self)) else {
            throw RouterError.presenterInUse(modules: names)
        }
        let routes = Set((former + new).flatMap(\.routes).map(\.details.name))
        let prepared = Container(newRegistry, succeeding: container, changed: changed)
        prepared.takeOverStates()
        try await prepared.prepare()

        // From here on nothing is awaited. The prepared services take over the former states.
        prepared.takeOverStates()
        // A screen embeds its children again when it is itself rebuilt.
        let affected = stack.entries.filter { entry in
            entry.withChildren.contains {
                routes.contains($0.routeType) || holdsAny(of: changed, $0, registry)
                    || holdsAny(of: changed, $0, newRegistry)
            }
        }
        try stack.rebuild(affected, in: prepared)
        let released = container
        container = prepared
        prepared.takeOver()
        links.update(newRegistry.links)
        log.add(.exchanged(names, screens: affected.count))
        // Released after the exchange, because deinitialisers may resolve services.
        withExtendedLifetime(released) {}
    }

    /// Whether the handler of an entry's route holds one of some services.
    private func holdsAny(
        of services: Set<TypeName>, _ entry: StackEntry, _ registry: Registry
    ) -> Bool {
        registry.anyHandler(of: type(of: entry.route))?.details.source.dependencies
            .contains { !$0.isDeferred && services.contains($0.service) } ?? false
    }

    private func rejectNewProblems(of registry: Registry, replacing modules: [TypeName]) throws {
        var problems = Validation(registry).problems.filter { !$0.isWarning }
        guard !problems.isEmpty else { return }
        let known = Set(validate().map(\.description))
        problems.removeAll { known.contains($0.description) }
        if !problems.isEmpty { throw RouterError.exchangeRejected(modules, problems: problems) }
    }
}
