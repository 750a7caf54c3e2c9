import RouterServiceInterface
import RouterServiceProgram

extension RouterService {
    /// Calls the listeners for an event; their openings have the routes as their path.
    @discardableResult
    func broadcast<E: Event>(_ event: E, after path: [AnyRoute]) async -> [RouterError] {
        let type = TypeKey(E.self)
        log.add(.broadcast(type, listeners: container.listeners.of(type).joined().count))
        var failures: [RouterError] = []
        for module in registry.modules.indices {
            var called: [String: Int] = [:]
            var (listeners, pending): (Listeners?, ArraySlice<Registration<Listener>>) = (nil, [])
            while true {
                // Modules may be replaced while a listener works.
                if listeners !== container.listeners {
                    listeners = container.listeners
                    pending = container.listeners.left(of: type, in: module, after: called)
                }
                guard let listener = pending.popFirst() else { break }
                called[listener.source.place, default: 0] += 1
                do {
                    try await container.create(listener, with: CallResolver(container, after: path))(event)
                } catch {
                    let module = listener.source.module
                    failures.append(.listenerFailed(event: type, module: module, underlying: error))
                    log.add(.failed("\(module)", error))
                }
            }
        }
        return failures
    }
}

/// The listeners of all modules, by the type of their event.
@MainActor
final class Listeners {
    private let modules: [Registrations]
    private var found: [TypeKey: [[Registration<Listener>]]] = [:]

    init(_ registry: Registry) { modules = registry.modules }

    /// The listeners of each module for a type of event.
    func of(_ event: TypeKey) -> [[Registration<Listener>]] {
        if let found = found[event] { return found }
        let found = modules.map { $0.listeners.filter { $0.source.type == event } }
        self.found[event] = found
        return found
    }

    /// The listeners of a module that are left, by the number of calls for each place, which may register several listeners.
    func left(
        of event: TypeKey, in module: Int, after called: [String: Int]
    ) -> ArraySlice<Registration<Listener>> {
        var passed: [String: Int] = [:]
        return of(event)[module].filter {
            passed[$0.source.place, default: 0] += 1
            return passed[$0.source.place, default: 0] > called[$0.source.place, default: 0]
        }[...]
    }
}
