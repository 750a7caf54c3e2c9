import LoginImplementation
import LoginInterface
import LoginTesting
import RouterServiceInterface
import RouterServiceTesting
import Testing

@MainActor
struct FakeLoginModuleTests {
    @Test func fakeModule_handlesTheRoutesOfTheModule_andNobodyIsSignedIn() throws {
        let recorded = RecordedModules(FakeLoginModule())
        #expect(Set(recorded.routes) == Set(RecordedModules(LoginModule()).routes))
        #expect(try recorded.resolve((any Login.Sessions).self).current == nil)
    }
}
