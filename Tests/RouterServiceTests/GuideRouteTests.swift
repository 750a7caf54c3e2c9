import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

/// The statements about routes in the guide, Modules/RouterService/README.md.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct GuideRouteTests {
    private let presenter = HeadlessPresenter()

    @Test func result_comesBack() async throws {
        let router = try await started()
        let text = Caller {
            // snippet: result
            let text = try await router.result(of: Notes.Editor(id: 1))
            // snippet: end
            return text
        }
        try await press("Buy tea")
        #expect(try await text.output == "Buy tea!")
    }

    @Test func styles_areOpenEnded() async throws {
        let sheet = PresentationStyle("sheet")
        presenter.knownStyles.insert(sheet)
        let router = try await started()
        try await router.open(Notes.Editor(id: 1))
        try await router.open(Notes.Editor(id: 2), as: .modal)
        try await router.open(Notes.Editor(id: 3), as: sheet)
        #expect(presenter.styles == [.root, .push, .modal, sheet])
        try await router.open(Notes.List(), as: .root)
        #expect(presenter.styles == [.root])
    }

    @Test func dismissal_goesBackToARoute() async throws {
        let router = try await started()
        try await router.open([Notes.List(tag: "tea"), Notes.Editor(id: 1), Notes.List(tag: "cake")])
        try await router.dismiss(to: Notes.List(tag: "tea"))
        #expect(
            router.snapshot.entries.map(\.route) == [
                AnyRoute(Notes.List()), AnyRoute(Notes.List(tag: "tea")),
            ])
    }

    @Test func stack_isStoredAndRestored() async throws {
        let router = try await started()
        try await router.open([Notes.List(tag: "tea"), Notes.Editor(id: 1)])
        let stored = try JSONEncoder().encode(router.snapshot)
        let shown = router.snapshot
        let other = try await started()
        let decoder = JSONDecoder()
        decoder.routeCatalog = other.catalog
        try await other.restore(decoder.decode(RouterSnapshot.self, from: stored))
        #expect(other.snapshot == shown)
    }

    @Test func fallback_takesThePlaceOfWhatIsNotAvailable() async throws {
        struct Reader: Route {
            static let identifier = "notes.reader"
            let id: Int
        }
        struct ReaderFeature: Feature {
            @Dependency var store: any Notes.Store

            func isEnabled(for route: Reader) -> Bool { store.texts[route.id] != nil }
            func build(_ route: Reader, in context: RouteContext<Reader>) -> any Screen {
                ButtonScreen(title: "Note \(route.id)")
            }
        }
        let module = TestModule { registrar in
            registrar.route(Reader.self, .fallback { _ in Notes.List() }, by: ReaderFeature.init)
        }
        let router = try await started(module)
        try await router.open(Reader(id: 9))
        #expect(router.snapshot.entries.map(\.route) == [AnyRoute(Notes.List()), AnyRoute(Notes.List())])
    }

    @Test func interceptor_seesEveryRoute() async throws {
        let module = TestModule { registrar in
            registrar.intercept(by: NotesGuard.init)
        }
        let router = try await started(module)
        let opening = Caller { try await router.open(try #require(URL(string: "app://notes/1"))) }
        try await press("Sign in")
        try await opening.output
        #expect((presenter.top as? ButtonScreen)?.title == "Buy tea")
    }

    @Test func action_isARouteWithoutAScreen() async throws {
        let heard = Heard()
        let module = TestModule { registrar in
            registrar.listen(to: Notes.Changed.self) { (event, store: any Notes.Store) in
                heard.counts.append(store.texts.count)
            }
        }
        let router = try await started(module)
        let left = try await router.result(of: Notes.Delete(id: 1))
        #expect(left == 1)
        #expect(heard.counts == [1])
        #expect(presenter.stack.count == 1)
    }

    @Test func url_isARouteAndBack() async throws {
        let router = try await started()
        let url = try #require(URL(string: "app://notes/2"))
        try await router.open(url)
        let link = try router.catalog.url(for: Notes.List(tag: "a/b"))
        #expect((presenter.top as? ButtonScreen)?.title == "Call Ann")
        #expect(
            link.absoluteString == "app://notes?tag=a/b" || link.absoluteString == "app://notes?tag=a%2Fb")
    }

    @Test func link_isARouteThatABackendSends() async throws {
        let router = try await started()
        let response = Data(#"{"next": "notes.edit|{\"id\":2}"}"#.utf8)
        struct Answer: Decodable { let next: AnyRoute }
        let decoder = JSONDecoder()
        decoder.routeCatalog = router.catalog
        let answer = try decoder.decode(Answer.self, from: response)
        try await router.open(answer.next)
        #expect((presenter.top as? ButtonScreen)?.title == "Call Ann")
    }

    @Test func everyDecision_canBeWatched() async throws {
        let router = try await started()
        let events = router.events()
        try await router.open(Notes.Editor(id: 1))
        for await event in events {
            print(event)
            if case .presented = event { break }
        }
    }

    private func started(_ modules: any Module...) async throws -> RouterService {
        let presenter = presenter
        presenter.remove(presenter.stack.map(\.presentation.id))
        let screen = TestModule { $0.register((any Presenter).self, lifetime: .singleton) { presenter } }
        let router = RouterService(modules: [screen, AccountModule(), NotesModule()] + modules)
        try await router.start(with: Notes.List())
        return router
    }

    private func press(_ title: String) async throws {
        while true {
            if let screen = presenter.top as? ButtonScreen, screen.title == title {
                return try await screen.press()
            }
            await Task.yield()
        }
    }
}

@MainActor
private final class Heard {
    var counts: [Int] = []
}
