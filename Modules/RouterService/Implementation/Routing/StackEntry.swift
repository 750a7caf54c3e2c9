import RouterServiceInterface

/// One element of the stack: a route whose screen is shown, what its context refers to, and who waits for its output.
@MainActor
final class StackEntry<R: Route>: AnyStackEntry {
    let route: R
    let style: PresentationStyle
    let isRoot: Bool
    let isProvisional: Bool
    var id = Presentation.ID(0)
    private(set) weak var presentation: Presentation?
    private let link: RouterLink
    private let outcome: Outcome

    /// Who waits for the output; an entry that takes the place of another one shares it.
    @MainActor
    private final class Outcome {
        var receiver: ResultReceiver<R.Output>?
        var isFinished = false

        init(receiver: ResultReceiver<R.Output>?) {
            self.receiver = receiver
        }

        /// The receiver is taken first: what it does with the output may end the same entry again.
        func deliver(_ result: Result<R.Output, any Error>) {
            receiver.take()?.receive(result)
        }
    }

    init(_ resolved: ResolvedScreen<R>, isRoot: Bool, router: RouterService) {
        (route, style, isProvisional) = (resolved.route, resolved.style, resolved.isProvisional)
        self.isRoot = isRoot
        link = router.link
        outcome = Outcome(receiver: resolved.receiver)
    }

    private init(replacing other: StackEntry) {
        (route, style, isRoot) = (other.route, other.style, other.isRoot)
        (isProvisional, id, link, outcome) = (other.isProvisional, other.id, other.link, other.outcome)
    }

    var anyRoute: any Route { route }
    var routeType: TypeName { TypeName(R.self) }
    var isFinished: Bool { outcome.isFinished }

    var context: RouteContext<R> {
        RouteContext(
            navigator: RouterProxy(link, opener: .screen(self)),
            onFinish: { [self] in try stack().finish(self, with: $0) },
            onDismiss: { [self] in try await stack().dismiss(self) },
            onConfirmLeaving: { [self] in try stack().confirmLeaving(self, by: $0) })
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

    func rebuilt(in container: Container) throws -> EntryReplacement {
        let feature = try container.feature(for: R.self)
        let entry = StackEntry(replacing: self)
        let screen = try feature.build(route, in: entry.context)
        return EntryReplacement(old: self, new: entry, screen: screen)
    }

    private func stack() throws -> NavigationStack {
        guard let router = link.router else { throw RouterError.screenDismissed(route: routeType) }
        return router.stack
    }
}

/// An entry whose route's type does not matter.
@MainActor
protocol AnyStackEntry: AnyObject, Sendable {
    var id: Presentation.ID { get }
    var anyRoute: any Route { get }
    var routeType: TypeName { get }
    var style: PresentationStyle { get }
    /// Whether nothing is below it, so that it cannot be left.
    var isRoot: Bool { get }
    /// Whether an interceptor showed it before the first screen, which takes its place.
    var isProvisional: Bool { get }
    var isFinished: Bool { get }
    /// What the presenter keeps for as long as it keeps the screen.
    var presentation: Presentation? { get }

    /// Creates a presentation for the presenter to keep.
    func newPresentation() -> Presentation

    /// Ends the wait for the output, unless it was delivered.
    func cancel()

    /// Builds the screen once more, for an entry that can take this one's place.
    func rebuilt(in container: Container) throws -> EntryReplacement
}

/// An entry that takes the place of another one, because a module was replaced.
struct EntryReplacement {
    let old: any AnyStackEntry
    let new: any AnyStackEntry
    let screen: any Screen
}
