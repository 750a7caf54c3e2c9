public import RouterServiceInterface

/// Registers an HTTP client that answers from a backend inside the program.
public struct EmbeddedHTTPClientModule: Module {
    /// Creates the module entry.
    public init() {}

    /// Registers the client.
    public func register(in registrar: some Registrar) {}
}
