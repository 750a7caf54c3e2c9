import HTTPClientInterface
public import RouterServiceInterface

/// Registers an HTTP client that talks to a server over the network.
public struct HTTPClientModule: Module {
    public init() {}

    /// Registers the client, one for the whole program: connections are kept open between requests.
    ///
    /// The client depends on an `HTTP.Server`, which another module entry registers.
    public func register(in registrar: Registrar) {
        registrar.register((any HTTP.Client).self, lifetime: .singleton) { (server: HTTP.Server) in
            URLSessionClient(address: ServerAddress(server))
        }
    }
}
