import HTTPClientInterface
public import RouterServiceInterface
import StorageInterface

/// Registers an HTTP client that answers from a backend inside the program.
public struct EmbeddedHTTPClientModule: Module {
    public init() {}

    /// Registers the client, one for the whole program, which holds who is signed in, and how to sign in.
    public func register(in registrar: Registrar) {
        registrar.register((any HTTP.Client).self, lifetime: .singleton) { (stores: any Storage.Stores) in
            EmbeddedClient(stores: stores)
        }
        registrar.register(HTTP.SignInHint.self, lifetime: .transient) {
            HTTP.SignInHint(text: EmbeddedUser.hint)
        }
    }
}
