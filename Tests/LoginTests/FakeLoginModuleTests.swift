import LoginInterface
import LoginTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
struct FakeLoginModuleTests {
    @Test func fakeModule_handlesEveryRouteAndNobodyIsSignedIn() throws {
        let recorded = RecordedModules(FakeLoginModule())
        #expect(Set(recorded.routes) == [TypeName(Login.SignIn.self), TypeName(Login.SignOut.self)])
        #expect(try recorded.resolve((any Login.Sessions).self).current == nil)
    }
}
