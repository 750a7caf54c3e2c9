import Foundation

extension RouterError: CustomStringConvertible {
    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .missingService(let type, let path):
            "Nobody registered \(type), needed along \(text(path)). Register it in a module entry that the App lists."
        case .duplicateService(let type, let first, let second):
            "\(type) is registered twice, at \(first) and at \(second). Remove one of the two, or say "
                + "'replace(\(type).self, by:)' in the second."
        case .nothingToReplace(let type, let place):
            "\(type) is replaced at \(place), but nobody registered it before. Register it, or list the module that "
                + "does so earlier."
        case .cycle(let path):
            "Services need one another in a cycle: \(text(path)). Let one of them take a 'Deferred' of the other."
        case .weakValueType(let type, let place):
            "\(type) is registered at \(place) to live while it is used, but its factory made a value type, which "
                + "nobody can hold. Make it a class, or register it with the lifetime 'singleton' or 'transient'."
        case .creationFailed(let type, let path, let underlying):
            "\(type) could not be created along \(text(path)): \(underlying.localizedDescription)"
        case .notPrepared(let type, let path):
            "\(type) is created asynchronously and not ready, needed along \(text(path)). Call 'start(with:)' or "
                + "'prepare()' before."
        case .outsideScope(let scope, let path):
            "\(text(path)) lives in the scope '\(scope)', which has not begun. Call 'enter' before."
        case .outlivesDependency(let type, let scope, let path):
            "\(type) may live longer than the scope '\(scope)' of what it needs along \(text(path)). Register it in "
                + "the same scope, or let it take a 'Deferred'."
        case .unusedService(let type, let place):
            "\(type), registered at \(place), is needed by nothing. Remove it, unless the App resolves it by itself."
        case .scopeAlreadyEntered(let scope):
            "The scope '\(scope)' has begun before. Call 'leave' before entering it again."
        case .scopeNotEntered(let scope):
            "The scope '\(scope)' has not begun. Call 'enter' before leaving it."
        case .missingHandler(let route):
            "Nobody handles \(route). Register a feature with 'route(\(route).self, by:)' or an action with "
                + "'action(\(route).self, by:)' in a module entry that the App lists."
        case .duplicateHandler(let route, let first, let second):
            "\(route) has two handlers, registered at \(first) and at \(second). Remove one of the two, or mark the one "
                + "that wins as '.overriding'."
        case .duplicateIdentifier(let identifier, let first, let second):
            "\(first) and \(second) have the same identifier '\(identifier)'. Change one of the two, or mark the one "
                + "that wins as '.overriding'."
        case .invalidIdentifier(let identifier, let route):
            "The identifier '\(identifier)' of \(route) cannot stand in a link. Use at least one character and no '|'."
        case .unreachableFallback(let path):
            "The fallback \(text(path)) leads nowhere. Let it end at a route that somebody handles and that does not "
                + "lead back."
        case .disabled(let route):
            "\(route) is not available, and it has no fallback. Give it one with '.fallback', or ask before opening it."
        case .redirectLoop(let path):
            "Redirects and fallbacks lead in a circle: \(path.map(name).joined(separator: " → ")). Let one of them "
                + "proceed."
        case .notRemote(let route):
            "The output of \(route) cannot be asked for by URL. Register the route with '.remote' to allow it."
        case .unknownURL(let url, let nearest):
            "No route has a URL pattern that matches \(url.absoluteString.quoted). "
                + (nearest.map { "The nearest is '\($0)'." } ?? "Declare one beside the route's registration.")
        case .noURL(let route, let reason):
            "\(route) cannot be written as a URL. \(reason) Declare a pattern that names all its values."
        case .invalidPattern(let pattern, let reason, let route):
            "The URL pattern '\(pattern)' of \(route) matches nothing: \(reason). Write it like "
                + "'app://profile/:userID?tab&tag*'."
        case .duplicatePattern(let pattern, let first, let second):
            "The URL pattern '\(pattern)' of \(second) matches the same URLs as an earlier one of \(first). Change "
                + "or remove one of the two."
        case .invalidAlias(let alias, let route):
            "The alias '\(alias)' of \(route) cannot stand in a link. Use at least one character and no '|'."
        case .duplicateAlias(let alias, let first, let second):
            "The alias '\(alias)' of \(second) already stands for \(first). Remove it from one of the two."
        case .unknownStyle(let style, let presenter):
            "\(presenter) does not know the presentation style '\(style.name)'. Use one that it documents."
        case .unknownScreen(let screen, let presenter):
            "\(presenter) cannot show a \(screen). Let the feature build a kind of screen that it documents."
        case .alreadyFinished(let route):
            "The screen of \(route) finished before. Call 'finish' once."
        case .screenDismissed(let route):
            "The screen of \(route) is gone. Stop its work when the person leaves it."
        case .cannotDismissRoot(let route):
            "\(route) is the first screen and stays. Dismiss only screens that were opened above it."
        case .routeNotInStack(let route):
            "\(route) is not below this screen. Open it, or dismiss to a route that is."
        case .notStarted(let route):
            "\(route) cannot be opened yet. Call 'start(with:)' before."
        case .alreadyStarted(let route):
            "\(route) cannot be the first screen, for there is one. Open it in the style 'root' to begin anew."
        case .emptyStack:
            "The stack has no screen, so there is nothing to show. Open at least one route that a feature handles."
        case .routerReleased:
            "The router was released. Keep it for as long as its services and screens are used."
        case .listenerFailed(let event, let module, let underlying):
            "\(module) could not deal with \(event): \(underlying.localizedDescription)"
        }
    }

    private func text(_ path: [TypeName]) -> String {
        path.map(\.description).joined(separator: " → ")
    }

    /// A route's type and values.
    private func name(_ route: AnyRoute) -> String {
        (try? route.link) ?? "\(TypeName(type(of: route.route)))"
    }
}
