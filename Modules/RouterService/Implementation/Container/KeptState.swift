import Foundation
import RouterServiceInterface
import RouterServiceProgram

/// The state of an instance, in a form that outlives the instance.
///
/// JSON, because the type of the next instance may be recompiled, or belong to the next run of the program.
struct KeptState {
    let json: String
    let scope: StateScope

    init(_ json: String, of scope: StateScope) { (self.json, self.scope) = (json, scope) }

    /// The current state of an instance; nil where a scope does not include it, or it cannot be written, which is reported.
    @MainActor
    init?(of instance: Any?, including included: StateScope, reporting events: RouterEvents) {
        guard let keeper = instance as? any Restorable, included.includes(type(of: keeper).stateScope),
            let state = keeper.savedState
        else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            json = String(decoding: try encoder.encode(state), as: UTF8.self)
            scope = type(of: keeper).stateScope
        } catch {
            events.add(.failed("the state of \(TypeKey(type(of: keeper)))", error))
            return nil
        }
    }

    /// Hands the state to another instance of the same scope; an instance that cannot read the state is reported.
    @MainActor
    func restore(in instance: Any, routes: (any RouteCatalog)?, reporting events: RouterEvents) {
        guard let keeper = instance as? any Restorable, type(of: keeper).stateScope == scope else { return }
        do {
            try restore(in: keeper, routes)
        } catch {
            events.add(.startedFresh(TypeKey(type(of: keeper)), error))
        }
    }

    func json(of scope: StateScope) -> String? { self.scope == scope ? json : nil }

    @MainActor
    private func restore<Keeper: Restorable>(in keeper: Keeper, _ routes: (any RouteCatalog)?) throws {
        let decoder = JSONDecoder()
        decoder.routeCatalog = routes
        keeper.restore(try decoder.decode(Keeper.SavedState.self, from: Data(json.utf8)))
    }
}

extension StateScope {
    /// Whether this scope includes the states of another one: what stays in the process may hold all states.
    func includes(_ scope: StateScope) -> Bool { self == .memory || scope == .file }
}

/// The states of a screen's model and of the embedded screens' models, until the next models take them.
struct ScreenState {
    var model: KeptState?
    private var embedded: [(route: AnyRoute, state: ScreenState)] = []

    init(_ model: KeptState? = nil, embedded: [(route: AnyRoute, state: ScreenState)] = []) {
        (self.model, self.embedded) = (model, embedded)
    }

    init(_ entry: RouterSnapshot.Entry) {
        model =
            entry.state.map { KeptState($0, of: .file) }
            ?? entry.memoryState.map { KeptState($0, of: .memory) }
        embedded = (entry.embedded ?? []).map { ($0.route, ScreenState($0)) }
    }

    /// The states, as far as a scope includes them, as an element of a stack.
    func entry(
        of route: AnyRoute, as style: PresentationStyle, including scope: StateScope
    ) -> RouterSnapshot.Entry {
        let inner = embedded.map { $0.state.entry(of: $0.route, as: .embedded, including: scope) }
            .filter { $0.state != nil || $0.memoryState != nil || $0.embedded != nil }
        let memoryState = scope.includes(.memory) ? model?.json(of: .memory) : nil
        return RouterSnapshot.Entry(
            route: route, style: style, state: model?.json(of: .file), memoryState: memoryState,
            embedded: inner.isEmpty ? nil : inner)
    }

    /// The states of the first embedded screen of a route.
    func state(for route: AnyRoute) -> ScreenState? { embedded.first { $0.route == route }?.state }

    mutating func remove(for route: AnyRoute) {
        if let index = embedded.firstIndex(where: { $0.route == route }) { embedded.remove(at: index) }
    }

    /// The states with the states of the present embedded screens, before the states that still wait.
    func with(_ present: [(route: AnyRoute, state: ScreenState)]) -> ScreenState {
        ScreenState(model, embedded: present + embedded)
    }
}
