import RouterServiceInterface

/// The services that a container shares with the container that it is prepared to succeed.
@MainActor
struct Succession {
    let predecessor: Container
    /// The services that the containers do not share.
    let changed: Set<TypeKey>

    /// The predecessor's provider of a service that both share.
    func provider(of service: TypeKey) throws -> AnyProvider? {
        changed.contains(service) ? nil : try predecessor.provider(of: service)
    }

    /// The changed services, in the order of registration.
    func changed(in registry: Registry) -> [Int] { changed.compactMap { registry.position(of: $0) }.sorted() }
}

extension Container {
    /// Creates a container for the next generation, which is prepared to succeed the present container.
    convenience init(_ registry: Registry, succeeding predecessor: Container, except changed: Set<TypeKey>) {
        self.init(registry, sharing: predecessor.shared)
        succession = Succession(predecessor: predecessor, changed: changed)
        shared.prepared = self
    }

    /// Serves the next generation, with the changed services of a container that was prepared for that.
    ///
    /// - Returns: The former providers of these services, to be released when nothing is being written.
    func adopt(_ next: Container) -> [AnyProvider] {
        guard let succession = next.succession.take() else { return [] }
        let former = succession.changed.compactMap { providers[$0.id] }
        registry = next.registry
        generation = next.generation
        for service in succession.changed { providers.set(next.providers[service.id], for: service) }
        for provider in next.providers.all { provider.move(to: self) }
        shared.prepared = nil
        return former
    }

    /// Ends the preparation of a container that does not succeed another one; the current one supplies what is still asked
    /// for.
    func abandon() {
        succession = nil
        shared.prepared = nil
    }

    /// Hands the states of the predecessor's changed services to the services of this container, as soon as these exist.
    func takeOverStates() {
        guard let succession else { return }
        for position in succession.changed(in: registry) {
            let type = registry.services[position].type
            let state = succession.predecessor.providers[type.id]?.state()
            let provider = state == nil ? providers[type.id] : try? provider(of: type)
            provider?.restore(state)
        }
    }
}
