public import RouterServiceInterface

extension RouterService {
    /// Tells an event to each listener for its type, in the order of registration.
    ///
    /// A listener that throws does not keep the others from hearing of it.
    ///
    /// - Returns: `RouterError.listenerFailed` for each listener that threw.
    @discardableResult
    public func broadcast<E: Event>(_ event: E) async -> [RouterError] {
        let listeners = registry.listeners.compactMap { $0 as? Listener<E> }
        log.add(.broadcast(TypeName(E.self), listeners: listeners.count))
        var failures: [RouterError] = []
        for listener in listeners {
            do {
                try await listener.hear(event, registry.services)
            } catch {
                failures.append(
                    .listenerFailed(
                        event: TypeName(E.self), module: listener.registration.module, underlying: error))
                log.add(.failed("\(listener.registration.module)", error))
            }
        }
        return failures
    }
}
