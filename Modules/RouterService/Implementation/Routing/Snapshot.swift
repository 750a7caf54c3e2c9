public import RouterServiceInterface
public import RouterServiceProgram

extension RouterService {
    public func snapshot(including scope: StateScope) -> RouterSnapshot {
        RouterSnapshot(entries: entries(including: scope), services: container.states(including: scope))
    }

    private func entries(including scope: StateScope) -> [RouterSnapshot.Entry] {
        if let starting = stack.starting {
            return starting.map {
                RouterSnapshot.Entry(
                    route: AnyRoute($0.route), style: $0.style,
                    state: RestorableState.included($0.state, in: scope))
            }
        }
        return stack.entries.map {
            RouterSnapshot.Entry(
                route: AnyRoute($0.route), style: $0.style,
                state: $0.shown.context.state(including: scope))
        }
    }

    public func restore(_ snapshot: RouterSnapshot) async throws {
        var former: [String: (state: RouterSnapshot.State?, restored: RouterSnapshot.State?)] = [:]
        for (service, state) in container.services(named: snapshot.services ?? [:]) {
            let present = container.state(of: service)
            container.restore(state, in: service)
            former[service.fullName] = (present, container.state(of: service))
        }
        do {
            try await showStack(of: snapshot)
        } catch {
            // Services are found by name, because modules may have been replaced. A state that changed since is left alone.
            for (service, former) in container.services(named: former)
            where container.state(of: service) == former.restored {
                container.restore(former.state, in: service)
            }
            throw error
        }
    }

    private func showStack(of snapshot: RouterSnapshot) async throws {
        let opener: Opener = stack.isEmpty ? .start : .service(after: [])
        // A root within the stack replaces the screens before it.
        let first = snapshot.entries.lastIndex { $0.style == .root } ?? 0
        let openings = snapshot.entries.dropFirst(first).enumerated().map {
            Opening(
                $1.route.route, as: $0 == 0 ? .root : $1.style, from: $1.route.origin, by: opener,
                state: $1.state)
        }
        if stack.isEmpty { return try await start(with: openings) }
        try await Fulfilment(of: openings, in: self).perform()
    }
}
