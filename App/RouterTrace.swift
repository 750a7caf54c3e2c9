import DisplayInterface
import Foundation
import LoginInterface
import Observation
import RouterServiceInterface
import RouterServiceProgram

/// Adapts the router's reports to the trace that Display shows, and prints them where the user asks for that.
@Observable
@MainActor
final class RouterTrace: Display.Trace {
    private(set) var stack: [String] = []
    private(set) var services: [String] = []
    /// Receives a line for each event.
    @ObservationIgnored var print: (String) -> Void = { _ in }
    private var kept: [Display.TraceEvent] = []
    /// The user who was signed in at the last event.
    private var user: String?
    private let sessions: Deferred<any Login.Sessions>

    /// The number of events that are kept.
    private static let maximumEvents = 1000

    init(sessions: Deferred<any Login.Sessions>) {
        self.sessions = sessions
    }

    /// The kept events; none of a user whose session has ended, because another user may look at the screen.
    var events: [Display.TraceEvent] { user == nil || user == presentUser ? kept : [] }

    private var presentUser: String? { (try? sessions.value)?.current?.user }

    /// Observes a router until the returned task is cancelled, and until all events so far are received.
    func observe(_ router: any ProgramRouter) -> Task<Void, Never> {
        let reports = router.events()
        return Task { [weak self, weak router] in
            for await event in reports { self?.receive(event, of: router) }
        }
    }

    /// Adds problems, before the router's first event.
    func show(_ problems: [String]) {
        problems.forEach { add(Display.TraceEvent("problem", .negative, $0, at: .now)) }
    }

    private func add(_ event: Display.TraceEvent) {
        kept = kept.suffix(Self.maximumEvents - 1) + [event]
        print("\(event.kind) \(event.name)\(event.values.isEmpty ? "" : " \(event.values)")")
    }

    private func receive(_ event: RouterEvent, of router: (any ProgramRouter)?) {
        // The first screen creates the sessions, which the trace does not.
        if !stack.isEmpty {
            kept = events
            user = presentUser
        }
        switch event {
        case .created(let type, _): services.append("\(type)")
        case .presented, .removed, .replaced:
            guard let router else { return }
            stack = router.snapshot(including: .file).entries.map {
                address(of: $0.route, in: router.catalog)
            }
        // Events from before a sign-out may be received after it.
        case .broadcast(TypeKey(Login.SignedOut.self), _): kept = []
        default: break
        }
        add(Display.TraceEvent(event))
    }

    /// The address that opens a route again: its URL, or its link where it has none.
    private func address(of route: AnyRoute, in catalog: any RouteCatalog) -> String {
        (try? catalog.url(for: route.route).absoluteString) ?? (try? route.link) ?? "\(route)"
    }
}

extension Display.TraceEvent {
    /// The event as Display shows it, as of now.
    fileprivate init(_ event: RouterEvent) {
        func passed(_ route: AnyRoute) -> String { "\(route)".split(separator: "|").dropFirst().joined() }
        func milliseconds(_ time: Duration) -> String { "\(Int(time / .milliseconds(1))) ms" }
        let (kind, role, name, values): (String, Display.Role, String, String) =
            switch event {
            case .created(let type, let time): ("created", .muted, "\(type)", milliseconds(time))
            case .intercepted(let route, let interceptor, .proceed, _):
                ("let pass", .muted, route.identifier, "by \(interceptor)")
            case .intercepted(let route, let interceptor, .redirect(let other), _):
                ("redirected", .accent, route.identifier, "to \(AnyRoute(other)) by \(interceptor)")
            case .intercepted(let route, let interceptor, .reject(let error), _):
                ("rejected", .negative, route.identifier, "\(errorMessage(of: error)) by \(interceptor)")
            case .rerouted(let route, let other): ("rerouted", .accent, route.identifier, "to \(other)")
            case .presented(let route, let style, let time):
                (
                    "presented", .positive, route.identifier,
                    "\(passed(route)) as \(style), \(milliseconds(time))"
                )
            case .performed(let route, let time):
                ("performed", .positive, route.identifier, "\(passed(route)), \(milliseconds(time))")
            case .finished(let route): ("finished", .positive, route.identifier, passed(route))
            case .removed(let route): ("removed", .muted, route.identifier, passed(route))
            case .replaced(let modules, let screens):
                (
                    "replaced", .accent, modules.map(\.description).joined(separator: ", "),
                    "\(screens) screens"
                )
            case .startedFresh(let type, let error): ("reset", .warning, "\(type)", errorMessage(of: error))
            case .broadcast(let type, let listeners):
                (
                    "broadcast", .accent, "\(type)",
                    listeners == 1 ? "to 1 listener" : "to \(listeners) listeners"
                )
            case .failed(let what, let error): ("failed", .negative, what, errorMessage(of: error))
            }
        self.init(kind, role, name, values: values, at: .now)
    }
}
