public import RouterServiceInterface

/// A module entry that runs the registration of a test or a preview, for one router.
///
/// Listed last, it overrides services of the other modules with fakes:
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

    /// Runs the test's registration.
    public func register(in registrar: Registrar) {
        registration(registrar)
    }
}

extension RouteCatalog {
    /// Creates a catalog of routes without URLs, for tests that read links without a router.
    public init(_ types: [any Route.Type]) {
        self.init(
            types: { identifier in types.first { $0.identifier == identifier } },
            nearestIdentifier: { _ in nil },
            route: { throw RouterError.unknownURL($0, nearest: nil) },
            url: { throw RouterError.noURL(route: TypeName(type(of: $0)), reason: "It has no pattern.") })
    }
}
