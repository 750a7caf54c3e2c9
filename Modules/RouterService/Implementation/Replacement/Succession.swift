import RouterServiceInterface

/// What a container takes over from the one that it is prepared to succeed.
@MainActor
struct Succession {
    let predecessor: Container
    /// The services that are not taken over, by the identities of their types.
    private let changed: Set<ObjectIdentifier>

    init(of predecessor: Container, except changed: Set<TypeName>) {
        self.predecessor = predecessor
        self.changed = Set(changed.map(\.id))
    }

    func isChanged(_ service: TypeName) -> Bool { changed.contains(service.id) }

    /// The predecessor's provider of a service that is taken over.
    func provider(of service: TypeName) throws -> AnyProvider? {
        isChanged(service) ? nil : try predecessor.provider(of: service)
    }
}

extension Container {
    /// A container for the next generation, which is prepared to succeed the present one.
    convenience init(_ registry: Registry, succeeding predecessor: Container, except changed: Set<TypeName>) {
        self.init(registry, sharing: predecessor.shared)
        succession = Succession(of: predecessor, except: changed)
        shared.prepared = self
    }

    /// Takes over the instances of the predecessor, those of changed services excepted.
    func takeOver() {
        guard let succession = succession.take() else { return }
        for provider in succession.predecessor.providers.all where !succession.isChanged(provider.service.type) {
            providers.insert(provider)
            provider.move(to: self)
        }
        shared.prepared = nil
    }

    /// Ends the preparation of a container that does not succeed another one; the current one supplies what is still asked
    /// for.
    func abandon() { _ = (succession.take(), shared.prepared.take()) }

    /// Hands the states of the predecessor's changed services to the services of this container, as soon as these exist.
    func takeOverStates() {
        guard let succession else { return }
        for service in registry.services where succession.isChanged(service.type) {
            let state = succession.predecessor.providers[service.type.id]?.state()
            let provider = state == nil ? providers[service.type.id] : try? provider(of: service.type)
            provider?.restore(state)
        }
    }
}
