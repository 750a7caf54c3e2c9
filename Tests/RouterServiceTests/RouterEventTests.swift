import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct RouterEventTests {
    private struct Rung: Event {}

    @Test func start_streamsWhatIsCreatedDecidedAndShown() async throws {
        let lines = try await lines { registrar in
            registrar.decide { _ in .proceed }
        } of: { _ in
        }
        #expect(
            lines == [
                "created any Presenter in …",
                #"intercepted shop.catalogue|{"page":1} by ProbeInterceptor: proceed in …"#,
                #"presented shop.catalogue|{"page":1} as root in …"#,
            ])
    }

    @Test func redirectsRejectionsAndFallbacks_areStreamed() async throws {
        let lines = try await linesAfterStart {
            $0.probe(Shop.SignIn.self)
            $0.route(Shop.Help.self, .fallback { _ in Shop.SignIn() }) {
                ConditionalFeature<Shop.Help> { _ in false }
            }
            $0.decide { request in
                switch request.route {
                case is Shop.Account: .redirect(to: Shop.Help())
                case is Shop.Checkout: .reject(Shop.Failure())
                default: .proceed
                }
            }
        } of: { stage in
            try await stage.router.open(Shop.Account())
            try? await stage.router.open(Shop.Checkout(items: []))
        }
        let account = #"shop.account|{"owner":"ann"}"#
        let checkout = #"shop.checkout|{"items":[]}"#
        #expect(
            lines == [
                "intercepted \(account) by ProbeInterceptor: redirect to shop.help|{} in …",
                "rerouted \(account) to shop.help|{}",
                "intercepted shop.help|{} by ProbeInterceptor: proceed in …",
                "rerouted shop.help|{} to shop.sign-in|{}",
                "intercepted shop.sign-in|{} by ProbeInterceptor: proceed in …",
                "presented shop.sign-in|{} as push in …",
                "intercepted \(checkout) by ProbeInterceptor: reject, Failure() in …",
                "failed Shop.Checkout: Failure()",
            ])
    }

    @Test func resultsAndRemovals_areStreamed() async throws {
        let lines = try await linesAfterStart { _ in
        } of: { stage in
            try await stage.router.open(Shop.Checkout(items: []), as: .modal)
            let checkout = try #require(stage.top(Shop.Checkout.self))
            try await stage.router.open(Shop.Catalogue(page: 2))
            try checkout.context.finish("paid")
        }
        let checkout = #"shop.checkout|{"items":[]}"#
        let page = #"shop.catalogue|{"page":2}"#
        #expect(
            lines == [
                "presented \(checkout) as modal in …", "presented \(page) as push in …",
                "finished \(checkout)", "removed \(page)", "removed \(checkout)",
            ])
    }

    @Test func actionsBroadcastsAndFailedListeners_areStreamed() async throws {
        let lines = try await linesAfterStart {
            $0.count()
            $0.listen(to: Rung.self) { _ in throw Shop.Failure() }
            $0.listen(to: Rung.self) { _ in }
        } of: { stage in
            try await stage.router.open(Shop.Count())
            await stage.router.broadcast(Rung())
        }
        #expect(
            lines == [
                #"performed shop.count|{"limit":10} in …"#,
                "broadcast RouterEventTests.Rung to 2 listeners",
                "failed TestModule: Failure()",
            ])
    }

    @Test func cancellation_isNoFailure() async throws {
        let lines = try await linesAfterStart { _ in
        } of: { stage in
            let result = Caller { try await stage.router.result(of: Shop.Checkout(items: [])) }
            _ = try await stage.arrival(at: Shop.Checkout.self)
            await stage.presenter.goBack()
            _ = try? await result.output
        }
        #expect(!lines.contains { $0.hasPrefix("failed") })
    }

    @Test func failedStart_isReported() async throws {
        let router = RouterService { $0.probe(Shop.Catalogue.self) }
        let events = router.events()
        _ = await failure { try await router.start(with: Shop.Catalogue()) }
        var iterator = events.makeAsyncIterator()
        #expect(
            await iterator.next().map { "\($0)".hasPrefix("failed Shop.Catalogue: any Presenter is not") }
                == true)
    }

    @Test func durations_areThoseOfTheWork() async throws {
        let nap = Duration.milliseconds(20)
        struct Slow: Feature {
            func build(_ route: Shop.Help, in context: any RouteContext<Shop.Help>) -> any Screen {
                Thread.sleep(forTimeInterval: 0.02)
                return ProbeScreen(route: route, context: context)
            }
        }
        let events = try await events {
            $0.register((any Shop.Clock).self, lifetime: .singleton) {
                Thread.sleep(forTimeInterval: 0.02)
                return Shop.FakeClock()
            }
            $0.prepare(Int.self) {
                try await Task.sleep(for: nap)
                return 1
            }
            $0.decide { request in
                if request.route is Shop.Help { try await Task.sleep(for: nap) }
                return .proceed
            }
            $0.count { _ in try await Task.sleep(for: nap) }
            $0.route(Shop.Help.self, by: Slow.init)
        } of: { stage in
            _ = try stage.router.resolve((any Shop.Clock).self)
            try await stage.router.open(Shop.Help())
            try await stage.router.open(Shop.Count())
        }
        var slow: [String] = []
        for event in events {
            guard let duration = duration(of: event) else { continue }
            #expect(duration >= .zero)
            #expect(duration < .seconds(30))
            if duration >= nap { slow.append(text(of: event)) }
        }
        // On a loaded machine any other event may take as long.
        #expect(
            Set(slow).isSuperset(of: [
                "created Int in …", "created any Shop.Clock in …",
                "intercepted shop.help|{} by ProbeInterceptor: proceed in …",
                "presented shop.help|{} as push in …", #"performed shop.count|{"limit":10} in …"#,
            ]), "\(slow)")
    }

    @Test func duration_isWrittenInMilliseconds() {
        let event = RouterEvent.created(TypeKey(Int.self), in: .microseconds(1_234_567))
        #expect("\(event)" == "created Int in 1234.5 ms")
    }

    @Test func errorMessage_isTheErrorsOwn_andElseDescribesIt() {
        #expect(errorMessage(of: RouterError.emptyStack) == RouterError.emptyStack.description)
        #expect(errorMessage(of: Shop.Failure()) == "Failure()")
        #expect(errorMessage(of: POSIXError(.ENOENT)).hasSuffix("No such file or directory"))
        let cause = RouterError.creationFailed(TypeKey(Int.self), path: [], underlying: Shop.Failure())
        #expect(cause.description.hasSuffix(": Failure()"))
    }

    @Test func twoWatchers_receiveTheSame() async throws {
        let first: AsyncStream<RouterEvent>
        let second: AsyncStream<RouterEvent>
        do {
            let stage = Stage()
            first = stage.router.events()
            try await stage.router.start(with: Shop.Catalogue())
            second = stage.router.events()
            try await stage.router.open(Shop.Catalogue(page: 2))
        }
        let (all, later) = (await texts(first), await texts(second))
        #expect(all.count == 3)
        #expect(later == Array(all.suffix(1)))
    }

    @Test func watcherThatLeaves_leavesTheOtherOneWatching() async throws {
        let stage = try await Stage.started()
        let events = stage.router.events()
        let leaving = Task { for await _ in stage.router.events() { return } }
        await settled()
        try await stage.router.open(Shop.Catalogue(page: 2))
        await leaving.value
        await settled()
        try await stage.router.open(Shop.Catalogue(page: 3))
        var iterator = events.makeAsyncIterator()
        var pages: [String] = []
        while pages.count < 2, let event = await iterator.next() { pages.append(text(of: event)) }
        #expect(pages.map { $0.contains(#""page":"#) } == [true, true])
    }

    @Test func stream_endsWithTheRouter() async throws {
        var stage: Stage? = try await Stage.started()
        let events = try #require(stage?.router.events())
        let end = Caller {
            for await _ in events {}
            return "end"
        }
        stage = nil
        #expect(try await end.output == "end")
    }

    private func linesAfterStart(
        _ registration: @escaping @MainActor (Registrar) -> Void,
        of work: @MainActor (Stage) async throws -> Void
    ) async throws -> [String] {
        let lines = try await lines(registration, of: work)
        let start = try #require(lines.firstIndex { $0.hasPrefix("presented") })
        return Array(lines[(start + 1)...])
    }

    private func lines(
        _ registration: @escaping @MainActor (Registrar) -> Void,
        of work: @MainActor (Stage) async throws -> Void
    ) async throws -> [String] {
        try await events(registration, of: work).map(text)
    }

    /// All events of a router that lives as long as the work.
    private func events(
        _ registration: @escaping @MainActor (Registrar) -> Void,
        of work: @MainActor (Stage) async throws -> Void
    ) async throws -> [RouterEvent] {
        let events: AsyncStream<RouterEvent>
        do {
            let stage = Stage(registration)
            events = stage.router.events()
            try await stage.router.start(with: Shop.Catalogue())
            try await work(stage)
        }
        var all: [RouterEvent] = []
        for await event in events { all.append(event) }
        return all
    }

    private func texts(_ events: AsyncStream<RouterEvent>) async -> [String] {
        var texts: [String] = []
        for await event in events { texts.append(text(of: event)) }
        return texts
    }

    /// An event's description without the time that it took.
    private func text(of event: RouterEvent) -> String {
        "\(event)".replacing(/in [0-9]+\.[0-9] ms$/, with: "in …")
    }

    private func duration(of event: RouterEvent) -> Duration? {
        switch event {
        case .created(_, let time), .intercepted(_, _, _, let time), .presented(_, _, let time),
            .performed(_, let time):
            time
        default: nil
        }
    }
}
