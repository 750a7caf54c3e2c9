import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
struct ReplacementTests {
    private final class NamedClock: Shop.Clock {
        let name: String
        init(_ name: String) { self.name = name }
    }

    /// A registrar that stays at hand after the modules have registered.
    @MainActor
    private final class LateRegistrar {
        var registrar: (any Registrar)?
    }

    private let late = LateRegistrar()

    @Test func replacement_servesInPlaceOfTheService() throws {
        let router = RouterService(modules: [
            TestModule { $0.register((any Shop.Clock).self, by: Shop.FakeClock.init) },
            TestModule { $0.replace((any Shop.Clock).self) { NamedClock("other") } },
        ])
        #expect(try router.resolve((any Shop.Clock).self).name == "other")
        #expect(!router.validate().map(kind).contains("duplicateService"))
    }

    @Test(arguments: [Lifetime.singleton, .weak, .scope(Scope("shop.session"))])
    func replacement_dropsTheInstanceThatLives(lifetime: Lifetime) throws {
        let router = router(lifetime)
        if case .scope(let scope) = lifetime { try router.enter(scope) }
        let before = try router.resolve((any Shop.Clock).self)
        late.registrar?.replace((any Shop.Clock).self) { NamedClock("other") }
        #expect(try router.resolve((any Shop.Clock).self).name == "other")
        #expect(before.name == "fake", "whoever holds the old instance keeps it")
    }

    @Test func replacement_keepsTheLifetime() throws {
        let (app, each) = (router(.singleton), router(.transient))
        late.registrar?.replace((any Shop.Clock).self) { NamedClock("other") }
        let clock = try each.resolve((any Shop.Clock).self)
        #expect(try each.resolve((any Shop.Clock).self) !== clock)
        weak let kept = try app.resolve((any Shop.Clock).self)
        #expect(kept != nil)
    }

    @Test func replacement_mayNeedOtherServices() throws {
        let router = router(.singleton)
        late.registrar?.replace((any Shop.Clock).self) { (name: String) in NamedClock(name) }
        late.registrar?.register(String.self, lifetime: .singleton) { "named" }
        #expect(try router.resolve((any Shop.Clock).self).name == "named")
    }

    @Test func replacement_ofAServiceThatIsPrepared_needsNoPreparation() async throws {
        let router = RouterService(modules: [
            TestModule {
                $0.prepare(Int.self) { () async throws -> Int in throw Shop.Failure() }
            },
            TestModule { $0.replace(Int.self) { 7 } },
        ])
        #expect(try router.resolve(Int.self) == 7)
        try await router.prepare()
        #expect(try router.resolve(Int.self) == 7)
    }

    @Test func replacement_settlesADuplicateForWhoNeedsTheService() throws {
        let router = RouterService {
            $0.register((any Shop.Clock).self, by: Shop.FakeClock.init)
            $0.register((any Shop.Clock).self, by: Shop.FakeClock.init)
            $0.replace((any Shop.Clock).self) { NamedClock("other") }
        }
        #expect(try router.resolve((any Shop.Clock).self).name == "other")
    }

    @Test func replacement_ofNothing_isAProblemThatNamesItsPlace() async throws {
        let router = RouterService {
            $0.replace((any Shop.Clock).self, fileID: "A/A.swift", line: 3) { NamedClock("other") }
        }
        let problem = try #require(router.validate().first)
        #expect(kind(of: problem) == "nothingToReplace")
        #expect("\(problem)".hasPrefix("any Shop.Clock is replaced at A/A.swift:3"))
        #expect(await failure { try router.resolve((any Shop.Clock).self) } == "missingService")
    }

    private func router(_ lifetime: Lifetime) -> RouterService {
        let late = late
        return RouterService {
            $0.register((any Shop.Clock).self, lifetime: lifetime, by: Shop.FakeClock.init)
            late.registrar = $0
        }
    }
}
