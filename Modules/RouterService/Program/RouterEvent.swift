public import RouterServiceInterface

/// A decision or an action of the router; ``ProgramRouter/events()`` streams them.
public enum RouterEvent: Sendable {
    /// An instance was created; the time includes the creation of its dependencies.
    case created(TypeKey, in: Duration)
    /// An interceptor decided about a route; the time includes the screens that the interceptor showed first.
    case intercepted(AnyRoute, by: TypeKey, Interception, in: Duration)
    /// A route was rerouted: by a redirect, a fallback, or the route of an adapter.
    case rerouted(AnyRoute, to: AnyRoute)
    case presented(AnyRoute, as: PresentationStyle, in: Duration)
    case performed(AnyRoute, in: Duration)
    case finished(AnyRoute)
    case removed(AnyRoute)
    case replaced([TypeKey], screens: Int)
    /// An instance began without the state of the former instance, because it cannot read that.
    case startedFresh(TypeKey, any Error)
    case broadcast(TypeKey, listeners: Int)
    case failed(String, any Error)
}

extension RouterEvent: CustomStringConvertible {
    public var description: String {
        switch self {
        case .created(let type, let time): "created \(type) in \(milliseconds(time))"
        case .intercepted(let route, let interceptor, let decision, let time):
            "intercepted \(route) by \(interceptor): \(text(decision)) in \(milliseconds(time))"
        case .rerouted(let route, let other): "rerouted \(route) to \(other)"
        case .presented(let route, let style, let time):
            "presented \(route) as \(style) in \(milliseconds(time))"
        case .performed(let route, let time): "performed \(route) in \(milliseconds(time))"
        case .finished(let route): "finished \(route)"
        case .removed(let route): "removed \(route)"
        case .replaced(let modules, let screens):
            "replaced \(modules.map(\.description).joined(separator: ", ")) with \(screens) screens"
        case .startedFresh(let type, let error):
            "\(type) started fresh, because its state cannot be read: \(error)"
        case .broadcast(let event, let listeners): "broadcast \(event) to \(listeners) listeners"
        case .failed(let what, let error): "failed \(what): \(errorMessage(of: error))"
        }
    }

    private func text(_ decision: Interception) -> String {
        switch decision {
        case .proceed: "proceed"
        case .redirect(let other): "redirect to \(AnyRoute(other))"
        case .reject(let error): "reject, \(errorMessage(of: error))"
        }
    }

    private func milliseconds(_ time: Duration) -> String {
        "\((time / .milliseconds(1) * 10).rounded(.down) / 10) ms"
    }
}
