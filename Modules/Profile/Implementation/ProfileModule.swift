public import RouterServiceInterface

/// Registers what the Profile module provides.
public struct ProfileModule: Module {
    /// Creates the module entry.
    public init() {}

    /// Registers the services and features.
    public func register(in registrar: some Registrar) {}
}
