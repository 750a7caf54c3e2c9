public import Foundation

/// A router as the program that composes it sees it: what starts, inspects, stores and restores it.
///
/// Features see a ``RouteContext`` or a ``Router`` only.
@MainActor
public protocol RunningRouter: Router {
    /// Every route that is handled, for decoders of links and for URLs.
    var catalog: RouteCatalog { get }
    /// The registered routes, by identifier.
    var routes: [RegisteredRoute] { get }
    /// The registered services, by type.
    var services: [RegisteredService] { get }
    /// The stack of what is shown now, with the states that may be stored.
    var snapshot: RouterSnapshot { get }

    /// Checks the whole graph from the registrations, without creating anything.
    ///
    /// - Parameter declared: Routes that have to be handled.
    /// - Returns: All problems. Those whose `isWarning` is true keep nothing from working.
    func validate(declared: [any Route.Type]) -> [RouterError]

    /// Takes the stack of what is shown now, with the states of a scope and of those that go further.
    ///
    /// A snapshot that includes ``StateScope/memory`` is for a program that takes this one's place at once. It holds
    /// sessions and passwords, so it goes through a pipe or a socket, and is never stored.
    func snapshot(including scope: StateScope) -> RouterSnapshot

    /// Streams what the router decides and does from now on, to each caller; the stream ends with the router.
    func events() -> AsyncStream<RouterEvent>

    /// Creates a service, or returns the instance that serves already; for the few that the program itself runs.
    ///
    /// - Throws: ``RouterError`` with the path of what was missing or failed.
    func resolve<Value>(_ type: Value.Type) throws -> Value

    /// Creates the services whose factories are asynchronous, each once, as ``start(with:)`` does.
    ///
    /// - Throws: ``RouterError`` with the path of what was missing or failed; the next call tries that again.
    func prepare() async throws

    /// Shows the first screen through the registered `any Presenter`, after all asynchronous services are there.
    ///
    /// An interceptor may show a screen before the first one; it cannot be closed, but it may finish, and the first
    /// screen takes its place.
    ///
    /// - Throws: What prevented it, usually a ``RouterError``; the call may be repeated.
    func start(with route: some Route) async throws

    /// Shows the stack of a snapshot in place of everything that is shown, or as the first thing; all or nothing.
    ///
    /// Each route is resolved as any other, so it may lead elsewhere, and its screen's state is not restored then. What
    /// the screens finish with is delivered to nobody. States of the scope ``StateScope/memory`` are restored in services
    /// before the first route is resolved, because interceptors ask these who is signed in.
    ///
    /// - Throws: What prevented it, usually a ``RouterError``.
    func restore(_ snapshot: RouterSnapshot) async throws

    /// Performs the route that a URL stands for and returns its output as UTF-8 JSON, `null` for `Void`.
    ///
    /// - Throws: ``RouterError/notRemote(route:)`` for a route without `remote`, ``RouterError/unknownURL(_:nearest:)``,
    ///   `DecodingError` for values that the route cannot take, or what the route itself throws.
    func output(of url: URL) async throws -> Data

    /// Replaces the modules of the same full names, in the places that these have among the modules; all or nothing.
    ///
    /// Screens of their routes are built anew from their routes, and so is whatever holds a service that they provide:
    /// other services, and the screens of other modules. All else stays. The context of a replaced screen throws
    /// ``RouterError/screenDismissed(route:)``; a caller that waits for its output goes on waiting. The state of a
    /// ``Restorable`` is handed on.
    ///
    /// - Throws: ``RouterError/unknownModule(_:)``; ``RouterError/exchangeRejected(_:problems:)`` when the graph would
    ///   have problems that it does not have now; ``RouterError/presenterInUse(modules:)``;
    ///   ``RouterError/missingHandler(route:)`` when a route on the stack would have no screen; what a factory throws.
    func replace(_ modules: [any Module]) async throws
}

extension RunningRouter {
    /// Checks the whole graph, see ``validate(declared:)``.
    public func validate() -> [RouterError] { validate(declared: []) }
}

/// What is shown, from the first screen to the topmost, and states of the scope ``StateScope/file``, as a value that can
/// be stored, unless it was taken with those of the scope ``StateScope/memory`` too.
///
/// Decoding needs the router's ``RunningRouter/catalog`` in the decoder.
public struct RouterSnapshot: Hashable, Sendable, Codable {
    /// One screen: its route, and how it was shown.
    public struct Entry: Hashable, Sendable, Codable {
        /// The route.
        public let route: AnyRoute
        /// How its screen was shown.
        public let style: PresentationStyle
        /// The state of the screen's model as JSON, where it keeps one.
        public let state: String?
        /// The same of a model whose state is never stored; nil in a snapshot that may be stored.
        public let memoryState: String?

        /// Creates an entry.
        public init(
            route: AnyRoute, style: PresentationStyle, state: String? = nil, memoryState: String? = nil
        ) {
            (self.route, self.style) = (route, style)
            (self.state, self.memoryState) = (state, memoryState)
        }
    }

    /// The screens, the first one first.
    public let entries: [Entry]
    /// The states of services as JSON, by the full names of their types; nil where there are none.
    public let services: [String: String]?
    /// The same of services whose states are never stored; nil in a snapshot that may be stored.
    public let memoryServices: [String: String]?

    /// Creates a snapshot.
    public init(
        entries: [Entry], services: [String: String]? = nil, memoryServices: [String: String]? = nil
    ) {
        (self.entries, self.services, self.memoryServices) = (entries, services, memoryServices)
    }

    /// The snapshot without the states of the scope ``StateScope/memory``, also where it was decoded with some.
    public var storable: RouterSnapshot {
        let entries = entries.map { Entry(route: $0.route, style: $0.style, state: $0.state) }
        return RouterSnapshot(entries: entries, services: services)
    }
}
