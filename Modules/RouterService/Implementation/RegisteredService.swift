import RouterServiceInterface

/// One registered service: what was said of it, and how the source of its instances is made when it is needed.
///
/// It is not generic, so that registering a thousand services does not make the runtime build a thousand types.
@MainActor
final class RegisteredService {
    let lifetime: Lifetime
    /// Whether the factory is asynchronous and runs before the first screen.
    let isAwaited: Bool
    private(set) var registration: Registration
    private var make: MakeSource

    /// Makes the source of a service; it receives the service instead of keeping what is said of it once more.
    typealias MakeSource = @MainActor (RegisteredService) -> ServiceSource

    init(
        _ registration: Registration, lifetime: Lifetime, isAwaited: Bool = false,
        makeSource: @escaping MakeSource
    ) {
        self.registration = registration
        self.lifetime = lifetime
        self.isAwaited = isAwaited
        make = makeSource
    }

    /// Takes another factory.
    func replace(_ registration: Registration, makeSource: @escaping MakeSource) {
        self.registration = registration
        make = makeSource
    }

    /// A source without instances.
    func makeSource() -> ServiceSource {
        make(self)
    }
}
