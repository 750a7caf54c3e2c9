import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
struct ServiceTests {
    @Test func appService_isCreatedOnceAndKept() throws {
        var created = 0
        let router = router {
            $0.register((any Shop.Clock).self, lifetime: .app) {
                created += 1
                return Shop.FakeClock()
            }
        }
        let first = ObjectIdentifier(try router.resolve((any Shop.Clock).self))
        #expect(try ObjectIdentifier(router.resolve((any Shop.Clock).self)) == first)
        #expect(created == 1)
    }

    @Test func whileUsedService_isOneWhileHeldAndReleasedAfter() throws {
        let router = router { $0.register((any Shop.Clock).self, by: Shop.FakeClock.init) }
        var held: (any Shop.Clock)? = try router.resolve((any Shop.Clock).self)
        weak let weakly = held
        #expect(try router.resolve((any Shop.Clock).self) === held)
        held = nil
        #expect(weakly == nil)
        #expect(try router.resolve((any Shop.Clock).self).name == "fake")
    }

    @Test func whileUsedService_isRefusedForAValueType() {
        let router = router { $0.register(Int.self) { 1 } }
        #expect { try router.resolve(Int.self) } throws: { error in
            guard case RouterError.valueTypeWhileUsed(TypeName(Int.self), let place) = error else {
                return false
            }
            return place.fileID.hasSuffix("ServiceTests.swift")
        }
    }

    @Test func eachService_isNewForEveryNeed() throws {
        let router = router { $0.register((any Shop.Clock).self, lifetime: .each, by: Shop.FakeClock.init) }
        let first = try router.resolve((any Shop.Clock).self)
        #expect(try router.resolve((any Shop.Clock).self) !== first)
    }

    @Test func needs_areInjectedThroughTheInitialiser() throws {
        let router = router {
            $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
            $0.register((any Shop.Clock).self, lifetime: .app, by: Shop.FakeClock.init)
        }
        let clock = try router.resolve((any Shop.Clock).self)
        #expect(try router.resolve((any Shop.Prices).self).clock === clock)
    }

    @Test func missingService_throwsWithThePathThatNeedsIt() {
        let router = router { $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init) }
        #expect { try router.resolve((any Shop.Prices).self) } throws: { error in
            guard case RouterError.missingService(let type, let path) = error else { return false }
            return type == TypeName((any Shop.Clock).self)
                && path.map(\.description) == ["any Shop.Prices", "any Shop.Clock"]
        }
    }

    @Test func duplicateService_throwsAndNamesBothPlaces() {
        let router = router {
            $0.register((any Shop.Clock).self, fileID: "A/A.swift", line: 1, by: Shop.FakeClock.init)
            $0.register((any Shop.Clock).self, fileID: "B/B.swift", line: 2, by: Shop.FakeClock.init)
        }
        #expect { try router.resolve((any Shop.Clock).self) } throws: { error in
            "\(error)".contains("A/A.swift:1") && "\(error)".contains("B/B.swift:2")
        }
    }

    @Test func cycle_throwsItsWholePathInsteadOfOverflowing() {
        final class Hen { init(egg: Egg) {} }
        final class Egg { init(hen: Hen) {} }
        let router = router {
            $0.register(Hen.self, by: Hen.init)
            $0.register(Egg.self, by: Egg.init)
        }
        #expect { try router.resolve(Hen.self) } throws: { error in
            guard case RouterError.cycle(let path) = error else { return false }
            return path == [TypeName(Hen.self), TypeName(Egg.self), TypeName(Hen.self)]
        }
    }

    @Test func failingFactory_throwsWithItsPathAndMayBeTriedAgain() throws {
        var isBroken = true
        let router = router {
            $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
            $0.register((any Shop.Clock).self, lifetime: .app) {
                if isBroken { throw Shop.Failure() }
                return Shop.FakeClock()
            }
        }
        #expect { try router.resolve((any Shop.Prices).self) } throws: { error in
            guard case RouterError.creationFailed(_, let path, let underlying) = error else { return false }
            return path.map(\.description) == ["any Shop.Prices", "any Shop.Clock"]
                && underlying is Shop.Failure
        }
        isBroken = false
        #expect(try router.resolve((any Shop.Prices).self).clock.name == "fake")
    }

    @Test func twoRouters_shareNothing() throws {
        func make() -> RouterService {
            router { $0.register((any Shop.Clock).self, lifetime: .app, by: Shop.FakeClock.init) }
        }
        let (one, other) = (make(), make())
        #expect(try one.resolve((any Shop.Clock).self) !== other.resolve((any Shop.Clock).self))
    }

    @Test func protocolsOfOneName_areDifferentServices() throws {
        enum Home { protocol Clock: AnyObject {}; final class Wall: Clock {} }
        let router = router {
            $0.register((any Shop.Clock).self, by: Shop.FakeClock.init)
            $0.register((any Home.Clock).self, by: Home.Wall.init)
        }
        #expect(try router.resolve((any Home.Clock).self) is Home.Wall)
        #expect(router.validate().count == 1, "only the presenter is missing")
    }

    private func router(_ registration: @escaping @MainActor (any Registrar) -> Void) -> RouterService {
        RouterService(modules: [TestModule(registration)])
    }
}
