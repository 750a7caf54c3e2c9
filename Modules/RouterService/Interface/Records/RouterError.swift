public import Foundation

/// An error of registrations, services, routes or screens; its description states the problem, the path and the remedy.
public enum RouterError: Error {
    /// The reason why a call for a route is not possible, as the end of a message.
    public enum Rejection: String, Sendable {
        case disabled = "is not available. Give it a '.fallback', or ask before opening it."
        case outputNotEncodable = "has no output for JSON. Open it, or let its 'Output' be 'Encodable'."
        case alreadyFinished = "has already finished. Call 'finish' once."
        case screenDismissed = "is no longer shown. Stop its work when the user leaves it."
        case cannotDismissRoot = "is the first screen and stays. Dismiss only screens above it."
        case noScreen = "is fulfilled by an action and has no screen. Open it instead."
        case embedded = "is embedded in another screen, which holds it. Let that one embed another route."
        case embeddedStyle = "cannot be opened in the style 'embedded'. Call 'embed' of a screen's context."
        case notStarted = "cannot be opened yet. Call 'start(with:)' first."
        case alreadyStarted = "cannot be the first screen: there is one. Open it in the style 'root'."
    }

    case missingService(TypeKey, path: [TypeKey])
    /// A service or a route whose registrations do not fit together, with a problem that validation reports too.
    case misregistered(any Error & CustomStringConvertible, path: [TypeKey])
    case cycle(path: [TypeKey])
    case tooDeep(path: [TypeKey])
    case creationFailed(TypeKey, path: [TypeKey], underlying: any Error)
    case notPrepared(TypeKey, path: [TypeKey])
    case outsideScope(Scope, path: [TypeKey])
    case scopeAlreadyEntered(Scope)

    case missingHandler(route: TypeKey)
    case rejected(Rejection, route: TypeKey)
    /// Routes that lead to one another in a cycle, or too many of them: by redirects, fallbacks, adapters, interceptors,
    /// actions, listeners, and embedded screens.
    case redirectCycle(path: [AnyRoute])

    /// A URL that no pattern matches, and the nearest pattern.
    case unknownURL(URL, nearest: String?)
    /// A route without a URL pattern that can carry its values.
    case noURL(route: TypeKey, reason: String)

    case unknownScreen(TypeKey, presenter: TypeKey)
    case routeNotInStack(TypeKey)
    case emptyStack
    case routerReleased

    case listenerFailed(event: TypeKey, module: TypeKey, underlying: any Error)
}

extension RouterError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }
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
        case .redirectCycle(let path):
            "Routes lead to one another in a cycle: \(path.map(\.description).joined(separator: " → ")). Let one of them "
                + "proceed."
        case .unknownURL(let url, let nearest):
            "No route has a URL pattern that matches \(Self.quoted(url.absoluteString)). "
                + (nearest.map { "The nearest is '\($0)'." } ?? "Declare one beside the route's registration.")
        case .noURL(let route, let reason):
            "\(route) cannot be written as a URL. \(reason) Declare a pattern that names all its values."
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

    private func text(_ path: [TypeKey]) -> String { path.map(\.description).joined(separator: " → ") }

    /// A text in quotation marks, shortened to 80 characters.
    package static func quoted(_ text: some StringProtocol) -> String {
        let start = text.prefix(80)
        return start.endIndex < text.endIndex ? "'\(start)…'" : "'\(start)'"
    }
}

public func errorMessage(of error: any Error) -> String {
    if let description = (error as? any LocalizedError)?.errorDescription { return description }
    // Foundation describes only its own errors.
    let isFromFoundation = error is any CustomNSError || type(of: error) is NSError.Type
    return isFromFoundation ? error.localizedDescription : "\(error)"
}
