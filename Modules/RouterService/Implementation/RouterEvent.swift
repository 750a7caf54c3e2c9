import Foundation
public import RouterServiceInterface

/// Something that the router decided or did.
public enum RouterEvent: Sendable {
    /// An instance that lived already served a need.
    case resolved(TypeName)
    /// An instance was created; the time includes that of what it needed first.
    case created(TypeName, in: Duration)
    /// An interceptor decided about a route; the time includes that of screens which it showed first.
    case intercepted(AnyRoute, by: TypeName, Interception, in: Duration)
    /// A route's handler is not available, or another module's route fulfils it, and another route took its place.
    case replaced(AnyRoute, by: AnyRoute)
    /// A route's screen was built and shown.
    case presented(AnyRoute, as: PresentationStyle, in: Duration)
    /// A route's action was performed.
    case performed(AnyRoute, in: Duration)
    /// A route's screen finished with an output.
    case finished(AnyRoute)
    /// A route's screen was removed.
    case removed(AnyRoute)
    /// An event was told to listeners.
    case broadcast(TypeName, listeners: Int)
    /// The start, an opening or a listener failed.
    case failed(String, any Error)
}

extension RouterEvent: CustomStringConvertible {
    /// The event as a line for a log, its times in milliseconds.
    public var description: String {
        switch self {
        case .resolved(let type): "resolved \(type)"
        case .created(let type, let time): "created \(type) in \(milliseconds(time))"
        case .intercepted(let route, let interceptor, let decision, let time):
            "intercepted \(name(route)) by \(interceptor): \(text(decision)) in \(milliseconds(time))"
        case .replaced(let route, let other): "replaced \(name(route)) by \(name(other))"
        case .presented(let route, let style, let time):
            "presented \(name(route)) as \(style.name) in \(milliseconds(time))"
        case .performed(let route, let time): "performed \(name(route)) in \(milliseconds(time))"
        case .finished(let route): "finished \(name(route))"
        case .removed(let route): "removed \(name(route))"
        case .broadcast(let event, let listeners): "broadcast \(event) to \(listeners) listeners"
        case .failed(let what, let error): "failed \(what): \(error.localizedDescription)"
        }
    }

    private func text(_ decision: Interception) -> String {
        switch decision {
        case .proceed: "proceed"
        case .redirect(let other): "redirect to \(name(AnyRoute(other)))"
        case .reject(let error): "reject, \(error.localizedDescription)"
        }
    }

    private func name(_ route: AnyRoute) -> String {
        (try? route.link) ?? "\(TypeName(type(of: route.route)))"
    }

    private func milliseconds(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
