import ProfileImplementation
import ProfileInterface
import ProfileTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
struct FakeProfileModuleTests {
    @Test func fakeModule_handlesTheRoutesOfTheModule_andKnowsUsersWhoLeadToOneAnother() async throws {
        let recorded = RecordedModules(FakeProfileModule())
        #expect(Set(recorded.routes) == Set(RecordedModules(ProfileModule()).routes))
        let profiles = try recorded.resolve((any Profile.Service).self)
        #expect(
            try await profiles.user("ann").links.map(\.route) == [
                AnyRoute(Profile.Overview(user: "bob")), AnyRoute(Profile.Editor(user: "ann")),
            ])
        #expect(try await profiles.user("bob").links.map(\.title) == ["Profile of ann"])
    }
}
