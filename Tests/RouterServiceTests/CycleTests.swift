import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@MainActor
struct CycleTests {
    private final class Hen { init(egg: Egg) {} }
    private final class Egg { init(hen: Hen) {} }
    private final class Mirror { init(mirror: Mirror) {} }

    /// The second leg of this cycle is deferred.
    private final class Outbox {
        let account: Deferred<Account>
        init(account: Deferred<Account>) { self.account = account }
    }
    private final class Account {
        let outbox: Outbox
        init(outbox: Outbox) { self.outbox = outbox }
    }

    @Test func cycle_throwsItsWholePath_andOtherServicesAreCreated() async throws {
        let router = RouterService {
            $0.register(Hen.self, by: Hen.init)
            $0.register(Egg.self, by: Egg.init)
            $0.register((any Shop.Clock).self, by: Shop.FakeClock.init)
        }
        for _ in 1...2 {
            #expect { try router.resolve(Hen.self) } throws: { error in
                guard case RouterError.cycle(let path) = error else { return false }
                return path == [TypeKey(Hen.self), TypeKey(Egg.self), TypeKey(Hen.self)]
            }
        }
        #expect(await failure { try router.resolve(Egg.self) } == .cycle)
        #expect(try router.resolve((any Shop.Clock).self).name == "fake")
    }

    @Test(arguments: [Lifetime.singleton, .transient, .weak])
    func service_thatNeedsItself_throws(lifetime: Lifetime) async {
        let router = RouterService { $0.register(Mirror.self, lifetime: lifetime, by: Mirror.init) }
        #expect(await failure { try router.resolve(Mirror.self) } == .cycle)
    }

    @Test func deferredLeg_breaksTheCycle() throws {
        let router = deferringRouter()
        let account = try router.resolve(Account.self)
        #expect(try account.outbox.account.value === account)
        #expect(!router.validate().map { Failure($0) }.contains(.cycle))
    }

    @Test func deferredDependency_isCreatedOnFirstUse() throws {
        var created = 0
        final class Holder {
            let clock: Deferred<any Shop.Clock>
            init(clock: Deferred<any Shop.Clock>) { self.clock = clock }
        }
        let router = RouterService {
            $0.register(Holder.self, by: Holder.init)
            $0.register((any Shop.Clock).self, lifetime: .singleton) {
                created += 1
                return Shop.FakeClock()
            }
        }
        let holder = try router.resolve(Holder.self)
        #expect(created == 0)
        #expect(try holder.clock.value === router.resolve((any Shop.Clock).self))
        #expect(created == 1)
    }

    @Test func deferredDependency_holdsNothing() throws {
        let router = deferringRouter(lifetime: .weak)
        let outbox = try router.resolve(Outbox.self)
        weak let account = try outbox.account.value
        #expect(account == nil)
    }

    @Test func deferredDependency_thatNobodyRegistered_throwsOnUse() async throws {
        let router = RouterService { $0.register(Outbox.self, by: Outbox.init) }
        let outbox = try router.resolve(Outbox.self)
        #expect(await failure { try outbox.account.value } == .missingService)
    }

    @Test func deferredDependency_afterTheRouterWasReleased_throws() async throws {
        var router: RouterService? = deferringRouter()
        let outbox = try #require(try router?.resolve(Outbox.self))
        router = nil
        #expect(await failure { try outbox.account.value } == .routerReleased)
    }

    @Test func deferredDependency_mayBeOptional() throws {
        final class Holder {
            let clock: Deferred<(any Shop.Clock)?>
            init(clock: Deferred<(any Shop.Clock)?>) { self.clock = clock }
        }
        let router = RouterService { $0.register(Holder.self, by: Holder.init) }
        #expect(try router.resolve(Holder.self).clock.value == nil)
        #expect(!router.validate().contains { "\($0)".contains("Shop.Clock") })
    }

    @Test func deferredDependency_isAValueInTests() throws {
        let outbox = Outbox(account: Deferred { throw Shop.Failure() })
        #expect(throws: Shop.Failure.self) { try outbox.account.value }
        let clock = Shop.FakeClock()
        #expect(try Deferred { clock }.value === clock)
    }

    private func deferringRouter(lifetime: Lifetime = .singleton) -> RouterService {
        RouterService {
            $0.register(Outbox.self, lifetime: lifetime, by: Outbox.init)
            $0.register(Account.self, lifetime: lifetime, by: Account.init)
        }
    }
}
