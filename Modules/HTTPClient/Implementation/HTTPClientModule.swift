public import Foundation
public import RouterServiceInterface

/// Registers an HTTP client that talks to a server over the network.
public struct HTTPClientModule: Module {
    private let baseURL: URL

    /// Creates the module entry for the server at an address.
    public init(baseURL: URL) {
        self.baseURL = baseURL
    }

    /// Registers the client.
    public func register(in registrar: some Registrar) {}
}
