import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting

/// An interceptor that decides by a closure.
struct ProbeInterceptor: Interceptor {
    let decide: @MainActor (RouteRequest) async throws -> Interception

    func intercept(_ request: RouteRequest) async throws -> Interception {
        try await decide(request)
    }
}

/// An action that performs a closure.
struct ProbeAction<R: Route>: Action {
    let work: @MainActor (R) async throws -> R.Output

    func perform(_ route: R) async throws -> R.Output { try await work(route) }
}

/// A headless presenter whose work a test watches and interrupts.
final class WatchedPresenter: Presenter {
    let base = HeadlessPresenter()
    /// Acts before a screen is shown, or takes the place of another screen.
    var before: @MainActor (any Screen) throws -> Void = { _ in }
    /// Acts after each call.
    var after: @MainActor () -> Void = {}

    func show(_ screen: any Screen, as presentation: Presentation) throws {
        try before(screen)
        try base.show(screen, as: presentation)
        after()
    }

    func replace(_ screens: [Presentation.ID: (screen: any Screen, presentation: Presentation)]) throws {
        for (screen, _) in screens.values { try before(screen) }
        try base.replace(screens)
        after()
    }

    func remove(_ presentations: [Presentation.ID]) {
        base.remove(presentations)
        after()
    }
}

/// A feature that is available for some of its routes.
struct ConditionalFeature<R: Route>: Feature {
    let condition: @MainActor (R) -> Bool

    func build(_ route: R, in context: any RouteContext<R>) throws -> any Screen {
        ProbeScreen(route: route, context: context)
    }

    func isEnabled(for route: R) -> Bool { condition(route) }
}

extension Registrar {
    /// Handles a route with a screen that a test acts for.
    func probe<R: Route>(_ route: R.Type, _ options: FeatureOption<R>...) {
        precondition(options.count <= 3, "A probe takes at most three options.")
        let factory: @MainActor () throws -> ProbeFeature<R> = { ProbeFeature<R>() }
        let (file, line) = ("T/T.swift", 1)
        // Options cannot be handed on from one call to another.
        switch options.count {
        case 0: self.route(route, fileID: file, line: line, by: factory)
        case 1: self.route(route, options[0], fileID: file, line: line, by: factory)
        case 2: self.route(route, options[0], options[1], fileID: file, line: line, by: factory)
        default: self.route(route, options[0], options[1], options[2], fileID: file, line: line, by: factory)
        }
    }

    /// Lets a closure decide about every route, or about one type of route.
    func decide(
        about route: (any Route.Type)? = nil,
        _ decide: @escaping @MainActor (RouteRequest) async throws -> Interception
    ) {
        intercept(route.map { .types([$0]) } ?? .all) { ProbeInterceptor(decide: decide) }
    }

    /// Counts to 1, after some work.
    func count(after work: @escaping @MainActor (Shop.Count) async throws -> Void = { _ in }) {
        action(Shop.Count.self) {
            ProbeAction {
                try await work($0)
                return 1
            }
        }
    }
}

extension RouterService {
    /// A router of one module.
    convenience init(_ registration: @escaping @MainActor (Registrar) -> Void) {
        self.init(modules: [TestModule(registration)])
    }
}

extension Stage {
    /// A stage that shows the catalogue's first page.
    static func started(
        _ registration: @escaping @MainActor (Registrar) -> Void = { _ in }
    ) async throws -> Stage {
        let stage = Stage(registration)
        try await stage.router.start(with: Shop.Catalogue())
        return stage
    }

    /// The shown routes, if the router and the presenter agree; otherwise nil.
    var shown: [AnyRoute]? { presenter.shown(by: router) }
}

extension HeadlessPresenter {
    /// The shown routes, if a router and the presenter agree; otherwise nil.
    func shown(by router: RouterService) -> [AnyRoute]? {
        let entries = router.snapshot(including: .file).entries
        let screens = stack.map { ($0.screen as? any RouteProbe)?.anyRoute }
        return screens == entries.map(\.route) && styles == entries.map(\.style) ? entries.map(\.route) : nil
    }
}

/// A probe of a route of any type.
@MainActor
protocol RouteProbe {
    var anyRoute: AnyRoute { get }
}

extension ProbeScreen: RouteProbe {
    var anyRoute: AnyRoute { AnyRoute(route) }
}
