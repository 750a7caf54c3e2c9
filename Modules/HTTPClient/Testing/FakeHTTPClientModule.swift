import HTTPClientInterface
public import RouterServiceInterface

/// Stands in for HTTPClient where another feature runs alone: a client without prepared answers.
public struct FakeHTTPClientModule: Module {
    public init() {}

    /// Registers the client.
    public func register(in registrar: Registrar) {
        registrar.register((any HTTP.Client).self, lifetime: .singleton) { FakeHTTPClient() }
    }
}
