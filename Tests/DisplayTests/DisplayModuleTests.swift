import DisplayImplementation
import DisplayInterface
import RouterServiceInterface
import Testing

@MainActor
struct DisplayModuleTests {
    @Test func terminalAndPresenter_areOneObjectForTheWholeProgram() throws {
        let registrar = SmallRegistrar()
        DisplayModule().register(in: registrar)
        let terminal = try registrar.resolve((any Display.Terminal).self)
        let presenter = try registrar.resolve((any Presenter).self)
        #expect(presenter === terminal)
        #expect(registrar.lifetimes == [.app, .app])
    }
}

/// Keeps what is registered, and one instance of each.
@MainActor
private final class SmallRegistrar: Registrar {
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

    func resolve<Service>(_ service: Service.Type) throws -> Service {
        let name = TypeName(service)
        let instance = try instances[name] ?? factories[name]?()
        guard let found = instance as? Service else { throw Missing(type: name) }
        instances[name] = found
        return found
    }
}
