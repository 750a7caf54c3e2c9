import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

/// Calls of screens, presenters and adapters while the router is busy with them.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ReentrancyTests {
    @Test func adapterWhoseOutputRemovesTheScreen_deliversTheOutput() async throws {
        var opener: (any RouteContext<Shop.Catalogue>)?
        let stage = try await Stage.started {
            $0.probe(Shop.Help.self)
            $0.adapt(Shop.Account.self, to: Shop.Help.self) { _ in
                Shop.Help()
            } output: { output in
                // Removes this screen too, which is above.
                try opener?.finish()
                return output + "!"
            }
        }
        try await stage.router.open(Shop.Catalogue(page: 2))
        opener = stage.top(Shop.Catalogue.self)?.context
        let result = Caller { try await stage.router.result(of: Shop.Account()) }
        try await stage.arrival(at: Shop.Help.self).context.finish("helped")
        #expect(try await result.output == "helped!")
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
    }

    /// A router that has shown the catalogue's first page through a watched presenter.
    private func started() async throws -> (WatchedPresenter, RouterService) {
        let presenter = WatchedPresenter()
        let router = RouterService {
            $0.register((any Presenter).self, lifetime: .singleton) { presenter }
            $0.probe(Shop.Catalogue.self)
            $0.probe(Shop.Account.self)
        }
        try await router.start(with: Shop.Catalogue())
        return (presenter, router)
    }

    @Test func screenThatFinishesWhileItTakesAPlace_isRemovedToo() async throws {
        let (presenter, router) = try await started()
        try await router.open(Shop.Catalogue(page: 2))
        presenter.before = { try ($0 as? ProbeScreen<Shop.Account>)?.context.finish("done") }
        let context = try #require(presenter.base.top as? ProbeScreen<Shop.Catalogue>).context
        try await context.replace(with: Shop.Account())
        #expect(presenter.base.stack.count == 1)
        #expect(router.snapshot(including: .file).entries.count == 1)
    }

    @Test func screenThatFinishesWhileItIsShown_isRemovedAndNotReportedAsPresented() async throws {
        let (presenter, router) = try await started()
        presenter.before = { try ($0 as? ProbeScreen<Shop.Account>)?.context.finish("done") }
        let events = router.events()
        #expect(try await router.result(of: Shop.Account()) == "done")
        #expect(presenter.base.stack.count == 1)
        #expect(router.snapshot(including: .file).entries.map(\.route) == [AnyRoute(Shop.Catalogue())])
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next()?.description == #"finished shop.account|{"owner":"ann"}"#)
        #expect(await iterator.next()?.description == #"removed shop.account|{"owner":"ann"}"#)
        await router.broadcast(Tick())
        #expect(await iterator.next()?.description == "broadcast ReentrancyTests.Tick to 0 listeners")
    }

    private struct Tick: Event {}
}
