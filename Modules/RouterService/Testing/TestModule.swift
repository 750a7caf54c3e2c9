public import RouterServiceInterface

/// A module entry that registers whatever a test or a preview gives it, for one router.
///
/// Listed last, it replaces services of the other modules with fakes:
///
/// ```swift
/// let overrides = TestModule { $0.replace((any Login.Sessions).self) { FakeSessions() } }
/// let router = RouterService(modules: modules + [overrides])
/// ```
public struct TestModule: Module {
    private let registration: @MainActor (Registrar) -> Void

    /// Creates a module entry.
    public init(_ registration: @escaping @MainActor (Registrar) -> Void) {
        self.registration = registration
    }

    /// Registers what the test gave.
    public func register(in registrar: Registrar) {
        registration(registrar)
    }
}
