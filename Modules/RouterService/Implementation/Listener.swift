import RouterServiceInterface

/// What a module does when an event of one type is broadcast.
@MainActor
final class Listener<E: Event>: AnyListener {
    let registration: Registration
    let hear: @MainActor (E, Services) async throws -> Void

    init(registration: Registration, hear: @escaping @MainActor (E, Services) async throws -> Void) {
        self.registration = registration
        self.hear = hear
    }
}

/// A listener whose event's type does not matter.
@MainActor
protocol AnyListener: AnyObject {
    var registration: Registration { get }
}
