import Foundation
import RouterServiceInterface
import RouterServiceProgram

/// The state of an instance, in a form that outlives the instance.
///
/// It is JSON and no value, because the next instance may be of another type: one that was recompiled, or one of the next
/// run of the program.
struct KeptState {
    let json: String
    let scope: StateScope

    /// A state that was in a snapshot.
    init(_ json: String, of scope: StateScope) { (self.json, self.scope) = (json, scope) }

    /// The current state of an instance; nil if it keeps none, or if it cannot be written, which is a reported failure.
    ///
    /// If it is to be stored, states that never leave the process are left out.
    @MainActor
    init?(of instance: Any?, isToBeStored: Bool = false, reporting events: RouterEvents) {
        guard let keeper = instance as? any Restorable,
            !isToBeStored || type(of: keeper).stateScope == .file, let state = keeper.savedState
        else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            json = String(decoding: try encoder.encode(state), as: UTF8.self)
            scope = type(of: keeper).stateScope
        } catch {
            events.add(.failed("the state of \(TypeName(type(of: keeper)))", error))
            return nil
        }
    }

    /// Hands the state to another instance, unless that has another scope or cannot read it, which is reported.
    @MainActor
    func restore(in instance: Any, routes: RouteCatalog?, reporting events: RouterEvents) {
        guard let keeper = instance as? any Restorable, type(of: keeper).stateScope == scope else { return }
        do {
            try restore(in: keeper, routes)
        } catch {
            events.add(.startedFresh(TypeName(type(of: keeper)), error))
        }
    }

    /// The state as JSON, if it has a scope.
    func json(of scope: StateScope) -> String? { self.scope == scope ? json : nil }

    @MainActor
    private func restore<Keeper: Restorable>(in keeper: Keeper, _ routes: RouteCatalog?) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = routes
        keeper.restore(try decoder.decode(Keeper.SavedState.self, from: Data(json.utf8)))
    }
}
