import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting

/// Leads to a screen with a number, whose user is asked before leaving it.
struct Page: Route {
    static let identifier = "page"

    let number: Int

    init(_ number: Int) { self.number = number }
}

/// The user, who is asked before leaving a screen.
@MainActor
final class User {
    var stays = false
    private(set) var questions = 0

    func leaves() -> Bool {
        questions += 1
        return !stays
    }
}

/// A router with a display, and pages on it.
@MainActor
struct Pages {
    typealias MakeScreen = @MainActor (_ title: String) -> any Screen

    let user = User()
    let router: any ProgramRouter
    private let makeScreen: MakeScreen

    init(on display: any Module, screen makeScreen: @escaping MakeScreen) {
        self.makeScreen = makeScreen
        router = RouterService(modules: [display, Self.module(titled: "page", user, makeScreen)])
    }

    /// The numbers of the router's screens, the first screen's first.
    var shown: [Int] {
        router.snapshot(including: .file).entries.compactMap { ($0.route.route as? Page)?.number }
    }

    /// Shows the first page, and others above it, each in its style.
    func start(_ styles: PresentationStyle...) async throws {
        try await router.start(with: Page(0))
        for (index, style) in styles.enumerated() { try await router.open(Page(index + 1), as: style) }
    }

    /// Rebuilds all screens by another version of their module.
    func exchange(titled title: String) async throws {
        try await router.replace([Self.module(titled: title, user, makeScreen)])
    }

    private static func module(
        titled title: String, _ user: User, _ screen: @escaping MakeScreen
    ) -> TestModule {
        TestModule { registrar in
            registrar.route(Page.self) { PageFeature(title: title, user: user, screen: screen) }
        }
    }
}

private struct PageFeature: Feature {
    let title: String
    let user: User
    let screen: Pages.MakeScreen

    func build(_ route: Page, in context: any RouteContext<Page>) throws -> any Screen {
        try context.confirmLeaving { [user] in user.leaves() }
        return screen("\(title) \(route.number)")
    }
}

/// Whether an error reports a screen that the presenter cannot show.
func isUnknownScreen(_ error: any Error) -> Bool {
    if case RouterError.unknownScreen = error { true } else { false }
}

/// Waits for what other tasks do.
@MainActor
func wait(until condition: () throws -> Bool) async throws {
    while try !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
