import RouterServiceInterface

/// Keeps what is registered, and one instance of each; an optional need is nil when nobody registered it.
@MainActor
final class SmallRegistrar: Registrar {
    private(set) var lifetimes: [Lifetime] = []
    private var factories: [TypeName: @MainActor () throws -> Any] = [:]
    private var instances: [TypeName: Any] = [:]

    struct Missing: Error {
        let type: TypeName
    }

    func register<Service, each Need>(
        _ service: Service.Type, lifetime: Lifetime, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Service
    ) {
        lifetimes.append(lifetime)
        factories[TypeName(service)] = { try factory(repeat self.resolve((each Need).self)) }
    }

    func route<Handler: Feature, each Need>(
        _ route: Handler.Destination.Type, at place: SourcePlace,
        by factory: @escaping @MainActor (repeat each Need) throws -> Handler
    ) {}

    func knows<Service>(_ service: Service.Type) -> Bool {
        factories[TypeName(service)] != nil
    }

    func resolve<Service>(_ service: Service.Type) throws -> Service {
        if let optional = service as? any OptionalNeed.Type,
            let found = try optional.resolved(in: self) as? Service
        {
            return found
        }
        let name = TypeName(service)
        let instance = try instances[name] ?? factories[name]?()
        guard let found = instance as? Service else { throw Missing(type: name) }
        instances[name] = found
        return found
    }
}

@MainActor
private protocol OptionalNeed {
    static func resolved(in registrar: SmallRegistrar) throws -> Self
}

extension Optional: OptionalNeed {
    fileprivate static func resolved(in registrar: SmallRegistrar) throws -> Self {
        registrar.knows(Wrapped.self) ? try registrar.resolve(Wrapped.self) : nil
    }
}
