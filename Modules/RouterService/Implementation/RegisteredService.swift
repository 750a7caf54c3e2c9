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
    private(set) var makeSource: @MainActor () -> ServiceSource

    init(
        _ registration: Registration, lifetime: Lifetime, isAwaited: Bool = false,
        makeSource: @escaping @MainActor () -> ServiceSource
    ) {
        self.registration = registration
        self.lifetime = lifetime
        self.isAwaited = isAwaited
        self.makeSource = makeSource
    }

    /// Takes another factory.
    func replace(_ registration: Registration, makeSource: @escaping @MainActor () -> ServiceSource) {
        self.registration = registration
        self.makeSource = makeSource
    }
}
