import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@MainActor
struct LifetimeTests {
    @Test func singleton_isCreatedOnceAndKept() throws {
        var created = 0
        let router = RouterService {
            $0.register((any Shop.Clock).self, lifetime: .singleton) {
                created += 1
                return Shop.FakeClock()
            }
        }
        weak let first = try router.resolve((any Shop.Clock).self)
        #expect(try router.resolve((any Shop.Clock).self) === first)
        #expect(first != nil)
        #expect(created == 1)
    }

    @Test func weakService_isOneWhileHeldAndReleasedAfter() throws {
        var created = 0
        let router = RouterService {
            $0.register((any Shop.Clock).self) {
                created += 1
                return Shop.FakeClock()
            }
        }
        var held: (any Shop.Clock)? = try router.resolve((any Shop.Clock).self)
        weak let weakly = held
        #expect(try router.resolve((any Shop.Clock).self) === held)
        #expect(created == 1)
        held = nil
        #expect(weakly == nil)
        #expect(try router.resolve((any Shop.Clock).self).name == "fake")
        #expect(created == 2)
    }

    @Test func weakService_isSharedByAllThatHoldIt() throws {
        final class Till { init(clock: any Shop.Clock) { self.clock = clock }; let clock: any Shop.Clock }
        let router = RouterService {
            $0.register((any Shop.Clock).self, by: Shop.FakeClock.init)
            $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
            $0.register(Till.self, by: Till.init)
        }
        let (prices, till) = (try router.resolve((any Shop.Prices).self), try router.resolve(Till.self))
        #expect(prices.clock === till.clock)
    }

    @Test func weakService_thatIsAnError_isServedAlsoWhenOnlyTheObjectIsKept() throws {
        final class Trouble: Error {
            let text = "trouble"
        }
        let router = RouterService { $0.register((any Error).self) { Trouble() } }
        // The existential that was handed out is released; the object in it is not.
        let kept = try #require(try router.resolve((any Error).self) as? Trouble)
        for _ in 1...3 {
            #expect(try (router.resolve((any Error).self) as? Trouble) === kept)
        }
        #expect(kept.text == "trouble")
    }

    @Test func weakService_isRefusedForAValueType_alsoBehindAProtocol() async {
        struct PaperPrices: CustomStringConvertible { let description = "paper" }
        let router = RouterService {
            $0.register(Int.self) { 1 }
            $0.register((any CustomStringConvertible).self) { PaperPrices() }
        }
        #expect { try router.resolve(Int.self) } throws: { error in
            guard case RouterError.misregistered(let problem as GraphProblem, _) = error else { return false }
            return problem.kind == .weakValueType && problem.subjects == [TypeKey(Int.self)]
                && problem.places.first?.contains("LifetimeTests.swift:") == true
        }
        #expect(
            await failure { try router.resolve((any CustomStringConvertible).self) } == .weakValueType)
    }

    @Test func transientService_isNewForEachDependency() throws {
        let router = RouterService {
            $0.register((any Shop.Clock).self, lifetime: .transient, by: Shop.FakeClock.init)
            $0.register((any Shop.Prices).self, lifetime: .singleton, by: Shop.FixedPrices.init)
        }
        let first = try router.resolve((any Shop.Clock).self)
        #expect(try router.resolve((any Shop.Clock).self) !== first)
        #expect(try router.resolve((any Shop.Prices).self).clock !== first)
    }

    @Test func valueType_mayBeSingletonOrTransient() throws {
        var created = 0
        let router = RouterService {
            $0.register(Int.self, lifetime: .singleton) {
                created += 1
                return created
            }
            $0.register(String.self, lifetime: .transient) { (number: Int) in
                created += 1
                return "\(number).\(created)"
            }
        }
        #expect(try router.resolve(String.self) == "1.2")
        #expect(try router.resolve(String.self) == "1.3")
    }

    @Test func failingFactory_throwsWithItsPathAndMayBeTriedAgain() throws {
        var isBroken = true
        let router = RouterService {
            $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
            $0.register((any Shop.Clock).self, lifetime: .singleton) {
                if isBroken { throw Shop.Failure() }
                return Shop.FakeClock()
            }
        }
        #expect { try router.resolve((any Shop.Prices).self) } throws: { error in
            guard case RouterError.creationFailed(let type, let path, let underlying) = error else {
                return false
            }
            return type == TypeKey((any Shop.Clock).self)
                && path.map(\.description) == ["any Shop.Prices", "any Shop.Clock"]
                && underlying is Shop.Failure
        }
        isBroken = false
        #expect(try router.resolve((any Shop.Prices).self).clock.name == "fake")
    }

    @Test func weakService_mayBeOfAProtocolWithParameters() throws {
        let router = RouterService { $0.register((any Shelf<Int>).self, by: IntShelf.init) }
        #expect(router.validate().filter { !$0.isWarning && $0.kind == .weakValueType }.isEmpty)
        let shelf = try router.resolve((any Shelf<Int>).self)
        #expect(try router.resolve((any Shelf<Int>).self) === shelf)
        #expect("\(TypeKey((any Shelf<Int>).self))" == "any Shelf<Int>")
        #expect("\(TypeKey([any Shelf<Int>].self))" == "Array<any Shelf<Int>>")
    }
}

protocol Shelf<Item>: AnyObject { associatedtype Item }

final class IntShelf: Shelf, Sendable { typealias Item = Int }
