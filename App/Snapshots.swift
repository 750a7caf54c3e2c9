// Also part of the programs that scripts/module makes of one feature, as Live.swift is.

import Foundation
import Observation
import RouterServiceInterface
import RouterServiceProgram

extension RouterSnapshot {
    /// Reads a stack from JSON.
    ///
    /// - Throws: `DecodingError` if this version does not know such a stack.
    init(json: Data, with routes: any RouteCatalog) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = routes
        self = try decoder.decode(RouterSnapshot.self, from: json.normalizedJSON)
    }

    /// The snapshot without the states of the scope `StateScope.memory`, also where it was decoded with some.
    var storable: RouterSnapshot {
        func storable(_ state: State?) -> State? { state?.scope == .file ? state : nil }
        return RouterSnapshot(
            entries: entries.map { Entry(route: $0.route, style: $0.style, state: storable($0.state)) },
            services: services?.compactMapValues(storable))
    }
}

/// Passes the router's stack to a function, as soon as there is one and after each change.
///
/// - Returns: The task, to be cancelled.
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
            // Drafts change without an event; the values read here are observed once.
            let stack = withObservationTracking {
                router.snapshot(including: scope)
            } onChange: {
                change.yield()
            }
            if !stack.entries.isEmpty { receive(stack) }
        }
    }
}
