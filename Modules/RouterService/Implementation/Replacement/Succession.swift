import RouterServiceInterface

/// The services that a container shares with its predecessor.
@MainActor
struct Succession {
    let predecessor: Container
    let changed: Set<TypeKey>

    func provider(of service: TypeKey) throws -> AnyProvider? {
        changed.contains(service) ? nil : try predecessor.provider(of: service)
    }

    /// The changed services, in the order of registration.
    func changed(in registry: Registry) -> [Int] { changed.compactMap { registry.position(of: $0) }.sorted() }
}

extension Container {
    /// Creates a container for the next generation.
    convenience init(_ registry: Registry, succeeding predecessor: Container, except changed: Set<TypeKey>) {
        self.init(registry, sharing: predecessor.shared)
        succession = Succession(predecessor: predecessor, changed: changed)
        shared.prepared = self
    }

    /// Serves the next generation, with the changed services of a prepared container.
    ///
    /// - Returns: The former providers, to be released when nothing is being written.
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

    /// Discards a prepared container; the current container resolves pending requests.
    func abandon() {
        succession = nil
        shared.prepared = nil
    }

    /// Hands the states of the predecessor's changed services to the instances of this container, as soon as they exist.
    func takeOverStates() {
        guard let succession else { return }
        for position in succession.changed(in: registry) {
            let type = registry.services[position].type
            let state = succession.predecessor.state(of: type)
            let provider = state == nil ? providers[type.id] : try? provider(of: type)
            provider?.restore(state)
        }
    }
}
