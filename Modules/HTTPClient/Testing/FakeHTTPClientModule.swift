import HTTPClientInterface
public import RouterServiceInterface

/// Stands in for HTTPClient where another feature runs alone: a client that nothing is prepared for.
public struct FakeHTTPClientModule: Module {
    /// Creates the module entry.
    public init() {}

    /// Registers the client.
    public func register(in registrar: Registrar) {
        registrar.register((any HTTP.Client).self, lifetime: .singleton) { FakeHTTPClient() }
    }
}
