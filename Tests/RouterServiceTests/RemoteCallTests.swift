import Foundation
import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct RemoteCallTests {
    private struct Offer: Route {
        struct Price: Codable, Sendable { let url: String; let cents: Int }
        typealias Output = Price
        static let identifier = "offer"
        let name: String
    }

    private struct Refresh: Route { static let identifier = "refresh" }

    private let journal = Journal()

    @Test func action_answersInJSON() async throws {
        let stage = try await stage()
        #expect(try await answer("app://offer/tea", of: stage) == #"{"cents":3,"url":"https://tea"}"#)
        #expect(stage.shown?.count == 1)
    }

    @Test func actionWithoutAnOutput_answersNull() async throws {
        #expect(try await answer("app://refresh", of: stage()) == "null")
        #expect(journal.lines == ["refresh"])
    }

    @Test func screen_answersWhenItFinishes() async throws {
        let stage = try await stage()
        let call = Caller { try await answer("app://account/bob", of: stage) }
        let account = try await stage.arrival(at: Shop.Account.self)
        #expect(stage.presenter.styles.last == .modal)
        try account.context.finish("done")
        #expect(try await call.output == #""done""#)
    }

    @Test func screenThatIsLeft_cancelsTheCall() async throws {
        let stage = try await stage()
        let call = Caller { try await answer("app://account/bob", of: stage) }
        _ = try await stage.arrival(at: Shop.Account.self)
        await stage.presenter.goBack()
        await #expect(throws: CancellationError.self) { try await call.output }
    }

    @Test func routeThatDidNotOptIn_isNeitherPerformedNorShown() async throws {
        let stage = try await stage()
        #expect(await failure { try await answer("app://count/3", of: stage) } == .notRemote)
        #expect(journal.lines.isEmpty)
        #expect(stage.shown?.count == 1)
    }

    @Test func fallbackOfARemoteRoute_answersForIt() async throws {
        let journal = journal
        let stage = try await Stage.started {
            $0.action(Shop.Help.self) {
                ProbeAction<Shop.Help> { _ in
                    journal.note("help")
                    return "helped"
                }
            }
            $0.route(
                Shop.Account.self, .url("app://account/:owner"), .remote, .fallback { _ in Shop.Help() }
            ) {
                ConditionalFeature<Shop.Account> { _ in false }
            }
        }
        #expect(try await answer("app://account/ann", of: stage) == #""helped""#)
    }

    @Test func rejectedCall_isNotPerformed() async throws {
        let stage = try await stage { $0.decide { $0.route is Refresh ? .reject(Shop.Failure()) : .proceed } }
        await #expect(throws: Shop.Failure.self) { try await answer("app://refresh", of: stage) }
        #expect(journal.lines.isEmpty)
    }

    @Test func unknownURL_andWrongValues_throw() async throws {
        let stage = try await stage()
        #expect(await failure { try await answer("app://offers/tea", of: stage) } == .unknownURL)
        #expect(await failure { try await answer("app://count/many", of: stage) } == .decoding)
    }

    private func answer(_ text: String, of stage: Stage) async throws -> String {
        String(decoding: try await stage.router.output(of: try #require(URL(string: text))), as: UTF8.self)
    }

    private func stage(
        _ registration: @escaping @MainActor (Registrar) -> Void = { _ in }
    ) async throws -> Stage {
        let journal = journal
        return try await Stage.started {
            $0.action(Offer.self, .url("app://offer/:name"), .remote) {
                ProbeAction<Offer> { Offer.Price(url: "https://\($0.name)", cents: $0.name.count) }
            }
            $0.action(Refresh.self, .url("app://refresh"), .remote) {
                ProbeAction<Refresh> { _ in journal.note("refresh") }
            }
            $0.action(Shop.Count.self, .url("app://count/:limit")) {
                ProbeAction<Shop.Count> { route in
                    journal.note("count")
                    return route.limit
                }
            }
            $0.probe(Shop.Account.self, .url("app://account/:owner"), .remote)
            registration($0)
        }
    }
}
