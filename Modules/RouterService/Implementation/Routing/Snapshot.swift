public import RouterServiceInterface
public import RouterServiceProgram

// The whole stack at once: its first screen, its snapshot, and its restoration.
extension RouterService {
    /// The current stack, with the states that may be stored.
    public var snapshot: RouterSnapshot { snapshot(including: .file) }

    /// The current stack, with the states of a scope and of those that reach further.
    public func snapshot(including scope: StateScope) -> RouterSnapshot {
        let isToBeStored = scope == .file
        return RouterSnapshot(
            entries: stack.entries.map {
                let state = $0.shown.context.state(isToBeStored: isToBeStored)
                return .init(
                    route: AnyRoute($0.route), style: $0.style, state: state?.json(of: .file),
                    memoryState: isToBeStored ? nil : state?.json(of: .memory))
            }, services: container.states(of: .file),
            memoryServices: isToBeStored ? nil : container.states(of: .memory))
    }

    /// Shows the first screen, after all asynchronous services are there.
    public func start(with route: some Route) async throws {
        try await start(with: [(route, .root, nil)], from: .code)
    }

    /// Shows the stack of a snapshot in place of everything that is shown, or as the first thing.
    public func restore(_ snapshot: RouterSnapshot) async throws {
        let states = snapshot.memoryServices ?? [:]
        let former = container.states(of: .memory) ?? [:]
        let stateless = container.stateless(among: states, before: former)
        container.restore(states, of: .memory)
        do {
            try await showStack(of: snapshot)
        } catch {
            container.restore(former.filter { states[$0.key] != nil }, of: .memory)
            if !stateless.isEmpty { await renew(stateless) }
            throw error
        }
        if let states = snapshot.services { container.restore(states, of: .file) }
    }

    private func showStack(of snapshot: RouterSnapshot) async throws {
        let openings = snapshot.entries.enumerated().map { index, entry in
            (
                route: entry.route.route, style: index == 0 ? .root : entry.style,
                state: entry.state.map { KeptState($0, of: .file) }
                    ?? entry.memoryState.map { KeptState($0, of: .memory) }
            )
        }
        if stack.isEmpty {
            try await start(with: openings, from: .restored)
        } else {
            try await open(openings, from: .restored, by: .service(after: Path()))
        }
    }

    private func start(with openings: [Opening], from origin: RouteOrigin) async throws {
        guard let first = openings.first?.route else { throw RouterError.emptyStack }
        guard stack.isEmpty, !stack.isStarting else {
            throw RouterError.rejected(.alreadyStarted, route: TypeName(type(of: first)))
        }
        stack.isStarting = true
        defer { stack.isStarting = false }
        do {
            try await reportingFailure(of: first) {
                try await changes.perform {
                    try await changes.prepare(container)
                    stack.use(try resolve((any Presenter).self))
                }
            }
            try await open(openings, from: origin, by: .start)
            guard !stack.isEmpty else { throw RouterError.emptyStack }
        } catch {
            stack.removeAll()
            stack.use(nil)
            throw error
        }
    }
}
