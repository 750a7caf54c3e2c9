import ProfileInterface
import ProfileTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
struct FakeProfileModuleTests {
    @Test func fakeModule_handlesEveryRouteAndKnowsPeopleWhoLeadToOneAnother() async throws {
        let registrar = RecordingRegistrar()
        FakeProfileModule().register(in: registrar)
        #expect(Set(registrar.routes) == Set(Profile.routes.map { TypeName($0) }))
        let profiles = try registrar.resolve((any Profile.Service).self)
        #expect(
            try await profiles.user("ann").links.map(\.route) == [
                AnyRoute(Profile.Overview(user: "bob")), AnyRoute(Profile.Editor(user: "ann")),
            ])
        #expect(
            try await profiles.user("bob").links.map(\.text) == [#"profile.overview|{"user":"ann"}"#])
    }
}
