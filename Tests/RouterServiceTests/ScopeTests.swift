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

    @Test func scopedService_isOneFromItsFirstUseUntilTheScopeIsLeft() throws {
        try router.enter(session)
        weak let clock = try router.resolve((any Shop.Clock).self)
        #expect(clock != nil)
        #expect(try router.resolve((any Shop.Clock).self) === clock)
        try router.leave(session)
        #expect(clock == nil)
    }

    @Test func scopedService_isNewWhenTheScopeBeginsAgain() throws {
        try router.enter(session)
        let before = try router.resolve((any Shop.Clock).self)
        try router.leave(session)
        try router.enter(session)
        #expect(try router.resolve((any Shop.Clock).self) !== before)
    }

    @Test func scopedService_outsideItsScope_throwsAndNamesTheScopeAndThePath() throws {
        try router.enter(visit)
        #expect { try router.resolve((any Shop.Prices).self) } throws: { error in
            guard case RouterError.outsideScope(let scope, let path) = error else { return false }
            return scope == session && path.map(\.description) == ["any Shop.Prices", "any Shop.Clock"]
                && "\(error)".contains("'shop.session'")
        }
    }

    @Test func scopedService_afterItsScope_throws() async throws {
        try router.enter(session)
        _ = try router.resolve((any Shop.Clock).self)
        try router.leave(session)
        #expect(await failure { try router.resolve((any Shop.Clock).self) } == .outsideScope)
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

    @Test func feature_thatNeedsAScopedService_opensWithinTheScopeOnly() async throws {
        struct Till: Route { static let identifier = "till" }
        let session = session
        let stage = try await Stage.started {
            $0.register((any Shop.Clock).self, lifetime: .scope(session), by: Shop.FakeClock.init)
            $0.route(Till.self) { (clock: any Shop.Clock) in ProbeFeature<Till>() }
        }
        #expect(await failure { try await stage.router.open(Till()) } == .outsideScope)
        try stage.router.enter(session)
        try await stage.router.open(Till())
        #expect(stage.shown?.last == AnyRoute(Till()))
    }
}
