public import RouterServiceInterface

/// Registers what the Login module provides.
public struct LoginModule: Module {
    /// Creates the module entry.
    public init() {}

    /// Registers the services and features.
    public func register(in registrar: some Registrar) {}
}
