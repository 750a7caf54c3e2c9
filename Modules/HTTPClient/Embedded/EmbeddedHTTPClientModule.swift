import HTTPClientInterface
public import RouterServiceInterface
public import StorageInterface

/// Registers an HTTP client whose server is inside the program.
public struct EmbeddedHTTPClientModule: Module {
    public init() {}

    public func register(in registrar: Registrar) {
        registrar.register((any HTTP.Client).self, lifetime: .singleton) { (stores: any Storage.Stores) in
            EmbeddedClient(stores: stores)
        }
    }

    /// Serves the server's API over HTTP on the loopback address, until the program ends.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for a free one.
    ///   - stores: The stores, of which the server uses one.
    ///   - configuration: The path of a file with flags and rules, read for each request; nil for none.
    /// - Returns: The port.
    /// - Throws: `Storage.Failure` where the store cannot be used, `POSIXError` where the port cannot be used, and an error
    ///   with the reason where the configuration cannot be read.
    public static func serve(
        on port: UInt16, with stores: any Storage.Stores, configuration: String?
    ) async throws -> UInt16 {
        let configuration = EmbeddedConfiguration(file: configuration)
        _ = try configuration.text()
        let client = EmbeddedClient(stores: stores, configuration: configuration)
        try await client.open()
        let server = try LoopbackServer(port: port)
        server.serve(EmbeddedServer(client: client).serve)
        return server.port
    }
}
