import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting

/// A route of a random sequence: a unique number, and the effect of opening it.
///
/// Whatever the effect, a stop or an errand that finishes in its place finishes with its number.
struct RandomStop: Route {
    typealias Output = Int
    static let identifier = "random.stop"

    enum Conduct: String, Codable, CaseIterable {
        /// Is shown.
        case plain
        /// Another stop takes its place.
        case redirected
        /// An errand takes its place.
        case redirectedToErrand
        /// An interceptor rejects it.
        case rejected
        /// An interceptor shows another stop first.
        case guarded
        /// An interceptor takes its time.
        case slow
        /// Is not available, and has a fallback.
        case unavailable
        /// Cannot be built.
        case broken
        /// Finishes while it is built.
        case instant
        /// Redirects to itself.
        case circular
    }

    let number: Int
    let conduct: Conduct

    /// The stop that its guard shows first.
    var ticket: RandomStop { RandomStop(number: -number, conduct: .plain) }
}

/// An action of a random sequence.
struct RandomErrand: Route {
    typealias Output = Int
    static let identifier = "random.errand"
    let number: Int
}

/// Registers the routes of a random sequence.
struct RandomModule: Module {
    let built: @MainActor (any RouteContext<RandomStop>) -> Void

    func register(in registrar: Registrar) {
        let built = built
        registrar.route(
            RandomStop.self, .fallback { RandomStop(number: $0.number, conduct: .plain) }
        ) { RandomFeature(built: built) }
        registrar.action(RandomErrand.self) {
            ProbeAction<RandomErrand> { errand in
                await settled(rounds: 1)
                return errand.number
            }
        }
        registrar.decide(Self.decision)
    }

    @MainActor
    private static func decision(about request: RouteRequest) async throws -> Interception {
        guard let stop = request.route as? RandomStop else { return .proceed }
        switch stop.conduct {
        case .redirected: return .redirect(to: RandomStop(number: stop.number, conduct: .slow))
        case .redirectedToErrand: return .redirect(to: RandomErrand(number: stop.number))
        case .circular: return .redirect(to: stop)
        case .rejected: return .reject(Shop.Failure())
        case .guarded: _ = try await request.result(of: stop.ticket)
        case .slow: await settled(rounds: 2)
        case .plain, .unavailable, .broken, .instant: break
        }
        return .proceed
    }
}

/// Builds the screens of a random sequence.
struct RandomFeature: Feature {
    let built: @MainActor (any RouteContext<RandomStop>) -> Void

    func isEnabled(for route: RandomStop) -> Bool { route.conduct != .unavailable }

    func build(_ route: RandomStop, in context: any RouteContext<RandomStop>) throws -> any Screen {
        if route.conduct == .broken { throw Shop.Failure() }
        built(context)
        // The first screen cannot finish.
        if route.conduct == .instant { try? context.finish(route.number) }
        let model = route.number.isMultiple(of: 2) ? RandomModel(route) : SecretModel(route)
        // A screen that finished is gone.
        try? context.keepState(of: model)
        return RandomScreen(route: route, context: context, model: model)
    }
}

/// The screen of a stop, with a text that outlives it.
final class RandomScreen: Screen, RouteProbe {
    let route: RandomStop
    let context: any RouteContext<RandomStop>
    let model: RandomModel

    init(route: RandomStop, context: any RouteContext<RandomStop>, model: RandomModel) {
        (self.route, self.context, self.model) = (route, context, model)
    }

    var anyRoute: AnyRoute { AnyRoute(route) }
}

class RandomModel: Restorable {
    struct SavedState: Codable, Sendable {
        let number, edits: Int
    }

    class var stateScope: StateScope { .file }
    let number: Int
    var edits = 0
    /// Whether the state of another stop was restored here.
    private(set) var isMixedUp = false

    init(_ route: RandomStop) { number = route.number }

    var savedState: SavedState? { edits > 0 ? SavedState(number: number, edits: edits) : nil }

    func restore(_ state: SavedState?) {
        isMixedUp = isMixedUp || state.map { $0.number != number } == true
        edits = state?.edits ?? 0
    }
}

/// The model of a stop with an odd number, whose state is never in a snapshot.
final class SecretModel: RandomModel {
    override class var stateScope: StateScope { .memory }
}
