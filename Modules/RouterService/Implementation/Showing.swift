import RouterServiceInterface

/// One showing of one route's screen: what its context talks to, and where its output arrives.
@MainActor
final class Showing<R: Route>: AnyShowing {
    let output = Delivery<R.Output>()
    let style: PresentationStyle
    var id = Presentation.ID(0)
    private weak var router: RouterService?

    init(style: PresentationStyle, router: RouterService) {
        self.style = style
        self.router = router
    }

    var route: TypeName { TypeName(R.self) }

    var context: RouteContext<R> {
        RouteContext(navigator: self) { [self] output in try living().finish(self, with: output) }
    }

    func cancel() {
        output.deliver(.failure(CancellationError()))
    }

    private func living() throws -> RouterService {
        guard let router else { throw RouterError.screenIsGone(route: route) }
        return router
    }

    /// The router, when the screen is still shown and may open others.
    private func routerAbove() throws -> RouterService {
        let router = try living()
        guard router.isShown(self) else { throw RouterError.screenIsGone(route: route) }
        return router
    }
}

extension Showing: Navigator {
    func open<Other: Route>(_ route: Other, as style: PresentationStyle) async throws {
        try await routerAbove().open(route, as: style)
    }

    func result<Other: Route>(of route: Other, as style: PresentationStyle) async throws -> Other.Output {
        try await routerAbove().result(of: route, as: style)
    }

    func dismiss() throws {
        try living().dismiss(self)
    }
}

/// A showing whose route's type does not matter.
@MainActor
protocol AnyShowing: AnyObject {
    var id: Presentation.ID { get set }
    var style: PresentationStyle { get }
    var route: TypeName { get }

    /// Ends the wait for the output, unless it was delivered.
    func cancel()
}
