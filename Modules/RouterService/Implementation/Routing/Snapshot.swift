public import RouterServiceInterface
public import RouterServiceProgram

// The whole stack at once: its snapshot, and its restoration.
extension RouterService {
    /// The current stack, with the states of a scope and of those that reach further.
    public func snapshot(including scope: StateScope) -> RouterSnapshot {
        let isToBeStored = scope == .file
        return RouterSnapshot(
            entries: stack.entries.map {
                $0.shown.context.state(isToBeStored: isToBeStored)
                    .entry(of: AnyRoute($0.route), as: $0.style, isToBeStored: isToBeStored)
            }, services: container.states(of: .file),
            memoryServices: isToBeStored ? nil : container.states(of: .memory))
    }

    /// Shows the stack of a snapshot in place of everything that is shown, or as the first thing.
    public func restore(_ snapshot: RouterSnapshot) async throws {
        let states = (snapshot.services ?? [:]).mapValues { KeptState($0, of: .file) }
            .merging((snapshot.memoryServices ?? [:]).mapValues { KeptState($0, of: .memory) }) { $1 }
        var former: [String: (state: KeptState?, given: KeptState?)] = [:]
        for (service, state) in container.services(named: states) {
            let present = container.state(of: service)
            container.restore(state, in: service)
            former[service.fullName] = (present, container.state(of: service))
        }
        do {
            try await showStack(of: snapshot)
        } catch {
            // By name, as modules may have been replaced meanwhile; what has changed since it was given is left alone.
            for (service, former) in container.services(named: former)
            where container.state(of: service)?.json == former.given?.json {
                container.restore(former.state, in: service)
            }
            throw error
        }
    }

    private func showStack(of snapshot: RouterSnapshot) async throws {
        let opener: Opener = stack.isEmpty ? .start : .service(after: Path())
        let openings = snapshot.entries.enumerated().map {
            opening(
                of: $1.route.route, as: $0 == 0 ? .root : $1.style, from: .link, by: opener,
                state: ScreenState($1))
        }
        if stack.isEmpty { try await start(with: openings) } else { try await open(openings) }
    }
}
