public import Foundation

/// An error of registrations, services, routes or screens.
///
/// The description states the problem, the path along which a dependency is needed, and the remedy.
public enum RouterError: Error {
    /// The reason why a call for a route is not possible, as the message completes it.
    public enum Rejection: String, Sendable {
        /// Its handler is not available, and there is no fallback.
        case disabled = "is not available. Give it a '.fallback', or ask before opening it."
        /// Its output is not `Encodable`.
        case outputNotEncodable = "has no output for JSON. Open it, or let its 'Output' be 'Encodable'."
        /// Its screen finishes a second time.
        case alreadyFinished = "has already finished. Call 'finish' once."
        /// Its screen was removed or replaced, or the router was released.
        case screenDismissed = "is no longer shown. Stop its work when the user leaves it."
        /// Its screen is the first one, which cannot be removed.
        case cannotDismissRoot = "is the first screen and stays. Dismiss only screens above it."
        /// It is to be embedded, or to replace a screen, but an action fulfils it.
        case noScreen = "is fulfilled by an action and has no screen. Open it instead."
        /// Its screen is to be replaced, but another one embeds it.
        case embedded = "is embedded in another screen, which holds it. Let that one embed another route."
        /// It is opened before the first screen.
        case notStarted = "cannot be opened yet. Call 'start(with:)' first."
        /// It is to be the first screen, and there is one.
        case alreadyStarted = "cannot be the first screen: there is one. Open it in the style 'root'."
    }

    /// A dependency that is not registered, and the registered one that was probably meant.
    case missingService(TypeName, path: [TypeName])
    /// A service or a route whose registrations do not fit together: a problem that the router's validation reports too.
    case misregistered(any Error & CustomStringConvertible, path: [TypeName])
    /// Services that depend on one another; the path begins and ends with the same one.
    case cycle(path: [TypeName])
    /// A chain of dependencies that is longer than a thread's stack may hold.
    case tooDeep(path: [TypeName])
    /// A service, feature, action, interceptor or listener whose initialiser threw.
    case creationFailed(TypeName, path: [TypeName], underlying: any Error)
    /// A service with an asynchronous factory, needed before the router awaited it.
    case notPrepared(TypeName, path: [TypeName])
    /// A scope that is left, or whose service is needed, when it has not begun or has ended.
    case outsideScope(Scope, path: [TypeName])
    /// A scope that begins a second time before it has ended.
    case scopeAlreadyEntered(Scope)

    /// A route without a handler.
    case missingHandler(route: TypeName)
    /// A call for a route that is not possible.
    case rejected(Rejection, route: TypeName)
    /// Routes that lead to one another in a circle or never end: by redirects, fallbacks and adapters, or because
    /// interceptors, actions and listeners open them, or screens embed them.
    case redirectLoop(path: [AnyRoute])

    /// A URL that no declared pattern matches, and the pattern that it was probably meant for.
    case unknownURL(URL, nearest: URLPattern?)
    /// A route that none of its patterns can carry, or that has none.
    case noURL(route: TypeName, reason: String)

    /// A presentation style that the presenter does not know.
    case unknownStyle(PresentationStyle)
    /// A screen that the presenter cannot show.
    case unknownScreen(TypeName, presenter: TypeName)
    /// An attempt to go back to a route that is not in the stack.
    case routeNotInStack(TypeName)
    /// A stack without a screen.
    case emptyStack
    /// A call after the router was released.
    case routerReleased

    /// A listener that threw.
    case listenerFailed(event: TypeName, module: TypeName, underlying: any Error)
}

extension RouterError: LocalizedError, CustomStringConvertible {
    /// The description.
    public var errorDescription: String? { description }
    /// A description of the problem, its place, and the remedy.
    public var description: String {
        switch self {
        case .missingService(let type, let path):
            "\(type) is not registered, needed along \(text(path)). "
                + "Register it in a module entry that the App lists."
        case .misregistered(let problem, let path):
            path.count > 1 ? "\(problem) It is needed along \(text(path))." : "\(problem)"
        case .cycle(let path):
            "Services depend on one another in a cycle: \(text(path)). Let one of them take a 'Deferred' of the other."
        case .tooDeep(let path):
            "\(path.count - 1) services depend on one another in a chain, more than can be created at once: "
                + "\(text(Array(path.prefix(3)))) → … → \(text(path.suffix(1))). Let one of them take a 'Deferred'."
        case .creationFailed(let type, let path, let underlying):
            "\(type) could not be created along \(text(path)): \(errorMessage(of: underlying))"
        case .notPrepared(let type, let path):
            "\(type) is created asynchronously and not ready, needed along \(text(path)). Call 'start(with:)' first."
        case .outsideScope(let scope, let path):
            "The scope '\(scope)'\(path.isEmpty ? "" : " of \(text(path))") has not begun. Call 'enter' first."
        case .scopeAlreadyEntered(let scope):
            "The scope '\(scope)' has already begun. Call 'leave' before entering it again."
        case .missingHandler(let route):
            "\(route) has no handler. Register a feature with 'route(\(route).self, by:)' or an action with "
                + "'action(\(route).self, by:)' in a module entry that the App lists."
        case .rejected(let rejection, let route): "\(route) \(rejection.rawValue)"
        case .redirectLoop(let path):
            "Routes lead to one another in a circle: \(path.map(\.description).joined(separator: " → ")). Let one of them "
                + "proceed."
        case .unknownURL(let url, let nearest):
            "No route has a URL pattern that matches \(Self.quoted(url.absoluteString)). "
                + (nearest.map { "The nearest is '\($0)'." } ?? "Declare one beside the route's registration.")
        case .noURL(let route, let reason):
            "\(route) cannot be written as a URL. \(reason) Declare a pattern that names all its values."
        case .unknownStyle(let style):
            "The presenter does not know the presentation style '\(style.name)'. Use one that it documents."
        case .unknownScreen(let screen, let presenter):
            "\(presenter) cannot show a \(screen). Let the feature build a kind of screen that it documents."
        case .routeNotInStack(let route):
            "\(route) is not in the stack below. Open it, or dismiss to a route that is."
        case .emptyStack:
            "The stack has no screen, so there is nothing to show. Open at least one route that a feature handles."
        case .routerReleased:
            "The router was released. Keep it for as long as its services and screens are used."
        case .listenerFailed(let event, let module, let underlying):
            "\(module) failed to handle \(event): \(errorMessage(of: underlying))"
        }
    }

    private func text(_ path: [TypeName]) -> String { path.map(\.description).joined(separator: " → ") }

    /// A text in quotation marks for a message, cut if it is long.
    package static func quoted(_ text: some StringProtocol) -> String {
        let start = text.prefix(80)
        return start.endIndex < text.endIndex ? "'\(start)…'" : "'\(start)'"
    }
}

/// Describes any error for a user or a log, also one that has no description of its own.
public func errorMessage(of error: any Error) -> String {
    if let description = (error as? any LocalizedError)?.errorDescription { return description }
    // Foundation describes its own errors; its sentence for any other ends in "error 1".
    let isFromFoundation = error is any CustomNSError || type(of: error) is NSError.Type
    return isFromFoundation ? error.localizedDescription : "\(error)"
}
