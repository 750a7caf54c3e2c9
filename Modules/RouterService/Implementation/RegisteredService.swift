import RouterServiceInterface

/// One registered service: what was said of it, and the source of its instances as soon as it has been needed.
///
/// It is not generic, so that registering a thousand services does not make the runtime build a thousand types.
@MainActor
final class RegisteredService {
    let lifetime: Lifetime
    /// Whether the factory is asynchronous and runs before the first screen.
    let isAwaited: Bool
    private(set) var registration: Registration
    private var makeSource: @MainActor () -> ServiceSource
    private var madeSource: ServiceSource?

    init(
        _ registration: Registration, lifetime: Lifetime, isAwaited: Bool = false,
        makeSource: @escaping @MainActor () -> ServiceSource
    ) {
        self.registration = registration
        self.lifetime = lifetime
        self.isAwaited = isAwaited
        self.makeSource = makeSource
    }

    var source: ServiceSource {
        if let madeSource { return madeSource }
        let source = makeSource()
        madeSource = source
        return source
    }

    /// Takes another factory and forgets the instance that lives.
    func replace(_ registration: Registration, makeSource: @escaping @MainActor () -> ServiceSource) {
        self.registration = registration
        self.makeSource = makeSource
        madeSource = nil
    }

    /// Forgets the instance that lives.
    func forget() {
        madeSource?.forget()
    }
}
