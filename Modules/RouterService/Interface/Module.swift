/// The entry of an implementation: the one type that it makes public, which registers what the module provides.
public protocol Module {
    /// Registers the module's services and handlers.
    ///
    /// Nothing is created yet.
    @MainActor
    func register(in registrar: some Registrar)
}
