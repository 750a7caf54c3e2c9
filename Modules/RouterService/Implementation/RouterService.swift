public import RouterServiceInterface

/// Creates services, fulfils routes and keeps the stack of what is shown.
///
/// One router serves one program; tests make as many as they like, and nothing is shared between two of them.
/// It lives on the main actor, so that a race for its state is a compile error.
///
/// ```swift
/// let router = RouterService(modules: [DisplayModule(), LoginModule(), ProfileModule()])
/// let problems = router.validate()
/// try await router.start(with: Profile.Overview())
/// ```
@MainActor
public final class RouterService {
    /// Every route that is handled, for decoders of links and for URLs.
    public let catalog: RouteCatalog

    let registry: Registry
    let log: EventLog
    let screens = ShowingStack()
    private(set) var presenter: (any Presenter)?
    private(set) var isStarting = false
    private var preparation: Task<Void, any Error>?

    /// Lets every module register what it provides, in the order given.
    ///
    /// Nothing else is created yet. Mistakes in the registrations are kept: ``validate(declared:)`` returns them, and
    /// using what they concern throws.
    public init(modules: [any Module]) {
        log = EventLog()
        registry = Registry(log: log)
        modules.forEach(registry.add)
        let (catalog, handle) = (registry.catalog, RouterHandle())
        registry.register(RouteCatalog.self, lifetime: .singleton) { catalog }
        registry.register((any Router).self, lifetime: .singleton) { handle }
        self.catalog = catalog
        handle.router = self
    }

    /// Creates a service, or returns the instance that serves already.
    ///
    /// Programs call this for the one or two services that they run themselves; modules declare their needs.
    ///
    /// - Throws: ``RouterServiceInterface/RouterError`` with the path of what was missing or failed.
    public func resolve<Value>(_ type: Value.Type) throws -> Value {
        try registry.services.resolve(type)
    }

    /// Creates the services whose factories are asynchronous, each once, however many callers wait.
    ///
    /// ``start(with:)`` does so by itself. After an error, the next call tries what is missing again.
    ///
    /// - Throws: ``RouterServiceInterface/RouterError`` with the path of what was missing or failed.
    public func prepare() async throws {
        let task = preparation ?? Task { try await registry.services.prepare() }
        preparation = task
        defer { if preparation == task { preparation = nil } }
        try await task.value
    }

    /// Shows the first screen through the registered `any Presenter`, after all asynchronous services are there.
    ///
    /// An interceptor may show a screen before the first one; nobody can close it, but it may finish, and the first
    /// screen takes its place.
    ///
    /// - Throws: What prevented it, usually a ``RouterServiceInterface/RouterError``; the call may be repeated.
    public func start(with route: some Route) async throws {
        try await start(with: [Opening(route: route, style: .root)], from: .code)
    }

    func start(with openings: [Opening], from origin: RouteOrigin) async throws {
        guard let first = openings.first else { throw RouterError.emptyStack }
        guard screens.isEmpty, !isStarting else {
            throw RouterError.alreadyStarted(route: TypeName(type(of: first.route)))
        }
        isStarting = true
        defer { isStarting = false }
        do {
            try await makeReady(for: first.route)
            try await open(openings, from: origin, by: .start)
            guard !screens.isEmpty else { throw RouterError.emptyStack }
        } catch {
            removeAll()
            throw error
        }
    }

    /// Creates what every first screen needs.
    private func makeReady(for route: any Route) async throws {
        do {
            try await prepare()
            presenter = try resolve((any Presenter).self)
        } catch {
            logFailure(of: route, error)
            throw error
        }
    }

    /// Begins a scope, see ``RouterServiceInterface/Router``.
    public func enter(_ scope: Scope) throws {
        try registry.services.enter(scope)
    }

    /// Ends a scope and releases its services, see ``RouterServiceInterface/Router``.
    public func leave(_ scope: Scope) throws {
        try registry.services.leave(scope)
    }
}
