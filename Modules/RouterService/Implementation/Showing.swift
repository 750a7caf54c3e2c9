import Foundation
import RouterServiceInterface

/// One showing of one route's screen: what its context talks to, and who waits for its output.
@MainActor
final class Showing<R: Route>: AnyShowing {
    let route: R
    let style: PresentationStyle
    let isRoot: Bool
    let isProvisional: Bool
    var id = Presentation.ID(0)
    private(set) var isFinished = false
    private(set) weak var lease: Presentation.Lease?
    private var caller: Caller<R.Output>?
    private weak var router: RouterService?

    init(_ plan: ScreenPlan<R>, isRoot: Bool, router: RouterService) {
        route = plan.route
        style = plan.style
        caller = plan.caller
        isProvisional = plan.isProvisional
        self.isRoot = isRoot
        self.router = router
    }

    var anyRoute: any Route { route }
    var routeType: TypeName { TypeName(R.self) }

    var context: RouteContext<R> {
        RouteContext(navigator: self) { [self] output in try living().finish(self, with: output) }
    }

    /// What the presenter keeps for as long as it keeps the screen.
    var presentation: Presentation {
        let presentation = Presentation(id: id, style: style, isRoot: isRoot) { [self] in
            router?.close(self)
        }
        lease = presentation.lease
        return presentation
    }

    /// Delivers the output to the caller, if one waits.
    func finish(with output: R.Output) {
        isFinished = true
        end(with: .success(output))
    }

    func end() {
        end(with: .failure(CancellationError()))
    }

    private func end(with result: Result<R.Output, any Error>) {
        caller?.receive(result)
        caller = nil
    }

    private func living() throws -> RouterService {
        guard let router else { throw RouterError.screenDismissed(route: routeType) }
        return router
    }
}

extension Showing: Navigator {
    func open(_ routes: [any Route], as style: PresentationStyle, from origin: RouteOrigin) async throws {
        try await living()
            .open(routes.map { Opening(route: $0, style: style) }, from: origin, by: .screen(self))
    }

    func open(_ url: URL, as style: PresentationStyle) async throws {
        try await open([living().catalog.route(for: url).route], as: style, from: .url)
    }

    func result<Other: Route>(of route: Other, as style: PresentationStyle) async throws -> Other.Output {
        try await living().result(of: route, as: style, from: .code, by: .screen(self))
    }

    func broadcast<E: Event>(_ event: E) async -> [RouterError] {
        await router?.broadcast(event) ?? []
    }

    func enter(_ scope: Scope) throws {
        try living().enter(scope)
    }

    func leave(_ scope: Scope) throws {
        try living().leave(scope)
    }

    func dismiss() throws {
        try living().dismiss(self)
    }

    func dismiss(to route: AnyRoute) throws {
        try living().dismiss(self, to: "\(route)") { AnyRoute($0) == route }
    }

    func dismiss(to type: any Route.Type) throws {
        try living().dismiss(self, to: "\(TypeName(type))") { Swift.type(of: $0) == type }
    }
}

/// A showing whose route's type does not matter.
@MainActor
protocol AnyShowing: AnyObject, Sendable {
    var id: Presentation.ID { get set }
    var anyRoute: any Route { get }
    var routeType: TypeName { get }
    var style: PresentationStyle { get }
    /// Whether nothing is below it, so that nobody can leave it.
    var isRoot: Bool { get }
    /// Whether an interceptor showed it before the first screen, which takes its place.
    var isProvisional: Bool { get }

    /// What tells whether the presenter still has the screen.
    var lease: Presentation.Lease? { get }

    /// Ends the wait for the output, unless it was delivered.
    func end()
}
