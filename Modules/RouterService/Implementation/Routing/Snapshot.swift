public import RouterServiceInterface
public import RouterServiceProgram

extension RouterService {
    public func snapshot(including scope: StateScope) -> RouterSnapshot {
        RouterSnapshot(
            entries: entries(including: scope), services: container.states(of: .file),
            memoryServices: scope.includes(.memory) ? container.states(of: .memory) : nil)
    }

    /// The screens of the stack; before the first one is shown, those with which the router starts.
    private func entries(including scope: StateScope) -> [RouterSnapshot.Entry] {
        if let starting = stack.starting {
            return starting.map { $0.state.entry(of: AnyRoute($0.route), as: $0.style, including: scope) }
        }
        return stack.entries.map {
            $0.shown.context.state(including: scope)
                .entry(of: AnyRoute($0.route), as: $0.style, including: scope)
        }
    }

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
            // Services are found by name, because modules may have been replaced. A state that changed since is left alone.
            for (service, former) in container.services(named: former)
            where container.state(of: service)?.json == former.given?.json {
                container.restore(former.state, in: service)
            }
            throw error
        }
    }

    private func showStack(of snapshot: RouterSnapshot) async throws {
        let opener: Opener = stack.isEmpty ? .start : .service(after: Path())
        // A root inside the stack replaces the screens before it.
        let first = snapshot.entries.lastIndex { $0.style == .root } ?? 0
        let openings = snapshot.entries.dropFirst(first).enumerated().map {
            opening(of: $1.route, as: $0 == 0 ? .root : $1.style, by: opener, state: ScreenState($1))
        }
        if stack.isEmpty { try await start(with: openings) } else { try await open(openings) }
    }
}
