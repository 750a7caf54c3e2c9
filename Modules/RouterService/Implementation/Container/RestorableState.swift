import Foundation
import RouterServiceInterface
import RouterServiceProgram

extension RouterSnapshot.State {
    /// The current state of an instance; nil where a scope does not include it, or, with a report, where it cannot be written.
    @MainActor
    init?(of instance: Any?, including included: StateScope, reporting events: RouterEvents) {
        guard let keeper = instance as? any Restorable, included.includes(type(of: keeper).stateScope),
            let state = keeper.savedState
        else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let json = String(decoding: try encoder.encode(state), as: UTF8.self)
            self.init(json, of: type(of: keeper).stateScope)
        } catch {
            events.add(.failed("the state of \(TypeKey(type(of: keeper)))", error))
            return nil
        }
    }

    func included(in scope: StateScope) -> Self? { scope.includes(self.scope) ? self : nil }

    /// Hands the state to another instance, if it has the same scope, and reports that the instance cannot read the state.
    @MainActor
    func restore(in instance: Any, routes: (any RouteCatalog)?, reporting events: RouterEvents) {
        guard let keeper = instance as? any Restorable, type(of: keeper).stateScope == scope else { return }
        do {
            try restore(in: keeper, routes)
        } catch {
            events.add(.startedFresh(TypeKey(type(of: keeper)), error))
        }
    }

    @MainActor
    private func restore<Keeper: Restorable>(in keeper: Keeper, _ routes: (any RouteCatalog)?) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = routes
        keeper.restore(try decoder.decode(Keeper.SavedState.self, from: Data(json.utf8)))
    }
}

extension StateScope {
    /// Whether this scope includes the states of another scope: `memory` includes all states.
    fileprivate func includes(_ scope: StateScope) -> Bool { self == .memory || scope == .file }
}
