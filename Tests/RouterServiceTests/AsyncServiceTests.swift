import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct AsyncServiceTests {
    private final class Archive: Sendable {
        let name: String
        init(name: String) { self.name = name }
    }

    private let gate = Gate()
    private let journal = Journal()

    @Test func start_awaitsTheServiceBeforeTheFirstScreen_andNothingIsOpenedMeanwhile() async throws {
        let gate = gate
        let stage = Stage {
            $0.prepare(Archive.self) {
                await gate.pass()
                return Archive(name: "a")
            }
        }
        let start = Caller { try await stage.router.start(with: Shop.Catalogue()) }
        await gate.arrival()
        await settled()
        #expect(stage.presenter.stack.isEmpty)
        let other = Shop.Catalogue(page: 2)
        #expect(await failure { try await stage.router.start(with: other) } == .alreadyStarted)
        #expect(await failure { try await stage.router.open(other) } == .notStarted)
        gate.open()
        try await start.output
        #expect(stage.shown == [AnyRoute(Shop.Catalogue())])
        #expect(try stage.router.resolve(Archive.self) === stage.router.resolve(Archive.self))
    }

    @Test func service_beforeItIsPrepared_throwsWithItsPath() {
        let router = RouterService {
            $0.prepare(Archive.self) { () async in Archive(name: "a") }
            $0.register(String.self, lifetime: .transient) { (archive: Archive) in archive.name }
        }
        #expect { try router.resolve(String.self) } throws: { error in
            guard case RouterError.notPrepared(_, let path) = error else { return false }
            return path.map(\.description) == ["String", "AsyncServiceTests.Archive"]
        }
    }

    @Test func services_arePreparedAfterThoseThatTheyNeed() async throws {
        let journal = journal
        let router = RouterService {
            $0.prepare(Archive.self) { (prices: any Shop.Prices) async in
                journal.note("archive")
                return Archive(name: prices.clock.name)
            }
            $0.register((any Shop.Prices).self, lifetime: .transient) {
                (number: Int, clock: any Shop.Clock) in
                Shop.FixedPrices(clock: clock)
            }
            $0.register((any Shop.Clock).self, by: Shop.FakeClock.init)
            $0.prepare(Int.self) { () async in
                journal.note("number")
                return 1
            }
        }
        try await router.prepare()
        #expect(journal.lines == ["number", "archive"])
        #expect(try router.resolve(Archive.self).name == "fake")
    }

    @Test func failingFactory_stopsTheStartWithItsPathAndMayBeTriedAgain() async throws {
        var isBroken = true
        let journal = journal
        let stage = Stage {
            $0.prepare(Int.self) { () async in
                journal.note("number")
                return 1
            }
            $0.prepare(Archive.self) { (number: Int) async throws in
                if isBroken { throw Shop.Failure() }
                return Archive(name: "\(number)")
            }
        }
        await #expect {
            try await stage.router.start(with: Shop.Catalogue())
        } throws: { error in
            guard case RouterError.creationFailed(_, let path, let underlying) = error else { return false }
            return path == [TypeKey(Archive.self)] && underlying is Shop.Failure
        }
        #expect(stage.presenter.stack.isEmpty)
        isBroken = false
        try await stage.router.start(with: Shop.Catalogue())
        #expect(try stage.router.resolve(Archive.self).name == "1")
        #expect(journal.lines == ["number"], "what was prepared before is kept")
    }

    @Test func serviceThatAPreparedOneMisses_isNamedWithThePath() async {
        let router = RouterService {
            $0.prepare(Archive.self) { (clock: any Shop.Clock) async in Archive(name: clock.name) }
        }
        await #expect { try await router.prepare() } throws: { error in
            "\(error)".contains("needed along AsyncServiceTests.Archive → any Shop.Clock")
        }
    }

    @Test func cycleOfPreparedServices_throwsItsPath() async {
        let router = RouterService {
            $0.prepare(Archive.self) { (number: Int) async in Archive(name: "\(number)") }
            $0.prepare(Int.self) { (archive: Archive) async in archive.name.count }
        }
        await #expect { try await router.prepare() } throws: { error in
            guard case RouterError.cycle(let path) = error else { return false }
            return path.map(\.description)
                == ["AsyncServiceTests.Archive", "Int", "AsyncServiceTests.Archive"]
        }
    }

    @Test func preparedService_mayDeferItsWayBack() async throws {
        final class Index: Sendable {
            init(archive: Deferred<Archive>) {}
        }
        let router = RouterService {
            $0.prepare(Archive.self) { (index: Index) async in Archive(name: "a") }
            $0.prepare(Index.self) { (archive: Deferred<Archive>) async in Index(archive: archive) }
        }
        try await router.prepare()
        #expect(try router.resolve(Archive.self).name == "a")
    }

    @Test func duplicateOfAPreparedService_throwsWhenNeededAndCreatesNothing() async {
        let journal = journal
        let router = RouterService {
            for _ in 1...2 {
                $0.prepare(Archive.self) { () async in
                    journal.note("created")
                    return Archive(name: "a")
                }
            }
        }
        _ = await failure { try await router.prepare() }
        #expect(await failure { try router.resolve(Archive.self) } == .duplicate)
        #expect(journal.lines.isEmpty)
    }
}
