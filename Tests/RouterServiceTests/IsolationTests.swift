import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

/// Nothing is shared between two routers, and nothing is created twice in one.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct IsolationTests {
    private final class Ledger: Sendable {}

    @Test func twoRouters_shareNoService() throws {
        func make() -> RouterService {
            RouterService {
                $0.register((any Shop.Clock).self, lifetime: .singleton, by: Shop.FakeClock.init)
            }
        }
        let (one, other) = (make(), make())
        #expect(try one.resolve((any Shop.Clock).self) !== other.resolve((any Shop.Clock).self))
        #expect(try one.resolve((any Router).self) !== other.resolve((any Router).self))
    }

    @Test func twoRouters_shareNoScopeScreenEventOrListener() async throws {
        struct Rung: Event {}
        let (session, journal) = (Scope("shop.session"), Journal())
        let one = try await Stage.started {
            $0.register((any Shop.Clock).self, lifetime: .scope(session), by: Shop.FakeClock.init)
            $0.listen(to: Rung.self) { _ in journal.note("one") }
        }
        let other = try await Stage.started {
            $0.register((any Shop.Clock).self, lifetime: .scope(session), by: Shop.FakeClock.init)
            $0.listen(to: Rung.self) { _ in journal.note("other") }
        }
        try one.router.enter(session)
        _ = try one.router.resolve((any Shop.Clock).self)
        #expect(await failure { try other.router.resolve((any Shop.Clock).self) } == .outsideScope)
        try await one.router.open(Shop.Catalogue(page: 2))
        #expect(other.shown == [AnyRoute(Shop.Catalogue())])
        await other.router.broadcast(Rung())
        #expect(journal.lines == ["other"])
    }

    @Test func oneModuleEntry_servesTwoRoutersWithReplacementsOfTheirOwn() throws {
        final class SlowClock: Shop.Clock { let name = "slow" }
        let shop = TestModule { $0.register((any Shop.Clock).self, by: Shop.FakeClock.init) }
        let replaced = RouterService(modules: [
            shop, TestModule { $0.override((any Shop.Clock).self) { SlowClock() } },
        ])
        let plain = RouterService(modules: [shop])
        #expect(try replaced.resolve((any Shop.Clock).self).name == "slow")
        #expect(try plain.resolve((any Shop.Clock).self).name == "fake")
    }

    @Test func manyTasksAtOnce_prepareOneObject() async throws {
        let (journal, gate) = (Journal(), Gate())
        let router = RouterService {
            $0.prepare(Ledger.self) {
                journal.note("created")
                await gate.pass()
                return Ledger()
            }
        }
        let tasks = (0..<20).map { _ in
            Task.detached {
                try await router.prepare()
                return await MainActor.run { (try? router.resolve(Ledger.self)).map { ObjectIdentifier($0) } }
            }
        }
        await gate.arrival()
        await settled()
        gate.open()
        var found: Set<ObjectIdentifier?> = []
        for task in tasks { found.insert(try await task.value) }
        #expect(found.count == 1)
        #expect(!found.contains(nil))
        #expect(journal.lines == ["created"])
    }
}
