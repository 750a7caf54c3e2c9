import HTTPClientInterface
public import RouterServiceInterface

/// Registers the client of an `HTTP.Server`, which another module entry registers.
public struct HTTPClientModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.register((any HTTP.Client).self, lifetime: .singleton) { (server: HTTP.Server) in
            URLSessionClient(address: ServerAddress(server))
        }
    }
}
