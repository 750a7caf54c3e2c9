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
    /// What is shown now.
    var snapshot: RouterSnapshot { get }

    /// Checks the whole graph from the registered dependencies, without creating a service, a handler or a screen.
    ///
    /// - Parameter declared: Routes that somebody has to handle; each that is not handled is a problem.
    /// - Returns: All problems. Those whose `isWarning` is true keep nothing from working.
    func validate(declared: [any Route.Type]) -> [RouterError]

    /// Streams what the router decides and does from now on; the stream ends with the router.
    ///
    /// Each call makes a stream of its own. While nothing reads one, watching costs one comparison for each event.
    func events() -> AsyncStream<RouterEvent>

    /// Creates a service, or returns the instance that serves already.
    ///
    /// Programs call this for the one or two services that they run themselves; modules declare their dependencies.
    ///
    /// - Throws: ``RouterError`` with the path of what was missing or failed.
    func resolve<Value>(_ type: Value.Type) throws -> Value

    /// Creates the services whose factories are asynchronous, each once, however many callers wait.
    ///
    /// ``start(with:)`` does so by itself. After an error, the next call tries what is missing again.
    ///
    /// - Throws: ``RouterError`` with the path of what was missing or failed.
    func prepare() async throws

    /// Shows the first screen through the registered `any Presenter`, after all asynchronous services are there.
    ///
    /// An interceptor may show a screen before the first one; it cannot be closed, but it may finish, and the first
    /// screen takes its place.
    ///
    /// - Throws: What prevented it, usually a ``RouterError``; the call may be repeated.
    func start(with route: some Route) async throws

    /// Shows the stack of a snapshot in place of everything that is shown, or as the first thing.
    ///
    /// Each route is resolved as any other, so interceptors decide about it and it may lead elsewhere. Either the whole
    /// stack is shown, or nothing changes. Callers that waited when the snapshot was made are gone: what the screens
    /// finish with is delivered to nobody.
    ///
    /// - Throws: What prevented it, usually a ``RouterError``.
    func restore(_ snapshot: RouterSnapshot) async throws

    /// Performs the route that a URL stands for and returns its output as JSON, for routes that opted in with `remote`.
    ///
    /// - Returns: The output as UTF-8 JSON; `null` for `Void`.
    /// - Throws: ``RouterError/notRemote(route:)`` for other routes, ``RouterError/unknownURL(_:nearest:)``,
    ///   `DecodingError` for values that the route cannot take, or what the route itself throws.
    func output(of url: URL) async throws -> Data

    /// Replaces the module of the same full name, in the place that it has among the modules; all or nothing.
    ///
    /// Its registrations take the place of the earlier ones. Screens of its routes are built anew from their routes, and
    /// so is whatever holds a service that changed: other services, and the screens of other modules. All else stays.
    /// The context of a replaced screen throws ``RouterError/screenDismissed(route:)``; a caller that waits for its
    /// output goes on waiting.
    ///
    /// - Throws: ``RouterError/unknownModule(_:)``; ``RouterError/exchangeRejected(_:problems:)`` when the graph would
    ///   have problems that it does not have now; ``RouterError/missingHandler(route:)`` when a route on the stack
    ///   would have no screen; what a factory or the presenter throws.
    func replace(_ module: any Module) async throws
}

extension RunningRouter {
    /// Checks the whole graph, see ``validate(declared:)``.
    public func validate() -> [RouterError] { validate(declared: []) }
}

/// A registered route, as a router lists it.
public struct RegisteredRoute: Hashable, Sendable, Encodable {
    /// How a route is fulfilled.
    public enum Kind: String, Hashable, Sendable, Encodable {
        /// A feature builds a screen.
        case screen
        /// An action does it without a screen.
        case action
        /// Another module's route does.
        case adapter
    }

    /// The name under which the route travels in links.
    public let identifier: String
    /// The route's type, without its Swift module.
    public let route: String
    /// The type of the module entry that registered the handler.
    public let module: String
    /// How the route is fulfilled.
    public let kind: Kind
    /// The patterns of URLs that open the route.
    public let urls: [String]
    /// The identifiers of older versions.
    public let aliases: [String]
    /// What to use instead; nil unless the route is deprecated.
    public let deprecation: String?

    /// Lists what is registered.
    public init(_ details: RouteDetails) {
        (identifier, route) = (details.type.identifier, "\(details.name)")
        (module, kind) = ("\(details.source.module)", details.kind)
        (urls, aliases) = (details.urls.map(\.description), details.aliases)
        deprecation = details.deprecation
    }
}

/// A registered service, as a router lists it.
public struct RegisteredService: Hashable, Sendable, Encodable {
    /// The type under which the service is registered, without its Swift module.
    public let service: String
    /// How long one instance serves, as ``Lifetime/description`` writes it.
    public let lifetime: String
    /// The type of the module entry that registered the factory.
    public let module: String
    /// The line of the registration, `file:line`.
    public let place: String

    /// Lists what is registered.
    public init(_ source: RegistrationSource, lifetime: Lifetime) {
        (service, module, place) = ("\(source.type)", "\(source.module)", "\(source.place)")
        self.lifetime = "\(lifetime)"
    }
}

/// What is shown, from the first screen to the topmost, as a value that can be stored.
///
/// Decoding needs the router's ``RunningRouter/catalog`` in the decoder.
public struct RouterSnapshot: Hashable, Sendable, Codable {
    /// One screen: its route, and how it was shown.
    public struct Entry: Hashable, Sendable, Codable {
        /// The route.
        public let route: AnyRoute
        /// How its screen was shown.
        public let style: PresentationStyle

        /// Creates an entry.
        public init(route: AnyRoute, style: PresentationStyle) {
            (self.route, self.style) = (route, style)
        }
    }

    /// The screens, the first one first.
    public let entries: [Entry]

    /// Creates a snapshot.
    public init(entries: [Entry]) { self.entries = entries }
}
