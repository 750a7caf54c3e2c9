import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct BroadcastTests {
    private struct SignedOut: Event { let name: String }
    private struct PriceChanged: Event {}

    /// Two module entries of different types, to distinguish them.
    private struct Ledger: Module {
        let journal: Journal
        func register(in registrar: Registrar) {
            registrar.listen(to: SignedOut.self) { event in
                journal.note("ledger \(event.name)")
                throw Shop.Failure()
            }
        }
    }

    private let journal = Journal()

    @Test func event_reachesTheListenersOfItsTypeInTheOrderOfRegistration() async {
        let journal = journal
        let router = RouterService(modules: [
            TestModule { registrar in
                registrar.listen(to: SignedOut.self) { event in journal.note("first \(event.name)") }
                registrar.listen(to: PriceChanged.self) { _ in journal.note("other") }
            },
            TestModule { registrar in
                registrar.listen(to: SignedOut.self) { event in journal.note("second \(event.name)") }
            },
        ])
        let failures = await router.broadcast(SignedOut(name: "ann"))
        #expect(failures.isEmpty)
        #expect(journal.lines == ["first ann", "second ann"])
    }

    @Test func listenerThatThrows_doesNotStopTheOthersAndIsReported() async throws {
        let journal = journal
        let router = RouterService(modules: [
            Ledger(journal: journal),
            TestModule { $0.listen(to: SignedOut.self) { event in journal.note("test \(event.name)") } },
        ])
        let failures = await router.broadcast(SignedOut(name: "bob"))
        #expect(journal.lines == ["ledger bob", "test bob"])
        guard case .listenerFailed(let event, let module, let underlying)? = failures.first else {
            Issue.record("\(failures)")
            return
        }
        #expect(failures.count == 1)
        #expect(event == TypeKey(SignedOut.self))
        #expect(module == TypeKey(Ledger.self))
        #expect(underlying is Shop.Failure)
    }

    @Test func listener_isAwaitedBeforeTheNext() async {
        let (journal, gate) = (journal, Gate())
        let router = RouterService {
            $0.listen(to: PriceChanged.self) { _ in
                await gate.pass()
                journal.note("first")
            }
            $0.listen(to: PriceChanged.self) { _ in journal.note("second") }
        }
        let broadcast = Caller { await router.broadcast(PriceChanged()) }
        await gate.arrival()
        await settled()
        #expect(journal.lines.isEmpty)
        gate.open()
        _ = try? await broadcast.output
        #expect(journal.lines == ["first", "second"])
    }

    @Test func listenerThatMissesAService_isReportedWithThePath() async throws {
        let router = RouterService {
            $0.listen(to: PriceChanged.self) { (_, prices: any Shop.Prices) in }
            $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
        }
        let failure = try #require(await router.broadcast(PriceChanged()).first)
        #expect("\(failure)".contains("BroadcastTests.PriceChanged → any Shop.Prices → any Shop.Clock"))
    }

    @Test func event_isBroadcastByScreensServicesAndActions() async throws {
        let journal = journal
        let stage = try await Stage.started {
            $0.listen(to: SignedOut.self) { event in journal.note(event.name) }
            $0.action(Shop.Count.self) { (router: any Router) in
                ProbeAction<Shop.Count> { _ in
                    await router.broadcast(SignedOut(name: "action"))
                    return 1
                }
            }
        }
        try await stage.router.open(Shop.Count())
        try await stage.router.resolve((any Router).self).broadcast(SignedOut(name: "service"))
        #expect(journal.lines == ["action", "service"])
    }

    @Test func eventWithoutListeners_isNoMistake() async {
        #expect(await RouterService { _ in }.broadcast(PriceChanged()).isEmpty)
    }

    /// A module that was recompiled listens once more than before, first.
    @Test func listenerThatAReplacementAdds_receivesTheEvent_andNoneReceivesItTwice() async throws {
        let (journal, gate) = (journal, Gate())
        func old(_ registrar: Registrar) {
            registrar.listen(to: PriceChanged.self, fileID: "T/T.swift", line: 2) { _ in
                journal.note("old")
                await gate.pass()
            }
        }
        let router = RouterService(modules: [TestModule { old($0) }])
        let broadcast = Caller { await router.broadcast(PriceChanged()) }
        await gate.arrival()
        let next = TestModule { registrar in
            for name in ["new", "newer"] {
                registrar.listen(to: PriceChanged.self, fileID: "T/T.swift", line: 1) { _ in
                    journal.note(name)
                }
            }
            old(registrar)
        }
        try await router.replace([next])
        gate.open()
        _ = try await broadcast.output
        #expect(journal.lines == ["old", "new", "newer"])
    }
}
