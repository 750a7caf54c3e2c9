import Foundation
import RouterServiceInterface
import RouterServiceProgram

/// Reads and writes the states of services and models as values of a snapshot.
@MainActor
enum RestorableState {
    /// The current state of an instance; nil where a scope does not include it, or, with a report, where it cannot be written.
    static func state(
        of instance: Any?, including included: StateScope, reporting events: RouterEvents
    ) -> RouterSnapshot.State? {
        guard let keeper = instance as? any Restorable, includes(type(of: keeper).stateScope, in: included),
            let state = keeper.savedState
        else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let json = String(decoding: try encoder.encode(state), as: UTF8.self)
            return RouterSnapshot.State(json, of: type(of: keeper).stateScope)
        } catch {
            events.add(.failed("the state of \(TypeKey(type(of: keeper)))", error))
            return nil
        }
    }

    static func included(_ state: RouterSnapshot.State?, in scope: StateScope) -> RouterSnapshot.State? {
        state.flatMap { includes($0.scope, in: scope) ? $0 : nil }
    }

    /// Hands a state to another instance, if it has the same scope, and reports that the instance cannot read the state.
    static func restore(
        _ state: RouterSnapshot.State, in instance: Any, routes: (any RouteCatalog)?,
        reporting events: RouterEvents
    ) {
        guard let keeper = instance as? any Restorable, type(of: keeper).stateScope == state.scope else {
            return
        }
        do {
            try restore(state.json, in: keeper, routes)
        } catch {
            events.add(.startedFresh(TypeKey(type(of: keeper)), error))
        }
    }

    private static func restore<Keeper: Restorable>(
        _ json: String, in keeper: Keeper, _ routes: (any RouteCatalog)?
    ) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = routes
        keeper.restore(try decoder.decode(Keeper.SavedState.self, from: Data(json.utf8)))
    }

    /// Whether a snapshot with states of one scope has the states of another scope: `memory` includes all states.
    private static func includes(_ scope: StateScope, in included: StateScope) -> Bool {
        included == .memory || scope == .file
    }
}
