import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
struct ScopeTests {
    private let session = Scope("shop.session")
    private let visit = Scope("shop.visit")
    private let router: RouterService

    init() {
        let (session, visit) = (session, visit)
        router = RouterService {
            $0.register((any Shop.Clock).self, lifetime: .scope(session), by: Shop.FakeClock.init)
            $0.register((any Shop.Prices).self, lifetime: .scope(visit), by: Shop.FixedPrices.init)
        }
    }

    @Test func scopedService_isOneFromItsFirstUseUntilTheScopeIsLeft() async throws {
        for _ in 1...2 {
            try router.enter(session)
            weak let clock = try router.resolve((any Shop.Clock).self)
            #expect(clock != nil)
            #expect(try router.resolve((any Shop.Clock).self) === clock)
            try router.leave(session)
            #expect(clock == nil)
            #expect(await failure { try router.resolve((any Shop.Clock).self) } == .outsideScope)
        }
    }

    @Test func scopedService_outsideItsScope_throwsAndNamesTheScopeAndThePath() throws {
        try router.enter(visit)
        #expect { try router.resolve((any Shop.Prices).self) } throws: { error in
            guard case RouterError.outsideScope(let scope, let path) = error else { return false }
            return scope == session && path.map(\.description) == ["any Shop.Prices", "any Shop.Clock"]
                && "\(error)".contains("'shop.session'")
        }
    }

    @Test func leaving_releasesOnlyTheServicesOfThatScope() throws {
        try router.enter(session)
        try router.enter(visit)
        weak let prices = try router.resolve((any Shop.Prices).self)
        weak let clock = try router.resolve((any Shop.Clock).self)
        try router.leave(visit)
        #expect(prices == nil)
        #expect(clock != nil)
    }

    @Test func entering_twice_throws() async throws {
        try router.enter(session)
        #expect(await failure { try router.enter(session) } == .scopeAlreadyEntered)
    }

    @Test func leaving_whatWasNotEntered_throws() async throws {
        #expect(await failure { try router.leave(session) } == .outsideScope)
    }

    @Test func scopedService_whoseFactoryEndsTheScope_isNotKept() throws {
        let session = session
        let router = RouterService {
            $0.register((any Shop.Clock).self, lifetime: .scope(session)) { (router: any Router) in
                try router.leave(session)
                return Shop.FakeClock()
            }
        }
        try router.enter(session)
        weak let clock = try router.resolve((any Shop.Clock).self)
        #expect(clock == nil)
    }
}
