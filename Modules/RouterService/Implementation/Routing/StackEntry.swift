import RouterServiceInterface

/// One element of the stack: a shown route, the target of its context, and the caller that waits for its output.
@MainActor
final class StackEntry<R: Route>: AnyStackEntry {
    let route: R
    let style: PresentationStyle
    let isRoot: Bool
    let isProvisional: Bool
    var id = Presentation.ID(0)
    private(set) weak var presentation: Presentation?
    /// The model whose state outlives the screen; not held, because it usually holds the context, and that this entry.
    private weak var model: (any Restorable)?
    /// The state of an earlier model, until this one's takes it.
    private var waitingState: KeptState?
    private let link: RouterLink
    private let outcome: Outcome

    /// The caller that waits for the output; an entry that replaces another shares it.
    @MainActor
    private final class Outcome {
        var receiver: ResultReceiver<R.Output>?
        var isFinished = false

        init(receiver: ResultReceiver<R.Output>?) {
            self.receiver = receiver
        }

        /// The receiver is taken first, because it may end the same entry again.
        func deliver(_ result: Result<R.Output, any Error>) {
            receiver.take()?.receive(result)
        }
    }

    init(_ resolved: ResolvedScreen<R>, isRoot: Bool, router: RouterService) {
        (route, style, isProvisional) = (resolved.route, resolved.style, resolved.isProvisional)
        (self.isRoot, waitingState) = (isRoot, resolved.state)
        link = router.link
        outcome = Outcome(receiver: resolved.receiver)
    }

    private init(replacing other: StackEntry) {
        (route, style, isRoot) = (other.route, other.style, other.isRoot)
        (isProvisional, id, link, outcome) = (other.isProvisional, other.id, other.link, other.outcome)
        waitingState = other.state(isToBeStored: false)
    }

    var anyRoute: any Route { route }
    var routeType: TypeName { TypeName(R.self) }
    var isFinished: Bool { outcome.isFinished }

    func state(isToBeStored: Bool) -> KeptState? {
        guard let model else { return waitingState }
        return link.router.flatMap { KeptState(of: model, isToBeStored: isToBeStored, reporting: $0.log) }
    }

    var context: RouteContext<R> {
        RouteContext(
            navigator: RouterProxy(link, opener: .screen(self)), embedder: self,
            onFinish: { [self] in try stack().finish(self, with: $0) },
            onDismiss: { [self] in try await stack().dismiss(self) },
            onConfirmLeaving: { [self] in try stack().confirmLeaving(self, by: $0) },
            onKeepState: { [self] in try keepState(of: $0) })
    }

    func embed<Child: Route>(
        _ route: Child, finish: @escaping @MainActor (Child.Output) -> Void
    ) async throws -> EmbeddedScreen {
        guard let router = link.router else { throw RouterError.screenDismissed(route: routeType) }
        return try await router.embed(route, in: self, finish: finish)
    }

    private func keepState(of model: any Restorable) throws {
        try stack().requirePresence(of: self)
        self.model = model
        if let state = waitingState.take(), let router = link.router {
            state.restore(in: model, routes: router.catalog, reporting: router.log)
        }
    }

    func newPresentation() -> Presentation {
        let presentation = Presentation(
            id: id, style: style, isRoot: isRoot,
            onDrop: { [self] in link.router?.stack.drop(self) },
            onClose: { [self] in await link.router?.stack.close(self) })
        self.presentation = presentation
        return presentation
    }

    /// Delivers the output to the caller, if one waits.
    func finish(with output: R.Output) {
        outcome.isFinished = true
        outcome.deliver(.success(output))
    }

    func cancel() {
        outcome.deliver(.failure(CancellationError()))
    }

    func replacement() -> any AnyStackEntry { StackEntry(replacing: self) }

    func screen(in container: Container) throws -> any Screen {
        try container.feature(for: R.self).build(route, in: context)
    }

    private func stack() throws -> NavigationStack {
        guard let router = link.router else { throw RouterError.screenDismissed(route: routeType) }
        return router.stack
    }
}

/// An entry of a route of any type.
@MainActor
protocol AnyStackEntry: Embedder, Sendable {
    var id: Presentation.ID { get }
    var anyRoute: any Route { get }
    var routeType: TypeName { get }
    var style: PresentationStyle { get }
    /// Whether nothing is below it, so that it cannot be left.
    var isRoot: Bool { get }
    /// Whether an interceptor showed it before the first screen, which replaces it.
    var isProvisional: Bool { get }
    var isFinished: Bool { get }
    /// The presentation, which the presenter keeps for as long as it keeps the screen.
    var presentation: Presentation? { get }

    /// Creates a presentation for the presenter to keep.
    func newPresentation() -> Presentation

    /// Ends the wait for the output, unless it was delivered.
    func cancel()

    /// The state of the screen's model, or the one that waits for it.
    func state(isToBeStored: Bool) -> KeptState?

    /// An entry that can replace this one, because a module was replaced.
    func replacement() -> any AnyStackEntry

    /// Builds the screen.
    func screen(in container: Container) throws -> any Screen
}
