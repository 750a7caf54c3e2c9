import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
struct OverrideTests {
    @Test(arguments: [Lifetime.singleton, .weak, .transient, .scope(Scope("shop.session"))])
    func override_keepsTheLifetime(lifetime: Lifetime) throws {
        let router = RouterService(modules: [
            TestModule {
                $0.register((any Shop.Clock).self, lifetime: lifetime, by: Shop.FakeClock.init)
            },
            TestModule { $0.override((any Shop.Clock).self) { NamedClock("other") } },
        ])
        #expect(!router.validate().map { Failure($0) }.contains(.duplicate))
        if case .scope(let scope) = lifetime { try router.enter(scope) }
        let clock = try router.resolve((any Shop.Clock).self)
        #expect(clock.name == "other")
        #expect(try (router.resolve((any Shop.Clock).self) === clock) == (lifetime != .transient))
        #expect(
            router.services.first { $0.type == TypeKey((any Shop.Clock).self) }?.lifetime == lifetime)
    }

    @Test func override_mayNeedOtherServices() throws {
        let router = RouterService {
            $0.register((any Shop.Clock).self, by: Shop.FakeClock.init)
            $0.override((any Shop.Clock).self) { (name: String) in NamedClock(name) }
            $0.register(String.self, lifetime: .singleton) { "named" }
        }
        #expect(try router.resolve((any Shop.Clock).self).name == "named")
    }

    @Test func override_ofAServiceThatIsPrepared_needsNoPreparation() async throws {
        let router = RouterService(modules: [
            TestModule {
                $0.prepare(Int.self) { () async throws -> Int in throw Shop.Failure() }
            },
            TestModule { $0.override(Int.self) { 7 } },
        ])
        #expect(try router.resolve(Int.self) == 7)
        try await router.prepare()
        #expect(try router.resolve(Int.self) == 7)
    }

    @Test func override_settlesADuplicateForWhoNeedsTheService() throws {
        let router = RouterService {
            $0.register((any Shop.Clock).self, by: Shop.FakeClock.init)
            $0.register((any Shop.Clock).self, by: Shop.FakeClock.init)
            $0.override((any Shop.Clock).self) { NamedClock("other") }
        }
        #expect(try router.resolve((any Shop.Clock).self).name == "other")
    }

    @Test func override_ofNothing_isAnErrorForOptionalsAndArraysToo() async {
        let router = RouterService {
            $0.override((any Shop.Clock).self) { NamedClock("other") }
            $0.override([Int].self) { [1] }
            $0.register(String.self) { (clock: (any Shop.Clock)?) in clock?.name ?? "none" }
        }
        #expect(await failure { try router.resolve((any Shop.Clock)?.self) } == .nothingToOverride)
        #expect(await failure { try router.resolve([Int].self) } == .nothingToOverride)
        #expect(await failure { try router.resolve(String.self) } == .nothingToOverride)
    }

    @Test func override_ofNothing_thatIsUsed_namesItsPlaceAndItsConsumer() {
        let router = RouterService {
            $0.override((any Shop.Clock).self, fileID: "A/A.swift", line: 3) { NamedClock("other") }
            $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
        }
        #expect { try router.resolve((any Shop.Prices).self) } throws: { error in
            Failure(error) == .nothingToOverride && "\(error)".contains("at A/A.swift:3")
                && "\(error)".hasSuffix("It is needed along any Shop.Prices → any Shop.Clock.")
        }
    }
}
