import RouterServiceImplementation
import RouterServiceInterface
import RouterServiceProgram
import RouterServiceTesting
import Testing

@MainActor
struct ServiceTests {
    @Test func dependencies_areInjectedThroughTheInitialiser() throws {
        let router = RouterService {
            $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
            $0.register((any Shop.Clock).self, lifetime: .singleton, by: Shop.FakeClock.init)
        }
        let clock = try router.resolve((any Shop.Clock).self)
        #expect(try router.resolve((any Shop.Prices).self).clock === clock)
    }

    @Test(arguments: [false, true])
    func optionalDependency_isTheService_orNilWhereNobodyRegisteredIt(isRegistered: Bool) throws {
        let router = RouterService {
            $0.register(Bool.self, lifetime: .transient) { (clock: (any Shop.Clock)?) in clock != nil }
            if isRegistered { $0.register((any Shop.Clock).self, by: Shop.FakeClock.init) }
        }
        #expect(try router.resolve(Bool.self) == isRegistered)
        #expect(
            router.validate().allSatisfy { Failure($0) != .missingService || "\($0)".contains("Presenter") }
        )
    }

    @Test func optionalDependency_thatCannotBeCreated_throwsInsteadOfBeingNil() {
        let router = RouterService {
            $0.register(Bool.self, lifetime: .transient) { (prices: (any Shop.Prices)?) in prices != nil }
            $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init)
        }
        #expect { try router.resolve(Bool.self) } throws: { error in
            guard case RouterError.missingService(_, let path) = error else { return false }
            return path.map(\.description) == ["Bool", "any Shop.Prices", "any Shop.Clock"]
        }
    }

    @Test func missingService_ofATypeThatNilConformsTo_throwsToo() {
        let router = RouterService { _ in }
        #expect(throws: RouterError.self) { try router.resolve((any Sendable).self) }
        #expect(throws: RouterError.self) { try router.resolve(Any.self) }
    }

    @Test func missingService_throwsWithThePathThatNeedsIt() {
        let router = RouterService { $0.register((any Shop.Prices).self, by: Shop.FixedPrices.init) }
        #expect { try router.resolve((any Shop.Prices).self) } throws: { error in
            guard case RouterError.missingService(let type, let path) = error else { return false }
            return type == TypeKey((any Shop.Clock).self)
                && path.map(\.description) == ["any Shop.Prices", "any Shop.Clock"]
        }
    }

    @Test func duplicateService_throwsAndNamesBothPlaces() {
        let router = RouterService {
            $0.register((any Shop.Clock).self, fileID: "A/A.swift", line: 1, by: Shop.FakeClock.init)
            $0.register((any Shop.Clock).self, fileID: "B/B.swift", line: 2, by: Shop.FakeClock.init)
        }
        #expect { try router.resolve((any Shop.Clock).self) } throws: { error in
            guard case RouterError.misregistered(let problem as GraphProblem, _) = error else { return false }
            return problem.kind == .duplicate
                && problem.places.map(\.description) == ["A/A.swift:1", "B/B.swift:2"]
        }
    }

    @Test func registration_remembersItsOwnLine() throws {
        let line = #line + 1
        let router = RouterService { $0.register(Int.self) { 1 } }
        #expect { try router.resolve(Int.self) } throws: { error in
            "\(error)".contains("RouterServiceTests/ServiceTests.swift:\(line)")
        }
    }

    @Test func protocolsOfOneName_areDifferentServices() throws {
        enum Home { protocol Clock: AnyObject {}; final class Wall: Clock {} }
        let router = RouterService {
            $0.register((any Shop.Clock).self, by: Shop.FakeClock.init)
            $0.register((any Home.Clock).self, by: Home.Wall.init)
        }
        #expect(try router.resolve((any Home.Clock).self) is Home.Wall)
        #expect(try router.resolve((any Shop.Clock).self) is Shop.FakeClock)
        #expect(!router.validate().map { Failure($0) }.contains(.duplicate))
    }

    @Test func router_isAServiceThatDoesNotKeepItAlive() async throws {
        var router: RouterService? = RouterService { _ in }
        let handle = try #require(try router?.resolve((any Router).self))
        weak let released = router
        router = nil
        #expect(released == nil)
        #expect(await failure { try await handle.open(Shop.Catalogue()) } == .routerReleased)
    }
}
