// Functions that register services are inlined into the module that registers, where the types are known; otherwise, each
// resolution would look the types up.

@inlinable
func parameterTypes<each Parameter>(_ parameter: repeat (each Parameter).Type) -> [any Any.Type] {
    var types: [any Any.Type] = []
    repeat types.append(each parameter)
    return types
}

func injecting<Value, each Parameter>(
    _ factory: @escaping @MainActor (repeat each Parameter) throws -> Value
) -> @MainActor (any DependencyResolver) throws -> Value {
    { try factory(repeat try $0.resolve((each Parameter).self)) }
}

/// The factory with its parameters supplied by a resolver, which is asked once for their sources.
@inlinable
@MainActor
func immediate<Service, each Parameter>(
    _ factory: @escaping @MainActor (repeat each Parameter) throws -> Service
) -> @MainActor () -> any AnyServiceFactory {
    {
        ServiceFactory<Service>.immediate { bound(factory, repeat $0.source(of: (each Parameter).self)) }
    }
}

@inlinable
@MainActor
func bound<Service, each Parameter>(
    _ factory: @escaping @MainActor (repeat each Parameter) throws -> Service,
    _ source: repeat @escaping @MainActor () throws -> each Parameter
) -> @MainActor () throws -> Service {
    { try factory(repeat try (each source)()) }
}

extension Registrar {
    @usableFromInline
    func add(
        _ service: any Any.Type, _ lifetime: Lifetime?, _ parameters: [any Any.Type], _ fileID: String,
        _ line: Int, isAsynchronous: Bool = false,
        by factory: @escaping @MainActor () -> any AnyServiceFactory
    ) {
        registrations.services.append(
            ServiceRegistration(
                source: source(of: service, parameters, fileID, line), lifetime: lifetime,
                isAsynchronous: isAsynchronous, factory: factory))
    }

    func source(
        of type: any Any.Type, _ parameters: [any Any.Type], _ fileID: String, _ line: Int
    ) -> RegistrationSource {
        RegistrationSource(
            type: TypeKey(type), module: module, fileID: fileID, line: line,
            parameters: parameters)
    }
}
