// scripts/module makes this file, and Live.swift, a part of programs of one feature.

import Foundation
import Observation
import RouterServiceInterface
import RouterServiceProgram

extension RouterSnapshot {
    /// - Throws: `DecodingError` if this version cannot read the stack.
    init(json: Data, with routes: any RouteCatalog) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = routes
        self = try decoder.decode(RouterSnapshot.self, from: json.normalizedJSON)
    }

    /// The snapshot without the states of the scope `StateScope.memory`.
    var storable: RouterSnapshot {
        func storable(_ state: State?) -> State? { state?.scope == .file ? state : nil }
        return RouterSnapshot(
            entries: entries.map { Entry(route: $0.route, style: $0.style, state: storable($0.state)) },
            services: services?.compactMapValues(storable))
    }
}

/// Passes the router's stack to a function, now and after each change, until the returned task is cancelled.
@MainActor
func observeStack(
    of router: any ProgramRouter, including scope: StateScope = .file,
    _ receive: @escaping @MainActor (RouterSnapshot) -> Void
) -> Task<Void, Never> {
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let events = router.events()
    let forwarding = Task { for await _ in events { change.yield() } }
    return Task {
        defer { forwarding.cancel() }
        change.yield()
        for await _ in changes where !Task.isCancelled {
            // Drafts change without an event.
            let stack = withObservationTracking {
                router.snapshot(including: scope)
            } onChange: {
                change.yield()
            }
            if !stack.entries.isEmpty { receive(stack) }
        }
    }
}
