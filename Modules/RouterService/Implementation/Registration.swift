import RouterServiceInterface

/// What a registration says of itself before anything runs.
struct Registration {
    /// The type that was registered: the service's, the feature's, the action's, the interceptor's or the event's.
    let type: TypeName
    /// The module entry that registered it.
    let module: TypeName
    let place: SourcePlace
    /// The types of the factory's parameters, in order.
    private let parameters: [any Any.Type]

    init<each Parameter>(
        of type: TypeName, for parameter: repeat (each Parameter).Type, in module: TypeName,
        at place: SourcePlace
    ) {
        var parameters: [any Any.Type] = []
        repeat parameters.append(each parameter)
        self.type = type
        self.module = module
        self.place = place
        self.parameters = parameters
    }

    var needs: [Need] { parameters.map(Need.init) }
}

/// A parameter of a factory, as a need for a service.
struct Need {
    let service: TypeName
    /// Whether the need is left empty where nobody registered the service.
    let isOptional: Bool
    /// Whether the service is resolved on first use, and not held.
    let isDeferred: Bool

    /// Reads a parameter's type, through `Optional` and `Deferred`.
    init(_ parameter: any Any.Type) {
        guard let wrapper = parameter as? any WrappedNeed.Type else {
            (service, isOptional, isDeferred) = (TypeName(parameter), false, false)
            return
        }
        let wrapped = Need(wrapper.wrapped)
        service = wrapped.service
        isOptional = wrapped.isOptional || wrapper.isOptional
        isDeferred = wrapped.isDeferred || wrapper.isDeferred
    }
}

/// A type of parameter that stands for a need of another type.
@MainActor
protocol WrappedNeed {
    nonisolated static var wrapped: any Any.Type { get }
    nonisolated static var isOptional: Bool { get }
    nonisolated static var isDeferred: Bool { get }

    static func resolved(from services: Services) throws -> Self
}

extension Optional: WrappedNeed {
    static var wrapped: any Any.Type { Wrapped.self }
    static var isOptional: Bool { true }
    static var isDeferred: Bool { false }

    @MainActor
    static func resolved(from services: Services) throws -> Self {
        services.isRegistered(Need(Wrapped.self).service) ? try services.resolve(Wrapped.self) : nil
    }
}

extension Deferred: WrappedNeed {
    nonisolated static var wrapped: any Any.Type { Value.self }
    nonisolated static var isOptional: Bool { false }
    nonisolated static var isDeferred: Bool { true }

    static func resolved(from services: Services) throws -> Self {
        Deferred { [weak services] in
            guard let services else { throw RouterError.routerReleased }
            return try services.resolve(Value.self)
        }
    }
}
