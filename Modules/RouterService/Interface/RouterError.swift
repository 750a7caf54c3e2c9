public import Foundation

/// Everything that can go wrong with registrations, services, routes and screens.
///
/// Each case names the types involved and, where one thing needs another, the path that led there, outermost
/// first. The message says what happened and what to do.
public enum RouterError: Error {
    // MARK: Services

    /// Nobody registered a service that something needs.
    case missingService(TypeName, path: [TypeName])
    /// Two registrations of one service.
    case duplicateService(TypeName, first: SourcePlace, second: SourcePlace)
    /// A replacement of a service that nobody registered before.
    case nothingToReplace(TypeName, at: SourcePlace)
    /// Services that need one another; the path begins and ends with the same one.
    case cycle(path: [TypeName])
    /// A `weak` service whose factory made a value type, which nobody can hold.
    case weakValueType(TypeName, registered: SourcePlace)
    /// A service, feature, action, interceptor or listener whose initialiser threw.
    case creationFailed(TypeName, path: [TypeName], underlying: any Error)
    /// A service with an asynchronous factory, needed before the router awaited it.
    case notPrepared(TypeName, path: [TypeName])
    /// A service of a scope that has not begun or has ended.
    case outsideScope(Scope, path: [TypeName])
    /// A service that lives longer than the scope of another one that it holds.
    case outlivesDependency(TypeName, scope: Scope, path: [TypeName])
    /// A registered service that nothing needs; a warning, because the App may resolve it by itself.
    case unusedService(TypeName, registered: SourcePlace)
    /// A scope that begins a second time before it has ended.
    case scopeAlreadyEntered(Scope)
    /// A scope that ends before it has begun.
    case scopeNotEntered(Scope)

    // MARK: Routes

    /// Nobody registered a handler for a route.
    case missingHandler(route: TypeName)
    /// Two handlers for one route, and none of them is said to win.
    case duplicateHandler(route: TypeName, first: SourcePlace, second: SourcePlace)
    /// Two routes of one identifier, and none of them is said to win.
    case duplicateIdentifier(String, first: TypeName, second: TypeName)
    /// A registered route whose identifier is empty or holds the vertical line that ends it in a link.
    case invalidIdentifier(String, route: TypeName)
    /// A fallback that nobody handles, or that leads back to where it came from; the path begins with the route.
    case unreachableFallback(path: [TypeName])
    /// A route whose handler is not enabled, without a fallback.
    case disabled(route: TypeName)
    /// Redirects, fallbacks and the routes that interceptors open first, which lead in a circle or go on without end.
    case redirectLoop(path: [AnyRoute])
    /// A route whose output cannot be asked for by URL.
    case notRemote(route: TypeName)

    // MARK: Links and URLs

    /// A URL that no declared pattern matches, and the pattern that it was probably meant for.
    case unknownURL(URL, nearest: URLPattern?)
    /// A route that none of its patterns can carry, or that has none.
    case noURL(route: TypeName, reason: String)
    /// A malformed URL pattern.
    case invalidPattern(URLPattern, reason: String, route: TypeName)
    /// A URL pattern that matches the same URLs as an earlier one.
    case duplicatePattern(URLPattern, first: TypeName, second: TypeName)
    /// An alias that is empty or holds the vertical line that ends an identifier in a link.
    case invalidAlias(String, route: TypeName)
    /// An alias that another route has as its identifier or alias.
    case duplicateAlias(String, first: TypeName, second: TypeName)

    // MARK: Screens

    /// A presentation style that the presenter does not know.
    case unknownStyle(PresentationStyle, presenter: TypeName)
    /// A screen that the presenter cannot show.
    case unknownScreen(TypeName, presenter: TypeName)
    /// A second `finish` of one screen.
    case alreadyFinished(route: TypeName)
    /// A call on the context of a screen that was removed, or whose router was released.
    case screenDismissed(route: TypeName)
    /// An attempt to remove the first screen.
    case cannotDismissRoot(route: TypeName)
    /// An attempt to go back to a route that is not below.
    case routeNotInStack(String)
    /// An opening before the first screen.
    case notStarted(route: TypeName)
    /// A second first screen.
    case alreadyStarted(route: TypeName)
    /// A stack without a screen.
    case emptyStack
    /// A call after the router was released.
    case routerReleased

    // MARK: Events

    /// A listener that threw.
    case listenerFailed(event: TypeName, module: TypeName, underlying: any Error)
}

extension RouterError {
    /// Whether the program works all the same; true for ``unusedService(_:registered:)`` only.
    public var isWarning: Bool {
        if case .unusedService = self { true } else { false }
    }
}

extension RouterError: LocalizedError {
    /// What happened, where, and what to do.
    public var errorDescription: String? { description }
}
