public import RouterServiceInterface

/// Registers what the Display module provides.
public struct DisplayModule: Module {
    /// Creates the module entry.
    public init() {}

    /// Registers the services and features.
    public func register(in registrar: some Registrar) {}
}
