public import Foundation
import HTTPClientInterface
public import RouterServiceInterface

/// Registers an HTTP client that talks to a server over the network.
public struct HTTPClientModule: Module {
    private let baseURL: URL

    /// Creates the module entry for the server at an address.
    ///
    /// - Parameter baseURL: An `http` or `https` URL with a host, and with or without a path, under which the
    ///   server's API lies. Another URL makes the client's creation fail with
    ///   ``HTTP/Failure/invalidRequest(reason:)``.
    public init(baseURL: URL) {
        self.baseURL = baseURL
    }

    /// Registers the client, one for the whole program: connections are kept open between requests.
    public func register(in registrar: Registrar) {
        registrar.register((any HTTP.Client).self, lifetime: .singleton) { [baseURL] in
            try URLSessionClient(address: ServerAddress(baseURL))
        }
    }
}
