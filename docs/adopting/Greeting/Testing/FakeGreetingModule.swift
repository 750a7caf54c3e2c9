import GreetingInterface
public import RouterServiceInterface

/// Stands in for Greeting in tests and previews: the same phrase at all times, and no screen.
public struct FakeGreetingModule: Module {
    public init() {}

    /// Registers the phrases.
    public func register(in registrar: Registrar) {
        registrar.register((any Greeting.Phrases).self) { FakePhrases() }
    }
}

private final class FakePhrases: Greeting.Phrases {
    func phrase(for name: String) -> String { "Hello, \(name)!" }
}
