public import RouterServiceInterface

/// Creates services, builds screens for routes and keeps the stack of what is shown.
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
    let registry: Registry
    private let screens = ShowingStack()
    private var presenter: (any Presenter)?

    /// Lets every module register what it provides, in the order given.
    ///
    /// Nothing else is created yet. Mistakes in the registrations are kept: ``validate()`` returns them, and using
    /// what they concern throws.
    public init(modules: [any Module]) {
        registry = Registry(modules: modules)
    }

    /// Creates a service, or returns the instance that serves already.
    ///
    /// Programs call this for the one or two services that they run themselves; modules declare their needs.
    ///
    /// - Throws: ``RouterServiceInterface/RouterError`` with the path of what was missing or failed.
    public func resolve<Value>(_ type: Value.Type) throws -> Value {
        try registry.services.resolve(type)
    }

    /// Shows the first screen through the registered `any Presenter`.
    ///
    /// - Throws: What prevented it, usually a ``RouterServiceInterface/RouterError``; the call may be repeated.
    public func start(with route: some Route) async throws {
        guard screens.isEmpty else { throw RouterError.alreadyStarted(route: TypeName(type(of: route))) }
        let presenter = try resolve((any Presenter).self)
        self.presenter = presenter
        _ = try show(route, as: .push, through: presenter)
    }

    /// Opens a route above what is shown and returns when it is shown.
    ///
    /// - Throws: What prevented it, usually a ``RouterServiceInterface/RouterError``.
    public func open(_ route: some Route, as style: PresentationStyle = .push) async throws {
        _ = try show(route, as: style, through: startedPresenter(for: type(of: route)))
    }

    /// Opens a route above what is shown and waits for what it finishes with.
    ///
    /// - Returns: The output, delivered exactly once.
    /// - Throws: `CancellationError` when the screen is left or removed, or when the calling task is cancelled
    ///   (the screen is removed then); otherwise what prevented the opening.
    public func result<R: Route>(of route: R, as style: PresentationStyle = .modal) async throws -> R.Output {
        try Task.checkCancellation()
        let showing = try show(route, as: style, through: startedPresenter(for: R.self))
        return try await withTaskCancellationHandler {
            try await showing.output.value
        } onCancel: {
            Task { @MainActor in self.remove(showing) }
        }
    }

    /// Every way in ends here: find the feature, build its screen, present it.
    private func show<R: Route>(
        _ route: R, as style: PresentationStyle, through presenter: any Presenter
    ) throws -> Showing<R> {
        let handler = try registry.handler(of: R.self)
        let showing = Showing<R>(style: style, router: self)
        // It is on the stack while it is being built, so that a screen that finishes at once is treated alike.
        let presentation = screens.push(showing) { [weak self, weak showing] in
            guard let self, let showing, !self.screens.isRoot(showing) else { return }
            self.remove(showing)
        }
        do {
            let screen = try handler.build(route, in: showing.context, with: registry.services)
            guard screens.contains(showing) else { return showing }
            try presenter.show(screen, as: presentation)
        } catch {
            remove(showing)
            throw error
        }
        return showing
    }

    /// The presenter, when there is a first screen above which a route can be opened.
    private func startedPresenter(for route: any Route.Type) throws -> any Presenter {
        guard let presenter, !screens.isEmpty else { throw RouterError.notStarted(route: TypeName(route)) }
        return presenter
    }

    /// Removes a screen with all above it; whoever waits for one of them receives a cancellation.
    private func remove(_ showing: any AnyShowing) {
        let removed = screens.remove(from: showing)
        presenter?.remove(removed.map(\.id))
        for showing in removed { showing.cancel() }
    }
}

extension RouterService {
    /// Delivers an output and removes its screen.
    func finish<R: Route>(_ showing: Showing<R>, with output: R.Output) throws {
        guard !showing.output.isFinished else { throw RouterError.alreadyFinished(route: TypeName(R.self)) }
        try requireRemovable(showing)
        showing.output.deliver(.success(output))
        remove(showing)
    }

    /// Removes a screen because its feature asks for it.
    func dismiss(_ showing: any AnyShowing) throws {
        try requireRemovable(showing)
        remove(showing)
    }

    /// Whether a screen is shown, covered or not.
    func isShown(_ showing: any AnyShowing) -> Bool {
        screens.contains(showing)
    }

    private func requireRemovable(_ showing: any AnyShowing) throws {
        guard screens.contains(showing) else { throw RouterError.screenIsGone(route: showing.route) }
        guard !screens.isRoot(showing) else { throw RouterError.rootStays(route: showing.route) }
    }
}
