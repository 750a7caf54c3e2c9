public import RouterServiceInterface

/// A module entry that is a closure, for a test or a preview.
///
/// ```swift
/// let replacements = TestModule { $0.override((any Login.Sessions).self) { FakeSessions() } }
/// let router = RouterService(modules: modules + [replacements])
/// ```
public struct TestModule: Module {
    private let registration: @MainActor (Registrar) -> Void

    public init(_ registration: @escaping @MainActor (Registrar) -> Void) {
        self.registration = registration
    }

    public func register(in registrar: Registrar) {
        registration(registrar)
    }
}
