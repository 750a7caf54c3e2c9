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
    func restore(in instance: Any, routes: (any RouteCatalog)?, reporting events: RouterEvents) {
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
    private func restore<Keeper: Restorable>(in keeper: Keeper, _ routes: (any RouteCatalog)?) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = routes
        keeper.restore(try decoder.decode(Keeper.SavedState.self, from: Data(json.utf8)))
    }
}

/// The states of a screen's model and of those that are embedded in the screen, until the next ones take them.
struct ScreenState {
    var model: KeptState?
    private var embedded: [(route: AnyRoute, state: ScreenState)] = []

    init(_ model: KeptState? = nil, embedded: [(route: AnyRoute, state: ScreenState)] = []) {
        (self.model, self.embedded) = (model, embedded)
    }

    /// The states of an element of a stored stack.
    init(_ entry: RouterSnapshot.Entry) {
        model =
            entry.state.map { KeptState($0, of: .file) }
            ?? entry.memoryState.map { KeptState($0, of: .memory) }
        embedded = (entry.embedded ?? []).map { ($0.route, ScreenState($0)) }
    }

    /// The states as an element of a stack to store; without those that never leave the process where it leaves that.
    func entry(of route: AnyRoute, as style: PresentationStyle, isToBeStored: Bool) -> RouterSnapshot.Entry {
        let inner = embedded.map { $0.state.entry(of: $0.route, as: .embedded, isToBeStored: isToBeStored) }
            .filter { $0.state != nil || $0.memoryState != nil || $0.embedded != nil }
        return RouterSnapshot.Entry(
            route: route, style: style, state: model?.json(of: .file),
            memoryState: isToBeStored ? nil : model?.json(of: .memory), embedded: inner.isEmpty ? nil : inner)
    }

    /// The states of the first embedded screen of a route.
    func state(for route: AnyRoute) -> ScreenState? { embedded.first { $0.route == route }?.state }

    mutating func remove(for route: AnyRoute) {
        if let index = embedded.firstIndex(where: { $0.route == route }) { embedded.remove(at: index) }
    }

    /// The same with the states of screens that are embedded now before those that still wait.
    func with(_ present: [(route: AnyRoute, state: ScreenState)]) -> ScreenState {
        ScreenState(model, embedded: present + embedded)
    }
}
